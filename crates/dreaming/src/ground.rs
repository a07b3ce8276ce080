//! The ground stage: whether what is proposed was said, and by whom.
//!
//! Pure; believes no operation, only texts that exist. Compares characters, figures and names, and interprets nothing.

use std::collections::{BTreeMap, BTreeSet};

use base::{Origin, short_hash};
use memory::candidates::Evidence;
use memory::prepared_line;

use crate::gate::Refusal;
use crate::material::{Item, Source};
use crate::propose::{Operation, Proposer};
use crate::reading::Reading;
use crate::wording::{
    bare, capitalises_nouns, figures, first_word, holds_word, identifiers, n_words, names, tokens,
};

/// A shorter quote stands in too many messages to be evidence.
const QUOTE_WORDS_MIN: usize = 3;

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
pub(crate) enum Doubt {
    /// A figure or a date that was not said.
    Figure(String),
    /// A name, an address or a path that was not said.
    Name(String),
    /// The quote names somebody or something else than the text.
    Swapped(String),
    /// One of the two denies what the other says.
    Denial,
    /// Much more is said than is quoted.
    BeyondQuote,
}

impl Doubt {
    /// The reason for the owner.
    pub(crate) fn in_words(&self) -> String {
        match self {
            Self::Figure(figure) => format!("it says {figure}, which you did not say"),
            Self::Name(name) => format!("it names {name}, which you did not say"),
            Self::Swapped(name) => format!("you said {name}, and it says something else"),
            Self::Denial => "it may turn what you said into its opposite".to_owned(),
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
    if n_words(&operation.quote) < QUOTE_WORDS_MIN && operation.proposer == Proposer::Model {
        return Err(Refusal::NoQuote);
    }
    let quote = bare(&operation.quote);
    let holds = |text: &str| !quote.is_empty() && bare(text).contains(&quote);
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
        doubt: doubt(operation, finding, first, reading),
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

/// The first thing in a text that its message does not bear out.
fn doubt(
    operation: &Operation,
    finding: &str,
    source: &Source,
    reading: &dyn Reading,
) -> Option<Doubt> {
    let said = source.text.as_str();
    foreign_figure(finding, source, reading)
        .or_else(|| foreign_identifier(finding, said))
        .or_else(|| foreign_name(finding, (said, &operation.quote), reading))
        .or_else(|| {
            let is_turned = reading.denies(finding) != reading.denies(&operation.quote);
            is_turned.then_some(Doubt::Denial)
        })
        .or_else(|| {
            let n_allowed = 2 * operation.quote.chars().count() + BEYOND_QUOTE_CHARS;
            (finding.chars().count() > n_allowed).then_some(Doubt::BeyondQuote)
        })
}

fn foreign_figure(finding: &str, source: &Source, reading: &dyn Reading) -> Option<Doubt> {
    let mut said = figures(&source.text);
    said.extend(reading.figures(&source.text, source.day));
    let mut claimed = figures(finding);
    claimed.extend(reading.dates(finding, source.day));
    let foreign = claimed.difference(&said).next()?;
    Some(Doubt::Figure(foreign.clone()))
}

fn foreign_identifier(finding: &str, said: &str) -> Option<Doubt> {
    let text = said.to_lowercase();
    let is_date = |own: &str| own.chars().all(|c| c.is_ascii_digit() || c == '-');
    let foreign = identifiers(finding)
        .into_iter()
        .find(|own| !is_date(own) && !text.contains(own.as_str()));
    foreign.map(Doubt::Name)
}

fn foreign_name(
    finding: &str,
    (said, quote): (&str, &str),
    reading: &dyn Reading,
) -> Option<Doubt> {
    let (text, own) = (tokens(said), tokens(finding));
    let is_unsaid = |name: &String| !reading.is_calendar_word(name) && !holds_word(&text, name);
    let foreign = names(finding).into_iter().find(is_unsaid);
    // Where nouns have capitals, only a name that took the place of another one is sure to be one.
    let dropped: BTreeSet<String> = names(quote)
        .into_iter()
        .filter(|name| !reading.is_calendar_word(name) && !holds_word(&own, name))
        .collect();
    let opens_anew = first_word(finding).is_some_and(|first| !holds_word(&text, &first));
    match foreign {
        Some(name) if !capitalises_nouns(said) && !capitalises_nouns(finding) => {
            Some(Doubt::Name(name))
        }
        foreign => {
            let is_swapped = foreign.is_some() || opens_anew && !capitalises_nouns(said);
            let name = dropped.into_iter().next().filter(|_| is_swapped)?;
            Some(Doubt::Swapped(name))
        }
    }
}

#[cfg(test)]
#[path = "ground_tests.rs"]
mod tests;
