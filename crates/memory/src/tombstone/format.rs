//! Tombstones as lines of JSON.
//!
//! Never guesses at what cannot be read: what was forgotten could come back.

use serde::{Deserialize, Serialize};

use super::model::Tombstone;

/// Version of the file.
pub(super) const VERSION: u32 = 1;

/// Why a line was not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// It is not what this program writes.
    Damaged { line: usize, what: String },
    /// A newer program wrote it.
    TooNew { found: u32 },
}

#[derive(Serialize, Deserialize)]
struct HeaderWire {
    r#type: HeaderType,
    version: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum HeaderType {
    Tombstones,
}

/// The file that holds these.
pub(super) fn render(all: &[Tombstone]) -> Result<String, serde_json::Error> {
    let header = HeaderWire {
        r#type: HeaderType::Tombstones,
        version: VERSION,
    };
    let mut text = serde_json::to_string(&header)? + "\n";
    for tombstone in all {
        text.push_str(&serde_json::to_string(tombstone)?);
        text.push('\n');
    }
    Ok(text)
}

/// Reads them back.
pub(super) fn parse(text: &str) -> Result<Vec<Tombstone>, Unreadable> {
    let mut lines = text.lines().zip(1..);
    let Some((header, _)) = lines.next() else {
        return Ok(Vec::new());
    };
    let header: HeaderWire = serde_json::from_str(header).map_err(|error| damaged(1, &error))?;
    if header.version > VERSION {
        return Err(Unreadable::TooNew {
            found: header.version,
        });
    }
    let read = lines
        .map(|(line, number)| serde_json::from_str(line).map_err(|error| damaged(number, &error)));
    read.collect()
}

fn damaged(line: usize, what: &serde_json::Error) -> Unreadable {
    Unreadable::Damaged {
        line,
        what: what.to_string(),
    }
}
