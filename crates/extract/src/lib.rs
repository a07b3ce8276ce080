//! The offline engine: selects and quotes what people said, in any language, without a model.
//!
//! Never decides that one fact ends another, and writes only words from the evidence or from the phrases of a language
//! file. All knowledge of languages is in `data/`.

mod answer;
mod asked_parts;
mod call;
mod candidates;
mod checks;
mod correction;
mod engine;
mod evidence;
mod frame;
mod head;
mod language_file;

mod language;
mod likely_language;
mod notes;
mod paragraph;
mod polite;
mod quotations;
mod quoting;
mod reminder;
mod reminder_parts;
mod reminder_subject;
mod reminder_words;
mod room;
mod said;
mod signals;
mod standing;
mod summary;
mod words;
mod worth;

pub use answer::{OwnerQuestion, QuotedAnswer, QuotedPassage};
pub use asked_parts::{AskedReminders, reminders_asked};
pub use candidates::ExtractedCandidate;
pub use checks::{
    asks_for_a_line, asks_something, capitalises_nouns, common_words, denies, figures_claimed,
    is_first_person, knows_language, language_code, listing_asked, only_takes_back, opens,
};
pub use correction::{AskedCorrection, correction_asked};
pub use engine::Extract;
pub use head::{Class, ClassifierHead, HeadError};
pub use language::{is_name_label, is_own_reply};
pub use notes::{ExtractedNote, NoteSection};
pub use polite::without_courtesy;
pub use reminder::{AskedReminder, refuses_reminder};
pub use reminder_words::{DueAt, ReminderWords, Unmade, reminder_words};
pub use standing::{asks_for_advice, may_be_wish, subject_of};
