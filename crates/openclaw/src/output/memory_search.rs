//! What a search found, for people and as the object that programs rely on.
//!
//! Renders what it is given; ranks nothing.

use std::collections::BTreeMap;
use std::fmt::Write;

use base::{Day, Locator};
use memory::search::{Explanation, NothingFound};
use memory::{SearchAnswer, SearchResult};
use serde::Serialize;

use super::human::printable;
use super::wire;
use super::wrap::{wrap, wrap_indented};
use crate::environment::Stream;

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchReport {
    query: String,
    mode: &'static str,
    degraded: Option<&'static str>,
    took_ms: u64,
    results: Vec<Found>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nothing: Option<&'static str>,
    /// How many earlier questions match, where nothing else does.
    #[serde(skip_serializing_if = "is_none")]
    asked: usize,
    /// What did not fit into the budget though it is better than what is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
    /// What was taken for words of the query that stand nowhere.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    spellings: Vec<Spelt>,
}

/// A word of the query, and the one that was looked for in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Spelt {
    asked: String,
    meant: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_none(number: &usize) -> bool {
    *number == 0
}

/// The best passage that did not fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct LeftOut {
    /// Where it stands.
    path: String,
    /// Its first line.
    start_line: usize,
    /// Its last one.
    end_line: usize,
    /// The least budget that holds it and what is better.
    budget: u64,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    source: &'static str,
    path: String,
    start_line: usize,
    end_line: usize,
    text: String,
    score: f64,
    origin: &'static str,
    #[serde(serialize_with = "wire::some_text")]
    day: Option<Day>,
    /// Where the older value stands that this one renews.
    #[serde(skip_serializing_if = "Option::is_none")]
    renews: Option<String>,
    /// Where else the same is said in the same words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Explained>,
    #[serde(skip)]
    speaker: Option<String>,
}

/// How a score came about.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Explained {
    /// What each kind of evidence added; they sum to the score.
    parts: BTreeMap<&'static str, f64>,
    terms: Vec<ExplainedTerm>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct ExplainedTerm {
    term: String,
    idf: f64,
    count: f64,
}

impl SearchReport {
    /// An answer as it is told.
    pub(crate) fn new(query: String, answer: SearchAnswer, took_ms: u64) -> Self {
        Self {
            query,
            mode: answer.mode.as_str(),
            degraded: answer.degraded.map(memory::search::Degraded::as_str),
            took_ms,
            results: answer.results.into_iter().map(Found::from).collect(),
            nothing: answer.nothing.map(NothingFound::as_str),
            asked: answer.n_asked,
            left_out: answer.left_out.map(LeftOut::from),
            spellings: answer.spellings.into_iter().map(Spelt::from).collect(),
        }
    }

    /// Which words stand nowhere, and what was looked for in their place.
    pub(crate) fn spelling_notes(&self) -> impl Iterator<Item = String> {
        let words = self
            .spellings
            .chunk_by(|left, right| left.asked == right.asked);
        words.filter_map(|of_word| {
            let asked = &of_word.first()?.asked;
            let meant: Vec<String> = of_word.iter().map(|it| format!("`{}`", it.meant)).collect();
            let meant = meant.join(" and ");
            Some(format!(
                "nothing tells of `{asked}`; {meant} was looked for in its place"
            ))
        })
    }

    /// Whether nothing was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// How many earlier questions match where nothing else does, and what to type to see them.
    pub(crate) fn asked_warning(&self) -> Option<String> {
        let query = self.query.replace('\'', " ");
        let what = match self.asked {
            0 => return None,
            1 => "one earlier question matches".to_owned(),
            n => format!("{n} earlier questions match"),
        };
        Some(format!(
            "{what}; `openclaw memory search 'questions {query}'` shows them"
        ))
    }

    /// What did not fit, and what to type so that it does.
    pub(crate) fn left_out_warning(&self) -> Option<String> {
        let left_out = self.left_out.as_ref()?;
        let place = Locator {
            path: left_out.path.clone(),
            start_line: left_out.start_line,
            end_line: left_out.end_line,
        };
        let what = if self.results.is_empty() {
            "the best passage does"
        } else {
            "a better passage than some of these does"
        };
        let budget = left_out.budget;
        Some(format!(
            "{what} not fit into the budget: {place}; `--budget {budget}` holds it"
        ))
    }
}

