//! Writes notes: the statements worth noting, by section, within a token budget.
//!
//! Adds no words.

use base::model::Excerpt;
use base::{FLUSH_NOTES_MAX, TokenCount};
use strum::VariantArray;

use crate::engine::Extract;
use crate::evidence::{ExcerptEvidence, Statement, read};
use crate::head::Class;
use crate::room::Room;

/// The section of a note, in the order of [`base::FLUSH_SECTIONS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, VariantArray)]
pub enum NoteSection {
    /// Work done and work to do.
    Progress,
    Decisions,
    /// Problems and findings.
    Issues,
    /// The owner's preferences.
    Preferences,
    /// Anything else.
    Notes,
}

impl NoteSection {
    /// Every section, in order.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    fn of(class: Class) -> Self {
        match class {
            Class::Task => Self::Progress,
            Class::Decision => Self::Decisions,
            Class::Issue => Self::Issues,
            Class::Wish => Self::Preferences,
            Class::Fact | Class::Chatter | Class::Request | Class::Question | Class::Unreal => {
                Self::Notes
            }
        }
    }
}

/// A note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtractedNote {
    pub section: NoteSection,
    /// Its text, as said.
    pub text: String,
    /// The excerpts that say so, by index in the request.
    pub excerpts: Vec<usize>,
}

impl Extract {
    /// The notes for some excerpts, within `room` tokens, by section and place.
    pub fn notes(&self, excerpts: &[Excerpt], room: TokenCount) -> Vec<ExtractedNote> {
        notes(&read(self, excerpts), room)
    }
}

/// Takes the best notes that fit, then sorts them by section and place.
fn notes(evidence: &ExcerptEvidence, room: TokenCount) -> Vec<ExtractedNote> {
    let mut room = Room::new(room);
    let mut best: Vec<&Statement> = evidence.statements.iter().collect();
    best.sort_by(|left, right| right.score.total_cmp(&left.score));
    // Count the JSON around the text: keys, labels and section.
    let around = r#"{"evidence":[],"section":"Important Decisions","text":}"#;
    best.retain(|it| room.take(&format!("{around}{:?}{:?}", it.text, it.excerpts)));
    best.truncate(FLUSH_NOTES_MAX);
    let place = |it: &Statement| (it.excerpts.first().copied(), it.position);
    best.sort_by_key(|it| (NoteSection::of(it.class), place(it)));
    let note = |it: &Statement| ExtractedNote {
        section: NoteSection::of(it.class),
        text: it.text.clone(),
        excerpts: it.excerpts.clone(),
    };
    best.into_iter().map(note).collect()
}
