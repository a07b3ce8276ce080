//! Tells which names stand beside the word for somebody.
//!
//! A name has a capital; what else has one at the start of a sentence is none.

use base::identifier::is_month;
use base::tongue;

use super::super::cue::ENGLISH;
use super::super::date::weekday;
use super::table::{BEFORE, NO_NAMES, RELATIVES, Relative, SEVERAL, SPEAKING};
use super::word::Word;
use super::{BETWEEN_MAX, is_mine};

/// Whether a word may be a name.
pub(super) fn is_name(word: &Word) -> bool {
    let plain = word.plain.as_str();
    let is_other = is_month(plain)
        || weekday(plain).is_some()
        || tongue(plain).is_some()
        || SPEAKING.contains(&plain)
        || RELATIVES.iter().any(|it| it.asked.contains(&plain));
    word.has_capital && !is_other && !is_mine(word)
}

/// Whether a sentence begins with a name, as far as its first word tells.
pub(super) fn begins_with_name(words: &[Word]) -> bool {
    words.first().is_some_and(|word| {
        let plain = word.plain.as_str();
        is_name(word) && !ENGLISH.contains(&plain) && !NO_NAMES.contains(&plain)
    })
}

/// How many a word is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HowMany {
    One,
    Several,
}

impl HowMany {
    /// For how many a word for somebody is.
    pub(super) fn of(word: &str) -> Self {
        if word.ends_with('s') && !word.ends_with("ss") || SEVERAL.contains(&word) {
            Self::Several
        } else {
            Self::One
        }
    }
}

/// The names with which words begin, as a run of them: `Tom`, `Tom Smith`, of several people `Max and Leo`.
pub(super) fn names_first(words: &[Word], how_many: HowMany) -> &[Word] {
    let mut n_names = 0;
    for (at, word) in words.iter().enumerate() {
        let joins = at > 0 && matches!(word.plain.as_str(), "and" | "und");
        if is_name(word) {
            n_names = at + 1;
            if word.owns {
                break;
            }
        } else if !joins || how_many == HowMany::One {
            break;
        }
    }
    words.get(..n_names).unwrap_or_default()
}

fn is_being(word: &Word) -> bool {
    matches!(
        word.plain.as_str(),
        "is" | "was" | "are" | "were" | "ist" | "war" | "sind" | "waren"
    )
}

/// The names that stand beside the word for somebody: `my brother Tom`, `is called Tom`, `Tom is my brother`.
pub(super) fn names_at(words: &[Word], at: usize, whose: &Relative) -> Vec<String> {
    let Some(word) = words.get(at) else {
        return Vec::new();
    };
    let how_many = HowMany::of(&word.plain);
    let behind = words.get(at + 1..).unwrap_or_default();
    let directly = if word.owns {
        &[]
    } else {
        names_first(behind, how_many)
    };
    let introduced = match called(words, at, whose) {
        Some(names) => names_first(names, how_many),
        None => being(behind, how_many),
    };
    // `Tom is my brother`, but not `Rome is my brother's choice`.
    let owns = word.owns || directly.iter().any(|name| name.owns);
    let before = if owns { &[] } else { before(words, at) };
    let found = directly.iter().chain(introduced).chain(before);
    let names = found.filter(|word| is_name(word));
    names.map(|word| word.plain.clone()).collect()
}

/// Whether somebody speaks of who is theirs, without a word between that could not stand there.
fn is_of_speaker(words: &[Word], at: usize) -> bool {
    let before = words.get(..at).unwrap_or_default().iter().rev();
    let mut before = before.skip_while(|word| BEFORE.contains(&word.plain.as_str()));
    before.next().is_some_and(is_mine)
}

/// What stands behind the word that introduces a name: `a dog called Rex`, `my brother is called Tom`. Whom
/// `my brother called Tom` is about called somebody.
fn called<'w>(words: &'w [Word], at: usize, whose: &Relative) -> Option<&'w [Word]> {
    let owns = words.get(at)?.owns;
    let behind = words.get(at + 1..)?;
    let calls_others = !whose.is_animal() && is_of_speaker(words, at);
    for (at, word) in behind.iter().take(BETWEEN_MAX).enumerate() {
        let rest = behind.get(at + 1..).unwrap_or_default();
        let last = at.checked_sub(1).and_then(|last| behind.get(last));
        match word.plain.as_str() {
            "hei\u{df}t" | "heisst" | "hei\u{df}en" | "heissen" | "namens" => return Some(rest),
            "name" | "names" if owns || at == 0 => {
                let n_being = rest.iter().take_while(|word| is_being(word)).count();
                return rest.get(n_being..);
            }
            "called" | "named" if last.is_some_and(is_being) => return Some(rest),
            "called" if at == 0 && !owns && !calls_others => return Some(rest),
            "named" if at == 0 && !owns => return Some(rest),
            _ => {}
        }
    }
    None
}

/// `My brother is Tom`, but not `my brother is Tom Smith's tenant`.
fn being(behind: &[Word], how_many: HowMany) -> &[Word] {
    match behind {
        [is, value @ ..] if is_being(is) && value.get(1).is_none_or(|word| word.plain == "and") => {
            names_first(value, how_many)
        }
        _ => &[],
    }
}

/// The names with which a sentence begins that says whose they are: `Tom is my brother`.
fn before(words: &[Word], at: usize) -> &[Word] {
    let before = words.get(..at).unwrap_or_default();
    let mine = before.iter().rposition(is_mine);
    let Some(is) = mine.and_then(|mine| mine.checked_sub(1)) else {
        return &[];
    };
    let Some(being) = before.get(is).filter(|word| is_being(word)) else {
        return &[];
    };
    let how_many = match being.plain.as_str() {
        "are" | "were" | "sind" | "waren" => HowMany::Several,
        _ => HowMany::One,
    };
    let subject = before.get(..is).unwrap_or_default();
    let names = names_first(subject, how_many);
    if names.len() == subject.len() && begins_with_name(subject) {
        names
    } else {
        &[]
    }
}
