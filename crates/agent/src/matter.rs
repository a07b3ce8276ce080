//! Tells which sentence of a passage gives what a question asks for, in whatever words: a job, a home, a pet.
//!
//! Reads what the owner said; invents nothing and ranks by day alone.

mod subject;
mod table;

use base::model::Quote;
use base::{Day, sentences};
use memory::SearchResult;
use models::{Matter, is_for_another, tells_conduct, told_about_owner};
use subject::{SUBJECT_WORDS, Subject, Word, subject, words};
use table::{
    APART, BEHIND, BETWEEN, BUSINESSES, FORMER, HAVING, RUNNING, SPEAKING, TOLD, TRADE_ENDINGS,
    TRADES, Telling,
};

/// Most sentences of a passage that are read.
const SENTENCES_MAX: usize = 20;

/// What is had stands among so many words behind its verb.
const NEAR_WORDS: usize = 5;

/// A telephone number has so many digits.
const DIGITS_MIN: usize = 5;

/// The first sentences of a passage, without what marks its lines as items of a list.
pub(crate) fn first_sentences(text: &str) -> impl Iterator<Item = &str> {
    let of_lines = text.lines().flat_map(|line| {
        let line = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '*'));
        sentences(line)
    });
    of_lines.take(SENTENCES_MAX)
}

/// What to search for, so that what tells these matters is found.
pub(crate) fn sought(matters: &[Matter]) -> impl Iterator<Item = &'static str> {
    let rows = TOLD.iter().filter(|row| matters.contains(&row.matter));
    rows.flat_map(|row| row.sought).copied()
}

/// What of a passage tells one of these matters of the owner.
pub(crate) fn told_in(matters: &[Matter], passage: &SearchResult) -> Option<Quote> {
    if matters.is_empty() || !matches!(passage.speaker.as_deref(), None | Some("user")) {
        return None;
    }
    first_sentences(&passage.text).find_map(|sentence| {
        let mut told = matters.iter();
        told.find_map(|matter| telling(*matter, sentence))
    })
}

/// The same passages, those that tell one of these matters first, what was said last before the rest.
pub(crate) fn telling_first(matters: &[Matter], found: Vec<SearchResult>) -> Vec<SearchResult> {
    let (mut telling, others): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|passage| told_in(matters, passage).is_some());
    telling.sort_by_key(|passage| std::cmp::Reverse(when(passage)));
    telling.into_iter().chain(others).collect()
}

/// When a passage was said, as far as that is known; what has no day was said before what has one.
fn when(passage: &SearchResult) -> (Option<Day>, usize) {
    (passage.day, passage.start_line)
}

/// How old whoever says a sentence is.
pub(crate) fn age(fact: &str) -> Option<u32> {
    let words = words(fact);
    let Some(Subject::Speaker(rest)) = subject(&words) else {
        return None;
    };
    // `Ben: I am 50`: somebody else says that.
    let before = words.len() - rest.len() - 1;
    let is_plain = |word: &Word| BETWEEN.contains(&word.plain()) || TIMES.contains(&word.plain());
    if !words.iter().take(before).all(is_plain) {
        return None;
    }
    let plain: Vec<&str> = rest
        .iter()
        .map(Word::plain)
        .filter(|word| !BETWEEN.contains(word))
        .collect();
    let (["am" | "bin" | "turned" | "wurde", age]
    | ["am" | "turned", age, "years", "old"]
    | ["bin" | "wurde", age, "jahre", "alt"]) = plain.as_slice()
    else {
        return None;
    };
    age.parse().ok().filter(|age| *age <= AGE_MAX)
}

/// Nobody is older, in years.
const AGE_MAX: u32 = 120;

/// Words for when something is so.
const TIMES: &[&str] = &["today", "yesterday", "heute", "gestern"];

