//! Reads in German where somebody lives and for whom they work: `Ich bin nach Wien gezogen`.
//!
//! A few forms whose verb follows `ich` or `wir`, with a name behind it and nothing that leads on; all else is left
//! alone.

use std::collections::BTreeSet;

use super::cities::is_city;
use super::read::{Rest, of};
use super::token::Token;
use super::{Holds, Slot, Told, What, Whose};

/// Words between `wohne` and `in` that say how it is now.
const NOW: &[&str] = &["jetzt", "nun", "inzwischen", "wieder"];

/// Words between `bin` and `nach` that say when.
#[rustfmt::skip]
const WHEN: &[&str] = &[
    "jetzt", "nun", "inzwischen", "heute", "wieder", "gestern", "vorgestern", "endlich", "gerade", "k\u{fc}rzlich",
    "neulich", "schon", "zur\u{fc}ck",
];

/// Words before a time of the calendar.
#[rustfmt::skip]
const BEFORE_TIMES: &[&str] = &[
    "letzte", "letzten", "letztes", "vorige", "vorigen", "voriges", "diese", "diesen", "dieses", "am", "anfang", "ende",
    "mitte",
];

/// Times of the calendar besides months.
#[rustfmt::skip]
const TIMES: &[&str] = &[
    "tag", "tagen", "woche", "wochen", "wochenende", "monat", "monaten", "jahr", "jahren", "fr\u{fc}hling",
    "fr\u{fc}hjahr", "sommer", "herbst", "winter", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag",
    "sonntag",
];

/// Words behind a name with which something new begins.
const BEHIND: &[&str] = &["und", "als", "seit", "mit", "gezogen", "umgezogen", "in"];

/// Nouns that are written like names.
#[rustfmt::skip]
const NO_NAMES: &[&str] = &[
    "miete", "ruhe", "rente", "zukunft", "teilzeit", "vollzeit", "regen", "bedarf", "untermiete", "hause", "haus",
    "scheidung", "trennung", "partnerschaft", "eigentum", "wohngemeinschaft", "wg", "frieden", "angst", "armut",
    "stadtn\u{e4}he", "zentrumsn\u{e4}he", "ortsn\u{e4}he", "pension", "altbau", "neubau", "tag", "nacht", "kunden",
];

/// Whole countries: who lives in a city lives in one of them, too.
#[rustfmt::skip]
const COUNTRIES: &[&str] = &[
    "\u{f6}sterreich", "deutschland", "schweiz", "italien", "frankreich", "spanien", "ungarn", "slowenien", "europa",
    "england", "bayern", "tirol", "k\u{e4}rnten", "steiermark", "sachsen", "hessen",
];

/// Animals that people keep.
#[rustfmt::skip]
pub(super) const ANIMALS: &[&str] = &[
    "katze", "kater", "hund", "h\u{fc}ndin", "hase", "kaninchen", "hamster", "pferd", "pony", "vogel", "wellensittich",
    "meerschweinchen", "papagei", "schildkr\u{f6}te", "haustier",
];

/// Words between `ist` and `gestorben` that say when, or nothing.
#[rustfmt::skip]
const BEFORE_DEATH: &[&str] = &["leider", "gestern", "heute", "vorgestern", "letzte", "letzten", "vorige", "woche", "monat", "jahr", "nacht"];

/// Who died, by the name alone: `Mimi ist gestern gestorben`.
pub(super) fn died(tokens: &[Token]) -> Option<String> {
    let (own, rest) = tokens.split_first()?;
    let verb = Rest(rest).behind("ist")?.past(BEFORE_DEATH);
    let is_dead = matches!(verb.at(0), "gestorben" | "verstorben" | "tot") && verb.0.len() == 1;
    let is_name = own.is_name && !matches!(own.plain.as_str(), "er" | "sie" | "es" | "wer" | "das");
    (is_dead && is_name).then(|| own.plain.clone())
}

