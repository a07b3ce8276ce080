//! Recognises a request for a reminder, and its subject.
//!
//! Does not read times: the only reader of dates is in `base`.

use base::dates::{TimeAhead, time_named};

use crate::language::{Cue, Language, languages};

/// The gap of a request in two parts: `kannst du mich ... erinnern`.
pub(crate) const GAP: &str = " ... ";

/// Longer messages ask for more than a reminder.
const MESSAGE_BYTES_MAX: usize = 600;

/// Longer messages say more than no.
const REFUSAL_BYTES_MAX: usize = 80;

/// A message that asks for a reminder.
#[derive(Debug)]
pub struct AskedReminder {
    pub(crate) language: &'static Language,
    /// The message without the request: a time and what to be reminded of, in either order.
    pub rest: String,
    /// Whether the request follows what it is about.
    pub(crate) is_behind: bool,
    /// Whether another part of the request stands before it: if it names no day, it follows the time of that part.
    pub is_further: bool,
    /// The subject that brings it up, in place of a time; the rest is then only what to be reminded of.
    pub subject: Option<String>,
}

impl AskedReminder {
    /// What the reminder is about: the rest without its time, and without words that join the two.
    pub fn text(&self, read: &TimeAhead) -> String {
        let rest = match self.subject {
            Some(_) => &self.rest,
            None => &read.rest,
        };
        let rest = self.language.without_polite(rest);
        bare(self.behind_opening(rest).unwrap_or(rest)).to_owned()
    }

    /// A text without the words that join it to the request, if it opens with some.
    pub(crate) fn behind_opening<'t>(&self, text: &'t str) -> Option<&'t str> {
        let language = self.language;
        let duties = language.remind_duties.iter().filter(|_| self.is_behind);
        let openings = duties.chain(&language.remind_joins);
        let without = openings.filter_map(|own| opened(text, own));
        without.min_by_key(|it| it.len())
    }
}

/// The reminder that a message asks for, if it asks for one and for nothing else.
pub(crate) fn reminder_asked(message: &str) -> Option<AskedReminder> {
    if message.len() > MESSAGE_BYTES_MAX {
        return None;
    }
    let all = languages().iter();
    let found = all.filter_map(|language| language.reminder_asked(message));
    found.min_by_key(|own| own.rest.len())
}

/// Whether a message says no and nothing else.
pub fn refuses_reminder(message: &str) -> bool {
    message.len() <= REFUSAL_BYTES_MAX && languages().iter().any(|own| own.refuses(message))
}

impl Language {
    fn refuses(&self, message: &str) -> bool {
        let said = [bare(message), self.without_polite(message)].map(str::to_lowercase);
        let mut refusals = self.remind_refusals.iter();
        refusals.any(|own| said.contains(own))
    }

    fn reminder_asked(&'static self, message: &str) -> Option<AskedReminder> {
        let message = self.without_polite(message);
        let asked = |rest: String, is_behind| AskedReminder {
            language: self,
            rest,
            is_behind,
            is_further: false,
            subject: None,
        };
        if let Some((subject, rest)) = self.asked_about(message) {
            return Some(AskedReminder {
                subject: Some(subject),
                ..asked(rest, false)
            });
        }
        let before = self
            .remind
            .iter()
            .filter_map(|cue| self.asked_by(message, cue));
        if let Some(rest) = before.min_by_key(String::len) {
            let rest = self.without_polite(&rest);
            return (!self.only_asks(rest)).then(|| asked(rest.to_owned(), false));
        }
        let behind = self.remind_ends.iter();
        let behind = behind.filter_map(|cue| self.asked_behind(message, cue));
        let rest = behind.min_by_key(|it| it.len())?;
        Some(asked(self.without_polite(rest).to_owned(), true))
    }

    /// Whether a request without a time asks a question: `can you remind me what we said`.
    fn only_asks(&self, rest: &str) -> bool {
        let plain = self.plain(rest);
        let mut openings = self.patterns(Cue::Question).iter().filter(|it| it.opens);
        let is_question = openings.any(|it| plain.starts_with(&it.text));
        is_question && matches!(time_named(rest).when, Ok(None))
    }

