//! Formats the figures of sets as lines of a table.

use super::measure::{RetrievalFigures, mean, median};
use super::run::QuestionResult;

/// The kinds of questions about facts. Other kinds are not suited to search.
const FACTUAL: [&str; 5] = [
    "contradiction_resolution",
    "information_extraction",
    "knowledge_update",
    "multi_session_reasoning",
    "temporal_reasoning",
];

/// One table line: the set, the ranking variant, and its figures.
pub(crate) fn line(set: &str, ranking: &str, asked: &[QuestionResult]) -> String {
    let figure =
        |pick: fn(&RetrievalFigures) -> f64| mean(asked.iter().map(|asked| pick(&asked.figures)));
    let factual = |pick: fn(&RetrievalFigures) -> f64| {
        let of_facts = asked
            .iter()
            .filter(|asked| FACTUAL.contains(&asked.kind.as_str()));
        mean(of_facts.map(|asked| pick(&asked.figures)))
    };
    let newer = mean(asked.iter().filter_map(|asked| asked.figures.newer));
    let took = asked.iter().map(|asked| asked.took.as_micros());
    let median = median(took.collect()).unwrap_or(0);
    format!(
        "{set:8} {ranking:28} R@10 {:.3}  shown@1000 {:.3}  nDCG@10 {:.3}  five {:.3}  first {:.3}  first of five {:.3}  newer {newer:.2}  {median} us",
        figure(|f| f.recall),
        figure(|f| f.shown),
        figure(|f| f.ndcg),
        factual(|f| f.recall),
        figure(|f| f.first),
        factual(|f| f.first),
    )
}
