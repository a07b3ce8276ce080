//! Evidence of a candidate, an entry of a transcript or a line of a log, and its text form in `MEMORY.md`.
//!
//! Never checks that the source still exists.

use std::fmt;

use base::layout::session_of_path;
use base::{Day, scope_of, short_hash};
use serde::{Deserialize, Serialize};

use crate::note::{decode, encode};

/// A source that supports a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The file: `sessions/main.jsonl` below the home, `memory/2026-04-20.md` below the workspace.
    pub path: String,
    /// The id of the entry or of the note; for a line by hand, `~` and the short hash of its text.
    pub key: String,
    /// Its line, from 1. Only a hint: lines move.
    pub line: usize,
    /// The short hash of the full source text.
    pub hash: String,
    /// The quoted words of the source.
    pub quote: String,
    /// The day on which they were said or written.
    pub day: Day,
    /// The scope of the repository, if the source belongs to one. Stored here because it outlives the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}

/// A reference to evidence, as written in the record of a line of `MEMORY.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceRef {
    /// The file.
    pub path: String,
    /// The id of the entry or note, or `~` and a hash.
    pub key: String,
    /// Its line when it was read, from 1.
    pub line: usize,
    /// The short hash of the full source text.
    pub hash: String,
    /// The scope of the repository, if the source belongs to one.
    pub scope: Option<String>,
}

impl Evidence {
    /// The key of a line that has no id of its own.
    pub fn key_by_hand(text: &str) -> String {
        format!("~{}", short_hash(text))
    }

    /// The scope that it was read in: its own, or that of its session.
    pub fn own_scope(&self) -> Option<&str> {
        scope_at(self.scope.as_deref(), &self.path)
    }

    /// The reference to this evidence.
    pub fn reference(&self) -> EvidenceRef {
        EvidenceRef {
            path: self.path.clone(),
            key: self.key.clone(),
            line: self.line,
            hash: self.hash.clone(),
            scope: self.scope.clone(),
        }
    }
}

fn scope_at<'e>(scope: Option<&'e str>, path: &'e str) -> Option<&'e str> {
    scope.or_else(|| scope_of(session_of_path(path)?))
}

impl EvidenceRef {
    /// The scope of its source: its own, or that of its session.
    pub fn own_scope(&self) -> Option<&str> {
        scope_at(self.scope.as_deref(), &self.path)
    }

    /// The day of the daily log that it points into; `None` for a transcript.
    pub(crate) fn log_day(&self) -> Option<Day> {
        let name = self.path.rsplit('/').next()?;
        name.strip_suffix(".md")?.parse().ok()
    }

    /// Parses the format of the `Display` impl.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        // The path of a note in a folder elsewhere may have this sign, too.
        let (path, rest) = text.rsplit_once('#')?;
        let (rest, hash) = rest.rsplit_once(':')?;
        let (hash, scope) = match hash.split_once(';') {
            Some((hash, scope)) => (hash, Some(scope_of(scope)?)),
            None => (hash, None),
        };
        let (key, line) = rest.rsplit_once('@')?;
        Some(Self {
            path: path.to_owned(),
            key: decode(key),
            line: line.parse().ok()?,
            hash: hash.to_owned(),
            scope: scope.map(str::to_owned),
        })
    }
}

impl fmt::Display for EvidenceRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            key,
            line,
            hash,
            scope,
        } = self;
        let key = match key.strip_prefix('~') {
            Some(own) => format!("~{}", encode(own)),
            None => encode(key),
        };
        write!(formatter, "{path}#{key}@{line}:{hash}")?;
        scope
            .iter()
            .try_for_each(|scope| write!(formatter, ";{scope}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_references_parse_from_printed_form() {
        let scope = "repo-0a0a0a0a-";
        for (path, key, scope) in [
            ("sessions/main.jsonl", "0198f3c2-77aa", None),
            ("sessions/a.b-c.jsonl", "foreign id, with # and @", None),
            ("memory/2026-04-20.md", "~81ab03ff", Some(scope)),
        ] {
            let reference = EvidenceRef {
                path: path.into(),
                key: key.into(),
                line: 12,
                hash: "81ab03ff".into(),
                scope: scope.map(str::to_owned),
            };
            let written = reference.to_string();
            assert_eq!(EvidenceRef::parse(&written), Some(reference), "{written}");
            assert!(!written.contains([',', ' ']), "{written}");
        }
        assert_eq!(EvidenceRef::parse("memory/2026-04-20.md"), None);
    }
}