impl From<memory::search::LeftOut> for LeftOut {
    fn from(left_out: memory::search::LeftOut) -> Self {
        Self {
            path: left_out.result.path,
            start_line: left_out.result.start_line,
            end_line: left_out.result.end_line,
            budget: left_out.budget.0,
        }
    }
}

impl From<base::model::Spelling> for Spelt {
    fn from(spelling: base::model::Spelling) -> Self {
        Self {
            asked: spelling.asked,
            meant: spelling.meant,
        }
    }
}

impl From<SearchResult> for Found {
    fn from(result: SearchResult) -> Self {
        Self {
            source: result.source.as_str(),
            path: result.path,
            start_line: result.start_line,
            end_line: result.end_line,
            text: result.text,
            score: result.score,
            origin: result.origin.as_str(),
            day: result.day,
            renews: result.renews.map(|place| place.to_string()),
            also: result.also.iter().map(Locator::to_string).collect(),
            explanation: result.explanation.map(Explained::from),
            speaker: result.speaker,
        }
    }
}

impl From<Explanation> for Explained {
    fn from(explanation: Explanation) -> Self {
        let parts = explanation.parts.into_iter();
        let terms = explanation.terms.into_iter().map(|share| ExplainedTerm {
            term: share.term,
            idf: share.idf,
            count: share.count,
        });
        Self {
            parts: parts
                .map(|(evidence, value)| (evidence.as_str(), value))
                .collect(),
            terms: terms.collect(),
        }
    }
}

/// What is missing because it cannot be read, and what to do about it.
pub(crate) fn unreadable_warning(paths: &[String]) -> String {
    format!(
        "what stands in {} is missing, for it cannot be read, or is a link that leads out of the \
         workspace; `openclaw memory status` tells which, and why",
        printable(&paths.join(", "))
    )
}

/// The passages for people, best first.
pub(crate) fn render(report: &SearchReport, stdout: Stream) -> String {
    if report.results.is_empty() {
        let reason = report.nothing.unwrap_or("nothing was found");
        return wrap(reason, stdout.text_columns(), "  ") + "\n";
    }
    let found = report.results.iter();
    let shown: Vec<String> = found.map(|found| render_found(found, stdout)).collect();
    shown.join("\n")
}

fn render_found(found: &Found, stdout: Stream) -> String {
    let columns = stdout.columns();
    let place = Locator {
        path: printable(&found.path),
        start_line: found.start_line,
        end_line: found.end_line,
    };
    let mut text = place.to_string();
    if let Some(day) = found.day {
        // Writing to a String cannot fail.
        write!(text, "  {day}").unwrap_or_default();
    }
    if let Some(speaker) = &found.speaker {
        let speaker = printable(speaker).replace('\n', " ");
        write!(text, "  {speaker}").unwrap_or_default();
    }
    if let Some(older) = &found.renews {
        write!(text, "  (newer than {})", printable(older)).unwrap_or_default();
    }
    if !found.also.is_empty() {
        write!(text, "  (also {})", printable(&found.also.join(", "))).unwrap_or_default();
    }
    // In a file a place stays on one line, for whoever looks for it.
    let mut text = wrap(&text, stdout.text_columns(), "  ");
    text.push('\n');
    text.push_str(&wrap_indented(&printable(&found.text), columns, "    "));
    if let Some(explanation) = &found.explanation {
        text.push_str(&wrap_indented(
            &render_explanation(explanation, found.score),
            columns,
            "    ",
        ));
    }
    text
}

fn render_explanation(explanation: &Explained, score: f64) -> String {
    let parts: Vec<String> = explanation
        .parts
        .iter()
        .map(|(evidence, value)| format!("{evidence} {value:.2}"))
        .collect();
    let terms: Vec<String> = explanation
        .terms
        .iter()
        .map(|term| {
            let ExplainedTerm { term, idf, count } = term;
            format!("{} (idf {idf:.2}, {count:.2} times)", printable(term))
        })
        .collect();
    format!(
        "[score {score:.2}: {}]\n[found: {}]",
        parts.join(", "),
        terms.join(", ")
    )
}
