//! Answers a question from the index as it is.
//!
//! Reads one state of the index from beginning to end.

use std::collections::{BTreeMap, HashMap};

use super::explain::explain;
use super::fuse::{Norms, Parts, fuse, named_speaker};
use super::gather::{Gathered, gather};
use super::model::{NothingFound, SearchAnswer, SearchMode, SearchOptions, SearchResult};
use super::pack::{pack, shown_pieces};
use super::query::Question;
use crate::index::{Index, IndexError, Snapshot, StretchRow};
use crate::passage_source::Source;

/// A passage of which less than this share of the question is found is not about it.
const COVERAGE_MIN: f64 = 0.1;

/// Answers a question from the index as it is; [`refresh`](super::refresh) makes it say what is there.
///
/// # Errors
///
/// [`IndexError`]; where [`IndexError::is_damage`] holds, [`Index::rebuild`] helps.
pub fn search(
    index: &Index,
    question: &str,
    options: &SearchOptions,
) -> Result<SearchAnswer, IndexError> {
    let question = Question::parse(question);
    let answer = |results, nothing| SearchAnswer {
        mode: SearchMode::Keyword,
        degraded: None,
        results,
        nothing,
    };
    if question.terms.is_empty() {
        return Ok(answer(Vec::new(), Some(NothingFound::NoWords)));
    }
    let snapshot = index.snapshot()?;
    let gathered = gather(&snapshot, &question, options)?;
    if gathered.shortlist.is_empty() {
        return Ok(answer(Vec::new(), Some(NothingFound::NoMatch)));
    }
    let ranked = rank(&snapshot, &question, &gathered, options)?;
    if ranked.best.is_empty() {
        return Ok(answer(Vec::new(), Some(NothingFound::NothingRelevant)));
    }
    let results = ranked.results(&snapshot, &gathered, options)?;
    let results = match options.budget {
        Some(budget) => pack(results, budget),
        None => results,
    };
    let nothing = results.is_empty().then_some(NothingFound::OverBudget);
    Ok(answer(results, nothing))
}

/// Stretches with the scores of their pieces.
struct Ranked {
    rows: Vec<(StretchRow, Vec<Parts>)>,
    /// The pieces to show, best first.
    best: Vec<Best>,
}

/// The best piece of a result.
#[derive(Debug, Clone, Copy)]
struct Best {
    row: usize,
    passage: usize,
    piece: usize,
    score: f64,
}

fn rank(
    snapshot: &Snapshot<'_>,
    question: &Question,
    gathered: &Gathered,
    options: &SearchOptions,
) -> Result<Ranked, IndexError> {
    let mut rows = Vec::with_capacity(gathered.shortlist.len());
    for (key, _) in &gathered.shortlist {
        rows.push(snapshot.stretch(*key)?);
    }
    let norms = Norms::of(&gathered.terms, snapshot.totals);
    let named = named_speaker(question, rows.iter());
    let rows: Vec<(StretchRow, Vec<Parts>)> = rows
        .into_iter()
        .zip(&gathered.shortlist)
        .map(|(row, (_, found))| {
            let parts = fuse(question, gathered, norms, named.as_deref(), (&row, found));
            (row, parts)
        })
        .collect();
    let mut best = best_of_each(&rows);
    best.sort_by(|left, right| {
        let place = |best: &Best| {
            let row = rows.get(best.row).map(|(row, _)| row);
            let line = row
                .and_then(|row| row.record.passages.get(best.passage))
                .map(|passage| passage.lines);
            (
                row.map(|row| (row.path.as_str(), row.source)),
                line,
                best.piece,
            )
        };
        right
            .score
            .total_cmp(&left.score)
            .then_with(|| place(left).cmp(&place(right)))
    });
    best.truncate(options.limit);
    Ok(Ranked { rows, best })
}

/// The best piece of each passage of a note, and of each message.
fn best_of_each(rows: &[(StretchRow, Vec<Parts>)]) -> Vec<Best> {
    let mut best: HashMap<(usize, usize), Best> = HashMap::new();
    let mut messages: BTreeMap<(&str, usize), (usize, usize)> = BTreeMap::new();
    for (row_idx, (row, parts)) in rows.iter().enumerate() {
        for (piece_idx, (piece, parts)) in row.record.pieces.iter().zip(parts).enumerate() {
            let Some(passage) = row
                .record
                .passage_of(piece)
                .filter(|_| parts.coverage >= COVERAGE_MIN)
            else {
                continue;
            };
            let mut result = (row_idx, piece.passage);
            if row.source == Source::Session {
                // A long message is several passages; it is one result all the same.
                result = *messages
                    .entry((row.path.as_str(), passage.lines.start))
                    .or_insert(result);
            }
            let found = Best {
                row: row_idx,
                passage: piece.passage,
                piece: piece_idx,
                score: parts.total(),
            };
            let known = best.entry(result).or_insert(found);
            if found.score > known.score {
                *known = found;
            }
        }
    }
    best.into_values().collect()
}

impl Ranked {
    fn results(
        &self,
        snapshot: &Snapshot<'_>,
        gathered: &Gathered,
        options: &SearchOptions,
    ) -> Result<Vec<SearchResult>, IndexError> {
        let mut texts: HashMap<usize, String> = HashMap::new();
        let mut results = Vec::with_capacity(self.best.len());
        for best in &self.best {
            let Some((row, parts)) = self.rows.get(best.row) else {
                continue;
            };
            let Some(passage) = row.record.passages.get(best.passage) else {
                continue;
            };
            if let std::collections::hash_map::Entry::Vacant(entry) = texts.entry(best.row) {
                entry.insert(snapshot.texts(row.key)?);
            }
            let score = |piece: usize| parts.get(piece).map_or(0.0, Parts::total);
            let pieces = shown_pieces(row, passage, best.piece, &score);
            let range = match row.source {
                Source::Memory => passage.text.clone(),
                Source::Session => {
                    let piece =
                        |idx: usize| row.record.pieces.get(idx).map(|piece| piece.text.clone());
                    let ends = piece(pieces.start).zip(piece(pieces.end.saturating_sub(1)));
                    ends.map_or(passage.text.clone(), |(first, last)| first.start..last.end)
                }
            };
            let text = texts
                .get(&best.row)
                .and_then(|texts| texts.get(range))
                .unwrap_or("")
                .to_owned();
            let explanation = parts
                .get(best.piece)
                .filter(|_| options.explain)
                .map(|parts| {
                    let found = gathered
                        .shortlist
                        .get(best.row)
                        .map_or(&[][..], |(_, found)| found);
                    explain(parts, &gathered.terms, found, best.piece)
                });
            results.push(SearchResult {
                source: row.source,
                path: row.path.clone(),
                start_line: passage.lines.start,
                end_line: passage.lines.end,
                text,
                score: best.score,
                kind: passage.kind,
                speaker: row.record.speaker_of(passage).map(str::to_owned),
                origin: passage.origin,
                day: row.day,
                explanation,
            });
        }
        Ok(results)
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
