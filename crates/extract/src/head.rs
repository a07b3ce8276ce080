//! The linear head: classifies a sentence by its signals and vector.
//!
//! Holds the weights; `bench head` trains them.

use base::Embedder;
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::language::{Language, language_of};
use crate::signals::{signal_names, signals, vectors};

/// The weights for the bundled embedder.
const BUNDLED: &str = include_str!("../data/head.tsv");

/// The class of a sentence; lower-case names in the training files.
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
    /// A lasting preference, like or dislike of the owner.
    Wish,
    /// Something done or to do, a date, a goal.
    Task,
    Decision,
    /// A problem or finding.
    Issue,
    /// Small talk, a joke, a momentary state.
    Chatter,
    /// A request to the assistant.
    Request,
    Question,
    /// A hypothesis, a role play, somebody else's words, a wish for one reply.
    Unreal,
}

impl Class {
    /// Every class, in the order of the weights.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in the training files.
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

/// Invalid weights: truncated, or for other signals than this program's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line} of the weights is not as expected; `cargo run -p bench -- head` rewrites the file"
)]
pub struct HeadError {
    /// The line, from 1.
    line: usize,
}

/// Least likelihood of a question or request to count as asking.
pub(crate) const ASKING_MIN: f32 = 0.5;

/// The likelihood of each class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Likelihood([f32; 9]);

impl Likelihood {
    /// The likelihood of one class, from 0 to 1.
    pub(crate) fn of(&self, class: Class) -> f32 {
        let place = Class::ALL.iter().position(|it| *it == class);
        place.and_then(|at| self.0.get(at)).copied().unwrap_or(0.0)
    }

    /// The likelihood that it is worth a note.
    pub(crate) fn noted(&self) -> f32 {
        let noted = Class::ALL.iter().filter(|it| it.is_noted());
        noted.map(|it| self.of(*it)).sum()
    }

    /// Whether it asks or requests rather than states.
    pub(crate) fn only_asks(&self) -> bool {
        let asks = self.of(Class::Request) + self.of(Class::Question);
        asks >= ASKING_MIN && asks > self.noted()
    }

    /// The most likely of the classes worth a note.
    pub(crate) fn best_noted(&self) -> Class {
        let noted = Class::ALL.iter().copied().filter(|it| it.is_noted());
        noted
            .max_by(|left, right| self.of(*left).total_cmp(&self.of(*right)))
            .unwrap_or(Class::Fact)
    }
}

/// The weights: a row per signal and vector component, a column per class.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassifierHead {
    rows: Vec<[f32; 9]>,
}

impl ClassifierHead {
    /// Parses weights.
    ///
    /// # Errors
    ///
    /// [`HeadError`] if a line is not as expected.
    pub fn parse(text: &str) -> Result<Self, HeadError> {
        let known: Vec<String> = names().collect();
        let lines = text.lines().count().max(known.len());
        let mut written = text.lines();
        let row = |line: usize| {
            let mut cells = written.next().unwrap_or_default().split('\t');
            let name = cells.next();
            let is_known = known.get(line).is_none_or(|known| name == Some(known));
            let numbers: Vec<f32> = cells.map_while(|it| it.parse().ok()).collect();
            let row = numbers.try_into().ok().filter(|_| is_known);
            row.ok_or(HeadError { line: line + 1 })
        };
        let rows = (0..lines).map(row).collect::<Result<_, _>>()?;
        Ok(Self { rows })
    }

    /// The bundled weights; `None` if they do not match this program's signals.
    pub(crate) fn bundled() -> Option<Self> {
        Self::parse(BUNDLED).ok()
    }

    /// Formats weights for [`ClassifierHead::parse`], one row per signal in the order of [`ClassifierHead::inputs`].
    pub fn written(rows: &[[f32; 9]]) -> String {
        let named = names().chain((0..).map(|it| format!("v{it}")));
        let line = |(name, row): (String, &[f32; 9])| {
            let numbers: Vec<String> = row.iter().map(|it| format!("{it:.3}")).collect();
            format!("{name}\t{}\n", numbers.join("\t"))
        };
        named.zip(rows).map(line).collect()
    }

    /// The inputs for a sentence: a constant 1, its signals, its vector.
    pub fn inputs(embedder: Option<&dyn Embedder>, texts: &[&str]) -> Vec<Vec<f32>> {
        let languages: Vec<_> = texts.iter().map(|it| language_of(it)).collect();
        inputs(embedder, texts, &languages)
    }

    pub(crate) fn judge(&self, inputs: &[f32]) -> Likelihood {
        Likelihood(Self::likelihoods(&self.rows, inputs))
    }

    /// The softmax of the class scores by the weights in `rows`.
    pub fn likelihoods(rows: &[[f32; 9]], inputs: &[f32]) -> [f32; 9] {
        let mut scores = [0.0_f32; 9];
        for (input, row) in inputs.iter().zip(rows) {
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
        scores.map(|it| it / sum)
    }
}

/// The names of all rows but those of the vector, in order.
fn names() -> impl Iterator<Item = String> {
    std::iter::once("bias".to_owned()).chain(signal_names())
}

/// The same with known languages.
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
    let languages = languages.iter().copied();
    texts.iter().zip(languages).map(of).collect()
}

#[cfg(test)]
#[path = "head_tests.rs"]
mod tests;
