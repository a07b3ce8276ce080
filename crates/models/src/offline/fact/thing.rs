//! Reads what is said of a thing of the speaker: `our dishwasher is a Miele`, `the rent in Basel is 1,850 francs`.
//!
//! Only what a thing is called, costs, holds or belongs to lasts; how it is at the moment does not.

use base::identifier::is_month;

use super::Lasts;
use super::household::{
    ANYBODYS, CODE, DATED, FITTED, GENERAL, HOMELY, PLACED, PREPOSITIONS, RATES, TEMPORARY, THINGS,
};
use super::routine::tells_how_often;
use super::table::TOOLS;
use super::verb::is_number;
use super::words::{Rest, Word, words};
use crate::offline::date::weekday;

/// More words before the noun of a thing are none of its name.
const NOUN_WORDS_MAX: usize = 4;

/// Words between a thing and its verb: `in our old flat in Basel`.
const PHRASE_WORDS_MAX: usize = 7;

/// What somebody does with passion.
const PASTIMES: &[&str] = &[
    "hobby", "fear", "passion", "sport", "pastime", "weakness", "strength",
];

/// Whose a thing is said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Article {
    /// `My` or `our`: it may be anything that has a name.
    Own,
    /// `The`: only what belongs to a household is surely theirs.
    Definite,
}

/// What a verb tells of a thing.
const KEPT: &[&str] = &[
    "costs", "cost", "ends", "end", "expires", "starts", "begins", "opens", "closes", "leaves",
    "departs", "arrives", "weighs", "belongs", "takes", "needs", "gets", "has", "holds", "renews",
    "runs", "comes", "covers", "goes", "stops", "lasts",
];

/// How long what is said of a thing holds, after `my` or `the`; `None` where nothing lasting is.
pub(super) fn of_thing(rest: Rest<'_>, article: Article) -> Option<Lasts> {
    let (name, rest) = noun(rest)?;
    if rest.next() == "'s" {
        return of_thing(rest.after(1), article);
    }
    let head = name.last().map_or("", |word| word.plain.as_str());
    let is_known = is_household(name, article);
    if rest.holds(GENERAL) {
        return None;
    }
    let rest = behind_phrase(rest)?;
    if is_known && !is_verb(rest.next()) {
        // Found by what it does regularly: `the choir rehearses on Wednesdays`.
        return Some(Lasts::Long);
    }
    let is_told = match rest.next() {
        "is" | "are" | "'s" => is_value(rest.after(1).past(FITTED), head, (is_known, article)),
        "was" | "were" => (is_known || article == Article::Own) && is_made(rest.after(1)),
        verb if is_known && verb.ends_with('s') && tells_how_often(rest.after(1)) => true,
        verb => {
            is_known && KEPT.contains(&verb) && is_telling(rest.after(1)) && !is_temporary(rest)
        }
    };
    if is_told {
        return Some(Lasts::Long);
    }
    // A figure of whatever is theirs is worth a note.
    let is_figure =
        matches!(rest.next(), "is" | "are" | "'s") && is_number(rest.after(1).past(FITTED).next());
    (is_figure && article == Article::Own && !is_one_of(head, CODE) && !is_temporary(rest))
        .then_some(Lasts::Once)
}

/// The place, in lower case, of a thing of which nobody says whose it is: `The rent in Manhattan is 3,000`.
///
/// Whether the owner has to do with that place has to be known from elsewhere.
pub(crate) fn anybodys_place(clause: &str) -> Option<String> {
    let words = words(super::without_label(clause));
    let rest = Rest::new(&words);
    if rest.holds(OWNERS) {
        return None;
    }
    let starts = (0..=FRONT_WORDS_MAX).map(|place| rest.after(place));
    let things = starts.filter_map(|own| match own.next() {
        "the" => Some(own.after(1)),
        word => super::BARE.contains(&word).then_some(own),
    });
    let mut places = things.filter_map(|own| {
        let (_, behind) = noun(own)?;
        let place = behind.after(1).past(&["the", "central", "downtown"]);
        let is_there = PREPOSITIONS.contains(&behind.next()) && place.is_name();
        is_there.then(|| place.next().to_owned())
    });
    places.next()
}

