//! Renders new entries as lines.
//!
//! Writes nothing; rejects entries that would not read back.

use base::{EntryId, Timestamp};

use crate::format::{self, Damage, LineContent, RenderError};
use crate::{Entry, Payload};

impl Entry {
    /// A draft with a new id; its parent is the newest entry.
    pub(crate) fn draft(at: Timestamp, payload: Payload) -> Self {
        Self {
            id: EntryId::generate(at),
            at,
            payload,
            parent: None,
        }
    }
}

/// Renders the lines and parses them back, so that the view contains exactly what a reader of the file will see.
pub(crate) fn render(
    drafts: Vec<Entry>,
    mut leaf: Option<EntryId>,
) -> Result<(Vec<Entry>, Vec<u8>), RenderError> {
    let mut entries = Vec::with_capacity(drafts.len());
    let mut lines = Vec::new();
    for draft in drafts {
        let entry = Entry {
            parent: draft.parent.or(leaf),
            ..draft
        };
        let (line, read_back) = render_checked(&entry)?;
        lines.extend(line);
        leaf = Some(entry.id);
        entries.push(read_back);
    }
    Ok((entries, lines))
}

/// Renders an entry and parses the line back.
fn render_checked(entry: &Entry) -> Result<(Vec<u8>, Entry), RenderError> {
    let line = format::render(entry)?;
    match format::parse(line.trim_ascii_end()) {
        LineContent::Entry(read_back) => Ok((line, read_back)),
        LineContent::Damaged { damage, .. } => Err(RenderError::Damaged(damage)),
        LineContent::Header(_) | LineContent::ShortMeta(_) => {
            Err(RenderError::Damaged(Damage::NoType))
        }
    }
}
