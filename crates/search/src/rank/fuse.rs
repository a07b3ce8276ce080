//! Combines the evidence for each piece.
//!
//! Pure: takes what was gathered and returns scores.

use std::collections::BTreeMap;
use std::iter;

use super::called::is_called;
use super::found_term::FoundTerm;
use super::gather::Gathered;
use super::meaning::in_context;
use super::named::Named;
use super::named_date::{grade, span_grade};
use super::parts::EvidenceParts;
use super::query::{Question, TermRole};
use super::score::{
    EvidenceKind, TermPlace, count_in_context, length_ratio, saturated, saturated_in_section,
};
use super::wishes;
use crate::index::{PassageRecord, PieceRecord, StretchHits, StretchRow, Totals};
use crate::passage::PassageKind;
use crate::passage_source::Source;

/// Usual size of a piece, in bytes.
const ROOM_USUAL: f64 = 160.0;

/// Pieces below this size, in bytes, save no more room.
const ROOM_MIN: f64 = 40.0;

/// Damping of short pieces: the weight of a cosine grows as n / (n + this), with n the words of the piece.
///
/// Tuned on conversations whose turns were cut into messages of a sentence or two.
const WORDS_BY_CHANCE: f64 = 9.0;

/// Words of a piece whose nearness counts in full.
const WORDS_USUAL: f64 = 26.0;

/// Bonus for the owner's words in a transcript, times their cosine.
const SAID_SHARE: f64 = 0.75;

/// How many messages back to look for the question that a message answers.
const REPLY_MAX: usize = 4;

/// Sums over the question's terms that normalise scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Norms {
    words: f64,
    /// The maximum coverage. A word missing from the index weighs no more than the rarest one found; among few notes it
    /// would otherwise outweigh all matches.
    coverage: f64,
    /// Highest IDF of a word in the index; infinite if none occurs.
    rarest: f64,
    section: f64,
    totals: Totals,
}

impl Norms {
    pub(crate) fn of(terms: &[FoundTerm], totals: Totals) -> Self {
        let whole = || terms.iter().filter(|term| term.is_whole());
        let found = whole().filter(|term| term.is_found());
        let rarest = found.map(|term| term.idf).reduce(f64::max);
        let rarest = rarest.unwrap_or(f64::INFINITY);
        Self {
            words: whole().map(|term| term.idf).sum(),
            coverage: whole().map(|term| term.idf.min(rarest)).sum(),
            rarest,
            section: whole().map(|term| term.section_idf).sum(),
            totals,
        }
    }
}

/// The speaker named by the question, among those of the rows.
pub(crate) fn named_speakers<'r>(
    question: &Question,
    rows: impl Iterator<Item = &'r StretchRow>,
) -> Named {
    let speakers = rows.flat_map(|row| row.record.speakers.iter().map(String::as_str));
    Named::of(&question.words, &speakers.collect())
}

/// A stretch with its hits and cosines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StretchEvidence<'s> {
    pub(crate) row: &'s StretchRow,
    pub(crate) found: &'s [(usize, StretchHits)],
    /// Cosine of each piece; empty if there are no vectors.
    pub(crate) cosines: &'s [f64],
    /// Cosine of all pieces together.
    pub(crate) whole: f64,
}

