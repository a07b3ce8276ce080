//! Takes facts apart that stand in one sentence, and puts together what only makes sense together.
//!
//! Adds no word but the subject that the sentence has already.

use std::ops::Range;

use super::table::ADVERBS;
use super::value::is_quality;
use super::verb::is_verb_of_fact;
use super::{About, BEGUN, Lasts, Reading, read};
use crate::offline::question::QUESTION_MARKS;
use crate::offline::sentence::{Place, Sentence, sentences};
use crate::offline::signal::plain;

/// What parts two facts.
const JOINTS: &[&str] = &[", and ", " and ", ", but ", " but ", "; "];

/// A sentence of more facts is a dump.
const FACTS_MAX: usize = 6;

/// Longer sentences are not put together.
const TOGETHER_CHARS_MAX: usize = 220;

/// Words for somebody who was named before.
#[rustfmt::skip]
const PRONOUNS: &[&str] = &[
    "he", "she", "they", "it", "his", "her", "their", "its", "he's", "she's", "they're", "it's", "they've", "he'll",
    "she'll",
];

/// The facts of a sentence, each standing for itself: `I live in Graz and work at Bosch` has two.
///
/// Nothing where it is one fact and says nothing else, or where one part is none.
pub(crate) fn parted(text: &str) -> Vec<String> {
    if !is_lasting(text) {
        return Vec::new();
    }
    let body = text.trim_end_matches(['.', '!']);
    if let Some(tail) = spliced_tail(body) {
        return vec![tail.to_owned()];
    }
    let subject = body.split_whitespace().next().unwrap_or_default();
    let mut found: Vec<String> = Vec::new();
    let mut rest = body;
    while let Some((head, tail)) = next_joint(rest, subject, &found) {
        found.push(whole(head, subject, &found));
        rest = tail;
    }
    if found.len() >= FACTS_MAX {
        return Vec::new();
    }
    // What is said of `her` says nothing without the sentence before.
    let own = without_others(rest);
    if found.is_empty() && own.len() == rest.len() {
        return Vec::new();
    }
    found.push(whole(own, subject, &found));
    found
}

/// The fact about the speaker behind a comma, where what stands before it is none: `Dan left, my new manager is Aoife`.
pub(super) fn spliced_tail(text: &str) -> Option<&str> {
    let (head, tail) = text.split_once(", ")?;
    let is_own =
        begins_with_speaker(tail) && !tail.split_whitespace().any(|word| POINTED.contains(&word));
    let is_short = head.split_whitespace().count() <= SPLICED_WORDS_MAX;
    (is_own && is_short && !is_fact(head) && is_lasting(tail)).then_some(tail)
}

/// More words before such a comma are a sentence in which it has another sense.
const SPLICED_WORDS_MAX: usize = 5;

/// Words for somebody who stands before the comma.
const POINTED: &[&str] = &[
    "he", "she", "they", "him", "her", "them", "it", "that", "this",
];

/// A part up to where it goes on about somebody else, as in `I'm a nurse and she's a teacher`.
fn without_others(part: &str) -> &str {
    if matches!(read(part), Reading::Fact(About::Kin, _)) {
        return part;
    }
    let ends = JOINTS.iter().flat_map(|joint| {
        let found = part.match_indices(joint);
        found.filter(|(at, joint)| {
            let rest = part.get(at + joint.len()..).unwrap_or_default();
            // `Its` speaks of what stands before it, and says nothing alone.
            begins_with_pronoun(rest) && !rest.starts_with("its ")
        })
    });
    let end = ends.map(|(at, _)| at).min();
    let own = end.and_then(|end| part.get(..end));
    own.filter(|own| is_lasting(own)).unwrap_or(part)
}

/// Whether somebody wants, says or asks for something: that passes, and who they are stays.
fn tells_a_wish(text: &str) -> bool {
    let second = text.split_whitespace().nth(1).unwrap_or_default();
    matches!(
        second,
        "wants"
            | "want"
            | "wanted"
            | "says"
            | "said"
            | "thinks"
            | "asked"
            | "asks"
            | "told"
            | "keeps"
    )
}

