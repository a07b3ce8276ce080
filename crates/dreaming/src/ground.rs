//! The ground stage: checks that a proposal was said, and by whom.
//!
//! Pure; trusts only existing texts, never the operation. Compares characters, numbers and names, not meaning.

use std::collections::{BTreeMap, BTreeSet};

use base::{Day, EntryId, Origin, Timestamp, Tz, day, n_words, sentences, short_hash, shortened};
use chrono::Datelike;
use memory::candidates::Evidence;
use memory::prepared_line;

use crate::conversations::TextReading;
use crate::figures::figures;
use crate::literals::{hours, identifiers, names, replaced_run};
use crate::material::{MaterialItem, MaterialSource};
use crate::propose::{Operation, Proposer};
use crate::refusal::Refusal;
use crate::wording::{
    as_said, bare, clauses_of, first_word, holds_name, is_dense_word, keeps_order, keeps_words,
    n_new_words, only_leaves_out, repeats, says_nothing_else, shares_word, widened, words,
};

/// Minimum length of a quote in words: a shorter one occurs in too many messages.
const QUOTE_WORDS_MIN: usize = 3;

/// A negation within this many words of a quote may apply to it: a model can leave it out of the quote.
const BESIDE_QUOTE_WORDS: usize = 3;

/// Maximum number of evidence entries kept.
const EVIDENCE_MAX: usize = 6;

const QUOTE_CHARS_MAX: usize = 200;

/// Maximum number of words in a claim that were not said.
const NEW_WORDS_MAX: usize = 6;

/// A message with more sentences or lines may be pasted text of somebody else.
const OWN_SENTENCES_MAX: usize = 3;

/// Two words that share this many leading letters may be forms of each other or a compound.
const STEM_CHARS: usize = 3;

/// A number with at most this many letters is an amount, such as 20mg.
const UNIT_CHARS_MAX: usize = 3;

/// The evidence of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grounded {
    /// The sources that contain the quote.
    pub(crate) evidence: Vec<Evidence>,
    /// The least trusted origin among them.
    pub(crate) origin: Origin,
    /// The kind of text that contains the quote.
    pub(crate) stands_in: ClaimPlace,
    /// The text of the sources; for the owner, only the owner's own words.
    pub(crate) said: String,
}

impl Grounded {
    /// Whether the owner has said it again since it was forgotten.
    pub(crate) fn is_said_since(&self, forgotten_at: Timestamp, timezone: Tz) -> bool {
        let is_later = |own: &Evidence| {
            let said_at = EntryId::new(own.key.clone()).made_at();
            said_at.map_or(own.day > day(forgotten_at, timezone), |at| {
                at > forgotten_at
            })
        };
        self.origin == Origin::Owner && self.evidence.iter().any(is_later)
    }
}

/// The kind of text that contains a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClaimPlace {
    /// A short message in the author's own words.
    OwnWords,
    /// Only longer messages.
    LongMessage,
    /// Text that the owner quoted or pasted.
    Shown,
}

/// Why a claim may not follow from its quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// It has a number or date that was not said.
    Figure(String),
    /// It has a name, address or path that was not said.
    Name(String),
    /// It replaces this number, name or address of the quote with another.
    Swapped(String),
    /// It adds or drops a negation.
    Denial,
    /// It reorders the words of the quote, which may swap subject and object.
    Order,
    /// It says much more than the quote.
    BeyondQuote,
}

impl Doubt {
    /// The reason, addressed to the owner.
    pub fn in_words(&self) -> String {
        match self {
            Self::Figure(figure) => format!("it says {figure}, which you did not say"),
            Self::Name(name) => format!("it names {name}, which you did not say"),
            Self::Swapped(name) => format!("you said {name}, but it says something else"),
            Self::Denial => "it may mean the opposite of what you said".to_owned(),
            Self::Order => "it reorders your words".to_owned(),
            Self::BeyondQuote => "it says much more than its quote".to_owned(),
        }
    }
}

