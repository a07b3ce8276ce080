//! Tests of the weight of meaning if few words of a question are found.

use super::super::score::EvidenceKind;
use super::tests::{Home, TOY};
use super::*;

/// The contributions of two kinds of evidence to the score of the only note.
fn words_and_meaning(home: &Home, question: &str) -> (f64, f64) {
    let options = SearchOptions {
        explain: true,
        ..SearchOptions::default()
    };
    let answer = search(&home.index, question, &options).unwrap();
    let [result] = answer.results.as_slice() else {
        panic!("{:?}", answer.results);
    };
    let explanation = result.explanation.as_ref().unwrap();
    let sum: f64 = explanation.parts.iter().map(|(_, value)| value).sum();
    assert!((sum - result.score).abs() < 1e-12, "{explanation:?}");
    let of = |evidence| {
        let part = explanation.parts.iter().find(|(kind, _)| *kind == evidence);
        part.map_or(0.0, |(_, value)| *value)
    };
    (of(EvidenceKind::Words), of(EvidenceKind::Meaning))
}

#[test]
fn meaning_counts_more_if_fewer_words_are_found() {
    let home = Home::new(&[("MEMORY.md", "- a boat with a blue sail\n")]).embedding(TOY);
    home.sync();
    // The embedder tells no difference between a boat and a vessel.
    let (none, alone) = words_and_meaning(&home, "vessel");
    let (found, beside) = words_and_meaning(&home, "boat");
    assert!(none.abs() < 1e-12 && (0.5..1.5).contains(&found), "{found}");
    let expected = alone / 2.0 * (2.0 - found.min(1.0));
    assert!((beside - expected).abs() < 1e-9, "{beside} {expected}");
    assert!(alone > beside);
}