/// What of a sentence tells a matter of whoever says it.
pub(crate) fn telling(matter: Matter, sentence: &str) -> Option<Quote> {
    if sentence.trim_end().ends_with(['?', '\u{ff1f}']) {
        return None;
    }
    if matter == Matter::Wish {
        let whole = || Quote {
            fact: sentence.to_owned(),
            stands: sentence.to_owned(),
        };
        return tells_conduct(sentence).then(whole);
    }
    // Of German, the grammar of facts knows nothing, and who names a medicine of their own takes it.
    let words = words(sentence);
    let begins = |list: &[&str]| words.first().is_some_and(|it| list.contains(&it.plain()));
    let is_taken = matter == Matter::Medicine
        && begins(&["i", "my"])
        && words.iter().any(|word| base::is_medicine(word.plain()));
    if !begins(GERMAN) && !is_taken && told_about_owner(sentence).is_empty() {
        return None;
    }
    let row = TOLD.iter().find(|row| row.matter == matter)?;
    let mut quotes = Quote::all_of(sentence).into_iter();
    quotes.find(|quote| fact_tells(row, &quote.fact))
}

/// How somebody begins who speaks of themselves in German.
const GERMAN: &[&str] = &["ich", "wir", "mein", "meine", "unser", "unsere"];

fn fact_tells(row: &Telling, fact: &str) -> bool {
    let words = words(fact);
    match subject(&words) {
        Some(Subject::Speaker(_)) if row.matter == Matter::Birth && age(fact).is_some() => true,
        Some(Subject::Speaker(rest)) => {
            let rest = rest.iter().filter(|word| !BETWEEN.contains(&word.plain()));
            speaker_tells(row, &rest.cloned().collect::<Vec<_>>())
        }
        Some(Subject::Own(rest)) => own_tells(row, rest),
        None => is_one_of_mine(row, &words),
    }
}

/// What is said behind `I`, without articles and adverbs.
fn speaker_tells(row: &Telling, rest: &[Word]) -> bool {
    let plain: Vec<&str> = rest.iter().map(Word::plain).collect();
    let line = format!("{} ", plain.join(" "));
    let begins = |phrases: &[&str]| {
        let mut phrases = phrases.iter();
        phrases.find_map(|phrase| {
            line.strip_prefix(&format!("{phrase} "))
                .map(|_| phrase.len())
        })
    };
    let near = |n_words: usize| plain.iter().skip(1).take(n_words);
    let has = begins(HAVING).is_some();
    let says = begins(row.says).is_some();
    let is_of_kind = |word: &&str| names(row, word);
    let is_past = matches!(plain.first(), Some(&("sold" | "lost")));
    let is_thing = matches!(row.matter, Matter::Pet | Matter::Car | Matter::Phone);
    if is_past && !is_thing {
        return says;
    }
    let at = near(NEAR_WORDS).position(is_of_kind);
    if has && at.is_some_and(|at| is_object(rest, at + 1)) {
        let is_number = rest.iter().any(|word| n_digits(word) >= DIGITS_MIN);
        return row.matter != Matter::PhoneNumber || is_number;
    }
    let any = |wanted: fn(&str) -> bool| plain.iter().any(|word| wanted(word));
    match row.matter {
        Matter::Work => says || is_trade(rest) || is_run(rest),
        // `Come from Cork`; `come from work` and `come from the dentist` tell no origin.
        Matter::Origin => {
            says || begins(&["come from"]).is_some() && rest.get(2).is_some_and(|word| word.is_name)
        }
        Matter::Birth => {
            let is_born = says || any(|word| word == "geboren");
            is_born && rest.iter().any(Word::has_digit)
        }
        Matter::Medicine => any(base::is_medicine) || is_taken(&plain),
        Matter::Car => has && any(base::is_driven),
        Matter::Phone => has && any(base::is_phone),
        Matter::Instrument => {
            let plays = matches!(
                plain.first(),
                Some(&("play" | "spiele" | "learn" | "lerne"))
            );
            let is_played =
                |word: &&&str| row.nouns.contains(word) || memory::is_kind_of(word, "instrument");
            plays && near(NEAR_WORDS).any(|word| is_played(&word))
        }
        Matter::Language => begins(SPEAKING).is_some() && any(|word| base::tongue(word).is_some()),
        Matter::Home
        | Matter::Name
        | Matter::Pet
        | Matter::Allergy
        | Matter::Illness
        | Matter::Partner
        | Matter::Child
        | Matter::Sibling
        | Matter::Diet
        | Matter::PhoneNumber
        | Matter::Boss
        | Matter::Doctor
        | Matter::Landlord
        | Matter::Hobby
        | Matter::Wish => says,
    }
}

