//! Puts pieces in order: the best of each passage by its score, the newer of two values first, what only asks behind.
//!
//! Reads texts only of the best.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::close_look::{Texts, look_closely};
use super::fuse::{Norms, Seen, fuse, named_speakers};
use super::gather::Gathered;
use super::likeness::add_likeness;
use super::literal::add_literals;
use super::meaning::Meaning;
use super::model::SearchOptions;
use super::newer::{self, Claim, newer_first};
use super::only_asked::{
    QUESTION_BYTES_MAX, Said, holds_one_of, questions_behind, said, seeks_questions,
};
use super::parts::{Parts, answer_cosine_min};
use super::query::{Asked, Question};
use super::score::{Evidence, Weights};
use crate::index::{IndexError, PassageRecord, Snapshot, StretchRow};
use crate::passage::PassageKind;
use crate::passage_source::Source;

/// What scores less than this share of the best that tells something is not shown.
pub(super) const SCORE_SHARE_MIN: f64 = 0.3;

/// So many results, the best, are looked at for what was only asked.
const QUESTIONS_AMONG: usize = 50;

/// Stretches with the scores of their pieces.
pub(super) struct Ranked {
    /// Each stretch with what speaks for its pieces.
    pub(super) rows: Vec<(StretchRow, Vec<Parts>)>,
    /// The pieces to show, best first.
    pub(super) best: Vec<Best>,
    /// What each kind of evidence is worth for this question.
    pub(super) weights: Weights,
}

/// The best piece of a result.
#[derive(Debug, Clone, Copy)]
pub(super) struct Best {
    pub(super) row: usize,
    pub(super) passage: usize,
    pub(super) piece: usize,
    pub(super) score: f64,
    /// The older value that it renews.
    pub(super) older: Option<(usize, usize)>,
    /// Whether it tells anything.
    pub(super) said: Said,
}

/// Scores the pieces of what was gathered, the best first.
pub(super) fn rank(
    (snapshot, texts): (&Snapshot<'_>, &mut Texts<'_>),
    question: &Question,
    (gathered, meaning): (&Gathered, Option<&Meaning>),
    options: &SearchOptions,
) -> Result<Ranked, IndexError> {
    let mut rows = Vec::with_capacity(gathered.shortlist.len());
    for (key, _) in &gathered.shortlist {
        let vectors = match meaning {
            Some(meaning) => snapshot.vectors(*key, meaning.dimensions())?,
            None => None,
        };
        let row = snapshot.stretch(*key)?;
        let near = meaning.zip(vectors).map(|(meaning, vectors)| {
            // Only running text is compared as a whole.
            let is_text = |it: &PassageRecord| it.kind == PassageKind::Paragraph;
            let whole = if row.record.passages.iter().any(is_text) {
                meaning.whole(&vectors)
            } else {
                0.0
            };
            (meaning.cosines(&vectors), whole)
        });
        rows.push((row, near.unwrap_or_default()));
    }
    let norms = Norms::of(&gathered.terms, snapshot.totals);
    let named = named_speakers(question, rows.iter().map(|(row, _)| row));
    let mut rows: Vec<(StretchRow, Vec<Parts>)> = rows
        .into_iter()
        .zip(&gathered.shortlist)
        .map(|((row, (cosines, whole)), (_, found))| {
            let seen = Seen {
                row: &row,
                found,
                cosines: &cosines,
                whole,
            };
            let parts = fuse(question, gathered, norms, &named, seen);
            (row, parts)
        })
        .collect();
    let fused = rows.iter().flat_map(|(_, parts)| parts);
    let found = fused
        .map(|parts| parts.get(Evidence::Words))
        .fold(0.0, f64::max);
    let weights = options.weights.where_found(found);
    if let Some(words) = meaning.and_then(Meaning::words) {
        add_likeness(texts, (words, &weights), gathered, &mut rows)?;
    }
    look_closely(texts, (question, &named, gathered), &weights, &mut rows)?;
    add_literals(texts, &question.literals, &mut rows)?;
    let mut best = best_of_each(&rows, &weights);
    sort(&mut best, &rows);
    Ok(Ranked {
        rows,
        best,
        weights,
    })
}

/// The best first; ties by path and line.
fn sort(best: &mut [Best], rows: &[(StretchRow, Vec<Parts>)]) {
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
}