    /// What is left of a message that ends with a cue: a sentence, or for a cue that begins with `~` a time and the rest.
    fn asked_behind<'t>(&self, message: &'t str, cue: &str) -> Option<&'t str> {
        if let Some(cue) = cue.strip_prefix('~') {
            let rest = ended(message, cue)?;
            let read = time_named(rest);
            // Otherwise it says who reminds whom: `ich muss Oma morgen um 9 an die Tabletten erinnern`.
            let mut joins = self.remind_joins.iter();
            let is_request = bare(rest).ends_with(&read.rest)
                || joins.any(|own| opened(&read.rest, own).is_some());
            return (!matches!(read.when, Ok(None)) && is_request).then_some(rest);
        }
        let mut rest = self.ended_politely(message, cue)?.trim_end();
        let mut polite = self.remind_polite.iter();
        while let Some(shorter) = polite.find_map(|own| ended(rest, own)) {
            rest = shorter.trim_end();
        }
        let is_sign = |c: char| {
            matches!(
                c,
                ',' | ';' | '.' | '!' | '?' | '-' | ':' | '\u{2013}' | '\u{bf}'
            )
        };
        rest.ends_with(is_sign).then_some(rest)
    }

    /// What is left of a message that opens with a cue, or with a time and then the cue.
    pub(crate) fn asked_by(&self, message: &str, cue: &str) -> Option<String> {
        // Behind a time, such a word is one of a statement: `um 9 erinnert mich mein Bruder`.
        let (cue, opens_message) = match cue.strip_prefix('^') {
            Some(cue) => (cue, true),
            None => (cue, false),
        };
        let (opening, closing) = cue.split_once(GAP).unwrap_or((cue, ""));
        let (before, behind) = if let Some(rest) = self.opened_politely(message, opening) {
            ("", rest)
        } else if opens_message {
            return None;
        } else {
            let parts = parted(message, opening)?;
            Some(parts).filter(|(before, _)| is_time(bare(before)))?
        };
        let rest = if closing.is_empty() {
            behind.to_owned()
        } else {
            let (between, rest) = parted(behind, closing)?;
            if closing == ":" && !is_time(between) {
                return None;
            }
            format!("{between} {rest}")
        };
        let rest = format!("{} {rest}", bare(before));
        Some(rest.trim().to_owned())
    }

    /// A text before a cue with which it ends; polite words may stand between the words of the cue.
    fn ended_politely<'t>(&self, text: &'t str, cue: &str) -> Option<&'t str> {
        let Some((head, last)) = cue.rsplit_once(' ') else {
            return ended(text, cue);
        };
        let mut rest = ended(text, last)?.trim_end();
        loop {
            if let Some(before) = self.ended_politely(rest, head) {
                return Some(before);
            }
            let mut polite = self.remind_polite.iter();
            rest = polite.find_map(|own| ended(rest, own))?.trim_end();
        }
    }

    /// The rest of a text that opens with a cue; polite words may stand between the words of the cue.
    pub(crate) fn opened_politely<'t>(&self, text: &'t str, cue: &str) -> Option<&'t str> {
        let Some((first, tail)) = cue.split_once(' ') else {
            return opened(text, cue);
        };
        let mut rest = opened(text, first)?;
        // A comma may stand between two words of the cue.
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        loop {
            if let Some(behind) = self.opened_politely(rest, tail) {
                return Some(behind);
            }
            let mut polite = self.remind_polite.iter();
            rest = polite.find_map(|own| opened(rest, own))?;
        }
    }

    /// A text without polite words at its start and its end.
    pub(crate) fn without_polite<'t>(&self, text: &'t str) -> &'t str {
        let mut text = bare(text);
        loop {
            let words = self.remind_polite.iter();
            let shorter = words.filter_map(|own| opened(text, own).or_else(|| ended(text, own)));
            let shorter = shorter.map(bare).filter(|it| !it.is_empty());
            match shorter.min_by_key(|it| it.len()) {
                Some(shorter) => text = shorter,
                None => return text,
            }
        }
    }
}

/// Whether a text names a time ahead and nothing else.
fn is_time(text: &str) -> bool {
    let read = time_named(text);
    !matches!(read.when, Ok(None)) && read.rest.is_empty()
}

/// A text without signs at its ends.
pub(crate) fn bare(text: &str) -> &str {
    let is_sign = |c: char| {
        c.is_whitespace() || matches!(c, ',' | ':' | ';' | '.' | '!' | '?' | '\u{bf}' | '\u{a1}')
    };
    text.trim_matches(is_sign)
}

/// The rest of a text that opens with these words, which are in lower case.
pub(crate) fn opened<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let mut rest = text.chars();
    for expected in words.chars() {
        if !is_same(rest.next()?, expected) {
            return None;
        }
    }
    let rest = rest.as_str();
    let is_whole = words.ends_with('\'') || !rest.starts_with(char::is_alphanumeric);
    is_whole.then(|| rest.trim_start())
}

/// A text before these words, with which it ends.
pub(crate) fn ended<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let mut rest = text.chars();
    for expected in words.chars().rev() {
        if !is_same(rest.next_back()?, expected) {
            return None;
        }
    }
    let rest = rest.as_str();
    let is_whole = !rest.is_empty() && !rest.ends_with(char::is_alphanumeric);
    is_whole.then_some(rest)
}

/// A text before and behind these words, where they first occur.
pub(crate) fn parted<'t>(text: &'t str, words: &str) -> Option<(&'t str, &'t str)> {
    let is_whole = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        words == ":" || !before.ends_with(char::is_alphanumeric)
    };
    let mut places = text
        .char_indices()
        .map(|(at, _)| at)
        .filter(|at| is_whole(*at));
    places.find_map(|at| {
        let (before, rest) = text.split_at_checked(at)?;
        Some((before, opened(rest, words)?))
    })
}

fn is_same(own: char, lower: char) -> bool {
    // A typed apostrophe may be either.
    let own = if own == '\u{2019}' { '\'' } else { own };
    own == lower || own.to_lowercase().eq(std::iter::once(lower))
}

#[cfg(test)]
#[path = "reminder_tests.rs"]
mod tests;
