//! Encryption of data that leaves this machine: backups, and homes stored elsewhere.
//!
//! The only crate that encrypts; reads no file and never prompts for a key.

mod age_file;

pub use age::secrecy::{ExposeSecret, SecretString};
pub use age_file::{
    Encrypting, EncryptionError, Key, Recipients, decrypt, decrypt_bytes, encrypt_bytes,
    is_encrypted, keyed_hash,
};