/// Whether a clause has the speaker as its own subject.
fn begins_with_speaker(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let first = first.to_lowercase().replace('\u{2019}', "'");
    matches!(
        first.as_str(),
        "i" | "i'm" | "i've" | "we" | "we're" | "we've" | "my" | "our"
    )
}

fn begins_with_pronoun(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let first = first.to_lowercase().replace('\u{2019}', "'");
    PRONOUNS.contains(&first.as_str())
}

/// The first joint of which both sides are facts.
fn next_joint<'t>(text: &'t str, subject: &str, before: &[String]) -> Option<(&'t str, &'t str)> {
    let first = subject.to_lowercase();
    let is_about_speaker =
        first.starts_with("i'") || matches!(first.as_str(), "i" | "we" | "we're");
    // `Our insurance is with Visana, I pay 340 a month`: what a thing costs stays with it.
    let is_comma = |own: &Range<usize>| text.get(own.clone()) == Some(", ");
    let is_joint = |own: &Range<usize>| {
        let rest = text.get(own.end..).unwrap_or_default();
        !is_comma(own) || is_about_speaker && begins_with_speaker(rest)
    };
    let mut joints = base::joints(text, &[JOINTS, &[", "]].concat())
        .into_iter()
        .filter(is_joint);
    joints.find_map(|Range { start: at, end }| {
        let (head, tail) = (text.get(..at)?, text.get(end..)?);
        let both = is_lasting(&whole(head, subject, before)) && stands(tail, subject).is_some();
        (both && !base::reaches_over(head)).then_some((head, tail))
    })
}

/// A part with its subject.
fn whole(part: &str, subject: &str, before: &[String]) -> String {
    if before.is_empty() {
        return part.to_owned();
    }
    stands(part, subject).unwrap_or_else(|| part.to_owned())
}

/// The part as a fact: as it is, or with the subject of the sentence before it.
fn stands(part: &str, subject: &str) -> Option<String> {
    let begins_bare = BEGUN.iter().any(|verb| part.starts_with(verb));
    if is_lasting(part) && !begins_bare {
        return Some(part.to_owned());
    }
    // A name or a number may belong to a list; only a verb or an adjective goes on with the subject.
    let first = part.split_whitespace().next().unwrap_or_default();
    if !first.starts_with(char::is_lowercase) {
        return None;
    }
    let subject = subject.to_lowercase().replace('\u{2019}', "'");
    let speaker = if subject.starts_with("we") { "We" } else { "I" };
    let form = match subject.as_str() {
        "i'm" | "we're" if is_quality(first) => {
            format!("{}{} {part}", speaker, subject.get(speaker.len()..)?)
        }
        "i" | "i'm" | "i've" | "we" | "we're" | "we've" => format!("{speaker} {part}"),
        _ => return None,
    };
    (is_lasting(&form) && (is_quality(first) || is_known_verb(first))).then_some(form)
}

/// Whether a part begins with a verb of the grammar, behind auxiliary verbs and adverbs; a noun may stand in a list.
fn is_known_verb(first: &str) -> bool {
    let word = first.to_lowercase();
    ADVERBS.contains(&word.as_str()) || is_verb_of_fact(&word)
}

/// Whether a text is a fact that holds for long.
pub(crate) fn is_lasting(text: &str) -> bool {
    matches!(read(text), Reading::Fact(_, Lasts::Long))
}

/// Whether a text is a fact of whatever kind.
pub(crate) fn is_fact(text: &str) -> bool {
    matches!(read(text), Reading::Fact(..))
}

/// Whether a clause shows a fact that somebody else states: in quotation marks, as code, or behind a name
/// in capitals, as a play has it.
pub(crate) fn is_of_another(clause: &str) -> bool {
    let mut shown = clause
        .split(['"', '\u{201c}', '\u{201d}', '`'])
        .skip(1)
        .step_by(2);
    let speech = clause.split_once(": ").filter(|(label, _)| is_cast(label));
    let is_spoken = |rest: &str| {
        plain(rest)
            .0
            .split_whitespace()
            .any(|word| FIRST_PERSON.contains(&word))
    };
    shown.any(is_fact) || speech.is_some_and(|(_, rest)| is_spoken(rest))
}

