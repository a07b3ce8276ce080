//! The ground stage: whether the evidence that is cited carries what is claimed.
//!
//! Pure; believes no operation, only texts that exist.

use base::{Origin, short_hash};
use memory::candidates::Evidence;
use memory::prepared_line;

use crate::material::Source;
use crate::words::{Words, words};

/// So many hundredths of the words of a claim must stand in its evidence.
const CARRIED_PERCENT: usize = 70;

/// Evidence that holds fewer hundredths of the words is not evidence of this claim.
const PART_PERCENT: usize = 40;

/// More evidence is not kept.
const EVIDENCE_MAX: usize = 6;

const QUOTE_CHARS_MAX: usize = 200;

/// A message longer than this in several paragraphs may hold what somebody else wrote.
const LONG_CHARS: usize = 2_500;

/// A claim with what carries it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grounded {
    /// What says so, best first.
    pub(crate) evidence: Vec<Evidence>,
    /// The least trusted of those who say so.
    pub(crate) origin: Origin,
    /// How many hundredths of the words stand in the evidence.
    pub(crate) percent: usize,
    /// Whether the words stand in something that the owner pasted.
    pub(crate) is_pasted: bool,
    /// Where in the best evidence the words stand: what follows in one message was said later.
    pub(crate) at: Option<usize>,
}

/// Checks a claim against the texts that it cites; `None` where they do not carry it.
pub(crate) fn grounded(finding: &str, sources: &[&Source]) -> Option<Grounded> {
    let claim = words(&without_reckoned_dates(finding));
    if claim.telling.is_empty() {
        return None;
    }
    let mut carrying: Vec<(usize, &Source)> = sources
        .iter()
        .map(|source| (claim.covered_by(&words(&source.text)), *source))
        .filter(|(percent, _)| *percent >= PART_PERCENT)
        .collect();
    carrying.sort_by_key(|(percent, _)| std::cmp::Reverse(*percent));
    carrying.truncate(EVIDENCE_MAX);
    let mut all = Words::default();
    for (_, source) in &carrying {
        let own = words(&source.text);
        all.telling.extend(own.telling);
        all.figures.extend(own.figures);
    }
    let percent = claim.covered_by(&all);
    if percent < CARRIED_PERCENT || !claim.figures.is_subset(&all.figures) {
        return None;
    }
    let origin = carrying.iter().map(|(_, source)| source.origin);
    let first = carrying.first()?;
    let mut of_owner = carrying
        .iter()
        .filter(|(_, source)| source.origin == Origin::Owner)
        .peekable();
    let is_pasted =
        of_owner.peek().is_some() && of_owner.all(|(_, source)| is_pasted(&source.text, &claim));
    Some(Grounded {
        evidence: carrying
            .iter()
            .map(|(_, source)| evidence(source, &claim))
            .collect(),
        // The best evidence decides; what merely agrees with it takes nothing away.
        origin: origin.min().unwrap_or(first.1.origin),
        percent,
        is_pasted,
        at: first.1.text.find(best_sentence(&first.1.text, &claim)),
    })
}

fn evidence(source: &Source, claim: &Words) -> Evidence {
    let quote = best_sentence(&source.text, claim);
    Evidence {
        path: source.path.clone(),
        key: source.key.clone(),
        line: source.line,
        hash: short_hash(&source.text),
        quote: base::head(&prepared_line(quote), QUOTE_CHARS_MAX).to_owned(),
        day: source.day,
    }
}

/// The sentence that holds most of a claim; of several the first.
fn best_sentence<'t>(text: &'t str, claim: &Words) -> &'t str {
    let best = text
        .lines()
        .flat_map(base::sentences)
        .rev()
        .max_by_key(|part| claim.n_shared(&words(part)));
    best.unwrap_or(text).trim()
}

