//! The ground stage: whether what is proposed was said, and by whom.
//!
//! Pure; believes no operation, only texts that exist. Compares characters, figures and names, and interprets nothing.

use std::collections::{BTreeMap, BTreeSet};

use base::{Day, Origin, short_hash};
use memory::candidates::Evidence;
use memory::prepared_line;

use crate::gate::Refusal;
use crate::material::{Item, Source};
use crate::propose::{Operation, Proposer};
use crate::reading::Reading;
use crate::wording::{
    bare, capitalises_nouns, figures, first_word, holds_word, identifiers, keeps_order, n_words,
    names, tokens, widened,
};

/// A shorter quote stands in too many messages to be evidence.
const QUOTE_WORDS_MIN: usize = 3;

/// A denial this many words beside a quote may govern it: a model can leave it out of the quote.
const BESIDE_QUOTE_WORDS: usize = 3;

/// More evidence is not kept.
const EVIDENCE_MAX: usize = 6;

const QUOTE_CHARS_MAX: usize = 200;

/// A text that has more than this besides twice its quote says more than it quotes.
const BEYOND_QUOTE_CHARS: usize = 60;

/// A claim with what carries it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grounded {
    /// What says so.
    pub(crate) evidence: Vec<Evidence>,
    /// The least trusted of those who say so.
    pub(crate) origin: Origin,
    /// Whether the words stand in something that the owner only showed.
    pub(crate) is_pasted: bool,
    /// Why the claim does not follow from its quote; the owner decides.
    pub(crate) doubt: Option<Doubt>,
}

/// Why a claim does not follow from its quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// A figure or a date that was not said.
    Figure(String),
    /// A name, an address or a path that was not said.
    Name(String),
    /// The quote names somebody or something else than the text.
    Swapped(String),
    /// One of the two denies what the other says.
    Denial,
    /// The words of the quote in another order, which may turn who does what to whom.
    Order,
    /// Much more is said than is quoted.
    BeyondQuote,
}

impl Doubt {
    /// The reason for the owner.
    pub fn in_words(&self) -> String {
        match self {
            Self::Figure(figure) => format!("it says {figure}, which you did not say"),
            Self::Name(name) => format!("it names {name}, which you did not say"),
            Self::Swapped(name) => format!("you said {name}, and it says something else"),
            Self::Denial => "it may turn what you said into its opposite".to_owned(),
            Self::Order => "it says your words in another order".to_owned(),
            Self::BeyondQuote => "it says much more than what it quotes".to_owned(),
        }
    }
}

/// Checks an operation against the texts that it cites.
///
/// # Errors
///
/// [`Refusal`] where it cites nothing that exists, or its quote does not stand there.
pub(crate) fn grounded(
    operation: &Operation,
    finding: &str,
    items: &[&Item],
    reading: &dyn Reading,
) -> Result<Grounded, Refusal> {
    let sources = distinct(items);
    if sources.is_empty() {
        return Err(Refusal::NoEvidence);
    }
    if !is_quote(&operation.quote) && operation.proposer == Proposer::Model {
        return Err(Refusal::NoQuote);
    }
    let holds = |text: &str| holds_quote(text, &operation.quote);
    let carrying: Vec<&Source> = sources.into_iter().filter(|own| holds(&own.text)).collect();
    if carrying.is_empty() {
        return Err(Refusal::NotGrounded);
    }
    // What the owner says in person needs no other evidence; otherwise all that carries it counts.
    let in_person =
        |own: &&Source| own.origin == Origin::Owner && holds(&base::own_words(&own.text));
    let personal: Vec<&Source> = carrying.iter().copied().filter(in_person).collect();
    let is_personal = !personal.is_empty();
    let carrying = if is_personal { personal } else { carrying };
    let origin = carrying.iter().map(|own| own.origin).max();
    let first = carrying.first().ok_or(Refusal::NotGrounded)?;
    Ok(Grounded {
        evidence: carrying
            .iter()
            .take(EVIDENCE_MAX)
            .map(|own| evidence(own, &operation.quote))
            .collect(),
        origin: origin.unwrap_or(Origin::Untrusted),
        is_pasted: !is_personal && carrying.iter().any(|own| own.origin == Origin::Owner),
        doubt: doubt(finding, &operation.quote, (&first.text, first.day), reading),
    })
}

/// The texts behind the items, each once.
fn distinct<'a>(items: &[&'a Item]) -> Vec<&'a Source> {
    let all = items.iter().flat_map(|item| &item.sources);
    let by_place: BTreeMap<(&str, &str), &Source> = all
        .map(|own| ((own.path.as_str(), own.key.as_str()), own))
        .collect();
    by_place.into_values().collect()
}

fn evidence(source: &Source, quote: &str) -> Evidence {
    Evidence {
        path: source.path.clone(),
        key: source.key.clone(),
        line: source.line,
        hash: short_hash(&source.text),
        quote: base::head(&prepared_line(quote), QUOTE_CHARS_MAX).to_owned(),
        day: source.day,
    }
}

