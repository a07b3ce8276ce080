//! Ranks pieces: the best of each passage by score, the newer of two about one subject first.
//!
//! Reads the texts of only the best.

use std::collections::{BTreeMap, BTreeSet};

use base::dates::DaySpan;
use base::only_asks;

use super::bearing::Field;
use super::echo::{ECHO_BYTES_MAX, is_echo};
use super::fuse::{Norms, StretchEvidence, fuse, named_speakers};
use super::gather::Gathered;
use super::likeness::add_likeness;
use super::literal::add_literals;
use super::meaning::QuestionVector;
use super::model::{SearchOptions, StandingLine};
use super::newer::{self, ComparedClaim, PassageMoment, newer_first, notes_first};
use super::parts::{EvidenceParts, answer_cosine_min};
use super::query::Question;
use super::score::{EvidenceKind, EvidenceWeights};
use super::texts::Texts;
use crate::index::{IndexError, IndexSnapshot, PassageRecord, StretchRow};
use crate::passage_source::Source;
use crate::terms::{CommonWords, TermKind};

/// Results below this share of the best score are dropped.
pub(super) const SCORE_SHARE_MIN: f64 = 0.3;

/// How many of the best results are checked for echoes.
const ECHOES_AMONG: usize = 50;

/// Maximum number of wishes that are moved to the top.
const WISHES_FIRST: usize = 5;

/// Stretches with the scores of their pieces, and the results in order.
pub(super) struct Ranked {
    /// Each stretch with the evidence for its pieces.
    pub(super) rows: Vec<(StretchRow, Vec<EvidenceParts>)>,
    /// The results, best first.
    pub(super) best: Vec<Best>,
    /// What each result is compared with, to compute its likelihood.
    pub(super) field: Field,
    /// The weights for this question.
    pub(super) weights: EvidenceWeights,
    /// Whether the question names days.
    pub(super) asks_of_days: bool,
    /// Whether it asks only for the current state: it names no days that end before today, and no speaker, and seeks no
    /// advice.
    asks_how_it_stands: bool,
    /// The form of the name, if the question only names what it looks for.
    name: Option<NameForm>,
}

/// The form of a name that is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameForm {
    SeveralWords,
    OneWord,
}

/// The best piece of a result.
#[derive(Debug, Clone, Copy)]
pub(super) struct Best {
    pub(super) row: usize,
    pub(super) passage: usize,
    pub(super) piece: usize,
    pub(super) score: f64,
    /// The older result that it updates, as (row, passage).
    pub(super) older: Option<(usize, usize)>,
}

