//! Reads whom or what a sentence is about, and how it says so: enough to tell whether two speak of the same.
//!
//! Sees the beginning of a sentence in English or German; a subject that is not read is none.

use std::collections::BTreeSet;

use super::ended::is_name;
use super::subject::kin;
use super::table::{FRONT, ONLY_ONE, TITLES};
use super::token::Token;
use crate::stance::TRADES;
use crate::words::stem;

/// Whom or what a sentence is about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Who {
    /// Whether it is whoever speaks.
    pub(crate) is_speaker: bool,
    /// Whether it is somebody told before: `she`.
    pub(crate) is_pronoun: bool,
    /// The names, in lower case.
    pub(crate) names: BTreeSet<String>,
    /// The noun behind `my`, or behind the name of whose it is.
    pub(crate) noun: Vec<String>,
    /// Whether the noun tells a thing and no person.
    pub(crate) is_thing: bool,
    /// What is said of them.
    pub(crate) said: Option<Said>,
}

/// The verb of a sentence, and of what kind its value is, where that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    verb: String,
    kind: Option<Kind>,
}

/// Of what kind a value is; two of one kind may exclude one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A number: an age, a size.
    Figure,
    /// A trade behind an article.
    Trade,
    /// A place.
    Within,
    /// An employer.
    With,
}

/// A noun behind `my` has so many words.
const NOUN_WORDS_MAX: usize = 4;

/// Verbs behind which a value stands.
const BEING: &[&str] = &[
    "is", "are", "am", "'s", "was", "turned", "ist", "bin", "wurde",
];

/// Words between a verb and its value that change nothing.
const BETWEEN: &[&str] = &[
    "now",
    "just",
    "already",
    "also",
    "still",
    "currently",
    "jetzt",
    "inzwischen",
    "mittlerweile",
    "only",
    "nearly",
];

/// Whom or what these words are about.
pub(crate) fn who(tokens: &[Token]) -> Option<Who> {
    let is_front = |token: &&Token| {
        FRONT.contains(&token.plain.as_str())
            || TITLES.contains(&token.plain.as_str())
            || token.is_figure
            || matches!(token.plain.as_str(), "nein" | "wait" | "oops" | "doch")
    };
    let n_front = tokens.iter().take_while(is_front).count();
    let rest = tokens.get(n_front..)?;
    let first = rest.first()?;
    let behind = rest.get(1..)?;
    match first.plain.as_str() {
        "i" | "we" | "ich" | "wir" => Some(Who {
            is_speaker: true,
            said: said(behind),
            ..Who::default()
        }),
        "my" | "our" => Some(own(behind)),
        "mein" | "meine" | "unser" | "unsere" => {
            let (noun, behind) = behind.split_first()?;
            let n_names = behind.iter().take_while(|token| is_name(token)).count();
            Some(Who {
                names: names(behind.get(..n_names)?),
                noun: vec![noun.plain.clone()],
                said: said(behind.get(n_names..)?),
                ..Who::default()
            })
        }
        "he" | "she" | "it" | "they" | "er" | "sie" => Some(Who {
            is_pronoun: true,
            said: said(behind),
            ..Who::default()
        }),
        // `Mum` is written like a name.
        word if ONLY_ONE.contains(&word) => Some(own(rest)),
        _ => named(rest),
    }
}

/// What stands behind `my`.
fn own(rest: &[Token]) -> Who {
    if let Some((kin, behind)) = kin(rest) {
        let name = kin.name.unwrap_or_default();
        let possessed = behind
            .split_first()
            .filter(|(token, _)| token.plain == "'s");
        return match possessed {
            Some((_, rest)) => thing(rest, names_of(&name), kin.noun),
            None => Who {
                names: names_of(&name),
                noun: vec![kin.noun],
                said: said(behind),
                ..Who::default()
            },
        };
    }
    thing(rest, BTreeSet::new(), String::new())
}

/// A thing of somebody: its words stand before the verb.
fn thing(rest: &[Token], names: BTreeSet<String>, of: String) -> Who {
    let is_verb = |token: &Token| {
        let word = token.plain.as_str();
        BEING.contains(&word) || matches!(word, "has" | "changed" | "died" | "moved")
    };
    let n_words = rest.iter().take(NOUN_WORDS_MAX + 1).position(is_verb);
    let n_words = n_words.unwrap_or(1);
    let own = rest.get(..n_words).unwrap_or_default();
    let of = (!of.is_empty()).then_some(of);
    Who {
        names,
        noun: of
            .into_iter()
            .chain(own.iter().map(|token| token.plain.clone()))
            .collect(),
        is_thing: true,
        said: said(rest.get(n_words..).unwrap_or_default()),
        ..Who::default()
    }
}

