//! Proposes what may deserve to last: quotations, and whether the owner asked for them to be kept.
//!
//! Supersedes nothing and promotes nothing.

use base::model::Excerpt;
use base::{MEMORY_SECTIONS, Message, Origin};

use crate::engine::Extract;
use crate::evidence::{Reader, SECRET_MARK, Statement};
use crate::head::Class;

/// A longer text is no line of long-term memory.
const CHARS_MAX: usize = 230;

/// A standing instruction that is less likely one only waits.
const INSTRUCTION_MIN: f32 = 0.85;

/// Something that may deserve to last.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The excerpt that says so, by its place.
    pub excerpt: usize,
    /// The heading of long-term memory under which it belongs.
    pub section: &'static str,
    /// Its words, as they were said.
    pub text: String,
    /// Whether the owner said in so many words that it should be kept, or gave a standing instruction.
    pub is_asked_for: bool,
}

/// What the owner said in the excerpts that may deserve to last, in order.
pub(crate) fn candidates(engine: &Extract, excerpts: &[Excerpt]) -> Vec<Candidate> {
    let mut reader = Reader::new(engine);
    let mut found = Vec::new();
    for (index, excerpt) in excerpts.iter().enumerate() {
        let is_owner =
            excerpt.origin == Origin::Owner && matches!(excerpt.message, Message::User { .. });
        if !is_owner {
            continue;
        }
        for statement in reader.person(excerpt).statements {
            let is_line = statement.text.chars().count() <= CHARS_MAX;
            let is_secret = base::redact(&statement.text).contains(SECRET_MARK);
            if is_line && !is_secret && lasts(&statement) {
                found.push(candidate(index, statement));
            }
        }
    }
    found
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
    let is_instruction = statement.class == Class::Wish && statement.score >= INSTRUCTION_MIN;
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
    Candidate {
        excerpt,
        section,
        is_asked_for: statement.is_asked_for || is_instruction,
        text: statement.text,
    }
}
