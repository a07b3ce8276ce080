//! The bucket of S3 in which homes lie, as the owner writes it.
//!
//! Reads no environment; keys are handed in.

use std::collections::BTreeMap;
use std::sync::Arc;

use object_store::ObjectStore;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use rustls::crypto::{CryptoProvider, ring};

use crate::HomesError;

/// A bucket with the prefix below which the homes lie.
#[derive(Debug, Clone)]
pub struct BucketAddress {
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) prefix: String,
}

/// Where the owner may have said who asks.
const CREDENTIALS: [&str; 5] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_SKIP_SIGNATURE",
];

impl BucketAddress {
    /// `s3://BUCKET/PREFIX`, with the `AWS_` variables of the environment.
    ///
    /// # Errors
    ///
    /// [`HomesError::Address`] where that leads nowhere.
    pub fn parse(text: &str, variables: &BTreeMap<String, String>) -> Result<Self, HomesError> {
        let wrong = |reason: String| HomesError::Address {
            address: text.to_owned(),
            reason,
        };
        let rest = text
            .strip_prefix("s3://")
            .ok_or_else(|| wrong("the address of a bucket begins with `s3://`".to_owned()))?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if !CREDENTIALS.iter().any(|name| variables.contains_key(*name)) {
            // The library would ask an address of the network for them.
            return Err(wrong(format!(
                "none of these variables is set: {}",
                CREDENTIALS.join(", ")
            )));
        }
        if CryptoProvider::get_default().is_none() {
            // Another thread may have been faster, with the same.
            ring::default_provider().install_default().ok();
        }
        let mut builder = AmazonS3Builder::new().with_bucket_name(bucket);
        for (name, value) in variables {
            let key = name.strip_prefix("AWS_").map(str::to_ascii_lowercase);
            let key = key.and_then(|name| format!("aws_{name}").parse::<AmazonS3ConfigKey>().ok());
            if let Some(key) = key {
                builder = builder.with_config(key, value);
            }
        }
        let store = builder.build().map_err(|error| wrong(error.to_string()))?;
        Ok(Self::of(Arc::new(store), prefix))
    }

    /// Any store.
    pub fn of(store: Arc<dyn ObjectStore>, prefix: &str) -> Self {
        Self {
            store,
            prefix: prefix.to_owned(),
        }
    }
}
