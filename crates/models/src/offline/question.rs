//! Parts a sentence into what it states and what it asks.
//!
//! Answers nothing and never cuts a word.

use base::Asks;
pub(super) use base::QUESTION_MARKS;
use unicode_segmentation::UnicodeSegmentation;

use super::clause::{STATEMENT_WORDS_MIN, boundaries, halves, opens_with, trimmed, without_joint};
use super::conduct::asked_for;
use super::conduct::is_instruction;
use super::fact::told_in_question;
use super::signal::{Plain, plain};

/// More words before a colon introduce no request.
const LABEL_WORDS_MAX: usize = 5;

/// Words before a sentence that say nothing.
#[rustfmt::skip]
const INTERJECTIONS: &[&str] = &[
    "hmm", "hm", "ok", "okay", "ok cool", "sure", "yeah", "yes", "yep", "well", "oh", "right",
    "great", "cool", "thanks", "thank you", "hey", "hi", "hello", "btw", "by the way", "alright",
    "perfect", "guess what", "you know what", "believe it or not", "would you believe it", "can you believe it",
    "you won't believe it",
];

/// How a request begins.
const REQUEST_OPENINGS: &[&str] = &[
    "help me",
    "please help",
    "i'd love to",
    "have a look",
    "take a look",
    "look at",
    "let me know",
    "let me see",
];

/// Words behind `forget` where somebody wants something forgotten.
const FORGOTTEN: [&str; 9] = [
    "about",
    "all",
    "everything",
    "it",
    "my",
    "our",
    "that",
    "the",
    "what",
];

/// Verbs that open a request and hardly ever a statement.
#[rustfmt::skip]
const REQUEST_VERBS: &[&str] = &[
    "imagine", "pretend", "suppose", "sing", "invent", "brainstorm", "proofread", "paraphrase", "guess", "spell",
    "simulate", "write", "add", "create", "fix", "implement", "refactor", "remove", "delete", "explain", "show",
    "give", "tell", "find", "summarise", "summarize", "translate", "generate", "rename", "remind",
    "compare", "draft", "deploy", "investigate", "analyze", "analyse", "continue", "help", "send",
    "build", "rewrite", "calculate", "suggest", "recommend", "describe", "prepare", "improve",
    "schreibe", "erstelle", "zeige", "\u{e9}cris", "cr\u{e9}e", "montre", "escribe", "crea",
];

/// Verbs that open a request only before a word that shows their object; else they may be nouns.
const REQUEST_VERBS_OR_NOUNS: &[&str] = &[
    "test", "plan", "check", "review", "update", "run", "set", "book", "schedule", "list", "move",
    "change", "look", "search", "read", "open", "clean", "design", "make", "do", "go", "try",
    "start", "merge", "commit", "push", "call", "order", "convert",
];

const OBJECTS: &[&str] = &[
    "the", "a", "an", "my", "our", "this", "that", "these", "those", "me", "us", "it", "all",
    "another", "both", "up", "out", "in", "into", "at", "for", "through", "ahead", "to", "with",
    "over",
];

/// What is wanted for oneself begins like this, as in `order us some pizza`.
const OBJECTS_FOR_US: &[&str] = &[
    "a", "an", "the", "my", "some", "another", "one", "two", "three", "what", "where", "when",
    "who", "how", "which", "why", "if", "about", "your",
];

/// What follows `please` in a rule rather than in a request.
const RULE_VERBS: &[&str] = &[
    "use", "don't", "do", "avoid", "stop", "keep", "only", "no", "make", "remember", "note",
    "stick", "prefer",
];

/// Words that make of a request a rule for all that come.
const STANDING: &[&str] = &[
    " always ",
    " never ",
    " from now on ",
    " every time ",
    " whenever ",
    " going forward ",
    " in future ",
];

/// Openings that begin a question at the start of a sentence, but a relative clause inside it.
const RELATIVE: &[&str] = &["which ", "who ", "where "];

/// Verbs that inside a sentence may belong to who was spoken of before: `I speak French, can swim`.
const SHARED_VERBS: &[&str] = &["am ", "can ", "could ", "do ", "have "];

/// How a clause of a question begins that gives its reason, which is a statement.
#[rustfmt::skip]
const REASONS: &[&str] = &[
    "considering that ", "considering ", "given that ", "given ", "especially since ",
    "especially because ", "since ", "because ", "now that ", "seeing that ", "knowing that ",
    "knowing ", "as ",
];

/// Whom such a statement is about.
const SUBJECTS: &[&str] = &[
    "i", "i'm", "i've", "i'd", "i'll", "my", "we", "we're", "we've", "our", "it's", "he's",
    "she's", "they", "they've", "there's",
];

/// A sentence, parted into what it states and what it asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Parted<'a> {
    /// The statement, if there is one.
    pub(super) statement: Option<&'a str>,
    /// The question or request, if there is one.
    pub(super) question: Option<&'a str>,
    /// What is stated as the reason for the question.
    pub(super) reason: Option<&'a str>,
}