/// Computes the evidence for each piece of a stretch.
pub(crate) fn fuse(
    question: &Question,
    gathered: &Gathered,
    norms: Norms,
    named: &Named,
    StretchEvidence {
        row,
        found,
        cosines,
        whole,
    }: StretchEvidence<'_>,
) -> Vec<EvidenceParts> {
    let mut parts = vec![EvidenceParts::default(); row.record.pieces.len()];
    let section = score_words(gathered, norms, row, found, &mut parts);
    let words: Vec<f64> = parts
        .iter()
        .map(|parts| parts.get(EvidenceKind::Words))
        .collect();
    let day = row.day.map_or(0.0, |day| {
        let spoken = question.span.map_or(0.0, |span| span_grade(span, day));
        question
            .dates
            .iter()
            .map(|named| grade(*named, day))
            .fold(spoken, f64::max)
    });
    let is_of_day = row.day.is_some_and(|day| question.is_of_day(day));
    add_named_days(&gathered.terms, found, &mut parts);
    let is_of_called_note = is_called(&gathered.terms, found);
    for parts in &mut parts {
        parts.is_of_day = is_of_day || parts.named_day >= 1.0;
        parts.is_of_called_note = is_of_called_note;
    }
    let pieces = cosines.iter().zip(&row.record.pieces);
    let told: Vec<f64> = pieces
        .map(|(cosine, piece)| cosine * telling(row, piece))
        .collect();
    for (idx, near) in in_context(&told).into_iter().enumerate() {
        if let Some(parts) = parts.get_mut(idx) {
            parts.cosine = cosines.get(idx).copied().unwrap_or(0.0);
            parts.set(EvidenceKind::Meaning, near);
        }
    }
    let is_running_text = row.record.is_running_text();
    let calls_for_wishes = question.asks_for_advice && named.is_nobody();
    for (piece, parts) in row.record.pieces.iter().zip(&mut parts) {
        parts.is_called_wish = calls_for_wishes && piece.wish && parts.cosine >= wishes::COSINE_MIN;
        if !parts.is_relevant() {
            continue;
        }
        let Some(passage) = row.record.passage_of(piece) else {
            continue;
        };
        parts.source = Some(row.source);
        parts.is_text = passage.kind == PassageKind::Paragraph && is_running_text;
        parts.set(EvidenceKind::Section, section);
        parts.set(EvidenceKind::Who, asked_for(named, row, passage));
        parts.set(EvidenceKind::Opening, f64::from(is_opening(row, piece)));
        // Between people, a question is no answer; to an assistant, it shows what the owner cares about.
        let asks = piece.asks;
        match row.source {
            Source::Memory => {
                parts.set(EvidenceKind::Answer, answered(row, piece, passage, &words));
                parts.set(EvidenceKind::Asks, f64::from(asks));
                parts.set(EvidenceKind::Whole, whole.max(0.0));
                parts.set(EvidenceKind::Room, room(passage.text.len()));
            }
            Source::Session => {
                let is_owner = row.record.speaker_of(passage) == Some("user");
                parts.set(EvidenceKind::Asks, f64::from(asks && is_owner));
                parts.set(EvidenceKind::Whole, of_message(passage, &words, cosines));
                let who = parts.get(EvidenceKind::Who);
                parts.set(EvidenceKind::Who, who * (1.0 + SAID_SHARE * parts.cosine));
                parts.set(EvidenceKind::Room, room(piece.text.len()));
            }
        }
        parts.set(EvidenceKind::Day, day.max(parts.named_day));
    }
    parts
}

/// Weight of the cosine of a piece of a note, relative to a piece of usual length: a few words are near to many texts
/// by chance.
///
/// Pieces of running text and of messages are long enough.
fn telling(row: &StretchRow, piece: &PieceRecord) -> f64 {
    let is_line = |it: &PassageRecord| it.kind != PassageKind::Paragraph;
    if row.source == Source::Session || !row.record.passage_of(piece).is_some_and(is_line) {
        return 1.0;
    }
    telling_of(piece.n_words)
}

fn telling_of(n_words: u32) -> f64 {
    let share = |n_words: f64| n_words / (n_words + WORDS_BY_CHANCE);
    share(f64::from(n_words)) / share(WORDS_USUAL)
}

/// How well a message matches as a whole: its best word score plus its best cosine.
fn of_message(passage: &PassageRecord, words: &[f64], cosines: &[f64]) -> f64 {
    let best = |values: &[f64]| {
        let of_pieces = values.get(passage.pieces.clone()).unwrap_or_default();
        of_pieces.iter().copied().fold(0.0, f64::max)
    };
    best(words) + best(cosines)
}

/// Log of the size relative to the usual one.
fn room(n_bytes: usize) -> f64 {
    let n_bytes = u32::try_from(n_bytes).map_or(f64::MAX, f64::from);
    (n_bytes.max(ROOM_MIN) / ROOM_USUAL).ln()
}

/// Scores words; returns the score of the section.
fn score_words(
    gathered: &Gathered,
    norms: Norms,
    row: &StretchRow,
    found: &[(usize, StretchHits)],
    parts: &mut [EvidenceParts],
) -> f64 {
    let totals = norms.totals;
    let lengths: Vec<f64> = row
        .record
        .pieces
        .iter()
        .map(|piece| length_ratio(u64::from(piece.n_words), totals.n_words, totals.n_pieces))
        .collect();
    let section_length = length_ratio(row.record.n_words(), totals.n_words, totals.n_stretches);
    let mut section = 0.0;
    let mut counts = vec![0.0; parts.len()];
    let mut near = near_counts(&gathered.terms, found, parts.len());
    for (idx, hits) in found {
        let term = gathered.terms.get(*idx);
        let Some(term) = term.filter(|term| term.is_whole()) else {
            continue;
        };
        count_in_context(hits.places(), &mut counts);
        let near = near.remove(idx).unwrap_or_default();
        let near = near.iter().copied().chain(iter::repeat(0.0));
        let share = term.idf / norms.coverage;
        for (((parts, count), near), length) in
            parts.iter_mut().zip(&counts).zip(near).zip(&lengths)
        {
            let gain = term.idf * saturated(count + near, *length) / norms.words;
            parts.set(EvidenceKind::Words, parts.get(EvidenceKind::Words) + gain);
            if *count > 0.0 {
                parts.coverage += share;
            } else {
                parts.near_coverage += share * near.min(1.0);
            }
        }
        let n_times = u32::try_from(hits.places().count()).map_or(0.0, f64::from);
        section += term.section_idf * saturated_in_section(n_times, section_length) / norms.section;
    }
    add_near(gathered, norms, near, &lengths, parts);
    section
}