/// Searches the cited texts for the quote of an operation.
pub(crate) fn grounded(
    operation: &Operation,
    items: &[&MaterialItem],
    reading: &TextReading,
) -> Result<Grounded, Refusal> {
    let sources = distinct(items);
    if sources.is_empty() {
        return Err(Refusal::NoEvidence);
    }
    if !is_quote(&operation.quote) && operation.proposer == Proposer::Model {
        return Err(Refusal::NoQuote);
    }
    let holds = |text: &str| holds_quote(text, &operation.quote);
    let carrying: Vec<&MaterialSource> = sources
        .iter()
        .copied()
        .filter(|own| holds(&own.text))
        .collect();
    if carrying.is_empty() {
        return Err(Refusal::NotGrounded);
    }
    // The owner's own words need no other evidence; otherwise every source with the quote counts.
    let in_person = |own: &&MaterialSource| {
        own.origin == Origin::Owner && holds(&(reading.in_person)(&own.text))
    };
    let personal: Vec<&MaterialSource> = carrying.iter().copied().filter(in_person).collect();
    let is_personal = !personal.is_empty();
    let carrying = if is_personal { personal } else { carrying };
    let origin = carrying.iter().map(|own| own.origin).max();
    let said: Vec<String> = if is_personal {
        let owners = sources.iter().filter(|own| own.origin == Origin::Owner);
        owners.map(|own| (reading.in_person)(&own.text)).collect()
    } else {
        carrying.iter().map(|own| own.text.clone()).collect()
    };
    let is_long = |own: &&MaterialSource| sentences(&own.text).len() > OWN_SENTENCES_MAX;
    let is_shown = !is_personal && carrying.iter().any(|own| own.origin == Origin::Owner);
    Ok(Grounded {
        evidence: carrying
            .iter()
            .take(EVIDENCE_MAX)
            .map(|own| evidence(own, &operation.quote))
            .collect(),
        origin: origin.unwrap_or(Origin::Untrusted),
        stands_in: if is_shown {
            ClaimPlace::Shown
        } else if carrying.iter().all(is_long) {
            ClaimPlace::LongMessage
        } else {
            ClaimPlace::OwnWords
        },
        said: said.join("\n"),
    })
}

/// The sources of the items, without duplicates.
fn distinct<'a>(items: &[&'a MaterialItem]) -> Vec<&'a MaterialSource> {
    let all = items.iter().flat_map(|item| &item.sources);
    let by_place: BTreeMap<(&str, &str), &MaterialSource> = all
        .map(|own| ((own.path.as_str(), own.key.as_str()), own))
        .collect();
    by_place.into_values().collect()
}

fn evidence(source: &MaterialSource, quote: &str) -> Evidence {
    Evidence {
        path: source.path.clone(),
        key: source.key.clone(),
        line: source.line,
        hash: short_hash(&source.text),
        quote: shortened(
            &prepared_line(as_said(&source.text, quote)),
            QUOTE_CHARS_MAX,
        )
        .into_owned(),
        day: source.day,
        scope: source.scope.clone(),
    }
}

/// Whether a quote is long enough to identify a message.
pub fn is_quote(quote: &str) -> bool {
    n_words(quote) >= QUOTE_WORDS_MIN
}

/// Whether a text contains a quote, ignoring case, punctuation and spacing.
pub fn holds_quote(text: &str, quote: &str) -> bool {
    let quote = bare(quote);
    !quote.is_empty() && bare(text).contains(&quote)
}

/// The first part of a claim that its source does not support. `said` is the message with the quote and the line that
/// the claim would change; `day` is the day of the message.
pub fn doubt(
    claim: &str,
    quote: &str,
    (said, day): (&str, Day),
    reading: &TextReading,
) -> Option<Doubt> {
    foreign_figure(claim, (said, day), reading)
        .or_else(|| foreign_identifier(claim, said))
        .or_else(|| foreign_name(claim, (said, quote), reading))
        .or_else(|| swapped(claim, (quote, day), reading))
        .or_else(|| turned(claim, (said, quote), reading))
        .or_else(|| {
            let mut names: BTreeSet<String> =
                names(quote).into_iter().chain(names(claim)).collect();
            names.retain(|name| !(reading.is_calendar_word)(name));
            // Capitalised nouns change places in any paraphrase.
            if (reading.capitalises_nouns)(quote) && !repeats(quote, claim) {
                names.clear();
            }
            (!keeps_order(quote, claim, &names)).then_some(Doubt::Order)
        })
        .or_else(|| {
            // A claim that shares neither a word nor a number with the message was not said there.
            let is_linked =
                shares_word(claim, said, &BTreeSet::new()) || !figures(claim).is_empty();
            let is_beyond = n_new_words(claim, said) > NEW_WORDS_MAX || !is_linked;
            is_beyond.then_some(Doubt::BeyondQuote)
        })
}

