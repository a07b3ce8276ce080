//! Trains the weights of the linear head on labelled sentences, and reports their accuracy on held-out sentences.
//!
//! Multinomial logistic regression by gradient descent; deterministic.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use base::disk::{OsDisk, replace};
use clap::Args;
use extract::{Class, ClassifierHead};
use models::BundledEmbedder;

use crate::Result;
use crate::labelled::{Labelled, labelled};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The folder with one file of labelled sentences per language
    #[arg(long, default_value = "crates/extract/data/sentences")]
    sentences: PathBuf,
    /// The file to write the weights to
    #[arg(long, default_value = "crates/extract/data/head.tsv")]
    out: PathBuf,
    /// The penalty on large weights: of the signals, and of the vector components
    #[arg(long, num_args = 2, default_values_t = [0.0004, 0.003])]
    cost: Vec<f32>,
    /// The number of folds for cross-validation; 0 for none
    #[arg(long, default_value_t = 5)]
    folds: usize,
}

const CLASSES: usize = 9;

const STEPS: usize = 400;

/// The initial learning rate; it decays linearly.
const RATE: f32 = 0.05;

/// The prediction for a held-out sentence.
struct HeadOutcome<'e> {
    language: &'e str,
    is_noted: bool,
    is_found: bool,
    is_class_right: bool,
}

struct Example {
    language: String,
    class: usize,
    inputs: Vec<f32>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    let embedder = BundledEmbedder::new().ok_or("the program was built without its embedder")?;
    let sentences = labelled(&arguments.sentences)?;
    let texts: Vec<&str> = sentences.iter().map(|it| it.text.as_str()).collect();
    let inputs = ClassifierHead::inputs(Some(&embedder), &texts);
    let example = |(it, inputs): (Labelled, Vec<f32>)| Example {
        language: it.language,
        class: Class::ALL
            .iter()
            .position(|own| *own == it.class)
            .unwrap_or(0),
        inputs,
    };
    let examples: Vec<Example> = sentences.into_iter().zip(inputs).map(example).collect();
    let cost = (
        arguments.cost.first().copied().unwrap_or_default(),
        arguments.cost.last().copied().unwrap_or_default(),
    );
    if arguments.folds > 1 {
        tell_folds(&examples, arguments.folds, cost, out)?;
    }
    let all: Vec<&Example> = examples.iter().collect();
    let rows = learn(&all, cost);
    replace(
        &OsDisk,
        &arguments.out,
        ClassifierHead::written(&rows).as_bytes(),
    )?;
    writeln!(
        out,
        "{} sentences, {} weights a class",
        examples.len(),
        rows.len()
    )?;
    Ok(())
}

