//! Turns ranked pieces into results with exact text and place, and folds repetitions.
//!
//! Keeps the order.

use base::Locator;

use super::explain::explain;
use super::fold::Folded;
use super::gather::Gathered;
use super::model::{SearchOptions, SearchResult};
use super::pack::shown_pieces;
use super::parts::EvidenceParts;
use super::ranked::{Best, Ranked};
use super::texts::Texts;
use crate::index::IndexError;
use crate::passage_source::Source;

impl Ranked {
    /// Drops results that overlap these lines, with their evidence: hidden text does not answer a question.
    pub(super) fn leave_out_hidden(&mut self, hidden: &[Locator]) {
        if hidden.is_empty() {
            return;
        }
        let mut best = std::mem::take(&mut self.best);
        best.retain(|best| {
            let place = self.place((best.row, best.passage));
            let is_hidden =
                place.is_some_and(|place| hidden.iter().any(|hidden| hidden.overlaps(&place)));
            if is_hidden {
                self.drop_evidence((best.row, best.passage));
            }
            !is_hidden
        });
        self.best = best;
    }

    fn drop_evidence(&mut self, (row, passage): (usize, usize)) {
        let Some((row, parts)) = self.rows.get_mut(row) else {
            return;
        };
        let pieces = row.record.passages.get(passage).map(|it| it.pieces.clone());
        let parts = pieces.and_then(|pieces| parts.get_mut(pieces));
        for parts in parts.into_iter().flatten() {
            *parts = EvidenceParts::default();
        }
    }

    fn place(&self, (row, passage): (usize, usize)) -> Option<Locator> {
        let (row, _) = self.rows.get(row)?;
        let lines = row.record.passages.get(passage)?.lines;
        Some(Locator::new(row.path.clone(), lines))
    }

    /// Results in the given order, at most `limit`.
    pub(super) fn results(
        &self,
        best: &[Best],
        texts: &mut Texts<'_>,
        (gathered, options): (&Gathered, &SearchOptions),
        limit: usize,
    ) -> Result<Vec<SearchResult>, IndexError> {
        let mut results = Folded::default();
        results.each_day = self.asks_of_days;
        for best in best {
            if results.results.len() == limit {
                break;
            }
            let Some((row, _)) = self.rows.get(best.row) else {
                continue;
            };
            let section = texts.section(row.key)?;
            let texts = texts.get(row.key)?;
            let result = self.result(best, texts, (gathered, options));
            match result.map(|result| SearchResult { section, ..result }) {
                Some(result) if options.each_place => results.results.push(result),
                Some(result) => results.add(result),
                None => {}
            }
        }
        Ok(results.results)
    }

    /// Builds a result; `texts` are those of its stretch.
    fn result(
        &self,
        best: &Best,
        texts: &str,
        (gathered, options): (&Gathered, &SearchOptions),
    ) -> Option<SearchResult> {
        let (row, parts) = self.rows.get(best.row)?;
        let passage = row.record.passages.get(best.passage)?;
        let score = |piece: usize| {
            let parts = parts.get(piece);
            parts.map_or(0.0, |parts| parts.total(&self.weights))
        };
        let pieces = shown_pieces(row, passage, best.piece, &score);
        let range = match row.source {
            Source::Memory => passage.text.clone(),
            Source::Session => {
                let piece = |idx: usize| row.record.pieces.get(idx).map(|piece| piece.text.clone());
                let ends = piece(pieces.start).zip(piece(pieces.end.saturating_sub(1)));
                ends.map_or(passage.text.clone(), |(first, last)| first.start..last.end)
            }
        };
        let known = parts.get(best.piece)?;
        let asks = row.record.pieces.get(best.piece).is_some_and(|it| it.asks);
        let seen = (known, known.total(&self.weights), asks);
        let inputs = self
            .field
            .inputs(gathered, (best.row, &passage.pieces), seen);
        let likelihood = self.field.likelihood(&inputs);
        let explanation = options.explain.then(|| {
            let found = gathered.shortlist.get(best.row);
            let found = found.map_or(&[][..], |(_, found)| found);
            let parts = (known, &self.weights);
            let bearing = (inputs, likelihood);
            explain(parts, &gathered.terms, found, best.piece, bearing)
        });
        Some(SearchResult {
            source: row.source,
            path: row.path.clone(),
            section: None,
            start_line: passage.lines.start,
            end_line: passage.lines.end,
            text: texts.get(range).unwrap_or("").to_owned(),
            score: best.score,
            likelihood,
            kind: passage.kind,
            speaker: row.record.speaker_of(passage).map(str::to_owned),
            origin: passage.origin,
            day: row.day,
            planned_for: None,
            replaced_on: None,
            is_untrue: false,
            is_taken_back: false,
            last_confirmed: row.day,
            is_of_span: false,
            renews: best.older.and_then(|older| self.place(older)),
            also: Vec::new(),
            explanation,
        })
    }
}
