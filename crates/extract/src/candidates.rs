//! Proposes what may deserve to last: quotations, and whether the owner asked for them to be kept.
//!
//! Supersedes nothing and promotes nothing.

use std::collections::BTreeSet;

use base::model::Excerpt;
use base::{MEMORY_SECTIONS, Message, Origin};

use crate::engine::Extract;
use crate::evidence::{Reader, SECRET_MARK, Statement};
use crate::head::Class;
use crate::language::{Cue, language_of};
use crate::paragraph::sentences;
use crate::signals::names;

/// A longer text is no line of long-term memory.
const CHARS_MAX: usize = 230;

/// A wish that is less likely one is no standing instruction.
const INSTRUCTION_MIN: f32 = 0.5;

/// A message of more sentences may be somebody else's, pasted without a mark: what it asks to keep is for the owner to
/// confirm.
const ASKING_SENTENCES_MAX: usize = 1;

/// So few words with a meaning are an idiom, as in `never mind`, and no instruction.
const INSTRUCTION_STEMS_MIN: usize = 3;

/// What a candidate is worth that the owner asked to keep; any other is worth less, the more the likelier it lasts.
const ASKED_FOR_IMPORTANCE: u8 = 9;
const OTHER_IMPORTANCE_MAX: f32 = 8.0;

/// Something that may deserve to last.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The excerpt that says so, by its place.
    pub excerpt: usize,
    /// The heading of long-term memory under which it belongs.
    pub section: &'static str,
    /// Its words, as they were said.
    pub text: String,
    /// How much it deserves to last, from 1 to 10.
    pub importance: u8,
    /// Whether the owner said in so many words that it should be kept, or gave a standing instruction, and little else.
    pub is_asked_for: bool,
}

impl Extract {
    /// What the owner said in the excerpts that may deserve to last, in order.
    pub fn candidates(&self, excerpts: &[Excerpt]) -> Vec<Candidate> {
        let mut reader = Reader::within(self, CHARS_MAX);
        let mut found = Vec::new();
        for (index, excerpt) in excerpts.iter().enumerate() {
            let is_owner =
                excerpt.origin == Origin::Owner && matches!(excerpt.message, Message::User { .. });
            if !is_owner {
                continue;
            }
            let is_short = sentences(&excerpt.message.text()).len() <= ASKING_SENTENCES_MAX;
            for statement in reader.person(excerpt).statements {
                let is_line = statement.text.chars().count() <= CHARS_MAX;
                let is_secret = base::redact(&statement.text).contains(SECRET_MARK);
                if is_line && !is_secret && lasts(&statement) {
                    let mut candidate = candidate(index, statement);
                    let later = excerpts.get(index + 1..).unwrap_or_default();
                    candidate.is_asked_for &= is_short && !may_have_changed(&candidate.text, later);
                    found.push(candidate);
                }
            }
        }
        found
    }
}

/// Whether the owner spoke of a change later, and of somebody or something that a text names: the owner confirms it.
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

/// Whether a statement may still hold in a year.
fn lasts(statement: &Statement) -> bool {
    match statement.class {
        Class::Fact | Class::Wish | Class::Decision | Class::Task => true,
        Class::Issue => statement.is_asked_for,
        Class::Chatter | Class::Request | Class::Question | Class::Unreal => false,
    }
}

fn candidate(excerpt: usize, statement: Statement) -> Candidate {
    let [instructions, preferences, owner, _, decisions, facts] = MEMORY_SECTIONS;
    let is_instruction = statement.is_instruction
        && statement.wish >= INSTRUCTION_MIN
        && statement.stems.len() >= INSTRUCTION_STEMS_MIN;
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
    let is_asked_for = statement.is_asked_for || is_instruction;
    let importance = if is_asked_for {
        ASKED_FOR_IMPORTANCE
    } else {
        whole(statement.lasting * OTHER_IMPORTANCE_MAX)
    };
    Candidate {
        excerpt,
        section,
        importance,
        is_asked_for,
        text: statement.text,
    }
}

/// The nearest whole number from 1 to [`OTHER_IMPORTANCE_MAX`].
fn whole(worth: f32) -> u8 {
    let fits = |it: &u8| f32::from(*it) <= worth + 0.5;
    (1..ASKED_FOR_IMPORTANCE).rev().find(fits).unwrap_or(1)
}
