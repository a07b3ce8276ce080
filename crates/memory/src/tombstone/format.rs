//! Tombstones as lines of JSON.
//!
//! Never guesses at what cannot be read: what was forgotten could come back.

use base::{EntryId, Timestamp};
use serde::{Deserialize, Serialize};

use super::model::{ForgottenEntry, OwnerLines, Progress, TextHash, Tombstone, TombstoneId, Why};

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

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TombstoneWire {
    id: String,
    at: Timestamp,
    why: WhyWire,
    #[serde(default)]
    texts: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    told_again: Vec<String>,
    #[serde(default)]
    entries: Vec<EntryWire>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<String>,
    #[serde(default)]
    files: Vec<String>,
    owner_lines: OwnerLinesWire,
    progress: ProgressWire,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asked: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct EntryWire {
    id: String,
    path: String,
    line: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum WhyWire {
    Forgotten,
    Rejected,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum OwnerLinesWire {
    Left,
    Removed,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum ProgressWire {
    Begun,
    Done,
}

/// The file that holds these.
pub(super) fn render(all: &[Tombstone]) -> Result<String, serde_json::Error> {
    let header = HeaderWire {
        r#type: HeaderType::Tombstones,
        version: VERSION,
    };
    let mut text = serde_json::to_string(&header)? + "\n";
    for tombstone in all {
        text.push_str(&serde_json::to_string(&wire(tombstone))?);
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
    let read = lines.map(|(line, number)| {
        let wire: TombstoneWire =
            serde_json::from_str(line).map_err(|error| damaged(number, &error))?;
        domain(wire).map_err(|what| damaged(number, &what))
    });
    read.collect()
}

fn damaged(line: usize, what: &impl ToString) -> Unreadable {
    Unreadable::Damaged {
        line,
        what: what.to_string(),
    }
}

fn wire(tombstone: &Tombstone) -> TombstoneWire {
    TombstoneWire {
        id: tombstone.id.to_string(),
        at: tombstone.at,
        why: match tombstone.why {
            Why::Forgotten => WhyWire::Forgotten,
            Why::Rejected => WhyWire::Rejected,
        },
        texts: text_wires(&tombstone.texts),
        told_again: text_wires(&tombstone.told_again),
        entries: tombstone.entries.iter().map(entry_wire).collect(),
        evidence: tombstone.evidence.iter().map(ToString::to_string).collect(),
        files: tombstone.files.iter().map(ToString::to_string).collect(),
        owner_lines: match tombstone.owner_lines {
            OwnerLines::Leave => OwnerLinesWire::Left,
            OwnerLines::Remove => OwnerLinesWire::Removed,
        },
        progress: match tombstone.progress {
            Progress::Begun => ProgressWire::Begun,
            Progress::Done => ProgressWire::Done,
        },
        asked: tombstone.asked.as_ref().map(|it| it.as_str().to_owned()),
    }
}

fn text_wires(texts: &[TextHash]) -> Vec<String> {
    let texts = texts.iter().map(|hash| hash.as_str().to_owned());
    texts.collect()
}

fn entry_wire(entry: &ForgottenEntry) -> EntryWire {
    EntryWire {
        id: entry.id.to_string(),
        path: entry.path.clone(),
        line: entry.line,
    }
}

fn domain(wire: TombstoneWire) -> Result<Tombstone, String> {
    let hash = |text: &String| {
        TextHash::parse(text).ok_or_else(|| format!("{text:?} is not the hash of a text"))
    };
    let (texts, told_again) = (
        wire.texts.iter().map(hash),
        wire.told_again.iter().map(hash),
    );
    let files = wire
        .files
        .iter()
        .map(|file| file.parse().map_err(|error| format!("{error}")));
    Ok(Tombstone {
        id: TombstoneId::new(wire.id),
        at: wire.at,
        why: match wire.why {
            WhyWire::Forgotten => Why::Forgotten,
            WhyWire::Rejected => Why::Rejected,
        },
        texts: texts.collect::<Result<_, _>>()?,
        told_again: told_again.collect::<Result<_, _>>()?,
        entries: wire
            .entries
            .into_iter()
            .map(|entry| ForgottenEntry {
                id: EntryId::new(entry.id),
                path: entry.path,
                line: entry.line,
            })
            .collect(),
        evidence: wire.evidence.into_iter().map(EntryId::new).collect(),
        files: files.collect::<Result<_, String>>()?,
        owner_lines: match wire.owner_lines {
            OwnerLinesWire::Left => OwnerLines::Leave,
            OwnerLinesWire::Removed => OwnerLines::Remove,
        },
        progress: match wire.progress {
            ProgressWire::Begun => Progress::Begun,
            ProgressWire::Done => Progress::Done,
        },
        asked: wire.asked.as_ref().map(hash).transpose()?,
    })
}