/// Somebody by their name alone, or a thing of theirs.
fn named(rest: &[Token]) -> Option<Who> {
    let n_names = rest.iter().take_while(|token| is_name(token)).count();
    let (own, behind) = rest
        .split_at_checked(n_names)
        .filter(|(own, _)| !own.is_empty())?;
    let names = names(own);
    Some(match behind.split_first() {
        Some((token, rest)) if token.plain == "'s" => thing(rest, names, String::new()),
        _ => Who {
            names,
            said: said(behind),
            ..Who::default()
        },
    })
}

fn names(tokens: &[Token]) -> BTreeSet<String> {
    tokens.iter().map(|token| token.plain.clone()).collect()
}

fn names_of(name: &str) -> BTreeSet<String> {
    name.split_whitespace().map(str::to_owned).collect()
}

fn said(rest: &[Token]) -> Option<Said> {
    let mut words = rest
        .iter()
        .filter(|token| !BETWEEN.contains(&token.plain.as_str()));
    let verb = words.next()?.plain.as_str();
    let Some(value) = words.next() else {
        let (verb, kind) = (stem(verb), None);
        return Some(Said { verb, kind });
    };
    let is_being = BEING.contains(&verb);
    let behind: Vec<&Token> = words.collect();
    let next = behind.first().copied();
    let is_named = next.is_some_and(is_name);
    // `Sem is 3 minutes late`, `Minka turned 2 plates over`.
    let is_last =
        value.is_end || next.is_none_or(|own| BEHIND_FIGURES.contains(&own.plain.as_str()));
    let kind = match value.plain.as_str() {
        _ if value.is_figure => (is_being && is_last).then_some(Kind::Figure),
        "a" | "an" | "ein" | "eine" => is_trade(&behind).then_some(Kind::Trade),
        "in" | "near" if !is_being && is_named => Some(Kind::Within),
        // `Works at 9` tells no employer.
        "at" | "for" | "bei" if !is_being => {
            let is_some = next.is_some_and(|own| matches!(own.plain.as_str(), "a" | "an"));
            (is_named || is_some).then_some(Kind::With)
        }
        _ => None,
    };
    let verb = if is_being {
        "is".to_owned()
    } else {
        stem(verb)
    };
    Some(Said { verb, kind })
}

/// What follows a number that is a whole value: an age, a size.
#[rustfmt::skip]
const BEHIND_FIGURES: &[&str] = &[
    "today", "yesterday", "last", "this", "on", "in", "years", "now", "and", "two", "three", "not", "jahre", "since",
];

/// Whether what stands behind an article is a trade: `a maths teacher`, but neither `a bit tired` nor `a friend of a
/// nurse`.
fn is_trade(behind: &[&Token]) -> bool {
    let n_words = behind.iter().position(|token| token.is_end);
    let phrase = behind
        .iter()
        .take(n_words.map_or(TRADE_WORDS_MAX, |n| n + 1));
    let mut phrase = phrase
        .take(TRADE_WORDS_MAX)
        .take_while(|token| !matches!(token.plain.as_str(), "of" | "like" | "as" | "for" | "with"));
    phrase.any(|token| TRADES.contains(&token.plain.as_str()))
}

/// A trade and what tells it apart have so many words.
const TRADE_WORDS_MAX: usize = 3;

impl Said {
    /// The verb in its stem; `is` for all that say how it is.
    pub(crate) fn verb(&self) -> &str {
        &self.verb
    }

    /// Whether both give a value of one kind with one verb.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        self.kind.is_some() && self == other
    }

    /// Whether it may tell what somebody does for a living, or for whom.
    pub(crate) fn may_be_work(&self) -> bool {
        matches!(self.kind, Some(Kind::Trade | Kind::With))
    }
}

impl Who {
    /// Whether both are surely or perhaps the same; `others` are the names that the other sentence holds besides.
    pub(crate) fn may_be(&self, other: &Self, others: &BTreeSet<String>) -> bool {
        if self.is_pronoun {
            return !other.is_speaker;
        }
        if self.is_speaker || other.is_speaker && self.names.is_empty() {
            return self.is_speaker && other.is_speaker;
        }
        if self.is_thing || other.is_thing {
            let is_same_noun = !self.noun.is_empty() && self.noun == other.noun;
            return self.is_thing == other.is_thing && is_same_noun && self.names == other.names;
        }
        // A friend Anna and a colleague Anna are two.
        if !self.noun.is_empty() && !other.noun.is_empty() && self.noun != other.noun {
            return false;
        }
        if self.names.is_empty() || other.names.is_empty() && others.is_empty() {
            return !self.noun.is_empty() && self.noun == other.noun;
        }
        !self.names.is_disjoint(&other.names) || !self.names.is_disjoint(others)
    }
}
