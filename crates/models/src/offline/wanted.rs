//! What a question is about, and what of it another text holds.
//!
//! Compares words; knows nothing of passages.

use std::collections::BTreeSet;

use base::model::Spelling;

use super::east_asian::parted;
use super::matter::{ANYWHERE, matters_asked};
use super::rank::{Subject, subject, wide_subject};
use super::relative::{Relatives, Told};
use super::signal::{self, Plain};

/// What a question is about.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    subject: Subject,
    /// How another text is read, so that it can be compared.
    read: fn(&str) -> Subject,
    /// Whether it asks for something of the owner themselves.
    is_of_owner: bool,
    /// Whom of the owner's people and animals it asks about.
    relatives: Relatives,
    /// What it asks for besides whom it is about, and how another text is read for that.
    beside: (Subject, fn(&str) -> Subject),
}

/// Of a thing with one of these words nothing is said by what shares that word alone: a telephone number answers
/// nobody who asks for the number of a passport.
const HEADS: &[&str] = &[
    "number",
    "name",
    "size",
    "type",
    "code",
    "date",
    "service",
    "nummer",
    "gr\u{f6}\u{df}e",
];

impl Wanted {
    /// Reads a question; of one that holds nothing but common words, those that may be what it asks for. The passages
    /// may tell names of whom it asks about.
    pub(super) fn of<'t>(words: &str, passages: impl Iterator<Item = Told<'t>>) -> Self {
        let is_of_owner = !matters_asked(words).is_empty();
        let plain_words = if is_of_owner { ANYWHERE } else { &[] };
        let relatives = Relatives::asked_in(words, passages);
        let read_by = |read: fn(&str) -> Subject| {
            let subject = read(words).without_asking();
            subject.without(plain_words)
        };
        let first_telling = |without: &[&str]| {
            let subject = read_by(about).without(without);
            match subject.n_words() {
                0 => (
                    read_by(widely_about).without(without),
                    widely_about as fn(&str) -> Subject,
                ),
                _ => (
                    subject.clone().without(HEADS).or(subject),
                    about as fn(&str) -> Subject,
                ),
            }
        };
        let (subject, read) = first_telling(&[]);
        let beside = first_telling(&relatives.words());
        Self {
            subject,
            read,
            is_of_owner,
            relatives,
            beside,
        }
    }

    /// How many of its words a text holds.
    pub(super) fn n_shared(&self, text: &str) -> usize {
        (self.read)(text).n_shared(&self.subject)
    }

    /// For how many of its words another one stands in a text.
    pub(super) fn n_instead(text: &str, stands_for: &[Spelling]) -> usize {
        let Plain(said) = signal::plain(text);
        let is_instead = |it: &&Spelling| said.contains(&format!(" {} ", it.meant));
        let asked: BTreeSet<&str> = stands_for
            .iter()
            .filter(is_instead)
            .map(|it| it.asked.as_str())
            .collect();
        asked.len()
    }

    /// Whom of the owner's people and animals it asks about.
    pub(super) fn relatives(&self) -> &Relatives {
        &self.relatives
    }

    /// Whether a text tells anything of what is wanted besides whom it is about.
    pub(super) fn is_met_by(&self, text: &str, stands_for: &[Spelling]) -> bool {
        let own = self.relatives.words();
        let beside = stands_for
            .iter()
            .filter(|it| !own.contains(&it.asked.as_str()));
        let beside: Vec<Spelling> = beside.cloned().collect();
        self.is_named_by(text) || Self::n_instead(text, &beside) > 0
    }

    /// Whether a text holds a word of what is wanted besides whom it is about.
    pub(super) fn is_named_by(&self, text: &str) -> bool {
        let (beside, read) = &self.beside;
        read(text).n_shared(beside) > 0
    }

    /// Whether it asks for something of the owner themselves, such as their age.
    pub(super) fn is_of_owner(&self) -> bool {
        self.is_of_owner
    }

    /// Whether a text says anything beside it.
    pub(super) fn is_exceeded_by(&self, text: &str) -> bool {
        let said = (self.read)(text);
        said.n_words() > said.n_shared(&self.subject)
    }
}

/// What a text is about; what belongs to somebody is about them.
pub(super) fn about(text: &str) -> Subject {
    subject(&plain(text))
}

fn widely_about(text: &str) -> Subject {
    wide_subject(&plain(text))
}

fn plain(text: &str) -> String {
    let text = text.replace("'s", " ").replace("\u{2019}s", " ");
    parted(&text)
}