/// Whether the noun at a place is what is had itself: `have a cat called Tara`, but not `keep my cat photos in a box`
/// nor `have a photo of a cat`.
fn is_object(rest: &[Word], at: usize) -> bool {
    let before = rest.iter().take(at);
    let behind = rest.get(at + 1);
    let is_end = behind.is_none_or(|word| word.is_name || BEHIND.contains(&word.plain()));
    is_end && !before.skip(1).any(|word| APART.contains(&word.plain()))
}

/// `Take two tablets`, `nehme jeden Morgen Tropfen`.
fn is_taken(plain: &[&str]) -> bool {
    let takes = matches!(
        plain.first(),
        Some(&("take" | "nehme" | "stopped" | "use" | "am" | "need"))
    );
    let is_drug = |word: &&str| {
        memory::is_kind_of(word, "medicine")
            || matches!(*word, "tabletten" | "tropfen" | "tablets" | "pills")
    };
    takes && plain.iter().skip(1).take(NEAR_WORDS).any(is_drug)
}

/// Whether a word is what a matter is told of, or a kind of it.
fn names(row: &Telling, word: &str) -> bool {
    row.nouns.contains(&word) || row.kinds.iter().any(|kind| memory::is_kind_of(word, kind))
}

/// `Am nurse at the county hospital`, `bin Lehrerin`.
fn is_trade(rest: &[Word]) -> bool {
    let [being, trade @ ..] = rest else {
        return false;
    };
    let end = trade.iter().position(|word| {
        matches!(
            word.plain(),
            "at" | "in"
                | "for"
                | "by"
                | "with"
                | "and"
                | "of"
                | "an"
                | "bei"
                | "und"
                | "who"
                | "from"
        )
    });
    let trade = trade.get(..end.unwrap_or(trade.len())).unwrap_or_default();
    let Some(head) = trade.last().filter(|_| trade.len() <= SUBJECT_WORDS) else {
        return false;
    };
    let word = head.plain();
    match being.plain() {
        "am" | "became" => TRADES.iter().any(|trade| memory::is_kind_of(word, trade)),
        "bin" | "wurde" => {
            let stem = word.strip_suffix("in").unwrap_or(word);
            TRADE_ENDINGS
                .iter()
                .any(|ending| stem.ends_with(ending) || word.ends_with(ending))
        }
        _ => false,
    }
}

/// `Run small bakery in Leith`, but not `run bath`.
fn is_run(rest: &[Word]) -> bool {
    let is_business = |word: &Word| {
        BUSINESSES.contains(&word.plain()) || memory::is_kind_of(word.plain(), "shop")
    };
    let at = rest
        .iter()
        .skip(1)
        .take(SUBJECT_WORDS - 1)
        .position(is_business);
    let mut between = rest.iter().skip(1).take(at.unwrap_or(0));
    let is_passed = between.any(|word| PAST.contains(&word.plain()));
    let runs = rest
        .first()
        .is_some_and(|word| RUNNING.contains(&word.plain()));
    runs && !is_passed && at.is_some_and(|at| is_object(rest, at + 1))
}

/// Words behind `run` that say where somebody runs.
const PAST: &[&str] = &[
    "past", "by", "around", "round", "into", "over", "through", "up", "down", "after", "before",
    "across", "between",
];

