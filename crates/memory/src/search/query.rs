//! A question as search understands it.
//!
//! Never reads the index: the same question is always the same.

use std::collections::BTreeSet;

use base::Day;

use super::literal::literals;
use super::named_date::{NamedDate, named_dates};
use super::newer::asks_newest;
use super::time::{DaySpan, named_span};
use crate::terms::{Analyser, Term, TermKind, is_unspaced, iso_date};

/// A question.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Question {
    /// What is looked for, each once.
    pub(crate) terms: Vec<QueryTerm>,
    /// What it names as it is written, in lower case.
    pub(crate) literals: Vec<String>,
    /// Its words in lower case, in their order.
    pub(crate) words: Vec<String>,
    /// The dates that it names.
    pub(crate) dates: Vec<NamedDate>,
    /// The days that it names, where it is known what day it is.
    pub(crate) span: Option<DaySpan>,
    /// What it asks for.
    pub(crate) asks: BTreeSet<Asked>,
    /// Whose words it asks for in a transcript.
    pub(crate) role: Role,
}

/// A term that is looked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QueryTerm {
    pub(crate) term: Term,
    /// Whether it is part of what the question asks, or a better match of such a part.
    pub(crate) part: Part,
    /// How much it tells: less than 1 where it says how the question is meant.
    pub(crate) share: f64,
}

/// What a term is to its question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// A part of it: a passage without it lacks something.
    Whole,
    /// The very form of a word whose stem is the part.
    Form,
    /// A word that is near in meaning to the term of this number.
    Near(usize),
    /// A word that the term of this number, which stands nowhere, is probably a misspelling of.
    Meant(usize),
}

/// What a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Asked {
    /// A time.
    Time,
    /// A name.
    Name,
    /// How many.
    Number,
    /// Which thing.
    Thing,
    /// What holds now.
    Newest,
    /// That something be done, explained or advised, whatever was said before.
    Work,
}

/// Whose words a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Role {
    /// What the owner said.
    #[default]
    User,
    /// What the assistant said.
    Assistant,
    /// What both said: the whole talk is asked for.
    Both,
}

/// Most terms of a question; what follows is seldom a question.
const TERMS_MAX: usize = 64;

const TIME_OPENINGS: [&str; 7] = [
    "when",
    "what day",
    "what date",
    "what time",
    "what month",
    "what year",
    "how long ago",
];
const NAME_OPENINGS: [&str; 4] = ["who", "whom", "where", "which"];
const NUMBER_OPENINGS: [&str; 5] = ["how many", "how much", "how often", "how long", "how old"];

/// Words by which somebody asks for help with what is at hand.
const WORK_WORDS: [&str; 26] = [
    "can you",
    "could you",
    "explain",
    "help me",
    "how can i",
    "how do i",
    "how should i",
    "how to",
    "i d like",
    "i m looking",
    "i m planning",
    "i m trying",
    "i need",
    "i want",
    "please",
    "recommend",
    "show me",
    "suggest",
    "what are some",
    "what is the best",
    "what s the best",
    "what should i",
    "what steps",
    "would you",
    "write",
    "advise",
];

/// Words by which a question asks for what was, so that it asks for no work.
const PAST_WORDS: [&str; 24] = [
    "across",
    "brought",
    "conversation",
    "conversations",
    "did",
    "discussed",
    "had",
    "has my",
    "have i",
    "how has",
    "how long",
    "how many",
    "how much",
    "i ve",
    "mentioned",
    "said",
    "so far",
    "summary",
    "throughout",
    "told",
    "was",
    "we ve",
    "were",
    "when",
];

/// Words that say how a question is meant rather than what it is about.
const FRAME_WORDS: &str = "ask asked chat chats comprehensive conversation conversations describe \
     described discuss discussed discussion discussions explain explained list mention mentioned \
     overview recall recap remember remind show summarise summarize summary tell told";

/// How much such a word tells, where the question holds others.
const FRAME_SHARE: f64 = 0.5;

/// Words by which a question asks for what the assistant said.
const ASSISTANT_WORDS: [&str; 14] = [
    "did you suggest",
    "did you recommend",
    "did you say",
    "did you tell",
    "did you advise",
    "did you propose",
    "did you mention",
    "did you give",
    "you suggested",
    "you recommended",
    "you said",
    "you told",
    "you advised",
    "the assistant",
];

/// Words by which a question asks for a talk as a whole.
const TALK_WORDS: [&str; 6] = [
    "overview",
    "recap",
    "summarise",
    "summarize",
    "summaries",
    "summary",
];

