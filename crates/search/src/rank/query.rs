//! Parses a question.
//!
//! Never reads the index: the result depends only on the question, today's date and the cues.

use std::collections::BTreeSet;

use base::dates::{DaySpan, WrittenDate, named_span, outside_dates, outside_days, written_dates};
use base::{Day, is_unspaced};

use super::literal::{is_name, literals};
use crate::passage::ends_in_question;
use crate::terms::{Analyser, CommonWords, Term, TermKind, day_term};

/// A question.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Question {
    /// The terms to look up, without duplicates.
    pub(crate) terms: Vec<QueryTerm>,
    /// Names and quoted phrases of several words.
    pub(crate) literals: BTreeSet<String>,
    /// Its words as written, in order.
    pub(crate) words: Vec<String>,
    /// Its words as the index writes them, in order.
    pub(crate) forms: Vec<String>,
    /// The dates that it names.
    pub(crate) dates: Vec<WrittenDate>,
    /// The days named by a phrase such as `last week`, if today is known.
    pub(crate) span: Option<DaySpan>,
    /// The days of the span and of dates written with their year.
    pub(crate) days: Vec<DaySpan>,
    /// The stems of its subject: the words besides its days.
    pub(crate) subject: BTreeSet<String>,
    /// Whether it asks for advice or for a task, so that standing wishes may apply.
    pub(crate) asks_for_advice: bool,
    /// Whether it only names what it looks for.
    pub(crate) is_name: bool,
    /// Whether it is a question: most statements need nothing from memory.
    pub(crate) asks: bool,
    /// Recognises common words, which carry no meaning alone.
    pub(crate) common: CommonWords,
}

/// A term to look up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QueryTerm {
    pub(crate) term: Term,
    /// Its role in the question.
    pub(crate) part: TermRole,
    /// Weight factor, below 1 for a term that stands for another.
    pub(crate) share: f64,
}

/// The role of a term in its question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TermRole {
    /// A required part: a passage without it is not a full match.
    Whole,
    /// The exact form of a word; the stem is the part.
    Form,
    /// A spelling of a day that it names: a passage with it is about that day; one without it loses nothing.
    Date,
    /// A word near in meaning to the term with this index.
    Near(usize),
    /// The whole name of a note. The text of that note need not contain it.
    Name,
    /// A likely correction of the term with this index, which the index lacks.
    Meant(usize),
}

/// If a question names a span of at most this many days, every passage of those days is relevant.
const FEW_DAYS: i64 = 7;

/// Maximum number of terms that are looked up; longer input is rarely a question.
const TERMS_MAX: usize = 64;

impl Question {
    /// Parses a question.
    pub(crate) fn parse(text: &str, today: Option<Day>, common: CommonWords) -> Self {
        let dates = written_dates(text);
        let span = today.and_then(|today| named_span(text, today));
        let written = dates.iter().filter_map(|date| date.days());
        Self {
            subject: BTreeSet::new(),
            terms: terms_beside(text, &dates, common),
            literals: literals(text),
            words: base::words(text).map(str::to_owned).collect(),
            forms: Analyser::new().forms(text),
            days: written.chain(span).collect(),
            dates,
            span,
            asks_for_advice: false,
            is_name: is_name(text),
            asks: ends_in_question(text),
            common,
        }
    }

    /// Sets the subject: the words outside its days, filtered by `subject_of`. Days go first: in `last week`, `last`
    /// belongs to the day.
    pub(crate) fn about(
        mut self,
        text: &str,
        subject_of: fn(&str) -> String,
        today: Option<Day>,
    ) -> Self {
        let outside = today.map_or_else(|| outside_dates(text), |today| outside_days(text, today));
        self.subject = stems(&terms(&subject_of(&outside), self.common));
        let looked_for = self.stems();
        self.subject.retain(|stem| looked_for.contains(stem));
        self
    }

    /// Whether it is about this day: it names the day in a short span, or in a long one and contains nothing else.
    pub(crate) fn is_of_day(&self, day: Day) -> bool {
        let tells = |span: &&DaySpan| span.n_days() <= FEW_DAYS || self.subject.is_empty();
        self.days.iter().filter(tells).any(|span| span.holds(day))
    }

    /// The span of several days that it names, if it names exactly one.
    pub(crate) fn long_span(&self) -> Option<DaySpan> {
        let mut long = self.days.iter().filter(|span| span.n_days() > 1);
        let first = *long.next()?;
        long.all(|span| *span == first).then_some(first)
    }

