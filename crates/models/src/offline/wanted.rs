//! What a question is about, and what of it another text holds.
//!
//! Compares words; knows nothing of passages.

use super::east_asian::parted;
use super::matter::{ANYWHERE, matters_asked};
use super::rank::{Subject, subject, wide_subject};

/// What a question is about.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    subject: Subject,
    /// How another text is read, so that it can be compared.
    read: fn(&str) -> Subject,
    /// Whether it asks for something of the owner themselves.
    is_of_owner: bool,
}

impl Wanted {
    /// Reads a question; of one that holds nothing but common words, those that may be what it asks for.
    pub(super) fn of(words: &str) -> Self {
        let is_of_owner = !matters_asked(words).is_empty();
        let plain_words = if is_of_owner { ANYWHERE } else { &[] };
        let subject = about(words).without_asking().without(plain_words);
        if subject.n_words() > 0 {
            return Self {
                subject,
                read: about,
                is_of_owner,
            };
        }
        Self {
            subject: widely_about(words).without_asking().without(plain_words),
            read: widely_about,
            is_of_owner,
        }
    }

    /// How many of its words a text holds.
    pub(super) fn n_shared(&self, text: &str) -> usize {
        (self.read)(text).n_shared(&self.subject)
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