const FIRST_PERSON: &[&str] = &[
    "i", "i'm", "i've", "my", "me", "mine", "we", "our", "thou", "thy",
];

/// Words in capitals before a colon that are nobody's name.
#[rustfmt::skip]
const NOTICES: &[&str] = &["NOTE", "TODO", "FYI", "UPDATE", "BTW", "IMPORTANT", "WARNING", "EDIT", "TLDR", "INFO", "REMINDER", "ERROR", "FIXME", "BUG", "PS", "P.S."];

fn is_cast(label: &str) -> bool {
    let is_capital = |c: char| c.is_uppercase() || c == ' ' || c == '.';
    label.len() > 2 && label.chars().all(is_capital) && !NOTICES.contains(&label)
}

/// Puts a sentence about `he` or `she` behind the one that says who that is.
pub(crate) fn with_antecedents(sentences: Vec<Sentence>) -> Vec<Sentence> {
    let mut found: Vec<Sentence> = Vec::new();
    for sentence in sentences {
        match found.last_mut() {
            Some(last) if belongs(last, &sentence) => {
                last.text.push(' ');
                last.text.push_str(&sentence.text);
            }
            Some(last) if retracts(&sentence, &last.text) => {
                found.pop();
                found.push(sentence);
            }
            _ => found.push(sentence),
        }
    }
    found
}

/// How somebody takes back what they have just said, in a sentence that says nothing else.
#[rustfmt::skip]
const RETRACTIONS: &[&str] = &[
    " just kidding ", " just joking ", " only kidding ", " only joking ", " kidding ", " scratch that ", " strike that ",
    " actually no ", " no wait ", " wait no ", " that was a joke ", " nur spa\u{df} ", " war nur spa\u{df} ",
];

fn retracts(sentence: &Sentence, said: &str) -> bool {
    let words = plain(&sentence.text).0;
    let is_taken_back = RETRACTIONS.contains(&words.as_str()) || is_anothers(&words, said);
    sentence.place == Place::Prose && !sentence.opens && is_taken_back
}

/// Whether a message takes back what its writer `said` just before it, in a sentence of their own.
pub(crate) fn takes_back(text: &str, said: &str) -> bool {
    let first = sentences(text).into_iter().next();
    let words = first.map(|first| plain(&first.text).0).unwrap_or_default();
    RETRACTIONS.contains(&words.as_str()) || is_anothers(&words, said)
}

/// Whether a message is one sentence, so that all of it can be taken back.
pub(crate) fn is_one_sentence(text: &str) -> bool {
    sentences(text).len() == 1
}

/// `Actually, no, it's my sister's dog`: whose it is instead, of a thing that was `said` to be the speaker's.
fn is_anothers(words: &str, said: &str) -> bool {
    let behind = RETRACTIONS.iter().find_map(|own| words.strip_prefix(own));
    let mut rest = behind.unwrap_or_default().split_whitespace();
    if !matches!(rest.next(), Some("it's" | "that's" | "he's" | "she's")) {
        return false;
    }
    let whose: Vec<&str> = rest.collect();
    let is_owner = |word: &str| word.ends_with("'s") || matches!(word, "his" | "her" | "their");
    let said = plain(said).0;
    match whose.as_slice() {
        ["not", "mine"] => true,
        ["my" | "our", owner] => owner.ends_with("'s"),
        [owner, thing] | [_, owner, thing] | [_, _, owner, thing] => {
            is_owner(owner) && said.contains(&format!(" {thing} "))
        }
        _ => false,
    }
}

fn belongs(last: &Sentence, next: &Sentence) -> bool {
    let is_prose = last.place == Place::Prose && next.place == Place::Prose;
    let n_chars = last.text.chars().count() + next.text.chars().count();
    is_prose
        && begins_with_pronoun(&next.text)
        && !tells_a_wish(&next.text)
        && n_chars < TOGETHER_CHARS_MAX
        && !next.text.ends_with(QUESTION_MARKS)
        && !last.text.ends_with(QUESTION_MARKS)
        && matches!(read(&last.text), Reading::Fact(About::Kin, Lasts::Long))
}

#[cfg(test)]
#[path = "parts_tests.rs"]
mod tests;