/// Something of a household that is named or counted: `a Garmin watch`, `our spare key`.
pub(super) fn is_belonging(rest: Rest<'_>) -> bool {
    let has_article = matches!(
        rest.next(),
        "a" | "an" | "my" | "our" | "two" | "three" | "the"
    );
    let noun = rest.after(1);
    let n_before = (0..3).find(|place| THINGS.contains(&noun.at(*place)));
    let Some(place) = n_before.filter(|_| has_article) else {
        return false;
    };
    let is_named = noun.left().iter().take(place + 1).any(|word| word.is_name);
    let behind = noun.after(place + 1);
    let is_told = behind.names_something() || is_named || matches!(rest.next(), "my" | "our");
    // `An email from Anna` is a letter, and no address.
    let is_letter = matches!(behind.next(), "from" | "about")
        && matches!(noun.at(place), "email" | "e-mail" | "mail");
    is_told && !is_letter && !rest.holds(TEMPORARY)
}

/// Words with which something is the speaker's.
const OWNERS: &[&str] = &[
    "i", "my", "we", "our", "me", "us", "mine", "ours", "home", "myself",
];

/// Words before such a thing.
const FRONT_WORDS_MAX: usize = 4;

/// Whether a thing is one of a household: `the` says so only of what nobody else would mean by it.
fn is_household(name: &[Word], article: Article) -> bool {
    let head = name.last().map_or("", |word| word.plain.as_str());
    let any = |list: &[&str]| name.iter().any(|word| is_one_of(&word.plain, list));
    let is_own = |word: &Word| is_one_of(&word.plain, THINGS) && !is_one_of(&word.plain, ANYBODYS);
    match article {
        // `Our library is called Serde`; a number is one of the program only where it stands alone.
        _ if is_one_of(head, CODE) && !any(HOMELY) => false,
        Article::Own => any(THINGS),
        Article::Definite => name.iter().any(is_own) || any(THINGS) && any(HOMELY),
    }
}

/// The words of a thing's name and what follows them.
fn noun(rest: Rest<'_>) -> Option<(&[Word], Rest<'_>)> {
    let n_words = (1..=NOUN_WORDS_MAX).find(|place| {
        let word = rest.at(*place);
        let is_doing = is_one_of(rest.at(place - 1), THINGS)
            && word.ends_with('s')
            && !is_one_of(word, THINGS)
            && tells_how_often(rest.after(place + 1));
        PREPOSITIONS.contains(&word) || is_verb(word) || word == "'s" || is_doing
    })?;
    let name = rest.left().get(..n_words)?;
    let is_whole = !name.iter().any(|word| word.is_end);
    is_whole.then(|| (name, rest.after(n_words)))
}

fn is_verb(word: &str) -> bool {
    matches!(word, "is" | "are" | "was" | "were")
        || matches!(word, "changed" | "moved")
        || KEPT.contains(&word)
}

/// What follows `in Basel`, from the verb on.
pub(super) fn behind_phrase(rest: Rest<'_>) -> Option<Rest<'_>> {
    if !PREPOSITIONS.contains(&rest.next()) {
        return Some(rest);
    }
    let n_words = (1..=PHRASE_WORDS_MAX).find(|place| is_verb(rest.at(*place)))?;
    Some(rest.after(n_words))
}

fn is_one_of(word: &str, list: &[&str]) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    list.contains(&word) || list.contains(&singular)
}