/// Scores the gathered pieces and sorts the results.
pub(super) fn rank(
    (snapshot, texts): (&IndexSnapshot<'_>, &mut Texts<'_>),
    question: &Question,
    (gathered, meaning): (&Gathered, Option<&QuestionVector>),
    options: &SearchOptions,
) -> Result<Ranked, IndexError> {
    let mut rows = Vec::with_capacity(gathered.shortlist.len());
    for (key, _) in &gathered.shortlist {
        let vectors = match meaning {
            Some(_) => snapshot.vectors_of(*key)?,
            None => None,
        };
        let row = snapshot.stretch(*key)?;
        let near = meaning.zip(vectors).map(|(meaning, vectors)| {
            // Compare only running text as a whole.
            let whole = if row.record.is_running_text() {
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
    let mut rows: Vec<(StretchRow, Vec<EvidenceParts>)> = rows
        .into_iter()
        .zip(&gathered.shortlist)
        .map(|((row, (cosines, whole)), (_, found))| {
            let seen = StretchEvidence {
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
        .map(|parts| parts.get(EvidenceKind::Words))
        .fold(0.0, f64::max);
    let weights = options.weights.adapted_to(found);
    if let Some(words) = meaning.and_then(QuestionVector::words) {
        add_likeness(texts, (words, &weights), gathered, &mut rows)?;
    }
    add_literals(texts, &question.literals, &mut rows)?;
    let mut best = best_of_each(&rows, &weights);
    sort(&mut best, &rows);
    let field = {
        let near = |it: &Best| Some(rows.get(it.row)?.1.get(it.piece)?.cosine);
        let scores = best.iter().map(|it| (it.score, near(it).unwrap_or(0.0)));
        Field::of(scores, gathered, (question.asks, meaning.is_some()))
    };
    let is_past = |span: &DaySpan| options.today.is_none_or(|today| span.last < today);
    let has_past = question.days.iter().any(is_past);
    Ok(Ranked {
        rows,
        best,
        field,
        weights,
        asks_of_days: !question.days.is_empty(),
        asks_how_it_stands: named.is_nobody() && !has_past && !question.asks_for_advice,
        name: question.is_name.then_some(if question.literals.is_empty() {
            NameForm::OneWord
        } else {
            NameForm::SeveralWords
        }),
    })
}

/// Sorts by score; ties by path and line.
fn sort(best: &mut [Best], rows: &[(StretchRow, Vec<EvidenceParts>)]) {
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
fn best_of_each(rows: &[(StretchRow, Vec<EvidenceParts>)], weights: &EvidenceWeights) -> Vec<Best> {
    let mut best: Vec<Best> = Vec::new();
    // A long message is several passages but one result.
    let mut messages: BTreeMap<(&str, usize), usize> = BTreeMap::new();
    for (row_idx, (row, parts)) in rows.iter().enumerate() {
        for (passage_idx, passage) in row.record.passages.iter().enumerate() {
            let relevant = passage.pieces.clone().filter_map(|piece| {
                let parts = parts.get(piece).filter(|parts| parts.is_relevant())?;
                Some(Best {
                    row: row_idx,
                    passage: passage_idx,
                    piece,
                    score: parts.total(weights),
                    older: None,
                })
            });
            let Some(found) = relevant.reduce(better) else {
                continue;
            };
            let message = (row.path.as_str(), passage.lines.start);
            let known = match row.source {
                Source::Session => *messages.entry(message).or_insert(best.len()),
                Source::Memory => best.len(),
            };
            match best.get_mut(known) {
                Some(known) => *known = better(*known, found),
                None => best.push(found),
            }
        }
    }
    best
}

/// The one with the higher score; among equals, the first.
fn better(known: Best, found: Best) -> Best {
    if found.score > known.score {
        found
    } else {
        known
    }
}

impl Ranked {
    /// Whether any piece shows that something is known about the question, given the number of pieces in the index.
    pub(super) fn answers(&self, n_pieces: u64) -> bool {
        let cosine_min = answer_cosine_min(n_pieces);
        let mut parts = self.rows.iter().flat_map(|(_, parts)| parts);
        !self.best.is_empty() && parts.any(|parts| parts.is_answer(cosine_min))
    }

    /// Puts the results into their final order: called notes first, then wishes, and the newer before the older.
    pub(super) fn arrange(
        &mut self,
        texts: &mut Texts<'_>,
        common: CommonWords,
        (gathered, options): (&Gathered, &SearchOptions),
    ) -> Result<(), IndexError> {
        let called = self.called(gathered);
        self.put_wishes_first();
        self.leave_out_far();
        self.put_newer_first(texts, (gathered, options), common)?;
        self.put_first(&called);
        Ok(())
    }

    /// Among the best, puts the newer of two passages about the same subject first, a note before its message, and what
    /// only asks last, unless it has the very name that is looked for.
    fn put_newer_first(
        &mut self,
        texts: &mut Texts<'_>,
        (gathered, options): (&Gathered, &SearchOptions),
        common: CommonWords,
    ) -> Result<(), IndexError> {
        let (mut claims, mut asks) = (Vec::new(), BTreeSet::new());
        for best in self.best.iter().take(newer::FIRST) {
            let Some((row, _)) = self.rows.get(best.row) else {
                return Ok(());
            };
            let passage = row.record.passages.get(best.passage);
            let says = passage.filter(|passage| is_of_people(row, passage));
            let texts = texts.get(row.key)?;
            let text = says.and_then(|passage| texts.get(passage.text.clone()));
            let is_asked = row.source == Source::Session && text.is_some_and(only_asks);
            if is_asked && !self.has_name(best, gathered) {
                asks.insert(claims.len());
            }
            let line = passage.map_or(0, |passage| passage.lines.start);
            let mut claim = ComparedClaim::of(text.unwrap_or(""), best.score, common);
            if let Some(passage) = says.filter(|_| self.asks_how_it_stands) {
                claim.asked = gathered.held_by(best.row, &passage.pieces);
            }
            let standing = passage.and_then(|it| options.standing_in(row, it));
            let at = PassageMoment {
                day: standing.map_or(row.day, |it| Some(it.day)),
                is_by_hand: standing.is_some_and(|it| it.is_by_hand),
                source: row.source,
                path: &row.path,
                line,
            };
            claims.push((at, claim));
        }
        let before = self.best.clone();
        let ranking = notes_first(&claims, newer_first(&claims));
        // What somebody only asked before tells nothing.
        let (asked, told): (Vec<_>, Vec<_>) =
            ranking.into_iter().partition(|(idx, _)| asks.contains(idx));
        let ranking = told.into_iter().chain(asked);
        for (at, (idx, older)) in ranking.enumerate() {
            if let (Some(slot), Some(moved)) = (self.best.get_mut(at), before.get(idx)) {
                *slot = *moved;
                let older = older.and_then(|older| before.get(older));
                slot.older = older.map(|older| (older.row, older.passage));
            }
        }
        Ok(())
    }

    /// Whether a query is a name of several words or an identifier that the result has as it is written.
    fn has_name(&self, best: &Best, gathered: &Gathered) -> bool {
        let named = self.name.zip(self.rows.get(best.row));
        named.is_some_and(|(name, (row, parts))| {
            if name == NameForm::SeveralWords {
                let parts = parts.get(best.piece);
                return parts.is_some_and(|it| it.get(EvidenceKind::Literal) > 0.0);
            }
            let passage = row.record.passages.get(best.passage);
            let held = passage.map(|it| gathered.held_by(best.row, &it.pieces));
            let mut terms = held
                .iter()
                .flatten()
                .filter_map(|it| gathered.terms.get(it.term));
            terms.any(|it| it.term.term.kind == TermKind::Identifier)
        })
    }

    /// Removes echoes: earlier questions of the owner that name nothing new. Returns how many there were.
    pub(super) fn take_echoes(
        &mut self,
        texts: &mut Texts<'_>,
        question: &Question,
    ) -> Result<usize, IndexError> {
        let stems = question.stems();
        let mut kept = Vec::with_capacity(self.best.len());
        for (at, best) in self.best.iter().enumerate() {
            let Some((row, _)) = self.rows.get(best.row) else {
                continue;
            };
            let passage = row.record.passages.get(best.passage);
            let by_owner = passage.filter(|it| {
                row.source == Source::Session
                    && is_of_people(row, it)
                    && it.text.len() <= ECHO_BYTES_MAX
            });
            let text = match by_owner.filter(|_| at < ECHOES_AMONG) {
                Some(passage) => texts.get(row.key)?.get(passage.text.clone()),
                None => None,
            };
            if !text.is_some_and(|text| is_echo(text, &stems, question.common)) {
                kept.push(*best);
            }
        }
        let n_echoes = self.best.len() - kept.len();
        self.best = kept;
        Ok(n_echoes)
    }

    /// Moves the wishes relevant to a request to the top, the nearest first.
    fn put_wishes_first(&mut self) {
        let near = |best: &Best| {
            let (_, parts) = self.rows.get(best.row)?;
            let parts = parts.get(best.piece)?;
            parts.is_called_wish.then_some(parts.cosine)
        };
        let mut wishes: Vec<(f64, usize)> = Vec::new();
        for (idx, best) in self.best.iter().enumerate() {
            wishes.extend(near(best).map(|near| (near, idx)));
        }
        wishes.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        wishes.truncate(WISHES_FIRST);
        let highest = self.best.first().map_or(0.0, |best| best.score);
        let mut order: Vec<Best> = Vec::with_capacity(self.best.len());
        for (_, idx) in &wishes {
            // Raise it to the best score, so that scores stay in order.
            let raised = |best: &Best| Best {
                score: best.score.max(highest),
                ..*best
            };
            order.extend(self.best.get(*idx).map(raised));
        }
        let is_rest = |idx: &usize| wishes.iter().all(|(_, wish)| wish != idx);
        let rest = self.best.iter().enumerate();
        order.extend(rest.filter(|(idx, _)| is_rest(idx)).map(|(_, best)| *best));
        self.best = order;
    }

    /// Drops results far below the best.
    fn leave_out_far(&mut self) {
        let floor = self
            .best
            .first()
            .map_or(0.0, |it| SCORE_SHARE_MIN * it.score);
        self.best.retain(|best| best.score >= floor);
    }
}

impl SearchOptions {
    /// The line of a passage that states the current state of something.
    fn standing_in(&self, row: &StretchRow, passage: &PassageRecord) -> Option<&StandingLine> {
        let mut standing = self.standing.iter();
        let is_in = |it: &StandingLine| it.place.lines().overlaps(passage.lines);
        standing.find(|it| it.place.path == row.path && is_in(it))
    }
}

/// Whether the owner or another person speaks; values that only the assistant stated are not reliable.
fn is_of_people(row: &StretchRow, passage: &PassageRecord) -> bool {
    row.source == Source::Memory || row.record.speaker_of(passage) == Some("user")
}
