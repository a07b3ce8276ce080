//! The linear head: what kind of sentence something is, by its signals and its vector.
//!
//! Holds the weights; how they are learnt stands in `bench head`.

use base::Embedder;
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::language::{Language, language_of};
use crate::signals::{signal_names, signals, vectors};

/// The weights for the bundled embedder.
const BUNDLED: &str = include_str!("../data/head.tsv");

/// What a sentence is; its name in the files of sentences is in small letters.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    VariantArray,
    EnumString,
    IntoStaticStr,
)]
#[strum(serialize_all = "lowercase")]
pub enum Class {
    /// A fact about the owner, their people and things.
    Fact,
    /// How the owner wants something for good, what they like and what not.
    Wish,
    /// Something done or to be done, a date, an aim.
    Task,
    /// A decision.
    Decision,
    /// Something wrong, or found out.
    Issue,
    /// Small talk, a joke, a state of the moment.
    Chatter,
    /// A request to the assistant.
    Request,
    /// A question.
    Question,
    /// A supposition, a play, words of somebody else, a wish for one reply.
    Unreal,
}

impl Class {
    /// Every class, in the order of the weights.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in the files of sentences.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether it is worth a note.
    pub fn is_noted(self) -> bool {
        match self {
            Self::Fact | Self::Wish | Self::Task | Self::Decision | Self::Issue => true,
            Self::Chatter | Self::Request | Self::Question | Self::Unreal => false,
        }
    }
}

/// Weights that cannot be used: they are cut off, or know other signals than this program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line} of the weights is not as expected; `cargo run -p bench -- head` writes the file anew"
)]
pub struct HeadError {
    /// The line, from 1.
    line: usize,
}

/// A sentence that is as likely a question or a request is one.
pub(crate) const ASKING_MIN: f32 = 0.5;

/// How likely a sentence is of each class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Likelihood([f32; 9]);

impl Likelihood {
    /// How likely one class is, from 0 to 1.
    pub(crate) fn of(&self, class: Class) -> f32 {
        let place = Class::ALL.iter().position(|it| *it == class);
        place.and_then(|at| self.0.get(at)).copied().unwrap_or(0.0)
    }

    /// How likely it is worth a note.
    pub(crate) fn noted(&self) -> f32 {
        let noted = Class::ALL.iter().filter(|it| it.is_noted());
        noted.map(|it| self.of(*it)).sum()
    }

    /// Whether it tells nothing and asks, or asks for something.
    pub(crate) fn only_asks(&self) -> bool {
        let asks = self.of(Class::Request) + self.of(Class::Question);
        asks >= ASKING_MIN && asks > self.noted()
    }

    /// The likeliest of the classes that are worth a note.
    pub(crate) fn best_noted(&self) -> Class {
        let noted = Class::ALL.iter().copied().filter(|it| it.is_noted());
        noted
            .max_by(|left, right| self.of(*left).total_cmp(&self.of(*right)))
            .unwrap_or(Class::Fact)
    }
}

/// The weights: one row for each signal and each number of the vector, one column for each class.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    rows: Vec<[f32; 9]>,
}

impl Head {
    /// Reads weights.
    ///
    /// # Errors
    ///
    /// [`HeadError`] where the text is no such file.
    pub fn parse(text: &str) -> Result<Self, HeadError> {
        let known: Vec<String> = std::iter::once("bias".to_owned())
            .chain(signal_names())
            .collect();
        let lines = text.lines().count().max(known.len());
        let mut written = text.lines();
        let row = |line: usize| {
            let mut cells = written.next().unwrap_or_default().split('\t');
            let is_known = known
                .get(line)
                .is_none_or(|name| cells.next() == Some(name));
            let numbers: Vec<f32> = cells
                .skip(usize::from(line >= known.len()))
                .map_while(|it| it.parse().ok())
                .collect();
            let row = numbers.try_into().ok().filter(|_| is_known);
            row.ok_or(HeadError { line: line + 1 })
        };
        let rows = (0..lines).map(row).collect::<Result<_, _>>()?;
        Ok(Self { rows })
    }

    /// The weights in the program; `None` where it was put together with something else.
    pub(crate) fn bundled() -> Option<Self> {
        Self::parse(BUNDLED).ok()
    }

    /// Writes weights as [`Head::parse`] reads them, one row a signal in the order of [`Head::inputs`].
    pub fn written(rows: &[[f32; 9]]) -> String {
        let n_named = signal_names().len() + 1;
        let vector = (0..rows.len().saturating_sub(n_named)).map(|it| format!("v{it}"));
        let named = std::iter::once("bias".to_owned())
            .chain(signal_names())
            .chain(vector);
        let line = |(name, row): (String, &[f32; 9])| {
            let numbers: Vec<String> = row.iter().map(|it| format!("{it:.3}")).collect();
            format!("{name}\t{}\n", numbers.join("\t"))
        };
        named.zip(rows).map(line).collect()
    }

    /// The numbers from which a sentence is judged: a constant, its signals, its vector.
    pub fn inputs(embedder: Option<&dyn Embedder>, texts: &[&str]) -> Vec<Vec<f32>> {
        let languages: Vec<_> = texts.iter().map(|it| language_of(it)).collect();
        inputs(embedder, texts, &languages)
    }

    /// How likely each of some inputs is of each class.
    pub(crate) fn judge(&self, inputs: &[f32]) -> Likelihood {
        let mut scores = [0.0_f32; 9];
        for (input, row) in inputs.iter().zip(&self.rows) {
            if *input != 0.0 {
                for (score, weight) in scores.iter_mut().zip(row) {
                    *score += input * weight;
                }
            }
        }
        let highest = scores.iter().copied().fold(f32::MIN, f32::max);
        let mut sum = 0.0;
        for score in &mut scores {
            *score = (*score - highest).exp();
            sum += *score;
        }
        Likelihood(scores.map(|it| it / sum))
    }
}

/// The same where the languages are known.
pub(crate) fn inputs(
    embedder: Option<&dyn Embedder>,
    texts: &[&str],
    languages: &[Option<&Language>],
) -> Vec<Vec<f32>> {
    let mut vectors = vectors(embedder, texts).into_iter();
    let of = |(text, language): (&&str, Option<&Language>)| {
        let mut inputs = vec![1.0];
        inputs.extend(signals(text, language));
        inputs.extend(vectors.next().unwrap_or_default());
        inputs
    };
    texts
        .iter()
        .zip(languages.iter().copied())
        .map(of)
        .collect()
}

#[cfg(test)]
#[path = "head_tests.rs"]
mod tests;
