//! Where the columns meet: notes of the conversation become a block of the daily log.
//!
//! The only place that names types of both.

use base::{SessionId, Timestamp};
use compaction::{FlushNotes, FlushSection};
use memory::{BlockKind, FlushBlock, Note};
use session::FlushIntent;

/// The block that a flush writes.
pub(crate) fn block(
    session: &SessionId,
    intent: &FlushIntent,
    at: Timestamp,
    notes: FlushNotes,
) -> FlushBlock {
    let kind = if intent.before_compaction {
        BlockKind::PreFlush
    } else {
        BlockKind::SessionNotes
    };
    let mut notes = notes.notes;
    let sections = FlushSection::ALL.map(|section| {
        let own = notes.extract_if(.., |note| note.section == section);
        let own = own.map(|note| Note {
            text: note.text,
            evidence: note.evidence,
            origin: note.origin,
        });
        (section.heading().to_owned(), own.collect::<Vec<_>>())
    });
    FlushBlock {
        session: session.clone(),
        epoch: intent.epoch.0,
        span: intent.span.clone(),
        kind,
        at,
        sections: sections.into(),
    }
}
