//! Cross-validates ranking weights: tunes them on all parts of a set but one, and measures on that one.
//!
//! Never measures on the parts used for tuning, so that the figures predict those of another set.

use std::collections::HashMap;
use std::io::Write;

use search::{EvidenceKind, EvidenceWeights, SearchOptions};

use super::measure::{RetrievalFigures, mean};
use super::run::{BenchHome, ask_all};
use super::set::Set;
use crate::Result;

/// The weights to tune; few, to limit overfitting.
const CHOSEN: [EvidenceKind; 3] = [
    EvidenceKind::Meaning,
    EvidenceKind::Likeness,
    EvidenceKind::Who,
];

/// The factors to try for each weight, in percent of its current value.
const FACTORS: [u32; 2] = [50, 150];

/// A factor for each tuned weight, in percent.
type Factors = [u32; CHOSEN.len()];

const AS_THEY_ARE: Factors = [100; CHOSEN.len()];

struct Trials<'s> {
    set: &'s Set,
    homes: &'s [BenchHome],
    options: &'s SearchOptions,
    known: HashMap<Factors, Vec<RetrievalFigures>>,
    parts: Vec<usize>,
}

/// Prints the figures of each part with weights tuned on the others.
pub(super) fn tell_folds<'s>(
    set: &'s Set,
    homes: &'s [BenchHome],
    (options, n_parts): (&'s SearchOptions, usize),
    out: &mut dyn Write,
) -> Result<()> {
    let mut trials = Trials {
        set,
        homes,
        options,
        known: HashMap::new(),
        parts: parts(set, n_parts),
    };
    let (mut chosen, mut as_they_are) = (Vec::new(), Vec::new());
    for part in 0..n_parts {
        let factors = trials.choose(part)?;
        let measured = trials.figures_of(factors, part)?;
        let before = trials.figures_of(AS_THEY_ARE, part)?;
        writeln!(
            out,
            "{:8} part {part}: tuned [{}]: current {}, tuned {}",
            set.name,
            named(factors),
            told(&before),
            told(&measured)
        )?;
        chosen.extend(measured);
        as_they_are.extend(before);
    }
    writeln!(
        out,
        "{:8} all parts: current {}, tuned on the others {}",
        set.name,
        told(&as_they_are),
        told(&chosen)
    )?;
    Ok(())
}

/// The part of each question: corpora are assigned whole, and a set with a single corpus is split by question.
fn parts(set: &Set, n_parts: usize) -> Vec<usize> {
    let n_parts = n_parts.max(1);
    let n_corpora = set.corpora.len();
    let questions = set
        .corpora
        .iter()
        .enumerate()
        .flat_map(|(idx, corpus)| corpus.questions.iter().map(move |_| idx));
    questions
        .enumerate()
        .map(|(number, corpus)| if n_corpora > 1 { corpus } else { number } % n_parts)
        .collect()
}

impl Trials<'_> {
    /// The best factors for all parts but one, by coordinate search.
    fn choose(&mut self, left_out: usize) -> Result<Factors> {
        let mut best = AS_THEY_ARE;
        let mut gain = self.gain(best, left_out)?;
        for idx in 0..CHOSEN.len() {
            let from = best;
            for factor in FACTORS {
                let mut tried = from;
                if let Some(slot) = tried.get_mut(idx) {
                    *slot = factor;
                }
                let found = self.gain(tried, left_out)?;
                if found > gain {
                    (best, gain) = (tried, found);
                }
            }
        }
        Ok(best)
    }

    /// The objective: the mean over all parts but one of recall, shown and nDCG, summed.
    fn gain(&mut self, factors: Factors, left_out: usize) -> Result<f64> {
        let kept = self.figures_where(factors, |part| part != left_out)?;
        let gains = kept.iter().map(|it| it.recall + it.shown + it.ndcg);
        Ok(mean(gains))
    }

    fn figures_of(&mut self, factors: Factors, part: usize) -> Result<Vec<RetrievalFigures>> {
        self.figures_where(factors, |of| of == part)
    }

    fn figures_where(
        &mut self,
        factors: Factors,
        is_kept: impl Fn(usize) -> bool,
    ) -> Result<Vec<RetrievalFigures>> {
        let parts = self.parts.clone();
        let figures = self.figures(factors)?.iter().zip(parts);
        let kept = figures.filter(|(_, part)| is_kept(*part));
        Ok(kept.map(|(figures, _)| *figures).collect())
    }

    fn figures(&mut self, factors: Factors) -> Result<&[RetrievalFigures]> {
        if !self.known.contains_key(&factors) {
            let options = SearchOptions {
                weights: weights(factors),
                ..self.options.clone()
            };
            let asked = ask_all(self.set, self.homes, &options)?;
            let found = asked.into_iter().map(|it| it.figures).collect();
            self.known.insert(factors, found);
        }
        Ok(self.known.get(&factors).map_or(&[], Vec::as_slice))
    }
}

fn weights(factors: Factors) -> EvidenceWeights {
    CHOSEN
        .iter()
        .zip(factors)
        .fold(EvidenceWeights::default(), |weights, (evidence, factor)| {
            weights.scaled(*evidence, f64::from(factor) / 100.0)
        })
}

fn named(factors: Factors) -> String {
    let changed = CHOSEN
        .iter()
        .zip(factors)
        .filter(|(_, factor)| *factor != 100);
    let changed: Vec<String> = changed
        .map(|(evidence, factor)| format!("{} x {}%", evidence.as_str(), factor))
        .collect();
    changed.join(", ")
}

fn told(figures: &[RetrievalFigures]) -> String {
    let figure = |pick: fn(&RetrievalFigures) -> f64| mean(figures.iter().map(pick));
    format!(
        "R@10 {:.3} shown@1000 {:.3} nDCG@10 {:.3}",
        figure(|figures| figures.recall),
        figure(|figures| figures.shown),
        figure(|figures| figures.ndcg)
    )
}
