//! The block that the tests of this folder share.
//!
//! Never part of the program.

use base::{EntryId, Origin, SessionId};

use super::block::FlushBlock;
use super::lines::BlockKind;
use crate::Note;

/// A block of the session `s` over the entries `e1` to `e9`; the notes of a section are separated by `|`.
pub(crate) fn block(sections: &[(&str, &str)]) -> FlushBlock {
    let note = |text: &str| Note {
        text: text.to_owned(),
        evidence: vec![EntryId::new("e2")],
        origin: Origin::Agent,
    };
    let section = |(title, texts): &(&str, &str)| {
        let notes = texts.split('|').map(note).collect();
        ((*title).to_owned(), notes)
    };
    FlushBlock {
        session: SessionId::new("s"),
        epoch: 2,
        span: (EntryId::new("e1"), EntryId::new("e9")),
        kind: BlockKind::PreFlush,
        at: "2026-04-20T14:23:45Z".parse().unwrap(),
        sections: sections.iter().map(section).collect(),
    }
}
