//! The ground stage: checks that a proposal was said, and by whom.
//!
//! Pure; trusts only existing texts, never the operation.

use std::collections::BTreeMap;

use base::{EntryId, Origin, Timestamp, Tz, day, n_words, short_hash, shortened};
use memory::candidates::Evidence;
use memory::prepared_line;

use crate::conversations::TextReading;
use crate::doubt::SaidText;
use crate::material::{MaterialItem, MaterialSource};
use crate::propose::{Operation, Proposer};
use crate::refusal::Refusal;
use crate::wording::{as_said, bare};

/// Minimum length of a quote in words: a shorter one occurs in too many messages.
const QUOTE_WORDS_MIN: usize = 3;

/// Maximum number of evidence entries kept.
const EVIDENCE_MAX: usize = 6;

const QUOTE_CHARS_MAX: usize = 200;

/// The evidence of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grounded {
    /// The sources that contain the quote.
    pub(crate) evidence: Vec<Evidence>,
    /// The least trusted origin among them.
    pub(crate) origin: Origin,
    /// The kind of text that contains the quote.
    pub(crate) stands_in: ClaimPlace,
    /// The texts of the sources with their days; for the owner, only the owner's own words.
    pub(crate) said: Vec<SaidText>,
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
    /// The author's own words.
    OwnWords,
    /// Only paragraphs so long that they may be pasted.
    LongParagraph,
    /// Text that the owner quoted or pasted.
    Shown,
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
    let is_long = |own: &&MaterialSource| {
        let mut paragraphs = own
            .text
            .split(PARAGRAPH_END)
            .filter(|own| holds(own))
            .peekable();
        paragraphs.peek().is_some() && paragraphs.all(|own| is_long_paragraph(own, reading))
    };
    let is_in_long = carrying.iter().all(is_long);
    let said: Vec<SaidText> = if is_personal {
        let owners = sources.iter().filter(|own| own.origin == Origin::Owner);
        let words = |text: &str| {
            if is_in_long {
                (reading.in_person)(text)
            } else {
                typed_words(text, reading)
            }
        };
        owners.map(|own| (words(&own.text), own.day)).collect()
    } else {
        let said = carrying.iter().map(|own| (own.text.clone(), own.day));
        said.collect()
    };
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
        } else if is_in_long {
            ClaimPlace::LongParagraph
        } else {
            ClaimPlace::OwnWords
        },
        said,
    })
}

const PARAGRAPH_END: &str = "\n\n";

fn is_long_paragraph(paragraph: &str, reading: &TextReading) -> bool {
    paragraph.chars().count() > reading.paragraph_chars_max
}

/// The author's own words in a text, without paragraphs so long that they may be pasted. Such a paragraph does not
/// support a claim that quotes another paragraph.
pub(crate) fn typed_words(text: &str, reading: &TextReading) -> String {
    let own = (reading.in_person)(text);
    let paragraphs = own.split(PARAGRAPH_END);
    let typed = paragraphs.filter(|own| !is_long_paragraph(own, reading));
    typed.collect::<Vec<_>>().join(PARAGRAPH_END)
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
