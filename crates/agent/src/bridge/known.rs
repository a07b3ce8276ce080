//! Tracks what memory already holds and what was imported before.
//!
//! A memory that the owner has changed or deleted since its import does not come back.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use base::disk::{DiskError, append, create_parent, read_some, replace};
use base::{Disk, Origin, content_hash};
use import::{Holds, Memory};
use memory::TextHash;

/// Maximum size of the import record.
const RECORD_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Hex digits per line of the record.
const KEY_DIGITS: usize = 32;

/// Known texts, each with its scopes and origins.
#[derive(Debug, Default)]
pub(super) struct KnownTexts(HashMap<TextHash, Vec<(Holds, Origin)>>);

impl KnownTexts {
    /// Adds a memory; returns whether all its viewers already have its text from an origin at least as trusted.
    pub(super) fn add(&mut self, memory: &Memory) -> bool {
        let Some(hash) = TextHash::of(&memory.text) else {
            return true;
        };
        let standing = self.0.entry(hash).or_default();
        let is_known = standing.iter().any(|(holds, origin)| {
            let is_seen = *holds == Holds::Everywhere || *holds == memory.holds;
            is_seen && origin.trust() >= memory.origin.trust()
        });
        if !is_known {
            standing.push((memory.holds.clone(), memory.origin));
        }
        is_known
    }
}

/// The import record: one line of hex digits per memory, never its text.
pub(super) struct ImportRecord<'a> {
    disk: &'a dyn Disk,
    path: &'a Path,
    keys: BTreeSet<String>,
    /// Whether its last line is incomplete.
    is_torn: bool,
}

impl<'a> ImportRecord<'a> {
    pub(super) fn read(disk: &'a dyn Disk, path: &'a Path) -> Result<Self, DiskError> {
        let bytes = read_some(disk, path, RECORD_BYTES_MAX)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let keys = text.lines().filter(|line| line.len() == KEY_DIGITS);
        Ok(Self {
            disk,
            path,
            keys: keys.map(str::to_owned).collect(),
            is_torn: !text.is_empty() && !text.ends_with('\n'),
        })
    }

    pub(super) fn holds(&self, memory: &Memory) -> bool {
        self.keys.contains(&key(memory))
    }

    /// Durability: written after the notes; if a crash comes in between, the notes themselves are recognised.
    pub(super) fn add(&mut self, taken: &[Memory]) -> Result<Vec<String>, DiskError> {
        let new: Vec<String> = taken.iter().map(key).collect();
        if new.is_empty() {
            return Ok(new);
        }
        create_parent(self.disk, self.path)?;
        let begin = if self.is_torn { "\n" } else { "" };
        let lines = format!("{begin}{}\n", new.join("\n"));
        append(self.disk, self.path, lines.as_bytes())?;
        self.is_torn = false;
        self.keys.extend(new.iter().cloned());
        Ok(new)
    }

    /// Removes memories from the record, so that a later import adds them again.
    ///
    /// Durability: the record changes atomically.
    pub(super) fn remove(&mut self, keys: &[String]) -> Result<(), DiskError> {
        let n_before = self.keys.len();
        self.keys.retain(|key| !keys.contains(key));
        if self.keys.len() < n_before {
            let lines = self.keys.iter().map(|key| format!("{key}\n"));
            let lines: String = lines.collect();
            replace(self.disk, self.path, lines.as_bytes())?;
        }
        Ok(())
    }
}

fn key(memory: &Memory) -> String {
    let scope = match &memory.holds {
        Holds::Everywhere => "",
        Holds::At(scope) | Holds::In(scope) => scope,
    };
    let words: Vec<&str> = memory.text.split_whitespace().collect();
    let words = words.join(" ").to_lowercase();
    let mut key = content_hash(format!("{scope}\n{}\n{words}", memory.origin).as_bytes());
    key.truncate(KEY_DIGITS);
    key
}
