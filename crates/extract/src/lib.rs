//! The offline engine: it selects what people said and quotes it, in any language, without a model.
//!
//! Never decides that one fact ends another, and writes no word that stands neither in the evidence nor
//! among the phrases of a language file. What it knows of a language stands in `data/`.

mod answer;
mod call;
mod candidates;
mod date;
mod engine;
mod evidence;
mod figures;
mod head;
mod language;
mod notes;
mod paragraph;
mod room;
mod said;
mod signals;
mod summary;
mod words;

pub use answer::{Passage, Question};
pub use candidates::Candidate;
pub use engine::Extract;
pub use figures::{figures_claimed, figures_said, is_calendar_word};
pub use head::{Class, Head, HeadError};
pub use notes::{Note, Section};

/// What of a message its writer says in person; behind a label such as `Remember:` it is the writer who speaks.
pub fn own_words(message: &str) -> String {
    said::own_words(message, language::language_of(message))
}

/// Whether a text is in a language that has a file.
pub fn knows_language(text: &str) -> bool {
    language::language_of(text).is_some()
}

/// Whether a text denies or forbids something, where a language file has words for it.
pub fn denies(text: &str) -> bool {
    figures::denies(text)
        || language::language_of(text).is_some_and(|it| it.holds(language::Cue::Negation, text))
}

/// Whether a text is written in a language whose nouns all have capitals.
pub fn capitalises_nouns(text: &str) -> bool {
    language::language_of(text).is_some_and(|it| it.capital_nouns)
}