impl Question {
    /// Reads a question.
    pub(crate) fn parse(text: &str, today: Option<Day>) -> Self {
        let lower = text.to_lowercase();
        let words = words(&lower);
        let flat = format!(" {} ", words.join(" "));
        let has = |phrases: &[&str]| {
            phrases
                .iter()
                .any(|phrase| flat.contains(&format!(" {phrase} ")))
        };
        Self {
            terms: terms(text),
            literals: literals(text),
            dates: named_dates(&words),
            span: today.and_then(|today| named_span(text, today)),
            asks: [
                (Asked::Time, has(&TIME_OPENINGS)),
                (Asked::Name, has(&NAME_OPENINGS)),
                (Asked::Number, has(&NUMBER_OPENINGS)),
                (
                    Asked::Thing,
                    has(&["what", "which"]) && !has(&TIME_OPENINGS),
                ),
                (Asked::Newest, asks_newest(&words)),
                (Asked::Work, has(&WORK_WORDS) && !has(&PAST_WORDS)),
            ]
            .into_iter()
            .filter_map(|(asked, is_so)| is_so.then_some(asked))
            .collect(),
            role: if has(&ASSISTANT_WORDS) {
                Role::Assistant
            } else if has(&TALK_WORDS) {
                Role::Both
            } else {
                Role::User
            },
            words,
        }
    }

    /// Whether it asks for this.
    pub(crate) fn asks_for(&self, asked: Asked) -> bool {
        self.asks.contains(&asked)
    }

    /// The stems that are looked for.
    pub(crate) fn stems(&self) -> BTreeSet<String> {
        let whole = self.terms.iter().filter(|term| term.part == Part::Whole);
        whole.map(|term| term.term.text.clone()).collect()
    }
}

/// Words without punctuation and possessives; ISO dates whole.
fn words(lower: &str) -> Vec<String> {
    let mut words = Vec::new();
    for chunk in lower.split_whitespace() {
        let bare = chunk.trim_matches(|c: char| !c.is_alphanumeric());
        if iso_date(bare).is_some() {
            words.push(bare.to_owned());
            continue;
        }
        let bare = bare
            .strip_suffix("'s")
            .or_else(|| bare.strip_suffix("\u{2019}s"))
            .unwrap_or(bare);
        words.extend(
            bare.split(|c: char| !c.is_alphanumeric())
                .filter(|word| !word.is_empty())
                .map(str::to_owned),
        );
    }
    words
}

fn terms(text: &str) -> Vec<QueryTerm> {
    let mut analyser = Analyser::new();
    let mut frame = BTreeSet::new();
    analyser.each(FRAME_WORDS, &mut |_, term| {
        frame.insert(term.to_owned());
    });
    let mut terms: Vec<QueryTerm> = Vec::new();
    analyser.each(text, &mut |kind, text| {
        let mut characters = text.chars();
        let is_single = characters.next().is_some_and(is_unspaced) && characters.next().is_none();
        let (kind, part) = match kind {
            // A character alone is found in longer runs too, where it stands as a form.
            TermKind::Stem if is_single => (TermKind::Exact, Part::Whole),
            TermKind::Exact if is_single => return,
            TermKind::Exact => (kind, Part::Form),
            TermKind::Stem | TermKind::Identifier => (kind, Part::Whole),
        };
        let term = Term {
            kind,
            text: text.to_owned(),
        };
        let is_frame = frame.contains(text);
        if terms.len() < TERMS_MAX && terms.iter().all(|known| known.term != term) {
            terms.push(QueryTerm {
                term,
                part,
                share: if is_frame { FRAME_SHARE } else { 1.0 },
            });
        }
    });
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_understood() {
        let question = Question::parse("When did Anna's dog see Rome on 2023-05-07?", None);
        let keys: Vec<String> = question.terms.iter().map(|term| term.term.key()).collect();
        assert_eq!(
            keys,
            [
                "eanna",
                "sanna",
                "edog",
                "sdog",
                "esee",
                "ssee",
                "erome",
                "srome",
                "i2023-05-07",
                "i@05-07",
                "e2023",
                "s2023",
                "e05",
                "s05",
                "e07",
                "s07"
            ]
        );
        assert_eq!(
            question.dates,
            [NamedDate {
                year: Some(2023),
                month: Some(5),
                day: Some(7)
            }]
        );
        assert_eq!(question.asks, [Asked::Time].into());
        assert_eq!(question.role, Role::User);
        assert_eq!(
            Question::parse("What did you suggest?", None).role,
            Role::Assistant
        );
        assert_eq!(
            Question::parse("Give me a summary of the roof works", None).role,
            Role::Both
        );
        assert_eq!(Question::parse("What is it?", None).terms, []);
    }

    #[test]
    fn how_a_question_is_meant_tells_less_than_what_it_is_about() {
        let question = Question::parse("Can you summarize our discussions of the roof?", None);
        let shares: Vec<(&str, f64)> = question
            .terms
            .iter()
            .filter(|term| term.part == Part::Whole)
            .map(|term| (term.term.text.as_str(), term.share))
            .collect();
        assert_eq!(shares, [("summar", 0.5), ("discuss", 0.5), ("roof", 1.0)]);
    }

    #[test]
    fn help_with_what_is_at_hand_is_told_from_what_was() {
        let asks_work = |text: &str| Question::parse(text, None).asks_for(Asked::Work);
        assert!(asks_work("How do I fix the gutter?"));
        assert!(asks_work("Could you explain the tax form?"));
        assert!(!asks_work("Can you tell me what I said about the gutter?"));
        assert!(!asks_work("How did I fix the gutter?"));
    }
}
