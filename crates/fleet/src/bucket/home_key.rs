//! The key of one home, stored in the bucket and encrypted for the owner's key.
//!
//! Each home has its own key, which cannot decrypt any other home.

use encryption::{
    EncryptionError, ExposeSecret, Key, Recipients, SecretString, decrypt_bytes, encrypt_bytes,
    is_encrypted, keyed_hash,
};

use super::head::head_key;
use super::requests::{Etag, Requests, Written};
use crate::{HomeName, HomesError};

/// Encrypts the objects of a home and derives their names.
#[derive(Debug)]
pub(crate) struct HomeKey {
    key: Key,
    recipients: Recipients,
    secret: SecretString,
}

/// The reaction to a home that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Absent {
    /// Creates the home.
    Begins,
    /// Fails with [`HomesError::Missing`].
    Missing,
}

impl HomeKey {
    /// Reads the key of a home, or creates it for a new home.
    ///
    /// # Errors
    ///
    /// [`HomesError::WrongKey`] if the owner's key does not decrypt it, [`HomesError::NotEncrypted`] if the home is
    /// in clear text, [`HomesError::Missing`], and [`HomesError::Damaged`] if the owner did not make the key.
    pub(crate) fn open(
        requests: &Requests,
        home: &HomeName,
        (owner, absent): (&Key, Absent),
    ) -> Result<Self, HomesError> {
        if let Some((found, _)) = Self::read(requests, home, owner)? {
            return Ok(found);
        }
        match requests.read(&head_key(home))? {
            Some((head, _)) if is_encrypted(&head) => {
                // The key is missing, unless another process has just created the home.
                return Self::found(requests, home, owner).map(|(found, _)| found);
            }
            Some(_) => return Err(HomesError::NotEncrypted(home.clone())),
            None => {}
        }
        if absent == Absent::Missing {
            return Err(HomesError::Missing(home.clone()));
        }
        let own = Self::of(Key::generate()).map_err(wrong(home))?;
        let encrypted = own.encode(home, owner).map_err(damaged(home))?;
        match requests.swap(&key_key(home), encrypted, None)? {
            Written::Done(_) => Ok(own),
            // Another process was first, or only the response to this program's own write was lost.
            Written::Refused => Self::found(requests, home, owner).map(|(found, _)| found),
        }
    }

    /// Replaces the stored key with the same key encrypted for `new`. A single request makes the switch, so at any
    /// time exactly one of the owner's keys opens the home.
    pub(crate) fn hand_over(
        requests: &Requests,
        home: &HomeName,
        (owner, new): (&Key, &Key),
    ) -> Result<(), HomesError> {
        let (own, etag) = Self::found(requests, home, owner)?;
        let encrypted = own.encode(home, new).map_err(damaged(home))?;
        match requests.swap(&key_key(home), encrypted, Some(&etag))? {
            Written::Done(_) => Ok(()),
            // Another process was first, or only the response to this program's own write was lost.
            Written::Refused => Self::found(requests, home, new).map(drop),
        }
    }

    fn found(
        requests: &Requests,
        home: &HomeName,
        owner: &Key,
    ) -> Result<(Self, Etag), HomesError> {
        Self::read(requests, home, owner)?.ok_or_else(|| damaged(home)("it is missing".to_owned()))
    }

    fn of(key: Key) -> Result<Self, EncryptionError> {
        let secret = key.secrets().pop().ok_or(EncryptionError::Empty)?;
        Ok(Self {
            recipients: key.recipients(),
            key,
            secret,
        })
    }

    fn read(
        requests: &Requests,
        home: &HomeName,
        owner: &Key,
    ) -> Result<Option<(Self, Etag)>, HomesError> {
        let Some((encrypted, etag)) = requests.read(&key_key(home))? else {
            return Ok(None);
        };
        let text = decrypt_bytes(owner, &encrypted).map_err(wrong(home))?;
        let text = String::from_utf8(text).map_err(|error| damaged(home)(error.to_string()))?;
        let (secret, proofs) = text.split_once('\n').unwrap_or((&text, ""));
        // Anyone with the owner's public key could plant a key, so the proof must be made with a secret key.
        if !(proofs_of(home, owner, secret).iter()).any(|own| proofs.lines().any(|it| it == own)) {
            return Err(damaged(home)(
                "it was not made with the owner's key".to_owned(),
            ));
        }
        let key = Key::identities(secret).and_then(Self::of);
        Ok(Some((key.map_err(wrong(home))?, etag)))
    }

    /// Encrypts the secret together with one proof of its origin per secret key of the owner.
    fn encode(&self, home: &HomeName, owner: &Key) -> Result<Vec<u8>, String> {
        let secret = self.secret.expose_secret();
        let proofs = proofs_of(home, owner, secret).join("\n");
        let text = format!("{secret}\n{proofs}\n");
        encrypt_bytes(&owner.recipients(), text.as_bytes()).map_err(|error| error.to_string())
    }

    pub(crate) fn encrypt(&self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        encrypt_bytes(&self.recipients, bytes).map_err(|error| error.to_string())
    }

    pub(crate) fn decrypt(&self, encrypted: &[u8]) -> Result<Vec<u8>, EncryptionError> {
        decrypt_bytes(&self.key, encrypted)
    }

    /// A keyed hash. Without the key, nobody can check a guess about the content against an object name.
    pub(crate) fn hash(&self, bytes: &[u8]) -> String {
        keyed_hash(&self.secret, bytes)
    }
}

fn key_key(home: &HomeName) -> String {
    format!("{}/key", home.key())
}

fn proofs_of(home: &HomeName, owner: &Key, secret: &str) -> Vec<String> {
    let text = format!("{home}\n{secret}");
    let secrets = owner.secrets();
    let proofs = secrets.iter().map(|it| keyed_hash(it, text.as_bytes()));
    proofs.collect()
}

fn wrong(home: &HomeName) -> impl FnOnce(EncryptionError) -> HomesError {
    move |source| {
        let is_damage = matches!(
            source,
            EncryptionError::Damaged(_) | EncryptionError::NotEncrypted
        );
        if is_damage {
            return damaged(home)(source.to_string());
        }
        HomesError::WrongKey {
            home: home.clone(),
            source,
        }
    }
}

fn damaged(home: &HomeName) -> impl Fn(String) -> HomesError {
    move |reason| HomesError::Damaged {
        home: home.clone(),
        key: key_key(home),
        reason,
    }
}
