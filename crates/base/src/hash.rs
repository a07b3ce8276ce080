//! The hash function of all crates: SHA-256, complete or shortened.
//!
//! Used for comparing texts. A hash does not hide a text, because anybody who can guess the text can confirm it by its
//! hash.

use sha2::{Digest, Sha256};

/// Number of hex digits in a short hash: 32 bits, enough to distinguish the lines of one file.
const SHORT_DIGITS: usize = 8;

/// SHA-256 of the bytes as 64 hex digits.
pub fn content_hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes as lowercase hex digits.
pub fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let digits = digits.filter_map(|digit| char::from_digit(digit.into(), 16));
    let mut text = String::with_capacity(2 * bytes.len());
    text.extend(digits);
    text
}

/// The first 8 hex digits of the SHA-256 of a text.
pub fn short_hash(text: &str) -> String {
    let mut hex = content_hash(text.as_bytes());
    hex.truncate(SHORT_DIGITS);
    hex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_sha256() {
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(content_hash(b"abc"), abc);
        assert_eq!(short_hash("abc"), "ba7816bf");
    }
}
