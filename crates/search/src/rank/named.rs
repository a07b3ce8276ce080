//! Finds the speaker that a question names.
//!
//! Pure: takes the question's words and the speakers' names.

use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Weight of the first of several speakers named: in four of five such questions, the one who did or said the thing is
/// the one who reports it.
const FIRST_SHARE: f64 = 2.0 / 3.0;

/// The speaker that a question names; the first if it names several.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Named {
    name: Option<String>,
    share: f64,
}

impl Named {
    /// Finds the named speaker; `words` are those of the question, in order and with their case.
    ///
    /// A name that several speakers share does not name a speaker.
    pub(crate) fn of(words: &[String], speakers: &BTreeSet<&str>) -> Self {
        let has_capitals = words
            .iter()
            .skip(1)
            .any(|word| word.starts_with(char::is_uppercase));
        let is_name = |word: &&String| !has_capitals || word.starts_with(char::is_uppercase);
        let mut found: Vec<(usize, usize, &str)> = Vec::new();
        for speaker in speakers
            .iter()
            .filter(|it| !matches!(**it, "user" | "assistant"))
        {
            let lower = speaker.to_lowercase();
            let parts: BTreeSet<&str> = base::words(&lower).collect();
            let is_part = |word: &&String| parts.contains(word.to_lowercase().as_str());
            let places = words.iter().zip(0..);
            let held = places.filter(|(word, _)| is_name(word) && is_part(word));
            let held: Vec<usize> = held.map(|(_, at)| at).collect();
            if let Some(first) = held.first() {
                found.push((*first, held.len(), speaker));
            }
        }
        found.sort_by_key(|(at, n_words, _)| (*at, Reverse(*n_words)));
        match found.as_slice() {
            [] => Self::default(),
            [first, second, ..] if (first.0, first.1) == (second.0, second.1) => Self::default(),
            [(first, _, name), others @ ..] => Self {
                name: Some((*name).to_owned()),
                share: if others.iter().all(|(at, ..)| at == first) {
                    1.0
                } else {
                    FIRST_SHARE
                },
            },
        }
    }

    /// Whether the question names no speaker.
    pub(crate) fn is_nobody(&self) -> bool {
        self.name.is_none()
    }

    /// The weight of a speaker's words, from 0 to 1.
    pub(crate) fn asks_for(&self, speaker: Option<&str>) -> f64 {
        if self.name.is_some() && self.name.as_deref() == speaker {
            self.share
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How far the words of each speaker are asked for, in hundredths.
    #[track_caller]
    fn check(question: &str, speakers: &[&str], expected: &[(&str, f64)]) {
        let words: Vec<String> = question.split_whitespace().map(str::to_owned).collect();
        let named = Named::of(&words, &speakers.iter().copied().collect());
        for speaker in speakers {
            let wanted = expected.iter().find(|(name, _)| name == speaker);
            let wanted = wanted.map_or(0.0, |(_, share)| *share);
            let found = (100.0 * named.asks_for(Some(speaker))).round();
            assert!(
                (found - wanted).abs() < 1e-9,
                "{question}: {speaker} {found}"
            );
        }
    }

    #[test]
    fn first_named_speaker_weighs_most() {
        let all = ["Anna", "Ben", "Eva Maria", "Will", "assistant", "user"];
        check("what did the user say", &all, &[]);
        check("What will Ben mend", &all, &[("Ben", 100.0)]);
        check("what did ben tell anna", &all, &[("Ben", 67.0)]);
        check("Did Maria see Anna", &all, &[("Eva Maria", 67.0)]);
    }

    #[test]
    fn shared_first_name_alone_does_not_name_speaker() {
        let smiths = ["Anna Jones", "Anna Smith"];
        check("what did anna smith say", &smiths, &[("Anna Smith", 100.0)]);
        check("what did anna say", &smiths, &[]);
    }
}