/// Whether what stands behind a noun makes another one of it: `dog walker`, `cat food`.
fn is_for(rest: &[Word], at: usize) -> bool {
    let behind = rest.get(at + 1);
    behind.is_some_and(|word| !word.is_name && is_for_another(word.plain()))
}

/// What is said of something behind `my`.
fn own_tells(row: &Telling, rest: &[Word]) -> bool {
    let end = rest.iter().position(|word| word.plain() == "'s");
    let near = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
    let at = near
        .iter()
        .take(SUBJECT_WORDS - 1)
        .position(|word| names(row, word.plain()));
    // `My doctor put me on ramipril`.
    let is_mine = rest
        .iter()
        .any(|word| matches!(word.plain(), "me" | "mir" | "mich"));
    if row.matter == Matter::Medicine
        && is_mine
        && rest.iter().any(|word| base::is_medicine(word.plain()))
    {
        return true;
    }
    let Some(at) = at.filter(|at| row.matter != Matter::Pet || !is_for(near, *at)) else {
        return false;
    };
    let before = near.iter().take(at).map(Word::plain);
    let is_first = |word: &str| {
        matches!(word, "first" | "last") && !matches!(row.matter, Matter::Name | Matter::Language)
            || word == "old" && row.matter != Matter::Pet
    };
    let mut before = before.filter(|word| FORMER.contains(word) || is_first(word));
    let is_over = rest
        .get(at + 1)
        .is_some_and(|word| matches!(word.plain(), "was" | "were" | "war" | "waren"));
    if before.next().is_some() || is_over && row.matter != Matter::Birth {
        return false;
    }
    // `My dog's vet`, but not `my dog's name`.
    let behind_owner = end.and_then(|end| rest.get(end + 1));
    if behind_owner.is_some_and(|word| !matches!(word.plain(), "name" | "called"))
        && end == Some(at + 1)
    {
        let is_being = behind_owner.is_some_and(|word| {
            word.is_name || matches!(word.plain(), "a" | "an" | "the" | "on" | "in" | "at")
        });
        if !is_being {
            return false;
        }
    }
    let behind = rest.get(at + 1..).unwrap_or_default();
    let n_digits: usize = behind.iter().map(n_digits).sum();
    match row.matter {
        Matter::Birth => n_digits > 0,
        Matter::PhoneNumber => n_digits >= DIGITS_MIN,
        Matter::Phone => n_digits < DIGITS_MIN,
        Matter::Boss | Matter::Doctor | Matter::Landlord => behind.iter().any(|word| word.is_name),
        Matter::Instrument => false,
        Matter::Work
        | Matter::Home
        | Matter::Origin
        | Matter::Name
        | Matter::Pet
        | Matter::Allergy
        | Matter::Medicine
        | Matter::Illness
        | Matter::Partner
        | Matter::Child
        | Matter::Sibling
        | Matter::Diet
        | Matter::Car
        | Matter::Hobby
        | Matter::Language
        | Matter::Wish => true,
    }
}

fn n_digits(word: &Word) -> usize {
    word.plain().chars().filter(char::is_ascii_digit).count()
}

/// `Anna is my wife`, `Rex ist mein Hund`.
fn is_one_of_mine(row: &Telling, words: &[Word]) -> bool {
    let own = words.windows(2).position(|pair| {
        matches!(pair, [is, my] if matches!(is.plain(), "is" | "are" | "ist" | "sind")
            && matches!(my.plain(), "my" | "our" | "mein" | "meine" | "unser" | "unsere"))
    });
    let Some(own) = own else { return false };
    let is_named = words.first().is_some_and(|word| word.is_name);
    let mut nouns = words.iter().skip(own + 2).take(SUBJECT_WORDS - 1);
    is_named && nouns.any(|word| names(row, word.plain()))
}

#[cfg(test)]
#[path = "matter_tests.rs"]
mod tests;