/// Whether the claim adds or drops a negation. If negations of the language are unknown, whether it drops any words,
/// since each may be one.
fn turned(claim: &str, (said, quote): (&str, &str), reading: &TextReading) -> Option<Doubt> {
    let beside = widened(said, quote, BESIDE_QUOTE_WORDS);
    let is_denied = (reading.denies)(beside);
    let is_turned = is_denied != (reading.denies)(claim) && keeps_words(claim, beside);
    let clauses = clauses_of(said, quote);
    let may_be_turned =
        !is_denied && !(reading.knows_denials)(clauses) && only_leaves_out(claim, clauses);
    (is_turned || may_be_turned).then_some(Doubt::Denial)
}

/// Whether a word is a date, a time or an amount, which is compared by its numbers.
fn is_amount(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && !word.contains(['@', '/', '\\', '_', '#'])
        && word.chars().filter(|c| c.is_alphabetic()).count() <= UNIT_CHARS_MAX
}

fn foreign_figure(claim: &str, (said, day): (&str, Day), reading: &TextReading) -> Option<Doubt> {
    let written = figures(said);
    let reckoned = (reading.said)(said, day);
    let year = u64::from(day.date().year().unsigned_abs());
    let is_said = |figure: u64| {
        // `:00` is often added to an hour.
        figure == 0
            || reckoned.contains(&figure)
            // As in '84.
            || (1900..=2099).contains(&figure)
                && ['\'', '\u{2019}'].iter().any(|mark| said.contains(&format!("{mark}{:02}", figure % 100)))
            || written.contains(&figure.to_string())
    };
    let hours = hours(claim);
    let is_borne_out = |figure: &String| {
        let Ok(number) = figure.parse::<u64>() else {
            return written.contains(figure);
        };
        let completes_date = || {
            (year - 1..=year + 1).contains(&number)
                && completes_date(claim, figure, (said, day), (reading, &is_said))
        };
        is_said(number)
            || completes_date()
            || hours.contains(&number) && number > 12 && is_said(number - 12)
    };
    if let Some(foreign) = figures(claim).into_iter().find(|own| !is_borne_out(own)) {
        return Some(Doubt::Figure(foreign));
    }
    let mut in_words = (reading.claimed)(claim).into_iter();
    // Ignore words for one and two: they may be articles, or count what the message lists.
    let foreign = in_words.find(|all| !all.iter().any(|own| *own <= 2 || is_said(*own)))?;
    foreign.first().map(|own| Doubt::Figure(own.to_string()))
}

/// Whether a year in a claim completes a date of the message: next to a month or day, as in `2026-03` and
/// `March 2026`, or after a season, as in `autumn 2025`.
fn completes_date(
    claim: &str,
    year: &str,
    (said, day): (&str, Day),
    (reading, is_said): (&TextReading, &dyn Fn(u64) -> bool),
) -> bool {
    let Some((before, behind)) = claim.split_once(year) else {
        return false;
    };
    let number = |digits: String| digits.parse::<u64>().is_ok_and(is_said);
    let is_sign = |c: char| !c.is_whitespace();
    let is_digit = char::is_ascii_digit;
    let next = behind.strip_prefix(is_sign).unwrap_or_default();
    let next: String = next.chars().take_while(is_digit).collect();
    let last = before.strip_suffix(is_sign).unwrap_or_default();
    let last: Vec<char> = last.chars().rev().take_while(is_digit).collect();
    if number(next) || number(last.into_iter().rev().collect()) {
        return true;
    }
    let (left, right) = (words(before).last(), words(behind).next());
    let is_date = |word: &str| (reading.said)(word, day).into_iter().any(is_said);
    if left.into_iter().chain(right).any(is_date) {
        return true;
    }
    // A name before a year is no season; nor is a lowercase word if nouns are capitalised.
    let is_noun = |word: &&str| {
        let has_capital = word.chars().next().is_some_and(char::is_uppercase);
        has_capital == (reading.capitalises_nouns)(claim)
    };
    let common = (reading.common_words)(claim);
    !common.is_empty()
        && left.filter(is_noun).is_some_and(|word| {
            !common.contains(&word.to_lowercase()) && shares_word(word, said, &common)
        })
}

