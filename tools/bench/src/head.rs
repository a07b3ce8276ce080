//! Trains the weights of the linear head on labelled sentences.
//!
//! Multinomial logistic regression by gradient descent; deterministic.

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
}

const CLASSES: usize = 9;

const STEPS: usize = 400;

/// The initial learning rate, which decays linearly.
const RATE: f32 = 0.05;

struct Example {
    class: usize,
    inputs: Vec<f32>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    let embedder = BundledEmbedder::new().ok_or("the program was built without its embedder")?;
    let sentences = labelled(&arguments.sentences)?;
    let texts: Vec<&str> = sentences.iter().map(|it| it.text.as_str()).collect();
    let inputs = ClassifierHead::inputs(Some(&embedder), &texts);
    let example = |(it, inputs): (Labelled, Vec<f32>)| Example {
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
    let rows = learn(&examples, cost);
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

/// Trains the weights by full-batch gradient descent with per-weight step sizes (Adam).
fn learn(examples: &[Example], (signals, vector): (f32, f32)) -> Vec<[f32; CLASSES]> {
    let n_inputs = examples.first().map_or(0, |it| it.inputs.len());
    let n_signals = n_inputs.saturating_sub(128);
    let mut weights = vec![[0.0_f32; CLASSES]; n_inputs];
    let mut mean = weights.clone();
    let mut square = weights.clone();
    let share = 1.0 / f32::from(u16::try_from(examples.len()).unwrap_or(u16::MAX));
    for step in 1..=STEPS {
        let mut gradient = vec![[0.0_f32; CLASSES]; n_inputs];
        for example in examples {
            let mut error = ClassifierHead::likelihoods(&weights, &example.inputs);
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