/// Scores the words that are missing from a stretch but have near or corrected words in it.
fn add_near(
    gathered: &Gathered,
    norms: Norms,
    near: BTreeMap<usize, Vec<f64>>,
    lengths: &[f64],
    parts: &mut [EvidenceParts],
) {
    for (of, counts) in near {
        let idf = gathered.terms.get(of).map_or(0.0, |of| of.idf);
        // A word missing from the index weighs no more than the rarest one found.
        let idf = idf.min(norms.rarest);
        let share = idf / norms.coverage;
        let meant = TermRole::Meant(of);
        let is_misspelt = gathered.terms.iter().any(|it| it.term.part == meant);
        for ((parts, count), length) in parts.iter_mut().zip(counts).zip(lengths) {
            let gain = idf * saturated(count, *length) / norms.words;
            parts.set(EvidenceKind::Words, parts.get(EvidenceKind::Words) + gain);
            let covered = share * count.min(1.0);
            if is_misspelt {
                parts.coverage += covered;
            } else {
                parts.near_coverage += covered;
            }
        }
    }
}

/// Sets how well the pieces that name a day match the question's days.
fn add_named_days(
    terms: &[FoundTerm],
    found: &[(usize, StretchHits)],
    parts: &mut [EvidenceParts],
) {
    for (idx, hits) in found {
        let term = terms.get(*idx).map(|found| &found.term);
        let Some(term) = term.filter(|term| term.part == TermRole::Date) else {
            continue;
        };
        for place in hits.places() {
            if let TermPlace::Piece(piece) = place
                && let Some(parts) = parts.get_mut(piece)
            {
                parts.named_day = parts.named_day.max(term.share);
            }
        }
    }
}

/// Weighted counts of near and corrected words in each piece, by the index of the term they stand for.
fn near_counts(
    terms: &[FoundTerm],
    found: &[(usize, StretchHits)],
    n_pieces: usize,
) -> BTreeMap<usize, Vec<f64>> {
    let mut near: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    let mut counts = vec![0.0; n_pieces];
    for (idx, hits) in found {
        let Some(term) = terms.get(*idx) else {
            continue;
        };
        let (TermRole::Near(of) | TermRole::Meant(of)) = term.term.part else {
            continue;
        };
        count_in_context(hits.places(), &mut counts);
        let sums = near.entry(of).or_insert_with(|| vec![0.0; n_pieces]);
        for (sum, count) in sums.iter_mut().zip(&counts) {
            *sum += count * term.term.share;
        }
    }
    near
}

/// Whether a piece is the first of its message; a long message is several passages with the same line.
fn is_opening(row: &StretchRow, piece: &PieceRecord) -> bool {
    let first_of = |idx: usize| row.record.passages.get(idx).map(|passage| passage.lines);
    let is_first = row
        .record
        .passage_of(piece)
        .and_then(|passage| row.record.pieces.get(passage.pieces.start))
        .is_some_and(|first| first.text == piece.text);
    let before = piece.passage.checked_sub(1).and_then(first_of);
    is_first && before != first_of(piece.passage)
}

/// Weight of a passage's speaker: 1 for the owner in a session, otherwise that of the named speaker.
fn asked_for(named: &Named, row: &StretchRow, passage: &PassageRecord) -> f64 {
    let speaker = row.record.speaker_of(passage);
    if row.source == Source::Session && speaker == Some("user") {
        return 1.0;
    }
    named.asks_for(speaker)
}

/// Word score of the question that a passage may answer: the last piece by another speaker before it.
///
/// Looks past earlier messages of the same speaker: an answer may take several.
fn answered(row: &StretchRow, piece: &PieceRecord, passage: &PassageRecord, words: &[f64]) -> f64 {
    let before = row.record.passages.get(..piece.passage);
    let mut before = before.unwrap_or_default().iter().rev().take(REPLY_MAX);
    let question = before.find(|it| it.speaker != passage.speaker);
    let is_between_two = |it: &&PassageRecord| it.speaker.and(passage.speaker).is_some();
    let last = question
        .filter(is_between_two)
        .and_then(|it| it.pieces.end.checked_sub(1));
    let asks = |last: &usize| row.record.pieces.get(*last).is_some_and(|it| it.asks);
    let met = last.filter(asks).and_then(|last| words.get(last));
    met.copied().unwrap_or(0.0)
}

#[cfg(test)]
#[path = "fuse_tests.rs"]
mod tests;
