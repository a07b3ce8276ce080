//! Recognises a request to be reminded when a conversation comes to a subject: `next time we talk about the boat, remind me
//! to order the anodes`.
//!
//! Guesses no subject: both ends of its words have to be marked.

use base::dates::time_named;

use crate::language::Language;
use crate::reminder::{bare, ended, opened, parted};

/// The place of the subject in a cue.
const SUBJECT: &str = "...";

/// Longer texts are no subject.
const SUBJECT_BYTES_MAX: usize = 80;

impl Language {
    /// The subject that a message names, and what to be reminded of then.
    pub(crate) fn asked_about(&self, message: &str) -> Option<(String, String)> {
        let cues = self.remind_subjects.iter();
        let cues = cues.filter_map(|cue| cue.split_once(SUBJECT));
        let cues = cues.map(|(opening, closing)| (opening.trim(), closing.trim()));
        let found = cues.filter_map(|cue| {
            let (subject, text) = self
                .subject_before(message, cue)
                .or_else(|| self.subject_behind(message, cue))?;
            let (subject, text) = (bare(subject).to_owned(), bare(&text).to_owned());
            let is_subject = !subject.is_empty() && subject.len() <= SUBJECT_BYTES_MAX;
            (is_subject && !text.is_empty()).then_some((cue.0.len() + cue.1.len(), (subject, text)))
        });
        let longest = found.max_by_key(|(n_bytes, _)| *n_bytes);
        longest.map(|(_, own)| own)
    }

    /// `when the boat comes up, remind me to order the anodes`
    fn subject_before<'t>(
        &self,
        message: &'t str,
        (opening, closing): (&str, &str),
    ) -> Option<(&'t str, String)> {
        let behind = self.opened_politely(message, opening)?;
        if !closing.is_empty() {
            let (subject, request) = parted(behind, closing)?;
            return Some((subject, self.text_behind_clause(bare(request))?));
        }
        let starts = behind.char_indices().filter(|(at, _)| {
            let before = behind.get(..*at).unwrap_or_default();
            before.ends_with([' ', ','])
        });
        let mut splits = starts.filter_map(|(at, _)| behind.split_at_checked(at));
        splits.find_map(|(subject, request)| Some((subject, self.text_behind_clause(request)?)))
    }

    /// `remind me to order the anodes when the boat comes up`
    fn subject_behind<'t>(
        &self,
        message: &'t str,
        (opening, closing): (&str, &str),
    ) -> Option<(&'t str, String)> {
        let starts = message.char_indices().rev().filter(|(at, _)| {
            let before = message.get(..*at).unwrap_or_default();
            before.ends_with([' ', ','])
        });
        let mut splits = starts.filter_map(|(at, _)| message.split_at_checked(at));
        let (request, behind) =
            splits.find_map(|(before, rest)| Some((before, opened(rest, opening)?)))?;
        // With a time of its own, it is a reminder for that time.
        let timeless = |request: &str| {
            let text = self.text_of_request(request)?;
            matches!(time_named(&text).when, Ok(None)).then_some(text)
        };
        if closing.is_empty() {
            return Some((behind, timeless(request)?));
        }
        if let Some(subject) = ended(bare(behind), closing) {
            return Some((subject, timeless(request)?));
        }
        // `erinnere mich, wenn wir das naechste Mal ueber den Garten reden, an die Zwiebeln`
        let (subject, text) = parted(behind, closing)?;
        let whole = format!("{} {}", bare(request), bare(text));
        Some((subject, timeless(&whole)?))
    }

    /// What a request behind the clause with the subject asks to be reminded of.
    fn text_behind_clause(&self, request: &str) -> Option<String> {
        let cues = self.remind.iter().filter(|cue| !cue.starts_with('^'));
        self.text_by(cues, request)
    }

    /// What a request asks to be reminded of.
    fn text_of_request(&self, request: &str) -> Option<String> {
        self.text_by(self.remind.iter(), request)
    }

    fn text_by<'c>(&self, cues: impl Iterator<Item = &'c String>, request: &str) -> Option<String> {
        let request = self.without_polite(request);
        let found = cues.filter_map(|cue| self.asked_by(request, cue));
        found.min_by_key(String::len)
    }
}

#[cfg(test)]
#[path = "reminder_subject_tests.rs"]
mod tests;
