//! The storage address of homes: a bucket on a server, or a vault in a directory.
//!
//! Does not read the environment: the caller passes the variables.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use base::Disk;
use object_store::ObjectStore;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use rustls::crypto::{CryptoProvider, ring};

use super::vault::Vault;
use crate::HomesError;

/// A bucket and the key prefix of its homes.
#[derive(Debug, Clone)]
pub struct BucketAddress {
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) prefix: String,
}

/// Variables that provide credentials; at least one must be set.
const CREDENTIALS: [&str; 5] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_SKIP_SIGNATURE",
];

impl BucketAddress {
    /// Parses `s3://BUCKET/PREFIX`. `variables` are the `AWS_` variables of the environment.
    ///
    /// # Errors
    ///
    /// [`HomesError::Address`] if the address is malformed, there are no credentials, or the client cannot be built.
    pub fn parse(text: &str, variables: &BTreeMap<String, String>) -> Result<Self, HomesError> {
        let wrong = |reason: String| HomesError::Address {
            address: text.to_owned(),
            reason,
        };
        let rest = text
            .strip_prefix("s3://")
            .ok_or_else(|| wrong("a bucket address starts with `s3://`".to_owned()))?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if !CREDENTIALS.iter().any(|name| variables.contains_key(*name)) {
            // Without credentials, `object_store` would query the instance metadata service over the network.
            return Err(wrong("there are no credentials".to_owned()));
        }
        if CryptoProvider::get_default().is_none() {
            // An error only means that another thread has just installed the same provider.
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

    /// The address of a vault that [`create_vault`](crate::create_vault) made.
    pub fn vault(disk: Arc<dyn Disk>, directory: &Path) -> Self {
        Self::of(Arc::new(Vault::new(disk, directory)), "")
    }

    /// Wraps any object store, such as one in memory.
    pub fn of(store: Arc<dyn ObjectStore>, prefix: &str) -> Self {
        Self {
            store,
            prefix: prefix.to_owned(),
        }
    }
}
