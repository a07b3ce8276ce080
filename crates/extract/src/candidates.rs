//! Proposes candidates for long-term memory: quotations, marked if the owner asked to keep them.
//!
//! Supersedes nothing and promotes nothing.

use std::collections::BTreeSet;

use base::model::Excerpt;
use base::{MEMORY_SECTIONS, Message, Origin, own_words};

use crate::engine::Extract;
use crate::evidence::{EvidenceReader, SECRET_MARK, Statement};
use crate::head::Class;
use crate::language::{Cue, language_of};
use crate::paragraph::sentences;
use crate::signals::names;
use crate::worth::LASTING_MIN;

/// Longer texts, in characters, do not fit a line of long-term memory.
const CHARS_MAX: usize = 230;

/// Least likelihood of a wish to be a standing instruction.
const INSTRUCTION_MIN: f32 = 0.5;

/// Fewer stems are an idiom, as in `never mind`, and no instruction.
const INSTRUCTION_STEMS_MIN: usize = 3;

/// Importance if the owner asked to keep it.
const ASKED_FOR_IMPORTANCE: u8 = 9;

/// A candidate for long-term memory.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtractedCandidate {
    /// Index of the excerpt that says so.
    pub excerpt: usize,
    /// The section of long-term memory where it belongs.
    pub section: &'static str,
    /// Its text, as said.
    pub text: String,
    /// The sentence that says so, if the text is without its request to remember.
    pub quote: Option<String>,
    /// Its importance, from 1 to 10.
    pub importance: u8,
    /// Whether the owner explicitly asked to keep it or gave a standing instruction, at the beginning of a message
    /// without pasted text.
    pub is_asked_for: bool,
}

impl Extract {
    /// The owner's statements in the excerpts that may last, in order.
    pub fn candidates(&self, excerpts: &[Excerpt]) -> Vec<ExtractedCandidate> {
        let mut reader = EvidenceReader::within(self, CHARS_MAX);
        let mut found = Vec::new();
        for (index, excerpt) in excerpts.iter().enumerate() {
            let is_owner =
                excerpt.origin == Origin::Owner && matches!(excerpt.message, Message::User { .. });
            if !is_owner {
                continue;
            }
            let text = excerpt.message.text();
            let is_whole = says_all(&own_words(&text), &text);
            let read = reader.person(excerpt);
            let is_asked = |at: usize| {
                let mut statements = read.statements.iter();
                statements.any(|it| it.position == at && it.asks_to_keep())
            };
            // What is asked for behind other words may be part of something pasted.
            let mut telling = read.sentences.iter().enumerate();
            let other =
                telling.find(|(at, it)| reader.says_something(it.as_str()) && !is_asked(*at));
            let opening = other.map_or(usize::MAX, |(at, _)| at);
            for statement in read.statements {
                let position = statement.position;
                let is_line = statement.text.chars().count() <= CHARS_MAX;
                let is_secret = base::redact(&statement.text).contains(SECRET_MARK);
                if is_line && !is_secret && lasts(&statement) {
                    let mut candidate = candidate(index, statement);
                    let later = excerpts.get(index + 1..).unwrap_or_default();
                    // The first word is no name by its capital, but behind a request it may be one.
                    let said = candidate.quote.as_ref().unwrap_or(&candidate.text);
                    candidate.is_asked_for &=
                        is_whole && position < opening && !may_have_changed(said, later);
                    found.push(candidate);
                }
            }
        }
        found
    }
}

/// Whether a text has all letters and digits of another.
fn says_all(part: &str, whole: &str) -> bool {
    let n_signs = |text: &str| text.chars().filter(|it| it.is_alphanumeric()).count();
    n_signs(part) == n_signs(whole)
}

impl Statement {
    /// Whether it is a standing instruction beyond doubt.
    fn is_clear_instruction(&self) -> bool {
        self.is_instruction
            && self.wish >= INSTRUCTION_MIN
            && self.stems.len() >= INSTRUCTION_STEMS_MIN
    }

    /// Whether the owner asks to keep it, or it is a standing instruction.
    fn asks_to_keep(&self) -> bool {
        self.is_asked_for || self.is_clear_instruction()
    }
}

/// Whether a statement may still hold in a year.
fn lasts(statement: &Statement) -> bool {
    match statement.class {
        Class::Fact | Class::Wish | Class::Decision | Class::Task => true,
        Class::Issue => statement.is_asked_for,
        Class::Chatter | Class::Request | Class::Question | Class::Unreal => false,
    }
}

/// Whether a later message of the owner mentions a change and a name in the text; it then needs confirmation.
fn may_have_changed(text: &str, later: &[Excerpt]) -> bool {
    let named: BTreeSet<&str> = names(text).collect();
    let owners = later.iter().filter(|it| it.origin == Origin::Owner);
    let is_named = |text: &str| base::words(text).any(|word| named.contains(word));
    let mut said = owners.map(|it| it.message.text());
    said.any(|said| {
        let language = language_of(&said).filter(|_| is_named(&said));
        language.is_some_and(|language| {
            let found = sentences(&said);
            let mut texts = found.iter().map(|it| it.text.as_str());
            texts.any(|it| is_named(it) && language.holds(Cue::Change, it))
        })
    })
}

fn candidate(excerpt: usize, statement: Statement) -> ExtractedCandidate {
    let [instructions, preferences, owner, _, decisions, facts] = MEMORY_SECTIONS;
    let is_instruction = statement.is_clear_instruction();
    let section = match statement.class {
        Class::Wish if is_instruction => instructions,
        Class::Wish => preferences,
        Class::Decision => decisions,
        Class::Fact => owner,
        Class::Task
        | Class::Issue
        | Class::Chatter
        | Class::Request
        | Class::Question
        | Class::Unreal => facts,
    };
    let is_asked_for = statement.asks_to_keep();
    let importance = if is_asked_for {
        ASKED_FOR_IMPORTANCE
    } else {
        importance(statement.lasting)
    };
    ExtractedCandidate {
        excerpt,
        section,
        importance,
        is_asked_for,
        text: statement.text,
        quote: statement.request,
    }
}

/// The importance of a sentence that is this likely to hold in a year: at most 3 below `LASTING_MIN`, the rest from 4
/// to 8.
fn importance(lasting: f32) -> u8 {
    let above = (lasting - LASTING_MIN) / (1.0 - LASTING_MIN);
    let scaled = if above >= 0.0 {
        4.0 + 4.0 * above
    } else {
        1.0 + 2.0 * lasting / LASTING_MIN
    };
    let fits = |it: &u8| f32::from(*it) <= scaled + 0.5;
    (1..ASKED_FOR_IMPORTANCE).rev().find(fits).unwrap_or(1)
}
