//! Encrypts data that leaves this machine in the age format, for holders of keys or with a passphrase.
//!
//! Reads no file; neither errors nor `Debug` show a secret.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufReader, Read, Write};

use age::secrecy::{ExposeSecret, SecretString};
use age::stream::StreamWriter;
use age::{DecryptError, Decryptor, Encryptor, scrypt, x25519};
use base::content_hash;

/// First line of every age file.
const BEGINNING: &[u8] = b"age-encryption.org/v1\n";

/// The reason why encryption or decryption failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EncryptionError {
    /// A line is not a secret key; holds the line number, from 1.
    #[error("line {0} is not a secret key, which starts with `AGE-SECRET-KEY-1`")]
    NotIdentity(usize),
    /// A line is not a public key; holds the line number, from 1.
    #[error("line {0} is not a public key, which starts with `age1`")]
    NotRecipient(usize),
    /// The text contains no key, or the passphrase is empty.
    #[error("it is empty")]
    Empty,
    /// The data is in clear text.
    #[error("it is not encrypted")]
    NotEncrypted,
    /// None of the keys decrypts the data.
    #[error("it was encrypted for another key")]
    OtherKey,
    /// The passphrase does not decrypt the data.
    #[error("wrong passphrase")]
    OtherPassphrase,
    /// A key was given where a passphrase is needed.
    #[error("it is encrypted with a passphrase, not for a key")]
    NeedsPassphrase,
    /// A passphrase was given where a key is needed.
    #[error("it is encrypted for a key, not with a passphrase")]
    NeedsKey,
    /// The data is corrupt or cannot be read.
    #[error("cannot decrypt it: {0}")]
    Damaged(String),
}

/// Whether the bytes begin with the header of an age file.
pub fn is_encrypted(beginning: &[u8]) -> bool {
    beginning.starts_with(BEGINNING)
}

/// The readers of encrypted data: holders of keys, or anyone who knows the passphrase.
#[derive(Clone)]
pub struct Recipients(RecipientsKind);

#[derive(Clone)]
enum RecipientsKind {
    Keys(Vec<x25519::Recipient>),
    Passphrase(SecretString),
}

impl Recipients {
    /// Parses public keys, one per line. Lines that begin with `#` are comments.
    ///
    /// # Errors
    ///
    /// [`EncryptionError::NotRecipient`] at a line that is not a public key, [`EncryptionError::Empty`] without any
    /// key.
    pub fn parse(text: &str) -> Result<Self, EncryptionError> {
        Ok(Self(RecipientsKind::Keys(keys(
            text,
            EncryptionError::NotRecipient,
        )?)))
    }
}

/// The secret that decrypts data: secret keys or a passphrase.
#[derive(Clone)]
pub struct Key(KeyKind);

#[derive(Clone)]
enum KeyKind {
    Identities(Vec<x25519::Identity>),
    Passphrase(SecretString),
}

impl Key {
    /// Parses secret keys as `age-keygen` writes them, one per line. Lines that begin with `#` are comments.
    ///
    /// # Errors
    ///
    /// [`EncryptionError::NotIdentity`] at a line that is not a secret key, [`EncryptionError::Empty`] without any
    /// key.
    pub fn identities(text: &str) -> Result<Self, EncryptionError> {
        Ok(Self(KeyKind::Identities(keys(
            text,
            EncryptionError::NotIdentity,
        )?)))
    }

    /// Takes a passphrase; a line end after it is ignored.
    pub fn passphrase(text: &str) -> Result<Self, EncryptionError> {
        match text.trim_end_matches(['\r', '\n']) {
            blank if blank.trim().is_empty() => Err(EncryptionError::Empty),
            text => Ok(Self(KeyKind::Passphrase(SecretString::from(
                text.to_owned(),
            )))),
        }
    }

    /// Generates a secret key.
    pub fn generate() -> Self {
        Self(KeyKind::Identities(vec![x25519::Identity::generate()]))
    }

    /// The recipients who can decrypt with this key.
    pub fn recipients(&self) -> Recipients {
        Recipients(match &self.0 {
            KeyKind::Identities(identities) => {
                RecipientsKind::Keys(identities.iter().map(x25519::Identity::to_public).collect())
            }
            KeyKind::Passphrase(passphrase) => RecipientsKind::Passphrase(passphrase.clone()),
        })
    }

    /// Whether both contain the same secrets.
    pub fn is_same(&self, other: &Self) -> bool {
        let (own, theirs) = (self.secrets(), other.secrets());
        let own: BTreeSet<&str> = own.iter().map(ExposeSecret::expose_secret).collect();
        let theirs = theirs.iter().map(ExposeSecret::expose_secret);
        own == theirs.collect()
    }

    /// The secrets as text, in the format of a key file.
    pub fn secrets(&self) -> Vec<SecretString> {
        match &self.0 {
            KeyKind::Identities(identities) => {
                identities.iter().map(x25519::Identity::to_string).collect()
            }
            KeyKind::Passphrase(passphrase) => vec![passphrase.clone()],
        }
    }

