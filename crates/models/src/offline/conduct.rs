//! Tells how the owner wants to be answered: in which language, in which units, and under which name.
//!
//! Sees one clause; a request for one thing in a language is none of it.

mod ban;
mod german;
mod tone;

use super::question::QUESTION_MARKS;
use super::signal::plain;

/// What such an instruction weighs among the cues.
pub(super) const WEIGHT: i32 = 8;

/// Words before it that change nothing.
#[rustfmt::skip]
const FRONT: &[&str] = &[
    "please", "always", "just", "and", "but", "so", "also", "ok", "okay", "kindly", "from", "now", "on", "you", "can",
    "may", "should", "remember", "to", "generally", "thought", "thoughts", "second",
];

/// How somebody answers.
#[rustfmt::skip]
const ANSWER: &[&str] = &["answer", "reply", "respond", "write", "speak", "talk", "communicate"];

/// The same, of which the owner has had enough.
#[rustfmt::skip]
const ANSWERING: &[&str] = &["answering", "replying", "responding", "writing", "speaking", "talking", "using", "calling"];

/// What is given as an answer.
const ANSWERS: &[&str] = &["answers", "replies", "responses"];

/// How long it is.
#[rustfmt::skip]
const LENGTHS: &[&str] = &["short", "shorter", "brief", "concise", "terse", "long", "longer", "detailed"];

/// What an answer is made of.
const FORMS: &[&str] = &["sentences", "paragraphs", "messages"];

/// To whom, and what in general.
#[rustfmt::skip]
const TO_ME: &[&str] = &["to", "me", "with", "us", "always", "only", "back", "everything", "all", "my", "questions", "your", "answers"];

/// Words before a language or a unit.
#[rustfmt::skip]
const BEFORE_MANNER: &[&str] = &[
    "in", "plain", "simple", "easy", "british", "american", "formal", "informal", "standard", "swiss", "metric", "imperial",
    "the", "only", "si",
];

/// Units and spellings for all that comes.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "units", "unit", "system", "celsius", "fahrenheit", "kilometres", "kilometers", "miles", "spelling", "measurements",
    "kilograms", "litres", "liters",
];

/// Of them those that are a wish with no other word: `Use Celsius`.
const DEGREES: &[&str] = &["celsius", "fahrenheit", "kilometres", "kilometers"];

/// How an assistant is told to be in one word.
const BRIEF: &[&str] = &["brief", "concise", "terse"];

/// What may follow and leaves it an instruction.
#[rustfmt::skip]
const BEHIND: &[&str] = &["please", "only", "always", "with", "to", "me", "from", "now", "on", "thanks", "thank", "you", "and", "not", "again", "instead", "any", "more", "anymore", "in"];

/// What follows `call me` where a call is meant, or a mood.
#[rustfmt::skip]
const NO_NAMES: &[&str] = &[
    "tomorrow", "today", "tonight", "later", "back", "when", "whenever", "if", "at", "on", "in", "a", "an", "the", "after",
    "before", "again", "once", "now", "soon", "asap", "anytime", "as", "by", "up", "out", "over", "this", "next", "every",
    "crazy", "old", "stupid", "lazy", "paranoid", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    "sunday", "about", "for", "from", "with", "or", "and", "names", "that", "it", "any", "maybe", "please", "instead",
];

/// More words are no name.
const NAME_WORDS_MAX: usize = 3;

/// Whether a clause tells how the owner wants to be answered or called, from now on.
pub(super) fn is_instruction(clause: &str) -> bool {
    // `Don't answer in German, answer in English`.
    let both = clause.split_once(", ");
    is_one_instruction(clause)
        || both.is_some_and(|(one, other)| is_one_instruction(one) && is_one_instruction(other))
}

fn is_one_instruction(clause: &str) -> bool {
    let words = plain(clause);
    let words: Vec<&str> = words.0.split_whitespace().collect();
    let rest = past(&words, FRONT);
    german::is_instruction(&words)
        || is_wanted(rest)
        || is_ended(rest)
        || is_allowed_again(&words)
        || ban::is_ban(&words)
        || tone::is_tone(&words)
        || tone::thinks_in(&words)
}

/// What an assistant is told not to do, and may do again.
#[rustfmt::skip]
const LIFTED: &[&str] = &[
    "suggest", "recommend", "mention", "propose", "offer", "use", "include", "add", "quote", "call", "remind", "ask", "bring",
    "talk", "joke", "make", "send", "show", "tell",
];

/// Words that name nothing that was forbidden: `you can ask me again`.
const NOTHING: &[&str] = &[
    "me", "us", "it", "that", "this", "them", "about", "to", "for", "up",
];

/// `You may suggest restaurants again`.
fn is_allowed_again(words: &[&str]) -> bool {
    let words = past(words, &["ok", "okay", "well", "from", "now", "on"]);
    let ["you", "may" | "can", rest @ ..] = words else {
        return false;
    };
    let ([verb, object @ .., "again"] | ["again", verb, object @ ..]) = rest else {
        return false;
    };
    LIFTED.contains(verb) && object.iter().any(|word| !NOTHING.contains(word))
}