/// Cross-validates: predicts each part with weights trained on the others, and prints the accuracy per language.
fn tell_folds(
    examples: &[Example],
    folds: usize,
    cost: (f32, f32),
    out: &mut dyn Write,
) -> Result<()> {
    let mut rows: Vec<HeadOutcome<'_>> = Vec::new();
    for fold in 0..folds {
        let (rest, part): (Vec<_>, Vec<_>) = examples
            .iter()
            .enumerate()
            .partition(|(at, _)| at % folds != fold);
        let rest: Vec<&Example> = rest.into_iter().map(|(_, it)| it).collect();
        let weights = learn(&rest, cost);
        for (_, example) in part {
            let likely = likelihoods(&weights, &example.inputs);
            let best = likely
                .iter()
                .enumerate()
                .max_by(|left, right| left.1.total_cmp(right.1))
                .map_or(0, |(at, _)| at);
            let noted: f32 = likely
                .iter()
                .zip(Class::ALL)
                .filter(|(_, it)| it.is_noted())
                .map(|(it, _)| it)
                .sum();
            let is_noted = Class::ALL
                .get(example.class)
                .is_some_and(|it| it.is_noted());
            rows.push(HeadOutcome {
                language: &example.language,
                is_noted,
                is_found: noted >= 0.5,
                is_class_right: best == example.class,
            });
        }
    }
    let languages: BTreeSet<&str> = rows.iter().map(|it| it.language).collect();
    writeln!(
        out,
        "language  sentences  class right  found  wrongly noted"
    )?;
    for language in languages.into_iter().chain(["all"]) {
        let own: Vec<_> = rows
            .iter()
            .filter(|it| language == "all" || it.language == language)
            .collect();
        let count =
            |it: &dyn Fn(&HeadOutcome<'_>) -> bool| own.iter().filter(|row| it(row)).count();
        let right = count(&|it| it.is_class_right);
        let noted = count(&|it| it.is_noted);
        let found = count(&|it| it.is_noted && it.is_found);
        let other = own.len() - noted;
        let wrong = count(&|it| !it.is_noted && it.is_found);
        writeln!(
            out,
            "{language:8}  {:9}  {:>10} %  {:>3} %  {:>11} %",
            own.len(),
            percent(right, own.len()),
            percent(found, noted),
            percent(wrong, other)
        )?;
    }
    Ok(())
}

fn percent(part: usize, whole: usize) -> usize {
    part * 100 / whole.max(1)
}

fn likelihoods(weights: &[[f32; CLASSES]], inputs: &[f32]) -> [f32; CLASSES] {
    let mut scores = [0.0_f32; CLASSES];
    for (input, row) in inputs.iter().zip(weights) {
        if *input != 0.0 {
            for (score, weight) in scores.iter_mut().zip(row) {
                *score += input * weight;
            }
        }
    }
    let highest = scores.iter().copied().fold(f32::MIN, f32::max);
    for score in &mut scores {
        *score = (*score - highest).exp();
    }
    let sum: f32 = scores.iter().sum();
    scores.map(|it| it / sum)
}

/// Trains the weights by full-batch gradient descent with per-weight step sizes (Adam).
fn learn(examples: &[&Example], (signals, vector): (f32, f32)) -> Vec<[f32; CLASSES]> {
    let n_inputs = examples.first().map_or(0, |it| it.inputs.len());
    let n_signals = n_inputs.saturating_sub(128);
    let mut weights = vec![[0.0_f32; CLASSES]; n_inputs];
    let mut mean = weights.clone();
    let mut square = weights.clone();
    let share = 1.0 / f32::from(u16::try_from(examples.len()).unwrap_or(u16::MAX));
    for step in 1..=STEPS {
        let mut gradient = vec![[0.0_f32; CLASSES]; n_inputs];
        for example in examples {
            let mut error = likelihoods(&weights, &example.inputs);
            if let Some(own) = error.get_mut(example.class) {
                *own -= 1.0;
            }
            for (input, row) in example.inputs.iter().zip(&mut gradient) {
                if *input != 0.0 {
                    for (sum, error) in row.iter_mut().zip(&error) {
                        *sum += share * input * error;
                    }
                }
            }
        }
        let done = f32::from(u16::try_from(step).unwrap_or(u16::MAX))
            / f32::from(u16::try_from(STEPS).unwrap_or(1));
        let rate = RATE * (1.0 - done * 0.9);
        let rows = weights.iter_mut().zip(&gradient);
        let rows = rows.zip(mean.iter_mut().zip(&mut square)).enumerate();
        for (at, ((weights, gradient), (mean, square))) in rows {
            let cost = if at < n_signals { signals } else { vector };
            let cells = weights.iter_mut().zip(gradient);
            for ((weight, slope), (mean, square)) in cells.zip(mean.iter_mut().zip(square)) {
                let slope = slope + cost * *weight;
                *mean = 0.9 * *mean + 0.1 * slope;
                *square = 0.99 * *square + 0.01 * slope * slope;
                *weight -= rate * *mean / (square.sqrt() + 1e-6);
            }
        }
    }
    weights
}