/// How an animal of the owner is called, in a line that says nothing else: `Meine Katze hei\u{df}t Mimi`.
pub(super) fn pet(tokens: &[Token]) -> Option<String> {
    let [whose, noun, verb, name] = tokens else {
        return None;
    };
    let is_ours = matches!(whose.plain.as_str(), "mein" | "meine" | "unser" | "unsere");
    let is_called = verb.plain == "hei\u{df}t" && name.is_name;
    (is_ours && ANIMALS.contains(&noun.plain.as_str()) && is_called).then(|| name.plain.clone())
}

/// What a line tells of the owner; nothing where it is not German.
pub(super) fn told(tokens: &[Token]) -> Option<Told> {
    let rest = Rest(tokens).behind_any(&["ich", "wir"])?;
    Some(Told {
        whose: Some(Whose::Owner),
        slot: slot(rest),
        ..Told::default()
    })
}

fn slot(rest: Rest<'_>) -> Option<Slot> {
    let behind = rest.after(1);
    match rest.at(0) {
        "wohne" | "lebe" | "wohnen" | "leben" => {
            let place = behind.past(NOW);
            let is_now = place.0.len() < behind.0.len();
            let (place, is_over) = over(place);
            let value = name(place.behind("in")?)?;
            let is_country = value.iter().any(|name| COUNTRIES.contains(&name.as_str()));
            let holds = match (is_now, is_city(&value)) {
                _ if is_over => Holds::Ended,
                _ if is_country => return None,
                (true, _) => Holds::Anew,
                (false, true) => Holds::Now,
                // It may be a part of the city that was told, or no place at all.
                (false, false) => Holds::Perhaps,
            };
            Some(of(What::Home, holds, value))
        }
        "arbeite" => {
            let (employer, is_over) = over(behind.past(NOW));
            let holds = if is_over { Holds::Ended } else { Holds::Now };
            Some(of(What::Work, holds, name(employer.behind("bei")?)?))
        }
        "bin" | "sind" => {
            let last = rest.0.last()?;
            let is_moved = matches!(last.plain.as_str(), "gezogen" | "umgezogen");
            let place = past_when(company(past_when(behind))).behind("nach")?;
            is_moved.then_some(())?;
            Some(of(What::Home, Holds::Anew, name(place)?))
        }
        _ => None,
    }
}

/// What follows `nicht mehr`, and whether it stands there.
fn over(rest: Rest<'_>) -> (Rest<'_>, bool) {
    rest.behind("nicht mehr")
        .map_or((rest, false), |rest| (rest, true))
}

/// What follows `gestern`, `letzte Woche`, `im Oktober`, `am Montag`, `vor zwei Wochen`.
fn past_when(rest: Rest<'_>) -> Rest<'_> {
    let rest = rest.past(WHEN);
    let is_time = |word: &str| TIMES.contains(&word) || base::identifier::is_month(word);
    let n_words = match (rest.at(0), rest.at(1), rest.at(2)) {
        ("vor", "kurzem", _) => 2,
        ("vor", _, unit) if is_time(unit) => 3,
        // `Im` is read as what it is in English without its mark: `I'm`.
        ("i", "am", time) if is_time(time) => 3,
        (before, time, _) if BEFORE_TIMES.contains(&before) && is_time(time) => 2,
        _ => 0,
    };
    rest.after(n_words).past(WHEN)
}

/// What follows `mit Anna` or `mit meiner Frau`.
fn company(rest: Rest<'_>) -> Rest<'_> {
    let Some(with) = rest.behind("mit") else {
        return rest;
    };
    let is_own = matches!(with.at(0), "meiner" | "meinem" | "meinen");
    let is_name = with.0.first().is_some_and(|token| token.is_name);
    match (is_own, is_name) {
        (true, _) => with.after(2),
        (false, true) => with.after(1),
        (false, false) => rest,
    }
}

/// The name that stands next, where nothing follows that belongs to it.
fn name(rest: Rest<'_>) -> Option<BTreeSet<String>> {
    let own = rest.0.first()?;
    let is_whole = own.is_end || rest.at(1).is_empty() || BEHIND.contains(&rest.at(1));
    let is_name = own.is_name && !NO_NAMES.contains(&own.plain.as_str());
    (is_name && is_whole).then(|| BTreeSet::from([own.plain.clone()]))
}
