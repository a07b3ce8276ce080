//! Reads whom a line is about, and what follows.
//!
//! Sees the beginning of a line; judges nothing that is said of them.

use super::table::{BEFORE_KIN, FORMER, FRONT, KIN, SEVERAL};
use super::token::Token;
use super::{Kin, Whose};

/// The subject of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject<'t> {
    pub(super) whose: Whose,
    /// Whether it is a thing of theirs, after `my`, and not they themselves.
    pub(super) is_thing: bool,
    /// Whether the line begins with it.
    pub(super) is_first: bool,
    /// What follows.
    pub(super) rest: &'t [Token],
}

/// A subject stands among so many first words.
const SUBJECT_WORDS: usize = 6;

/// The subject, where there is one.
pub(super) fn subject(tokens: &[Token]) -> Option<Subject<'_>> {
    let at = tokens.iter().take(SUBJECT_WORDS).position(|token| {
        matches!(
            token.plain.as_str(),
            "i" | "we" | "my" | "our" | "user" | "owner"
        )
    })?;
    let front = tokens.get(..at).unwrap_or_default();
    let is_front = |token: &Token| token.is_figure || FRONT.contains(&token.plain.as_str());
    let is_first = front.iter().all(is_front);
    let rest = tokens.get(at + 1..).unwrap_or_default();
    let own = tokens.get(at).map_or("", |token| token.plain.as_str());
    let of_owner = |is_thing, rest| Subject {
        whose: Whose::Owner,
        is_thing,
        is_first,
        rest,
    };
    let rest = match (own, rest.first().map(|token| token.plain.as_str())) {
        ("user" | "owner", Some("'s")) => rest.get(1..).unwrap_or_default(),
        ("i" | "we" | "user" | "owner", _) => return Some(of_owner(false, rest)),
        _ => rest,
    };
    let Some((kin, rest)) = kin(rest) else {
        return Some(of_owner(true, rest));
    };
    // `My wife and I live in Graz`.
    if let [and, speaker, rest @ ..] = rest
        && and.plain == "and"
        && speaker.plain == "i"
    {
        return Some(of_owner(false, rest));
    }
    Some(Subject {
        whose: Whose::Kin(kin),
        is_thing: false,
        is_first,
        rest,
    })
}

/// Somebody, with their name, and what follows.
pub(super) fn kin(rest: &[Token]) -> Option<(Kin, &[Token])> {
    let is_before = |token: &&Token| BEFORE_KIN.contains(&token.plain.as_str());
    let n_before = rest.iter().take_while(is_before).count();
    let before = rest.get(..n_before)?;
    let noun = rest.get(n_before)?;
    let plain = noun.plain.as_str();
    let singular = plain.strip_suffix('s').unwrap_or(plain);
    let is_kin = KIN.contains(&plain) || SEVERAL.contains(&plain);
    if !is_kin && !KIN.contains(&singular) && !SEVERAL.contains(&singular) {
        return None;
    }
    let after = rest.get(n_before + 1..)?;
    let is_named = |token: &&Token| token.is_name;
    let n_name = if noun.is_end {
        0
    } else {
        after.iter().take_while(is_named).count()
    };
    let name = after
        .get(..n_name)?
        .iter()
        .map(|token| token.plain.as_str());
    let name: Vec<&str> = name.collect();
    let which = before.iter().map(|token| token.plain.as_str());
    let (former, which): (Vec<&str>, Vec<&str>) = which.partition(|word| FORMER.contains(word));
    let noun: Vec<&str> = former.into_iter().chain([plain]).collect();
    let kin = Kin {
        noun: noun.join(" "),
        which: which.join(" "),
        name: (!name.is_empty()).then(|| name.join(" ")),
    };
    Some((kin, after.get(n_name..)?))
}

/// Whether a season or a year stands in front: `In summer I live in Salzburg`, `In 2010 I live in Paris`.
pub(super) fn is_of_a_time(tokens: &[Token]) -> bool {
    let [led, behind @ ..] = tokens else {
        return false;
    };
    let is_before = |token: &&Token| matches!(token.plain.as_str(), "the" | "early" | "late");
    let is_season = |token: &Token| {
        let own = token.plain.as_str();
        matches!(own, "spring" | "summer" | "autumn" | "winter" | "fall")
    };
    let when = behind.iter().find(|token| !is_before(token));
    led.plain == "in" && when.is_some_and(|token| token.is_figure || is_season(token))
}
