//! How often a line would have helped to answer a past question of the owner.
//!
//! Pure: the caller asks the questions, with and without the lines.

use std::collections::{BTreeMap, BTreeSet};

use base::Day;
use memory::curated::memory_lines;
use memory::{MemoryText, prepared_line};

/// A line that earned nothing is less useful once it is this old.
pub const EARNING_DAYS: i64 = 90;

/// With fewer questions, nothing is known about the lines that earned nothing.
const QUESTIONS_MIN: usize = 10;

/// A line of `MEMORY.md`, or one that may become a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriedLine {
    /// Its text.
    pub text: String,
    /// The places and ids of what it is based on.
    pub sources: BTreeSet<String>,
}

/// What a past question shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TriedQuestion {
    /// The places and ids of everything that it shows without the lines.
    pub shown: BTreeSet<String>,
    /// The lines that it shows, as indexes of the lines that were tried together.
    pub lines: BTreeSet<usize>,
}

/// How many past questions each line helps to answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Earned {
    n_questions: usize,
    /// By text.
    counts: BTreeMap<String, usize>,
}

impl Earned {
    /// Counts for each line the questions that show it, and that show nothing of what it is based on without it.
    pub fn of(lines: &[TriedLine], questions: &[TriedQuestion]) -> Self {
        let mut counts = BTreeMap::new();
        for (line_idx, line) in lines.iter().enumerate() {
            let helps = |own: &&TriedQuestion| {
                own.lines.contains(&line_idx) && own.shown.is_disjoint(&line.sources)
            };
            let n_helped = questions.iter().filter(helps).count();
            let count = counts.entry(prepared_line(&line.text)).or_default();
            *count = n_helped.max(*count);
        }
        Self {
            n_questions: questions.len(),
            counts,
        }
    }

    /// The number of questions that a line helps to answer.
    pub fn times(&self, text: &str) -> usize {
        let count = self.counts.get(&prepared_line(text));
        count.copied().unwrap_or_default()
    }

    /// The ids of the lines of ours that are old enough and were tried, and that help to answer no question; `None` if
    /// too few questions were asked.
    pub fn unearned(&self, memory: &MemoryText, today: Day) -> Option<BTreeSet<String>> {
        if self.n_questions < QUESTIONS_MIN {
            return None;
        }
        let is_old =
            |day: Day| today.date().signed_duration_since(day.date()).num_days() >= EARNING_DAYS;
        let lines = memory_lines(memory).into_iter();
        let lines = lines.filter(|line| {
            let count = self.counts.get(&prepared_line(&line.text));
            count == Some(&0) && line.last_confirmed().is_some_and(is_old)
        });
        let ids = lines.filter_map(|line| line.id().map(str::to_owned));
        Some(ids.collect())
    }
}

#[cfg(test)]
#[path = "earned_tests.rs"]
mod tests;