/// A claim without the dates that were reckoned and put behind its words, as in `tomorrow (2026-04-21)`.
fn without_reckoned_dates(finding: &str) -> String {
    let mut out = String::with_capacity(finding.len());
    let mut rest = finding;
    while let Some((before, after)) = rest.split_once('(') {
        out.push_str(before);
        match after.split_once(')') {
            Some((inside, behind)) if is_dates(inside) => rest = behind,
            Some(_) | None => {
                out.push('(');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn is_dates(inside: &str) -> bool {
    let plain = inside.replace("week of", "").replace("..", " ");
    let mut parts = plain.split_whitespace().peekable();
    parts.peek().is_some()
        && parts.all(|part| {
            let is_digit = |c: char| c.is_ascii_digit() || c == '-';
            part.len() >= 4 && part.chars().all(is_digit)
        })
}

/// How a line begins or ends behind which somebody else's words stand.
#[rustfmt::skip]
const INTRODUCTIONS: &[&str] = &[
    " here is the ", " heres the ", " here is what ", " heres what ", " below is ", " it says ",
    " they wrote ", " he wrote ", " she wrote ", " they said ", " he said ", " she said ",
    " forwarded message ", " original message ", " i found this ", " i found on ", " found this ",
    " pasted ", " pasting ", " copied from ", " quote ", " summarize this ", " summarise this ",
    " translate this ", " proofread this ", " review this ", " read this ", " look at this ",
    " what does this mean ", " begin ", " according to ",
];

/// What somebody else writes; a line that names it and ends in a colon introduces it.
#[rustfmt::skip]
const WRITINGS: &[&str] = &[
    " page ", " article ", " email ", " mail ", " e-mail ", " message ", " text ", " website ", " site ",
    " web ", " post ", " blog ", " readme ", " document ", " docs ", " documentation ", " letter ",
    " comment ", " review ", " thread ", " ticket ", " issue ", " log ", " output ", " error ",
    " excerpt ", " snippet ", " paragraph ", " paper ", " transcript ", " newsletter ", " reply ",
    " answer ", " tweet ", " prompt ", " file ", " contract ", " report ", " advert ",
];

/// Words that point at what comes next.
const POINTING: &[&str] = &[
    " this ",
    " these ",
    " that ",
    " following ",
    " below ",
    " here ",
];

/// Words of an owner who introduces what is their own.
#[rustfmt::skip]
const OWN: &[&str] = &[
    " i ", " im ", " my ", " me ", " mine ", " we ", " our ", " us ", " rule ", " rules ",
    " preference ", " preferences ", " instruction ", " instructions ", " from now on ", " always ",
    " never ",
];

/// Whether somebody else's words follow the colon of this line; gives what stands before it.
fn introduction(line: &str) -> Option<&str> {
    let (before, after) = line.split_once(':')?;
    let is_inside = !after.is_empty() && !after.starts_with([' ', '"', '\u{201c}']);
    if is_inside {
        return None;
    }
    let own = words(before);
    let is_open = after.trim().is_empty();
    let names = own.holds(WRITINGS) && (is_open || own.holds(POINTING) || own.holds(&[" the "]));
    let points = is_open && own.holds(POINTING) && !own.holds(OWN);
    (own.holds(INTRODUCTIONS) || names || points).then_some(before)
}

/// Whether the words of a claim stand where the owner shows what somebody else wrote: in a quotation, in
/// code, behind an introduction, or in the middle of a very long message.
fn is_pasted(text: &str, claim: &Words) -> bool {
    let own = own_words(text);
    let percent = claim.covered_by(&words(&own));
    percent < CARRIED_PERCENT
}

/// What of a message the owner says in person.
pub(crate) fn own_words(text: &str) -> String {
    let mut own = String::with_capacity(text.len());
    let mut fence = false;
    let is_long = text.chars().count() > LONG_CHARS;
    let n_paragraphs = text.split("\n\n").count();
    for (number, paragraph) in text.split("\n\n").enumerate() {
        let is_inside = number > 0 && number + 1 < n_paragraphs;
        for line in paragraph.lines() {
            let trimmed = line.trim();
            if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
                fence = !fence;
                continue;
            }
            let is_quoted = trimmed.starts_with('>') || trimmed.starts_with('<');
            if fence || is_quoted || is_long && is_inside {
                continue;
            }
            if let Some(before) = introduction(trimmed) {
                own.push_str(before);
                return own;
            }
            own.push_str(&without_quotations(line));
            own.push('\n');
        }
        own.push('\n');
    }
    own
}

/// A quotation of this many words is somebody's.
const QUOTED_WORDS_MIN: usize = 4;

fn without_quotations(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for (number, part) in line.split(['"', '\u{201c}', '\u{201d}']).enumerate() {
        let is_quoted = number % 2 == 1 && part.split_whitespace().count() >= QUOTED_WORDS_MIN;
        if !is_quoted {
            out.push_str(part);
        }
        out.push(' ');
    }
    out
}

#[cfg(test)]
#[path = "ground_tests.rs"]
mod tests;
