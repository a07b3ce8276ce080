//! Requests about one home: what it stores goes out encrypted and comes back in clear text, where it has a key.
//!
//! The only way from a home to its bucket.

use std::sync::Arc;

use base::content_hash;

use super::home_key::HomeKey;
use super::requests::{Etag, Requests, Written};
use crate::encryption::is_encrypted;
use crate::{HomeName, HomesError};

#[derive(Debug, Clone)]
pub(crate) struct HomeRequests {
    pub(crate) requests: Arc<Requests>,
    pub(crate) home: HomeName,
    pub(crate) key: Option<Arc<HomeKey>>,
}

impl HomeRequests {
    /// As of [`Requests::create`].
    pub(crate) fn create(&self, key: &str, bytes: Vec<u8>) -> Result<Written, HomesError> {
        self.requests.create(key, self.encrypted(key, bytes)?)
    }

    /// As of [`Requests::swap`].
    pub(crate) fn swap(
        &self,
        key: &str,
        bytes: Vec<u8>,
        etag: Option<&Etag>,
    ) -> Result<Written, HomesError> {
        self.requests.swap(key, self.encrypted(key, bytes)?, etag)
    }

    /// An object that is swapped, with its etag; `None` where there is none.
    ///
    /// # Errors
    ///
    /// [`HomesError::Encrypted`] where a key is needed and none is there.
    pub(crate) fn read(&self, key: &str) -> Result<Option<(Vec<u8>, Etag)>, HomesError> {
        let Some((bytes, etag)) = self.requests.read(key)? else {
            return Ok(None);
        };
        if self.key.is_none() && is_encrypted(&bytes) {
            return Err(HomesError::Encrypted(self.home.clone()));
        }
        Ok(Some((self.decrypted(key, bytes)?, etag)))
    }

    /// Objects that were created once, in the order in which they were asked for.
    pub(crate) fn read_each(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, HomesError> {
        let read = self.requests.read_each(keys)?;
        let each = keys.iter().zip(read);
        each.map(|(key, bytes)| bytes.map(|it| self.decrypted(key, it)).transpose())
            .collect()
    }

    /// What names bytes: their hash, which nobody can test who has no key.
    pub(crate) fn hash(&self, bytes: &[u8]) -> String {
        match &self.key {
            Some(key) => key.hash(bytes),
            None => content_hash(bytes),
        }
    }

    pub(crate) fn damaged(&self, key: &str, reason: String) -> HomesError {
        HomesError::Damaged {
            home: self.home.clone(),
            key: key.to_owned(),
            reason,
        }
    }

    fn encrypted(&self, key: &str, bytes: Vec<u8>) -> Result<Vec<u8>, HomesError> {
        match &self.key {
            Some(own) => own
                .encrypt(&bytes)
                .map_err(|reason| self.damaged(key, reason)),
            None => Ok(bytes),
        }
    }

    fn decrypted(&self, key: &str, bytes: Vec<u8>) -> Result<Vec<u8>, HomesError> {
        match &self.key {
            Some(own) => own
                .decrypt(&bytes)
                .map_err(|error| self.damaged(key, error.to_string())),
            None => Ok(bytes),
        }
    }
}