/// Whether a quote is long enough to tell one message from the others.
pub fn is_quote(quote: &str) -> bool {
    n_words(quote) >= QUOTE_WORDS_MIN
}

/// Whether a quote stands in a text, whatever its case, punctuation and spacing.
pub fn holds_quote(text: &str, quote: &str) -> bool {
    let quote = bare(quote);
    !quote.is_empty() && bare(text).contains(&quote)
}

/// The first thing in a claim that the message behind it does not bear out; `said` is the message with its day, which
/// holds the quote.
pub fn doubt(
    claim: &str,
    quote: &str,
    (said, day): (&str, Day),
    reading: &dyn Reading,
) -> Option<Doubt> {
    foreign_figure(claim, (said, day), reading)
        .or_else(|| foreign_identifier(claim, said))
        .or_else(|| foreign_name(claim, (said, quote), reading))
        .or_else(|| swapped(claim, (quote, day), reading))
        .or_else(|| {
            let quote = widened(said, quote, BESIDE_QUOTE_WORDS);
            (reading.denies(claim) != reading.denies(quote)).then_some(Doubt::Denial)
        })
        .or_else(|| (!keeps_order(quote, claim)).then_some(Doubt::Order))
        .or_else(|| {
            let n_allowed = 2 * quote.chars().count() + BEYOND_QUOTE_CHARS;
            (claim.chars().count() > n_allowed).then_some(Doubt::BeyondQuote)
        })
}

fn foreign_figure(claim: &str, (said, day): (&str, Day), reading: &dyn Reading) -> Option<Doubt> {
    let mut known = figures(said);
    known.extend(reading.figures(said, day));
    let mut claimed = figures(claim);
    claimed.extend(reading.dates(claim, day));
    let foreign = claimed.difference(&known).next()?;
    Some(Doubt::Figure(foreign.clone()))
}

fn foreign_identifier(claim: &str, said: &str) -> Option<Doubt> {
    let text = said.to_lowercase();
    let is_date = |own: &str| own.chars().all(|c| c.is_ascii_digit() || c == '-');
    let foreign = identifiers(claim)
        .into_iter()
        .find(|own| !is_date(own) && !text.contains(own.as_str()));
    foreign.map(Doubt::Name)
}

fn foreign_name(claim: &str, (said, quote): (&str, &str), reading: &dyn Reading) -> Option<Doubt> {
    let (text, own) = (tokens(said), tokens(claim));
    let is_unsaid = |name: &String| !reading.is_calendar_word(name) && !holds_word(&text, name);
    let foreign = names(claim).into_iter().find(is_unsaid);
    // Where nouns have capitals, only a name that took the place of another one is sure to be one.
    let dropped: BTreeSet<String> = names(quote)
        .into_iter()
        .filter(|name| !reading.is_calendar_word(name) && !holds_word(&own, name))
        .collect();
    let opens_anew = first_word(claim).is_some_and(|first| !holds_word(&text, &first));
    match foreign {
        Some(name) if !capitalises_nouns(said) && !capitalises_nouns(claim) => {
            Some(Doubt::Name(name))
        }
        foreign => {
            let is_swapped = foreign.is_some() || opens_anew && !capitalises_nouns(said);
            let name = dropped.into_iter().next().filter(|_| is_swapped)?;
            Some(Doubt::Swapped(name))
        }
    }
}

/// A figure, a name or an address of the quote in whose place the claim has another one, be it one that the same
/// message says of something else.
fn swapped(claim: &str, (quote, day): (&str, Day), reading: &dyn Reading) -> Option<Doubt> {
    let mut quoted = figures(quote);
    quoted.extend(reading.figures(quote, day));
    let mut claimed = figures(claim);
    claimed.extend(reading.dates(claim, day));
    let has_other = claimed.difference(&quoted).next().is_some();
    let figure = figures(quote).difference(&claimed).next().cloned();
    if let Some(figure) = figure.filter(|_| has_other) {
        return Some(Doubt::Swapped(figure));
    }
    let (own, other) = (tokens(claim), tokens(quote));
    let is_name = |name: &String| !reading.is_calendar_word(name);
    let mut added = names(claim).into_iter().filter(is_name);
    let has_other = added.any(|name| !holds_word(&other, &name));
    let mut kept = names(quote).into_iter().filter(is_name);
    let name = kept.find(|name| !holds_word(&own, name));
    if let Some(name) = name.filter(|_| has_other) {
        return Some(Doubt::Swapped(name));
    }
    let (own, other) = (identifiers(claim), identifiers(quote));
    let has_other = own.difference(&other).next().is_some();
    let address = other.difference(&own).next().filter(|_| has_other)?;
    Some(Doubt::Swapped(address.clone()))
}

#[cfg(test)]
#[path = "ground_tests.rs"]
mod tests;
