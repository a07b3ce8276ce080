//! The requests of one home. If the home has a key, encrypts everything that is written and decrypts everything that
//! is read.
//!
//! All content of a home except its key passes through here; listings and deletions do not.

use std::sync::Arc;

use base::content_hash;
use encryption::is_encrypted;

use super::home_key::HomeKey;
use super::requests::{Etag, Requests, Written};
use crate::{HomeName, HomesError};

#[derive(Debug, Clone)]
pub(crate) struct HomeRequests {
    pub(crate) requests: Arc<Requests>,
    pub(crate) home: HomeName,
    pub(crate) key: Option<Arc<HomeKey>>,
}

impl HomeRequests {
    /// Encrypts the bytes, then calls [`Requests::swap`].
    pub(crate) fn swap(
        &self,
        key: &str,
        bytes: Vec<u8>,
        etag: Option<&Etag>,
    ) -> Result<Written, HomesError> {
        self.requests.swap(key, self.encrypted(key, bytes)?, etag)
    }

    /// Reads a swappable object and its etag; `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// [`HomesError::Encrypted`] if the object is encrypted and the home has no key.
    pub(crate) fn read(&self, key: &str) -> Result<Option<(Vec<u8>, Etag)>, HomesError> {
        let Some((bytes, etag)) = self.requests.read(key)? else {
            return Ok(None);
        };
        Ok(Some((self.opened(key, bytes)?, etag)))
    }

    /// Decrypts a swappable object.
    ///
    /// # Errors
    ///
    /// Those of [`Self::read`].
    pub(crate) fn opened(&self, key: &str, bytes: Vec<u8>) -> Result<Vec<u8>, HomesError> {
        if self.key.is_none() && is_encrypted(&bytes) {
            return Err(HomesError::Encrypted(self.home.clone()));
        }
        self.decrypted(key, bytes)
    }

    /// Reads write-once objects; returns them in the order of `keys`.
    pub(crate) fn read_each(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, HomesError> {
        let read = self.requests.read_each(keys)?;
        let each = keys.iter().zip(read);
        each.map(|(key, bytes)| bytes.map(|it| self.decrypted(key, it)).transpose())
            .collect()
    }

    /// The hash that names an object. It is keyed if the home has a key, so that nobody else can check guesses about
    /// the content.
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
