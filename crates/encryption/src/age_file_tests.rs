//! Encrypted data decrypts completely with its key, and not with any other.

use super::*;

/// A text longer than a chunk of the age format, which has 64 KiB.
fn long() -> Vec<u8> {
    (0..200_000_u32).map(|n| (n % 251) as u8).collect()
}

fn error_of(key: &Key, encrypted: &[u8]) -> EncryptionError {
    decrypt_bytes(key, encrypted).unwrap_err()
}

#[test]
fn encrypted_bytes_decrypt_only_with_their_key() {
    let (own, other) = (Key::generate(), Key::generate());
    let passphrase = Key::passphrase("caf\u{e9} \u{5c0f}\u{660e}\n").unwrap();
    for bytes in [Vec::new(), b"short".to_vec(), vec![7; 64 * 1024], long()] {
        let encrypted = encrypt_bytes(&own.recipients(), &bytes).unwrap();
        assert!(is_encrypted(&encrypted));
        assert_eq!(decrypt_bytes(&own, &encrypted), Ok(bytes));
        assert_eq!(error_of(&other, &encrypted), EncryptionError::OtherKey);
    }
    let encrypted = encrypt_bytes(&own.recipients(), b"x").unwrap();
    assert_eq!(error_of(&passphrase, &encrypted), EncryptionError::NeedsKey);
    let encrypted = encrypt_bytes(&passphrase.recipients(), b"x").unwrap();
    let same = Key::passphrase("caf\u{e9} \u{5c0f}\u{660e}").unwrap();
    assert_eq!(decrypt_bytes(&same, &encrypted), Ok(b"x".to_vec()));
    assert_eq!(error_of(&own, &encrypted), EncryptionError::NeedsPassphrase);
    let wrong = Key::passphrase("cafe").unwrap();
    assert_eq!(
        error_of(&wrong, &encrypted),
        EncryptionError::OtherPassphrase
    );
    assert_eq!(error_of(&own, b"clear text"), EncryptionError::NotEncrypted);
}

#[test]
fn file_encrypted_for_several_keys_opens_with_each() {
    let keys = [Key::generate(), Key::generate()];
    let texts = keys.each_ref().map(|key| {
        let secret = key.secrets().remove(0);
        secret.expose_secret().to_owned()
    });
    let file = format!("# created: today\n{}\n\n{}\n", texts[0], texts[1]);
    let both = Key::identities(&file).unwrap();
    let turned = format!("{}\n{}\n{}\n", texts[1], texts[0], texts[1]);
    assert!(both.is_same(&Key::identities(&turned).unwrap()));
    assert!(!both.is_same(&keys[0]) && !keys[0].is_same(&keys[1]));
    let encrypted = encrypt_bytes(&both.recipients(), b"x").unwrap();
    for key in keys {
        assert_eq!(decrypt_bytes(&key, &encrypted), Ok(b"x".to_vec()));
    }
}

#[test]
fn ciphertext_with_changed_cut_or_added_byte_is_rejected() {
    let key = Key::generate();
    let encrypted = encrypt_bytes(&key.recipients(), &long()).unwrap();
    // Positions at the beginning, at the edges of the chunks, and at the end.
    let beginning = encrypted.len() - long().len() - 4 * 16;
    let piece = 64 * 1024 + 16;
    let edges = [1, 2, 3].map(|n| beginning + n * piece);
    let places = (0..beginning + 40)
        .chain(edges)
        .chain([encrypted.len() - 1]);
    for at in places {
        let mut other = encrypted.clone();
        other[at] ^= 1;
        assert!(decrypt_bytes(&key, &other).is_err(), "byte {at}");
        assert!(
            decrypt_bytes(&key, &encrypted[..at]).is_err(),
            "cut at {at}"
        );
    }
    let mut longer = encrypted.clone();
    longer.push(0);
    assert!(decrypt_bytes(&key, &longer).is_err());
}

#[test]
fn invalid_key_is_reported_without_its_text() {
    let secret = Key::generate().secrets().remove(0);
    let secret = secret.expose_secret();
    let damaged = format!("# mine\n{secret}X");
    let found = Key::identities(&damaged).unwrap_err();
    assert_eq!(found, EncryptionError::NotIdentity(2));
    let found = Recipients::parse(secret).unwrap_err();
    assert_eq!(found, EncryptionError::NotRecipient(1));
    assert!(!found.to_string().contains(secret));
    assert_eq!(
        Key::identities("# none\n").unwrap_err(),
        EncryptionError::Empty
    );
    assert_eq!(Key::passphrase("\n").unwrap_err(), EncryptionError::Empty);
    assert_eq!(format!("{:?}", Key::generate()), "Key(..)");
}
