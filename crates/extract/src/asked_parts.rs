//! Divides a message that asks for several things: reminders, and something to remember.
//!
//! Divides nothing unless each part is a request of its own.

use crate::language::{Cue, Language, languages};
use crate::reminder::{AskedReminder, opened, reminder_asked};

/// Longer messages ask for more than a few reminders and something to remember.
const MESSAGE_BYTES_MAX: usize = 1_200;

/// The requests of a message that asks for a reminder.
#[derive(Debug)]
pub struct AskedReminders {
    /// The reminders, in the order of the message.
    pub reminders: Vec<AskedReminder>,
    /// The parts of the message that ask to remember something, each on its own line; empty if there are none.
    pub to_remember: String,
}

/// The reminders that a message asks for, and what else it asks to remember; `None` if it asks for no reminder, or for
/// anything else as well.
pub fn reminders_asked(message: &str) -> Option<AskedReminders> {
    if message.len() > MESSAGE_BYTES_MAX {
        return None;
    }
    let mut spaced = languages().iter().filter(|it| it.spaced);
    let of_parts = spaced.find_map(|language| language.reminders_asked(message));
    of_parts.or_else(|| {
        Some(AskedReminders {
            reminders: reminder_asked(message)?.divided(),
            to_remember: String::new(),
        })
    })
}

impl Language {
    fn reminders_asked(&self, message: &str) -> Option<AskedReminders> {
        let parts = self.requests(message);
        if parts.len() < 2 {
            return None;
        }
        let tells = |part: &&str| self.tells_to_remember(part);
        let (to_remember, others): (Vec<&str>, Vec<&str>) = parts.into_iter().partition(tells);
        let reminders = others.into_iter().map(reminder_asked);
        let reminders: Vec<AskedReminder> = reminders.collect::<Option<_>>()?;
        let reminders = reminders.into_iter().flat_map(AskedReminder::divided);
        let reminders: Vec<AskedReminder> = reminders.collect();
        (!reminders.is_empty()).then(|| AskedReminders {
            reminders,
            to_remember: to_remember.join("\n"),
        })
    }

    /// The parts of a message that begin with its first word, or with a request behind a connective or another sentence.
    fn requests<'t>(&self, message: &'t str) -> Vec<&'t str> {
        let mut parts = Vec::new();
        let mut rest = message;
        let starts = message.char_indices().skip(1);
        for (at, _) in starts {
            let start = message.len() - rest.len();
            let is_word = message
                .get(..at)
                .is_some_and(|it| it.ends_with(' ') || it.ends_with('\n'));
            let (Some(before), Some(behind)) = (message.get(start..at), message.get(at..)) else {
                continue;
            };
            let is_start = is_word && !behind.starts_with(char::is_whitespace);
            let ended = is_start.then(|| self.before_joint(before)).flatten();
            if let Some(part) = ended.filter(|_| self.opens_request(behind)) {
                parts.push(part);
                rest = behind;
            }
        }
        parts.push(rest);
        parts
    }

    /// The text before the connective with which it ends, or before the end of its last sentence or line.
    fn before_joint<'t>(&self, whole: &'t str) -> Option<&'t str> {
        let text = whole.trim_end();
        let ends_line = whole
            .get(text.len()..)
            .is_some_and(|gap| gap.contains('\n'));
        let joints = self.patterns(Cue::Joint).iter();
        let mut joints = joints.filter(|it| !it.closes);
        let joined = joints.find_map(|it| {
            let (at, _) = text.char_indices().rfind(|(_, it)| it.is_whitespace())?;
            let (before, last) = text.split_at_checked(at)?;
            (self.plain(last) == it.text).then_some(before)
        });
        let is_end = |c: char| matches!(c, '.' | '!' | '?' | ';');
        let is_ended = ends_line || text.ends_with(is_end);
        joined
            .or_else(|| is_ended.then_some(text))
            .map(str::trim_end)
    }

    fn opens_request(&self, text: &str) -> bool {
        let text = self.without_polite(text);
        self.tells_to_remember(text)
            || self.remind.iter().any(|cue| {
                let cue = cue.trim_start_matches('^');
                let (opening, _) = cue.split_once(crate::reminder::GAP).unwrap_or((cue, ""));
                opened(text, opening).is_some()
            })
    }

    /// Whether a text opens with a request to remember a whole statement: `remember that I ...`, and not `note my weight`.
    fn tells_to_remember(&self, text: &str) -> bool {
        let cues = self.patterns(Cue::Remember).iter();
        let mut cues = cues.filter(|it| it.opens && !it.closes);
        let n_words = cues.clone().map(|it| it.text.split_whitespace().count());
        let n_words = n_words.max().unwrap_or_default() + 1;
        let plain = self.plain(first_words(self.without_polite(text), n_words));
        let joining = || self.joins.iter().chain(&self.remember_clauses);
        cues.any(|cue| {
            let Some(behind) = plain.strip_prefix(&cue.text) else {
                return false;
            };
            let joins = |word: &str| joining().any(|own| own == word);
            let ends_joining = cue.text.split_whitespace().next_back().is_some_and(joins);
            ends_joining || behind.split_whitespace().next().is_some_and(joins)
        })
    }
}

/// The beginning of a text with at most this many words.
fn first_words(text: &str, n_words: usize) -> &str {
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '\u{2019}');
    let ends = text.char_indices().zip(text.chars().skip(1));
    let mut ends = ends.filter(|((_, own), next)| is_letter(*own) && !is_letter(*next));
    let end = n_words.checked_sub(1).and_then(|n| ends.nth(n));
    let words = end.and_then(|((at, own), _)| text.get(..at + own.len_utf8()));
    words.unwrap_or(text)
}

#[cfg(test)]
#[path = "asked_parts_tests.rs"]
mod tests;