    fn unlock<R: Read>(&self, encrypted: R) -> Result<impl Read + use<R>, EncryptionError> {
        let found = Decryptor::new_buffered(BufReader::new(encrypted));
        let found = found.map_err(|error| self.failure(&error))?;
        let opened = match (&self.0, found.is_scrypt()) {
            (KeyKind::Identities(_), true) => return Err(EncryptionError::NeedsPassphrase),
            (KeyKind::Passphrase(_), false) => return Err(EncryptionError::NeedsKey),
            (KeyKind::Identities(all), false) => {
                found.decrypt(all.iter().map(|it| it as &dyn age::Identity))
            }
            (KeyKind::Passphrase(passphrase), true) => {
                let identity = scrypt::Identity::new(passphrase.clone());
                found.decrypt(std::iter::once(&identity as &dyn age::Identity))
            }
        };
        opened.map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &DecryptError) -> EncryptionError {
        let reason = match error {
            DecryptError::NoMatchingKeys
            | DecryptError::DecryptionFailed
            | DecryptError::KeyDecryptionFailed => {
                return match &self.0 {
                    KeyKind::Identities(_) => EncryptionError::OtherKey,
                    KeyKind::Passphrase(_) => EncryptionError::OtherPassphrase,
                };
            }
            DecryptError::ExcessiveWork { .. } => "its work factor is too high".to_owned(),
            DecryptError::UnknownFormat => "unknown format".to_owned(),
            DecryptError::InvalidHeader | DecryptError::InvalidMac => "invalid header".to_owned(),
            DecryptError::Io(error) => error.to_string(),
        };
        EncryptionError::Damaged(reason)
    }
}

/// Parses one key per line.
fn keys<K: std::str::FromStr>(
    text: &str,
    flaw: fn(usize) -> EncryptionError,
) -> Result<Vec<K>, EncryptionError> {
    let lines = text.lines().map(str::trim).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let keys = lines.map(|(at, line)| line.parse().map_err(|_| flaw(at + 1)));
    let keys = keys.collect::<Result<Vec<K>, _>>()?;
    if keys.is_empty() {
        return Err(EncryptionError::Empty);
    }
    Ok(keys)
}

/// Decrypts a stream. Reading fails at a chunk that was modified, or if the end is missing.
pub fn decrypt<R: Read>(key: &Key, encrypted: R) -> Result<impl Read + use<R>, EncryptionError> {
    let mut beginning = Vec::new();
    let mut encrypted = encrypted;
    let read = (&mut encrypted)
        .take(BEGINNING.len() as u64)
        .read_to_end(&mut beginning);
    read.map_err(|error| EncryptionError::Damaged(error.to_string()))?;
    if !is_encrypted(&beginning) {
        return Err(EncryptionError::NotEncrypted);
    }
    key.unlock(io::Cursor::new(beginning).chain(encrypted))
}

/// Encrypts a stream, or copies it unchanged if there are no recipients.
pub struct Encrypting<W: Write>(ClearOrEncrypted<W>);

enum ClearOrEncrypted<W: Write> {
    Clear(W),
    Encrypted(Box<StreamWriter<W>>),
}

impl<W: Write> Encrypting<W> {
    /// Encrypts to `out`, or writes clear text if `recipients` is `None`.
    pub fn new(recipients: Option<&Recipients>, out: W) -> io::Result<Self> {
        let Some(Recipients(recipients)) = recipients else {
            return Ok(Self(ClearOrEncrypted::Clear(out)));
        };
        let encryptor = match recipients {
            RecipientsKind::Keys(keys) => {
                Encryptor::with_recipients(keys.iter().map(|it| it as &dyn age::Recipient))
            }
            RecipientsKind::Passphrase(passphrase) => {
                let recipient = scrypt::Recipient::new(passphrase.clone());
                Encryptor::with_recipients(std::iter::once(&recipient as &dyn age::Recipient))
            }
        };
        let writer = encryptor.map_err(io::Error::other)?.wrap_output(out)?;
        Ok(Self(ClearOrEncrypted::Encrypted(Box::new(writer))))
    }

    /// Writes the last chunk. Without it, decryption fails.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            ClearOrEncrypted::Clear(out) => Ok(out),
            ClearOrEncrypted::Encrypted(writer) => writer.finish(),
        }
    }
}

impl<W: Write> Write for Encrypting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            ClearOrEncrypted::Clear(out) => out.write(bytes),
            ClearOrEncrypted::Encrypted(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            ClearOrEncrypted::Clear(out) => out.flush(),
            ClearOrEncrypted::Encrypted(writer) => writer.flush(),
        }
    }
}

/// Encrypts bytes in memory.
pub fn encrypt_bytes(recipients: &Recipients, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encrypting = Encrypting::new(Some(recipients), Vec::new())?;
    encrypting.write_all(bytes)?;
    encrypting.finish()
}

/// Decrypts bytes in memory.
pub fn decrypt_bytes(key: &Key, encrypted: &[u8]) -> Result<Vec<u8>, EncryptionError> {
    let mut bytes = Vec::new();
    let read = decrypt(key, encrypted)?.read_to_end(&mut bytes);
    read.map_err(|error| EncryptionError::Damaged(error.to_string()))?;
    Ok(bytes)
}

/// A hash that cannot be computed without the secret. Both inner hashes have a fixed length, which rules out length
/// extension.
pub fn keyed_hash(secret: &SecretString, bytes: &[u8]) -> String {
    let secret = content_hash(secret.expose_secret().as_bytes());
    content_hash((secret + &content_hash(bytes)).as_bytes())
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(..)")
    }
}

impl fmt::Debug for Recipients {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Recipients(..)")
    }
}

#[cfg(test)]
#[path = "age_file_tests.rs"]
mod tests;
