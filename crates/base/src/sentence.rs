//! Where sentences end: in any script, and not behind an abbreviation, an initial or an ordinal.
//!
//! Knows no Markdown, and adds no character.

use unicode_segmentation::UnicodeSegmentation;

use crate::identifier::is_month;

/// Words before which a full stop ends no sentence.
#[rustfmt::skip]
const ABBREVIATIONS: &[&str] = &[
    "e.g.", "i.e.", "dr.", "mr.", "mrs.", "ms.", "prof.", "st.", "no.", "vs.", "approx.", "ca.", "z.b.", "d.h.", "bzw.",
    "nr.", "hr.", "fr.", "mme.", "sr.", "sra.", "p.ej.", "jan.", "feb.", "mar.", "apr.", "jun.", "jul.", "aug.", "sep.",
    "sept.", "oct.", "nov.", "dec.", "str.", "ave.", "blvd.", "rd.", "apt.", "tel.", "dept.", "fig.", "cf.", "incl.",
    "mt.", "ft.", "jr.", "rev.", "hon.", "gen.", "capt.", "lt.", "sgt.", "dipl.", "ing.", "mag.", "usw.", "vgl.", "evtl.",
];

/// The sentences of a paragraph, in order, without the white space between them.
///
/// # Examples
///
/// ```
/// let found = base::sentences("I live on St. Marks Place. Dr. Who lives in No. 4!");
/// assert_eq!(found, ["I live on St. Marks Place.", "Dr. Who lives in No. 4!"]);
/// ```
pub fn sentences(paragraph: &str) -> Vec<&str> {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for (at, piece) in paragraph.split_sentence_bound_indices() {
        let end = at + piece.len();
        match spans.last_mut() {
            Some((start, last))
                if is_inside(text(paragraph, *start, *last), piece)
                    || goes_on(text(paragraph, *start, *last).trim_end(), piece) =>
            {
                *last = end;
            }
            _ => spans.push((at, end)),
        }
    }
    let found = spans
        .into_iter()
        .flat_map(|(start, end)| written_small(text(paragraph, start, end)));
    found
        .map(str::trim)
        .filter(|sentence| sentence.chars().any(char::is_alphanumeric))
        .collect()
}

/// Words with which somebody who writes no capitals begins a sentence.
#[rustfmt::skip]
const SMALL_BEGINNINGS: &[&str] = &[
    "i", "i'm", "im", "i've", "my", "we", "we're", "our", "he", "he's", "she", "she's", "they", "it", "it's", "the", "please",
    "can", "could", "do", "what", "how", "just", "got",
];

/// A sentence of the rules of Unicode, which see no end where a small letter follows, cut at such ends too.
fn written_small(sentence: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, stop) in sentence.match_indices(". ") {
        let end = at + stop.len();
        let (before, after) = (
            text(sentence, start, end),
            text(sentence, end, sentence.len()),
        );
        let first = after.split([' ', ',']).next().unwrap_or_default();
        let is_beginning = SMALL_BEGINNINGS.contains(&first.replace('\u{2019}', "'").as_str());
        let is_listing = before.trim_end().ends_with("etc.");
        if is_beginning && !is_listing && !goes_on(before.trim_end(), after) {
            found.push(before);
            start = end;
        }
    }
    found.push(text(sentence, start, sentence.len()));
    found
}

fn text(paragraph: &str, start: usize, end: usize) -> &str {
    paragraph.get(start..end).unwrap_or_default()
}

/// Whether the mark at the end of `piece` stands inside a word, an address or a password: nothing parts it
/// from what follows.
fn is_inside(piece: &str, next: &str) -> bool {
    piece.ends_with(['.', '!', '?']) && next.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// Whether the full stop at the end of `piece` ends no sentence.
fn goes_on(piece: &str, next: &str) -> bool {
    if !next.chars().any(char::is_alphanumeric) {
        return true;
    }
    let last = piece
        .rsplit(' ')
        .next()
        .unwrap_or_default()
        .trim_start_matches('(');
    let Some(word) = last.strip_suffix('.') else {
        return false;
    };
    let is_initial =
        word != "I" && word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    let is_ordinal =
        (1..=2).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    let next_word = next
        .split(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or_default();
    is_initial
        || is_ordinal && is_month(next_word)
        || ABBREVIATIONS.contains(&last.to_lowercase().as_str())
}

#[cfg(test)]
#[path = "sentence_tests.rs"]
mod tests;