/// Parts a sentence where its question begins; a question that only tells a fact is that fact.
pub(super) fn part(sentence: &str) -> Parted<'_> {
    let sentence = without_interjections(sentence);
    let Some((statement, asked)) = question_in(sentence) else {
        return Parted {
            statement: Some(sentence),
            ..Parted::default()
        };
    };
    let told = told_in_question(asked).or_else(|| asked_for(asked));
    if let Some(told) = told.filter(|_| statement.is_none()) {
        return Parted {
            statement: Some(told),
            ..Parted::default()
        };
    }
    let Some((question, reason)) = reasoned(asked) else {
        return Parted {
            statement,
            question: Some(asked),
            reason: None,
        };
    };
    let reason = question_in(reason).map_or(Some(reason), |(stated, _)| stated);
    Parted {
        statement,
        question: Some(question),
        reason,
    }
}

/// The statement before a question and the question; `None` where nothing is asked.
fn question_in(sentence: &str) -> Option<(Option<&str>, &str)> {
    if asks_or_wants(sentence) || is_request(sentence) || is_labelled_request(sentence) {
        return Some((None, sentence));
    }
    let is_marked = sentence.ends_with(QUESTION_MARKS);
    for at in boundaries(sentence) {
        let (head, rest) = halves(sentence, at);
        let is_relative = RELATIVE.iter().any(|word| rest.starts_with(word));
        let may_ask = base::asks(without_joint(rest)) == Asks::Perhaps;
        let asks_by_mark = is_marked && may_ask && !opens_with(rest, SHARED_VERBS);
        let asks = asks_or_wants(rest) || asks_by_mark;
        if asks && !is_relative && head.unicode_words().count() >= STATEMENT_WORDS_MIN {
            return Some((Some(trimmed(head)), without_joint(rest)));
        }
    }
    is_marked.then_some((None, sentence))
}

/// Whether a clause begins as a question or a request does, whatever ends it.
fn asks_or_wants(clause: &str) -> bool {
    base::asks(without_joint(clause)) == Asks::Surely || opens_with(clause, REQUEST_OPENINGS)
}

/// Whether words to the assistant follow a few words and a colon, as in `One more: find me a hotel`.
///
/// `Remaining: write the tests` lists what someone has to do.
fn is_labelled_request(sentence: &str) -> bool {
    sentence.split_once(": ").is_some_and(|(label, rest)| {
        let is_short = label.split_whitespace().count() <= LABEL_WORDS_MAX;
        let second = rest.split_whitespace().nth(1).unwrap_or_default();
        let is_for_us = matches!(second, "me" | "us") && is_request(rest);
        is_short && (is_for_us || asks_or_wants(rest))
    })
}

/// Whether a sentence asks for one thing to be done now, as in `Please fix the build`.
fn is_request(sentence: &str) -> bool {
    let Plain(words) = plain(sentence);
    if STANDING.iter().any(|phrase| words.contains(phrase)) || is_instruction(sentence) {
        return false;
    }
    if is_to_be_forgotten(sentence) {
        return true;
    }
    let mut rest = words
        .split_whitespace()
        .skip_while(|word| matches!(*word, "now" | "then" | "and"));
    let first = rest.next().unwrap_or_default();
    let second = rest.next().unwrap_or_default();
    if first == "please" {
        return !RULE_VERBS.contains(&second);
    }
    // `Sing me a song`: whatever the verb is, something is wanted for oneself.
    let third = rest.next().unwrap_or_default();
    let is_for_us = matches!(second, "me" | "us") && OBJECTS_FOR_US.contains(&third);
    if is_for_us && !first.starts_with("i'") {
        return true;
    }
    // `Forget that I like jazz` is nothing to keep.
    if first == "forget" && FORGOTTEN.contains(&second) {
        return true;
    }
    // `Call me Sam` is how somebody wants to be spoken to, `call me a taxi` is not.
    if first == "call" && second == "me" {
        return false;
    }
    // `Commit.` alone is a request, too.
    let has_object = second.is_empty() || OBJECTS.contains(&second);
    REQUEST_VERBS.contains(&first) || has_object && REQUEST_VERBS_OR_NOUNS.contains(&first)
}

/// Whether somebody wants something forgotten: `Please forget my rent`.
pub(super) fn is_to_be_forgotten(sentence: &str) -> bool {
    let Plain(words) = plain(sentence);
    let mut rest = words.split_whitespace().skip_while(|word| {
        matches!(
            *word,
            "now" | "then" | "and" | "please" | "can" | "could" | "you"
        )
    });
    rest.next() == Some("forget") && rest.next().is_some_and(|word| FORGOTTEN.contains(&word))
}

/// A question without the reason that it gives, and that reason without the word that says so.
fn reasoned(question: &str) -> Option<(&str, &str)> {
    boundaries(question).into_iter().find_map(|at| {
        let (head, rest) = halves(question, at);
        let rest = without_joint(rest);
        let reason = REASONS
            .iter()
            .find_map(|opening| rest.strip_prefix(opening))?;
        let subject = reason
            .split(' ')
            .next()?
            .to_lowercase()
            .replace('\u{2019}', "'");
        let reason = reason.trim_end_matches(QUESTION_MARKS);
        SUBJECTS
            .contains(&subject.as_str())
            .then(|| (trimmed(head), reason))
    })
}

fn without_interjections(sentence: &str) -> &str {
    let mut rest = sentence;
    while let Some((first, after)) = rest.split_once([',', '!', ':']) {
        let Plain(word) = plain(first);
        if !INTERJECTIONS.contains(&word.trim()) || after.trim().is_empty() {
            break;
        }
        rest = after.trim_start();
    }
    rest
}

#[cfg(test)]
#[path = "question_tests.rs"]
mod tests;