    /// The stems of its parts.
    pub(crate) fn stems(&self) -> BTreeSet<String> {
        stems(&self.terms)
    }
}

fn stems(terms: &[QueryTerm]) -> BTreeSet<String> {
    let whole = terms.iter().filter(|term| term.part == TermRole::Whole);
    whole.map(|term| term.term.text.clone()).collect()
}

/// The terms outside full dates, which are compared as days however they are written. If nothing is left, or a date
/// lacks its year, all terms are kept.
fn terms_beside(text: &str, dates: &[WrittenDate], common: CommonWords) -> Vec<QueryTerm> {
    if !dates.is_empty() && dates.iter().all(|date| date.days().is_some()) {
        let mut beside = terms(&outside_dates(text), common);
        if !beside.is_empty() {
            beside.extend(dates.iter().flat_map(date_terms));
            return beside;
        }
    }
    terms(text, common)
}

/// The spellings of a day in the index; the one without a year counts less.
fn date_terms(date: &WrittenDate) -> Vec<QueryTerm> {
    let (Some(year), Some(month), Some(day)) = (date.year, date.month, date.day) else {
        return Vec::new();
    };
    let spellings = [
        (format!("{year}-{month:02}-{day:02}"), 1.0),
        (format!("{year}/{month:02}/{day:02}"), 1.0),
        (day_term(month, day), 0.5),
    ];
    let term = |(text, share)| QueryTerm {
        term: Term {
            kind: TermKind::Identifier,
            text,
        },
        part: TermRole::Date,
        share,
    };
    spellings.into_iter().map(term).collect()
}

fn terms(text: &str, common: CommonWords) -> Vec<QueryTerm> {
    let mut terms: Vec<QueryTerm> = Vec::new();
    common.each_telling(text, &mut |kind, text| {
        let mut characters = text.chars();
        let is_single = characters.next().is_some_and(is_unspaced) && characters.next().is_none();
        let (kind, part) = match kind {
            // Single characters are indexed as forms, to find them in longer runs too.
            TermKind::Stem if is_single => (TermKind::Exact, TermRole::Whole),
            TermKind::Sign => return,
            TermKind::Exact if is_single => return,
            TermKind::Exact => (kind, TermRole::Form),
            TermKind::Stem | TermKind::Identifier => (kind, TermRole::Whole),
        };
        let term = Term {
            kind,
            text: text.to_owned(),
        };
        if terms.len() < TERMS_MAX && terms.iter().all(|known| known.term != term) {
            terms.push(QueryTerm {
                term,
                part,
                share: 1.0,
            });
        }
    });
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_day_word_is_not_subject_of_question() {
        let without_last: fn(&str) -> String = |text| text.replace("last", " ");
        let today = "2026-05-20".parse().ok();
        let question = "Ferry last week?";
        let parsed = Question::parse(question, today, CommonWords::default());
        let parsed = parsed.about(question, without_last, today);
        assert_eq!(parsed.subject, BTreeSet::from(["ferri".to_owned()]));
    }

    #[test]
    fn question_parse_reads_terms_and_dates() {
        let question = Question::parse(
            "Did Anna's dog see Rome on 2023-05-07?",
            None,
            CommonWords::default(),
        );
        let keys: Vec<String> = question.terms.iter().map(|term| term.term.key()).collect();
        let words = ["did", "anna", "dog", "see", "rome", "on"];
        let words = words
            .iter()
            .flat_map(|word| [format!("e{word}"), format!("s{word}")]);
        let date = ["i2023-05-07", "i2023/05/07", "i@05-07"];
        let expected: Vec<String> = words.chain(date.map(str::to_owned)).collect();
        assert_eq!(keys, expected);
        let date = WrittenDate {
            year: Some(2023),
            month: Some(5),
            day: Some(7),
        };
        assert_eq!(question.dates, [date]);
        assert_eq!(
            Question::parse("?!", None, CommonWords::default()).terms,
            []
        );
    }

    #[test]
    fn single_character_question_matches_inside_longer_runs() {
        let question = Question::parse("\u{732b}", None, CommonWords::default());
        let terms: Vec<(String, TermRole)> = question
            .terms
            .iter()
            .map(|term| (term.term.key(), term.part))
            .collect();
        assert_eq!(terms, [("e\u{732b}".to_owned(), TermRole::Whole)]);
    }
}
