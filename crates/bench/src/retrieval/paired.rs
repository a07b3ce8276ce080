//! Compares two runs question by question, which tells a small change from chance much sooner than totals do.
//!
//! Asks nothing itself.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use base::disk::OsDisk;
use base::disk::append;
use serde::{Deserialize, Serialize};

use super::measure::{Figures, mean, real};
use super::run::Asked;
use super::set::records;
use crate::Result;

/// The figures of one question of a run, as a file keeps them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Kept {
    set: String,
    /// The number of the question in its set.
    number: usize,
    figures: Figures,
}

/// An earlier run, by set and number of the question.
#[derive(Debug, Default)]
pub(super) struct Earlier(HashMap<(String, usize), Figures>);

/// How many questions one run answers better than another, and how likely chance alone does that.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Paired {
    won: usize,
    lost: usize,
    /// How likely so uneven a split is where each side wins as often, by the sign test.
    chance: f64,
}

type Figure = fn(&Figures) -> f64;

const COMPARED: [(&str, Figure); 4] = [
    ("R@10", |figures| figures.recall),
    ("shown@1000", |figures| figures.shown),
    ("nDCG@10", |figures| figures.ndcg),
    ("first", |figures| figures.first),
];

/// Adds the figures of a run to a file, a line a question.
pub(super) fn keep(path: &Path, set: &str, asked: &[Asked]) -> Result<()> {
    let mut lines = Vec::new();
    for (number, asked) in asked.iter().enumerate() {
        let kept = Kept {
            set: set.to_owned(),
            number,
            figures: asked.figures,
        };
        serde_json::to_writer(&mut lines, &kept)?;
        lines.push(b'\n');
    }
    Ok(append(&OsDisk, path, &lines)?)
}

impl Earlier {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let kept: Vec<Kept> = records(path)?;
        let kept = kept.into_iter();
        Ok(Self(
            kept.map(|kept| ((kept.set, kept.number), kept.figures))
                .collect(),
        ))
    }

    /// Tells what a run of the same questions won and lost against this one.
    pub(super) fn tell(&self, set: &str, asked: &[Asked], out: &mut dyn Write) -> Result<()> {
        let known = |number: usize| self.0.get(&(set.to_owned(), number));
        let pairs: Vec<(&Figures, &Figures)> = asked
            .iter()
            .enumerate()
            .filter_map(|(number, asked)| Some((known(number)?, &asked.figures)))
            .collect();
        for (name, figure) in COMPARED {
            let differences = pairs.iter().map(|(old, new)| figure(new) - figure(old));
            let Paired { won, lost, chance } = Paired::of(differences.clone());
            writeln!(
                out,
                "{set:8} against the run before: {name:10} {:+.4} won {won} lost {lost} p {chance:.3}",
                mean(differences)
            )?;
        }
        Ok(())
    }
}

impl Paired {
    fn of(differences: impl Iterator<Item = f64>) -> Self {
        let (mut won, mut lost) = (0, 0);
        for difference in differences {
            won += usize::from(difference > SAME);
            lost += usize::from(difference < -SAME);
        }
        Self {
            won,
            lost,
            chance: sign_test(won, lost),
        }
    }
}

/// What differs by less was added up in another order.
const SAME: f64 = 1e-9;

/// How likely a split at least so uneven is, where each side is as likely.
fn sign_test(won: usize, lost: usize) -> f64 {
    let n_all = won + lost;
    // Logarithms, because the chance of one outcome among thousands is too small for a number.
    let mut chance_of = -real(n_all) * std::f64::consts::LN_2;
    let mut sum = 0.0;
    for n in 0..=won.min(lost) {
        sum += chance_of.exp();
        chance_of += (real(n_all - n) / real(n + 1)).ln();
    }
    (2.0 * sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_split_is_chance_and_an_uneven_one_is_not() {
        let near = |found: f64, expected: f64| (found - expected).abs() < 1e-9;
        assert!(near(sign_test(0, 0), 1.0));
        assert!(near(sign_test(5, 5), 1.0));
        // Of 2^6 splits of six, one has six wins and one six losses.
        assert!(near(sign_test(6, 0), 2.0 / 64.0));
        // One and nine of ten: (1 + 10) splits of 1,024 to each side.
        assert!(near(sign_test(9, 1), 22.0 / 1024.0));
        assert!(sign_test(3_000, 2_000) < 1e-9);
    }

    #[test]
    fn what_is_the_same_is_neither_won_nor_lost() {
        let paired = Paired::of([0.5, 0.0, -0.25, 1e-12, 0.1].into_iter());
        let expected = Paired {
            won: 2,
            lost: 1,
            chance: 1.0,
        };
        assert_eq!(paired, expected);
    }
}