/// Whether what follows `is` lasts.
fn is_value(rest: Rest<'_>, head: &str, (is_known, article): (bool, Article)) -> bool {
    let is_nameable = is_known || article == Article::Own && !is_one_of(head, CODE);
    match rest.next() {
        "" => false,
        "called" | "named" => is_nameable && !rest.after(1).is_coined() && !rest.at(1).is_empty(),
        "number" if is_number(rest.at(1)) => is_nameable,
        _ if is_nameable && is_proper(rest) => true,
        "a" | "an" if article == Article::Own && is_nameable => {
            rest.left().iter().skip(1).take(3).any(is_name)
        }
        own if own.ends_with("ing") => PASTIMES.contains(&head),
        _ if !is_known || is_temporary(rest) => false,
        word if word.ends_with("ed") && tells_how_often(rest.after(1)) => true,
        "a" | "an" => ends_in_name(rest.after(1)),
        "with" | "from" | "at" | "by" => rest.after(1).is_name() || is_named_behind(rest.after(1)),
        "on" => is_date(rest.after(1)) || is_placed(rest, head),
        "due" | "collected" | "emptied" | "picked" | "delivered" | "paid" | "valid" | "booked"
        | "registered" | "insured" | "debited" => is_telling(rest.after(1)),
        "in" | "under" | "behind" | "above" | "below" | "next" | "inside" | "beside" | "near"
        | "kept" | "stored" | "hidden" => {
            is_placed(rest, head)
                || rest.next() == "in" && is_month(rest.at(1)) && is_one_of(head, DATED)
        }
        word if is_number(word) || word.starts_with(['-', '+']) => true,
        word if is_month(word) => is_one_of(head, DATED),
        word => rest.is_name() && weekday(word).is_none(),
    }
}

/// `A grey Skoda from 2019`; not `a Hollywood prop`.
fn ends_in_name(rest: Rest<'_>) -> bool {
    let place = (0..3).find(|place| rest.left().get(*place).is_some_and(is_name));
    place.is_some_and(|place| {
        let is_end = rest.left().get(place).is_some_and(|word| word.is_end);
        is_end || rest.after(place + 1).is_bound()
    })
}

/// Whether a name of somebody or something stands alone: `My locksmith is Herr Wyss`.
fn is_proper(rest: Rest<'_>) -> bool {
    let is_other =
        weekday(rest.next()).is_some() || is_month(rest.next()) || TOOLS.contains(&rest.next());
    rest.is_name() && !is_other && !rest.is_coined() && !is_temporary(rest)
}

/// `At the Kellers' on the second floor`.
fn is_named_behind(rest: Rest<'_>) -> bool {
    matches!(rest.next(), "the" | "our" | "my") && rest.after(1).is_name()
}

/// Whether a thing that has its place is said to be there.
fn is_placed(rest: Rest<'_>, head: &str) -> bool {
    is_one_of(head, PLACED) && rest.left().len() > 2
}

/// `Was installed in 2019`.
fn is_made(rest: Rest<'_>) -> bool {
    let is_event = matches!(
        rest.next(),
        "installed"
            | "built"
            | "bought"
            | "serviced"
            | "renewed"
            | "replaced"
            | "insured"
            | "operated"
            | "removed"
            | "born"
    );
    is_event && rest.left().iter().skip(1).any(is_figure)
}

/// Whether the words name something that can be kept: a figure, a name, a date.
fn is_telling(rest: Rest<'_>) -> bool {
    rest.left()
        .iter()
        .any(|word| is_name(word) || is_figure(word) || is_month(&word.plain))
        || tells_how_often(rest)
        || rest.holds(RATES)
        || rest.next() == "to" && matches!(rest.at(1), "my" | "our" | "us" | "me")
}

fn is_date(rest: Rest<'_>) -> bool {
    let own = rest.past(&["the"]);
    let is_plural_day = own
        .next()
        .strip_suffix('s')
        .is_some_and(|day| weekday(day).is_some());
    is_number(own.next()) || is_month(own.next()) || is_plural_day
}

fn is_temporary(rest: Rest<'_>) -> bool {
    rest.holds(TEMPORARY) || rest.next() == "until" && !is_number(rest.at(1))
}

fn is_name(word: &Word) -> bool {
    word.is_name && weekday(&word.plain).is_none()
}

fn is_figure(word: &Word) -> bool {
    word.plain.contains(|c: char| c.is_ascii_digit())
}
