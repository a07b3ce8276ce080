//! Puts the best results in the order of a model that reads each one together with the question.

use base::Reranker;

use super::model::Degraded;
use super::ranked::{Best, Ranked};
use super::texts::Texts;
use crate::index::IndexError;

/// How many of the best results the model compares.
const RERANKED_MAX: usize = 50;

impl Ranked {
    /// Reorders the best results, which keep the scores of their places: those of a model are on another scale.
    /// Returns how a failing model degrades the answer.
    pub(super) fn rerank(
        &mut self,
        texts: &mut Texts<'_>,
        reranker: &dyn Reranker,
        question: &str,
    ) -> Result<Option<Degraded>, IndexError> {
        let first: Vec<Best> = self.best.iter().take(RERANKED_MAX).copied().collect();
        let mut passages = Vec::with_capacity(first.len());
        for best in &first {
            passages.push(self.passage_text(best, texts)?);
        }
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        let scores = reranker.scores(question, &passages).unwrap_or_default();
        if scores.len() != first.len() {
            return Ok(Some(Degraded::RerankerFailed));
        }
        let mut order: Vec<(f32, Best)> = scores.into_iter().zip(first.iter().copied()).collect();
        order.sort_by(|left, right| right.0.total_cmp(&left.0));
        for ((slot, place), (_, best)) in self.best.iter_mut().zip(&first).zip(order) {
            *slot = Best {
                score: place.score,
                ..best
            };
        }
        Ok(None)
    }

    fn passage_text(&self, best: &Best, texts: &mut Texts<'_>) -> Result<String, IndexError> {
        let Some((row, _)) = self.rows.get(best.row) else {
            return Ok(String::new());
        };
        let passage = row.record.passages.get(best.passage);
        let texts = texts.get(row.key)?;
        let text = passage.and_then(|passage| texts.get(passage.text.clone()));
        Ok(text.unwrap_or_default().to_owned())
    }
}
