//! Log records. Each contains changes of a home that became durable together, in one write-once object.
//!
//! Pure: encodes and decodes records.

use base::content_hash;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::head::{ObjectPart, check_parts, check_path};
use crate::HomeVersion;

/// The header of a record; the added bytes follow it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Record {
    /// Epoch of the lease under which the record was written.
    pub(crate) epoch: u64,
    /// The changes in order; empty for a bar.
    pub(crate) changes: Vec<LogChange>,
}

/// One change; the added bytes of all changes follow the header, concatenated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "change",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(crate) enum LogChange {
    /// Truncates a file to `keep` bytes and appends `added` bytes.
    Write {
        path: String,
        keep: u64,
        added: u64,
        modified_at: i64,
    },
    /// Creates or replaces a file: object parts, then `added` bytes.
    Put {
        path: String,
        parts: Vec<ObjectPart>,
        added: u64,
        modified_at: i64,
    },
    /// Removes a file.
    Remove { path: String },
    /// Creates a directory and its parents.
    Directory { path: String },
    /// Removes a directory and everything below it.
    RemoveDirectory { path: String },
}

/// Length of the leading hash in hex digits.
const HASH_LEN: usize = 64;

/// The reason why bytes are not a valid object.
pub(crate) type Flaw = String;

impl Record {
    pub(crate) fn decode(bytes: &[u8]) -> Result<(Self, &[u8]), Flaw> {
        let (record, added): (Self, _) = disclose(bytes)?;
        for change in &record.changes {
            match change {
                LogChange::Put { path, parts, .. } => {
                    check_path(path)?;
                    check_parts(parts)?;
                }
                LogChange::Write { path, .. }
                | LogChange::Remove { path }
                | LogChange::Directory { path }
                | LogChange::RemoveDirectory { path } => check_path(path)?,
            }
        }
        Ok((record, added))
    }
}

/// The version of a home after a record.
pub(crate) fn version_after(
    version: &HomeVersion,
    record: &Record,
    added: &[u8],
) -> Result<HomeVersion, Flaw> {
    Ok(version.after(&enclose(record, added)?))
}

/// Encodes a value as one line of JSON, followed by `rest`. The line before it contains the hash of both.
pub(crate) fn enclose(value: &impl Serialize, rest: &[u8]) -> Result<Vec<u8>, Flaw> {
    let mut content = serde_json::to_vec(value).map_err(|error| error.to_string())?;
    content.push(b'\n');
    content.extend_from_slice(rest);
    let mut whole = content_hash(&content).into_bytes();
    whole.push(b'\n');
    whole.append(&mut content);
    Ok(whole)
}

/// Decodes the value and the bytes after it, after checking the hash.
pub(crate) fn disclose<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, &[u8]), Flaw> {
    let short = || "it is truncated".to_owned();
    let (hash, rest) = bytes.split_at_checked(HASH_LEN).ok_or_else(short)?;
    let content = rest.strip_prefix(b"\n").ok_or_else(short)?;
    if content_hash(content).as_bytes() != hash {
        return Err("its content does not match its hash".to_owned());
    }
    let end = content
        .iter()
        .position(|byte| *byte == b'\n')
        .ok_or_else(short)?;
    let (line, rest) = content.split_at_checked(end).ok_or_else(short)?;
    let value = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    Ok((value, rest.get(1..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::super::head::{FileParts, HomeHead};
    use super::*;

    #[test]
    fn record_and_head_with_unsafe_names_are_rejected() {
        let home: crate::HomeName = "anna".parse().unwrap();
        for path in ["../a", "a/../../b", "/etc/x", "a//b", ".", "", "a\0"] {
            let path = path.to_owned();
            let record = Record {
                epoch: 1,
                changes: vec![LogChange::Remove { path: path.clone() }],
            };
            let whole = enclose(&record, &[]).unwrap();
            let flaw = Record::decode(&whole).unwrap_err();
            assert_eq!(flaw, format!("{path:?} is not a path in a home"));
            let mut head = HomeHead::default();
            head.derived.insert(path, FileParts::default());
            assert!(HomeHead::decode(&home, &enclose(&head, &[]).unwrap()).is_err());
        }
        for object in ["../x", "0000000000000001-ab", ""] {
            let mut head = HomeHead::default();
            head.objects.insert(object.to_owned(), 1);
            assert!(HomeHead::decode(&home, &enclose(&head, &[]).unwrap()).is_err());
        }
    }

    #[test]
    fn record_decodes_back_and_rejects_any_changed_byte() {
        let record = Record {
            epoch: 7,
            changes: vec![LogChange::Write {
                path: "sessions/z\u{f6}e.jsonl".into(),
                keep: 3,
                added: 4,
                modified_at: 1,
            }],
        };
        let whole = enclose(&record, b"a\nb\n").unwrap();
        assert_eq!(Record::decode(&whole).unwrap(), (record, &b"a\nb\n"[..]));
        for at in 0..whole.len() {
            let mut other = whole.clone();
            other[at] ^= 1;
            assert!(Record::decode(&other).is_err(), "byte {at}");
            assert!(Record::decode(&whole[..at]).is_err(), "cut at {at}");
        }
    }
}