/// `Don't answer in German any more`, `stop calling me Sam`.
fn is_ended(words: &[&str]) -> bool {
    match words {
        ["don't" | "never", rest @ ..] | ["do" | "need" | "no", "not" | "longer", rest @ ..] => {
            is_wanted(past(rest, &["have", "need", "to"]))
        }
        ["stop" | "quit", doing, rest @ ..] if ANSWERING.contains(doing) => {
            let doing = doing.strip_suffix("ing").unwrap_or(doing);
            let verb = if doing == "us" || doing == "writ" {
                format!("{doing}e")
            } else {
                doing.to_owned()
            };
            is_wanted(&[&[verb.as_str()], rest].concat())
        }
        _ => false,
    }
}

/// How somebody asks for something.
#[rustfmt::skip]
const ASKING: &[&str] = &[
    "can you ", "could you ", "would you ", "will you ", "kannst du ", "k\u{f6}nntest du ", "w\u{fc}rdest du ",
];

/// Words with which more is asked for than one answer; `Can you speak German?` asks what somebody can.
const FOR_ALL: &[&str] = &[
    " please ",
    " always ",
    " from now on ",
    " bitte ",
    " immer ",
    " ab jetzt ",
];

/// What a question asks of every answer: `Can you please always answer in German?`.
pub(super) fn asked_for(question: &str) -> Option<&str> {
    let question = question.trim_end_matches(QUESTION_MARKS).trim_end();
    let is_for_all = FOR_ALL
        .iter()
        .any(|phrase| plain(question).0.contains(phrase));
    let own = ASKING.iter().find_map(|asking| {
        let head = question.get(..asking.len())?;
        (head.to_lowercase() == *asking).then(|| question.get(asking.len()..))?
    })?;
    (is_for_all && is_instruction(own)).then_some(own)
}

fn is_wanted(words: &[&str]) -> bool {
    match words {
        ["call", "me", name @ ..] | ["address", "me", "as", name @ ..] => is_name(name),
        ["use", "emoji" | "emojis" | "smileys", behind @ ..] => is_behind(behind),
        ["use", unit, behind @ ..] if DEGREES.contains(unit) => is_behind(behind),
        ["use", manner @ ..] => is_manner(past(manner, &["the"])),
        ["be", length, behind @ ..] if BRIEF.contains(length) => is_behind(behind),
        ["keep", "your", own, manner @ ..] if ANSWERS.contains(own) => is_length(manner),
        ["write" | "give", manner @ ..] => match past(manner, &["me"]) {
            [length, own, behind @ ..] if ANSWERS.contains(own) => {
                is_length(&[length]) && is_behind(behind)
            }
            behind => words.first() == Some(&"write") && is_answered_in(behind),
        },
        ["speak" | "talk", tongue, behind @ ..] if base::tongue(tongue).is_some() => {
            is_behind(behind)
        }
        [verb, behind @ ..] if ANSWER.contains(verb) => is_answered_in(behind),
        _ => false,
    }
}

fn is_answered_in(behind: &[&str]) -> bool {
    let manner = past(behind, TO_ME);
    match manner {
        ["in", length, form, behind @ ..] if FORMS.contains(form) => {
            LENGTHS.contains(length) && is_behind(behind)
        }
        ["in", ..] => is_manner(manner),
        _ => false,
    }
}

/// `Short`, `brief and concise from now on`.
fn is_length(words: &[&str]) -> bool {
    let behind = past(words, LENGTHS);
    behind.len() < words.len() && is_behind(past(past(behind, &["and"]), LENGTHS))
}

/// Whether it is told how one letter is not to be written: `Please don't write to Anna in German`.
pub(super) fn is_letter(clause: &str) -> bool {
    let words = plain(clause);
    let words: Vec<&str> = words.0.split_whitespace().collect();
    let words = past(&words, &["please", "but", "and", "so"]);
    let (["don't", rest @ ..] | ["do", "not", rest @ ..]) = words else {
        return false;
    };
    let [verb, "to", whom, "in", manner @ ..] = rest else {
        return false;
    };
    // A name is one person; `customers` are all of them.
    let is_name = clause.split_whitespace().any(|word| {
        let is_own = word.to_lowercase() == *whom;
        is_own && word.starts_with(char::is_uppercase)
    });
    let is_one = is_name || matches!(*whom, "him" | "her");
    let is_tongue = matches!(manner, [tongue] if base::tongue(tongue).is_some());
    ANSWER.contains(verb) && is_one && is_tongue
}

fn is_manner(words: &[&str]) -> bool {
    let own = past(words, BEFORE_MANNER);
    let is_led = own.len() < words.len();
    match own {
        [unit, behind @ ..] if UNITS.contains(unit) => is_led && is_behind(behind),
        [tongue, behind @ ..] if base::tongue(tongue).is_some() => is_led && is_behind(behind),
        _ => false,
    }
}

fn is_behind(words: &[&str]) -> bool {
    words
        .iter()
        .all(|word| BEHIND.contains(word) || base::tongue(word).is_some())
}

fn is_name(words: &[&str]) -> bool {
    let name = past(words, &["just", "simply"]);
    let ends = name.iter().position(|word| BEHIND.contains(word));
    let n_words = ends.unwrap_or(name.len());
    let is_called = name.first().is_some_and(|first| !NO_NAMES.contains(first));
    is_called
        && n_words <= NAME_WORDS_MAX
        && !name
            .iter()
            .take(n_words)
            .any(|word| NO_NAMES.contains(word))
}

fn past<'w, 't>(words: &'w [&'t str], list: &[&str]) -> &'w [&'t str] {
    let n_words = words.iter().take_while(|word| list.contains(word)).count();
    words.get(n_words..).unwrap_or_default()
}

#[cfg(test)]
#[path = "conduct_tests.rs"]
mod tests;