/// The best piece of each passage of a note, and of each message.
fn best_of_each(rows: &[(StretchRow, Vec<Parts>)], weights: &Weights) -> Vec<Best> {
    let mut best: HashMap<(usize, usize), Best> = HashMap::new();
    let mut messages: BTreeMap<(&str, usize), (usize, usize)> = BTreeMap::new();
    for (row_idx, (row, parts)) in rows.iter().enumerate() {
        for (piece_idx, (piece, parts)) in row.record.pieces.iter().zip(parts).enumerate() {
            let Some(passage) = row.record.passage_of(piece).filter(|_| parts.is_relevant()) else {
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
                score: parts.total(weights),
                older: None,
                said: Said::Statement,
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
    /// Whether anything that was found among so many pieces shows that something is known about the question.
    pub(super) fn answers(&self, n_pieces: u64) -> bool {
        let cosine_min = answer_cosine_min(n_pieces);
        let mut parts = self.rows.iter().flat_map(|(_, parts)| parts);
        !self.best.is_empty() && parts.any(|parts| parts.is_answer(cosine_min))
    }

    /// Puts the newer of two values first among the best, where the question asks for what holds now.
    pub(super) fn put_newer_first(
        &mut self,
        texts: &mut Texts<'_>,
        question: &Question,
    ) -> Result<(), IndexError> {
        if !question.asks_for(Asked::Newest) {
            return Ok(());
        }
        let stems = question.stems();
        let mut claims = Vec::new();
        for best in self.best.iter().take(newer::FIRST) {
            let Some((row, _)) = self.rows.get(best.row) else {
                return Ok(());
            };
            let passage = row.record.passages.get(best.passage);
            let says = passage.filter(|passage| is_of_people(row, passage));
            let texts = texts.get(row.key)?;
            let text = says.and_then(|passage| texts.get(passage.text.clone()));
            let line = passage.map_or(0, |passage| passage.lines.start);
            claims.push(((row.day, line), Claim::of(text.unwrap_or(""), &stems)));
        }
        let before = self.best.clone();
        for (at, (idx, older)) in newer_first(&claims).into_iter().enumerate() {
            if let (Some(slot), Some(moved)) = (self.best.get_mut(at), before.get(idx)) {
                *slot = *moved;
                let older = older.and_then(|older| before.get(older));
                slot.older = older.map(|older| (older.row, older.passage));
            }
        }
        Ok(())
    }

    /// Tells of the best which of them the owner only asked.
    pub(super) fn tell_questions(
        &mut self,
        texts: &mut Texts<'_>,
        question: &Question,
    ) -> Result<(), IndexError> {
        if seeks_questions(&question.words) {
            return Ok(());
        }
        let stems = question.stems();
        for best in self.best.iter_mut().take(QUESTIONS_AMONG) {
            let Some((row, _)) = self.rows.get(best.row) else {
                return Ok(());
            };
            let passage = row.record.passages.get(best.passage);
            let by_owner = passage.filter(|it| {
                row.source == Source::Session
                    && is_of_people(row, it)
                    && it.text.len() <= QUESTION_BYTES_MAX
            });
            if let Some(passage) = by_owner {
                let texts = texts.get(row.key)?;
                best.said = said(texts.get(passage.text.clone()).unwrap_or(""), &stems);
            }
        }
        Ok(())
    }

    /// How many questions of the owner were found, where nothing that tells anything is about this one by itself:
    /// what stands beside a question holds the words of it as neighbours do.
    pub(super) fn n_only_asked(
        &self,
        texts: &mut Texts<'_>,
        stems: &BTreeSet<String>,
        n_pieces: u64,
    ) -> Result<usize, IndexError> {
        let n_asked = self.best.iter().filter(|it| it.said != Said::Statement);
        let n_asked = n_asked.count();
        if n_asked == 0 {
            return Ok(0);
        }
        let cosine_min = answer_cosine_min(n_pieces);
        for best in self.best.iter().filter(|it| it.said == Said::Statement) {
            let Some((row, parts)) = self.rows.get(best.row) else {
                continue;
            };
            let is_told = parts.get(best.piece).is_some_and(|parts| {
                let of_section = parts.get(Evidence::Section) > 0.0;
                parts.is_near(cosine_min)
                    || parts.get(Evidence::Kinds) > 0.0
                    || row.source == Source::Memory && of_section
            });
            let piece = row.record.pieces.get(best.piece);
            let text = texts.get(row.key)?;
            let text = piece.and_then(|piece| text.get(piece.text.clone()));
            if is_told || text.is_some_and(|text| holds_one_of(text, stems)) {
                return Ok(0);
            }
        }
        Ok(n_asked)
    }

    /// Leaves out what is far from the best that tells something; a question is near to itself alone.
    pub(super) fn leave_out_far(&mut self) {
        let mut tells = self.best.iter().filter(|it| it.said == Said::Statement);
        let best = tells.next().or(self.best.first());
        let floor = best.map_or(0.0, |best| SCORE_SHARE_MIN * best.score);
        self.best.retain(|best| best.score >= floor);
    }

    /// Puts what the owner only asked behind what may answer it.
    pub(super) fn put_questions_behind(&mut self) {
        let results = self.best.iter().take(QUESTIONS_AMONG).map(|best| {
            let parts = self.rows.get(best.row).map(|(_, parts)| parts);
            let coverage = parts.and_then(|parts| parts.get(best.piece));
            (
                best.said,
                best.score,
                coverage.map_or(0.0, |it| it.coverage),
            )
        });
        let order = questions_behind(&results.collect::<Vec<_>>());
        let before = self.best.clone();
        for (slot, from) in self.best.iter_mut().zip(order) {
            *slot = before.get(from).copied().unwrap_or(*slot);
        }
    }
}

/// Whether the owner or a person speaks; an assistant gives values that were never so.
fn is_of_people(row: &StretchRow, passage: &PassageRecord) -> bool {
    row.source == Source::Memory || row.record.speaker_of(passage) == Some("user")
}