fn foreign_identifier(claim: &str, said: &str) -> Option<Doubt> {
    let text = said.to_lowercase();
    let foreign = identifiers(claim)
        .into_iter()
        .find(|own| !is_amount(own) && !text.contains(own.as_str()));
    foreign.map(Doubt::Name)
}

fn foreign_name(claim: &str, (said, quote): (&str, &str), reading: &TextReading) -> Option<Doubt> {
    let foreign = names(claim)
        .into_iter()
        .find(|name| !(reading.is_calendar_word)(name) && !holds_name(said, name));
    let is_sure = !(reading.capitalises_nouns)(&format!("{claim} {said}"));
    if let Some(name) = foreign
        .as_ref()
        .filter(|name| is_sure && !is_dense_word(name))
    {
        return Some(Doubt::Name(name.clone()));
    }
    // If all nouns are capitalised, or the script has no capitals, only a word that replaces a name is surely a name.
    let opens_anew = is_sure && first_word(claim).is_some_and(|first| !holds_name(said, &first));
    let is_replaced = foreign.is_some() || opens_anew;
    let mut dropped = names(quote).into_iter();
    let name = dropped.find(|name| {
        let is_like = is_dense_word(name) == foreign.as_deref().is_some_and(is_dense_word);
        is_like && !(reading.is_calendar_word)(name) && !holds_name(claim, name)
    });
    name.filter(|_| is_replaced)
        .or_else(|| replaced_opening(claim, (said, quote), reading))
        .map(Doubt::Swapped)
}

/// The first word of a quote, if the claim repeats the message except for a first word that was not said. Either word
/// may be a name: at the start of a sentence, capitals do not tell.
fn replaced_opening(
    claim: &str,
    (said, quote): (&str, &str),
    reading: &TextReading,
) -> Option<String> {
    let opening = |text: &str| {
        let word = words(text).next()?;
        let has_capital = word.chars().next().is_some_and(char::is_uppercase);
        let lower = word.to_lowercase();
        let is_name = has_capital
            && !(reading.is_calendar_word)(&lower)
            && !(reading.common_words)(text).contains(&lower);
        is_name.then_some(lower)
    };
    let (own, other) = (opening(claim)?, opening(quote)?);
    let common = (reading.common_words)(claim);
    let rest: Vec<String> = words(claim)
        .skip(1)
        .map(str::to_lowercase)
        .filter(|word| !common.contains(word))
        .collect();
    let is_repeated = !rest.is_empty() && says_nothing_else(&rest.join(" "), said);
    let stem: String = other.chars().take(STEM_CHARS).collect();
    let is_kept = holds_name(claim, &other) || own.contains(&stem);
    (!holds_name(said, &own) && !is_kept && is_repeated).then_some(other)
}

/// Finds a number, name or address of the quote that the claim replaces with another, even with one that the same
/// message says about something else.
fn swapped(claim: &str, (quote, day): (&str, Day), reading: &TextReading) -> Option<Doubt> {
    let claimed = figures(claim);
    let dropped = figures(quote)
        .into_iter()
        .find(|own| !claimed.contains(own));
    if let Some(figure) = dropped.filter(|_| foreign_figure(claim, (quote, day), reading).is_some())
    {
        return Some(Doubt::Swapped(figure));
    }
    if let Some(piece) = replaced_run(quote, claim) {
        return Some(Doubt::Swapped(piece));
    }
    let (mut own, mut other) = (identifiers(claim), identifiers(quote));
    own.retain(|word| !is_amount(word));
    other.retain(|word| !is_amount(word));
    let has_other = own.difference(&other).next().is_some();
    if let Some(address) = other.difference(&own).next().filter(|_| has_other) {
        return Some(Doubt::Swapped(address.clone()));
    }
    if (reading.capitalises_nouns)(quote) {
        return None;
    }
    let is_name = |name: &String| !(reading.is_calendar_word)(name) && !is_dense_word(name);
    let mut added = names(claim).into_iter().filter(is_name);
    let has_other = added.any(|name| !holds_name(quote, &name));
    let mut kept = names(quote).into_iter().filter(is_name);
    let name = kept.find(|name| !holds_name(claim, name));
    name.filter(|_| has_other).map(Doubt::Swapped)
}
