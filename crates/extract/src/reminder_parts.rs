//! Divides one request into several reminders: `remind me tomorrow at 9 to call Ann and on Friday at 10 to pay the rent`.
//!
//! Divides nothing unless each part has a time and a text in the same order.

use base::dates::{Unclear, time_named};

use crate::language::Language;
use crate::reminder::{AskedReminder, bare, opened};

/// A request has at most this many parts.
const PARTS_MAX: usize = 6;

/// With more places to divide it at, a text is a list and no several reminders.
const CUTS_MAX: usize = 5;

/// The form of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PartForm {
    order: PartOrder,
    /// Whether its text opens with words that join it to the request, such as `to`.
    has_opening: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartOrder {
    TimeFirst,
    TextFirst,
}

/// What divides two parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Divider {
    /// A word such as `and`.
    Word,
    /// A comma or another sign.
    Sign,
}

impl AskedReminder {
    /// The reminders that the request asks for, in its order.
    pub(crate) fn divided(self) -> Vec<Self> {
        let parts = match self.subject {
            Some(_) => None,
            // Each cut reads the time of all that follows it.
            None if cuts(self.language, &self.rest).len() > CUTS_MAX => None,
            None => self.parts(&self.rest, None, PARTS_MAX),
        };
        let Some(parts) = parts.filter(|it| it.len() > 1 && !is_behind_colon(&self.rest)) else {
            return vec![self];
        };
        let numbered = parts.into_iter().enumerate();
        let reminders = numbered.map(|(number, part)| Self {
            rest: part.to_owned(),
            is_further: number > 0,
            language: self.language,
            is_behind: self.is_behind,
            subject: None,
        });
        reminders.collect()
    }

    /// The parts of a text that follows a part of this form; `None` if it has others.
    fn parts<'t>(
        &self,
        text: &'t str,
        before: Option<(PartForm, Divider)>,
        n_max: usize,
    ) -> Option<Vec<&'t str>> {
        let divide = |(part, divider, rest): (&'t str, Divider, &'t str)| {
            let form = self.form(part, before)?;
            let tail = self.parts(rest, Some((form, divider)), n_max.checked_sub(1)?)?;
            Some(std::iter::once(part).chain(tail).collect())
        };
        let mut cuts = cuts(self.language, text).into_iter();
        cuts.find_map(divide)
            .or_else(|| self.form(text, before).map(|_| vec![text]))
    }

    /// The form of a part, if it is one behind the part before it.
    fn form(&self, part: &str, before: Option<(PartForm, Divider)>) -> Option<PartForm> {
        let part = self.language.without_polite(part);
        let read = time_named(part);
        if let Ok(None) | Err(Unclear::SeveralDays | Unclear::SeveralTimes) = read.when {
            return None;
        }
        let text = self.language.without_polite(&read.rest);
        let order = if part.ends_with(text) {
            PartOrder::TimeFirst
        } else if part.starts_with(text) {
            PartOrder::TextFirst
        } else {
            return None;
        };
        let behind = self.behind_opening(text);
        let form = PartForm {
            order,
            has_opening: behind.is_some(),
        };
        let is_next = before.is_none_or(|(own, divider)| {
            // Without an opening, a clause of the text may follow: `and at 10 the shop closes`.
            let is_marked = form.has_opening || divider == Divider::Word && read.names_day;
            own == form && is_marked
        });
        (is_next && !bare(behind.unwrap_or(text)).is_empty()).then_some(form)
    }
}

/// Whether a time and a colon open the text, behind which no time is read.
fn is_behind_colon(text: &str) -> bool {
    let read = time_named(text);
    let before = text.trim_end().strip_suffix(read.rest.as_str());
    let is_certain = matches!(read.when, Ok(Some(_)));
    is_certain && before.is_some_and(|it| it.trim_end().ends_with(':'))
}

/// The places at which a text may be divided: the text before and behind, without what divides them.
fn cuts<'t>(language: &Language, text: &'t str) -> Vec<(&'t str, Divider, &'t str)> {
    let places = text.char_indices().filter_map(|(at, sign)| {
        let (before, rest) = text.split_at_checked(at)?;
        if matches!(sign, ',' | ';' | '.' | '\n') {
            let behind = rest.get(sign.len_utf8()..)?;
            let is_apart = sign == '\n' || behind.starts_with(char::is_whitespace);
            return is_apart.then_some((before, Divider::Sign, behind.trim_start()));
        }
        let is_start = before.ends_with(char::is_whitespace);
        let mut words = language.remind_and.iter().filter(|_| is_start);
        let behind = words.find_map(|own| opened(rest, own))?;
        Some((before, Divider::Word, behind))
    });
    let places = places.map(|(before, divider, behind)| (bare(before), divider, behind));
    places.collect()
}

#[cfg(test)]
#[path = "reminder_parts_tests.rs"]
mod tests;
