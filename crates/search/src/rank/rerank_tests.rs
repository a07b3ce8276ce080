//! Tests of reranking, with models that compare nothing but single words.

use std::sync::{Arc, Mutex};

use base::{RerankError, Reranker};

use super::tests::Home;
use super::*;

/// Scores a passage by the place of its first known word, and remembers what it was asked.
#[derive(Debug, Default)]
struct ListedWords {
    best_first: Vec<&'static str>,
    asked: Mutex<Vec<(String, usize)>>,
}

impl Reranker for ListedWords {
    fn scores(&self, question: &str, passages: &[&str]) -> Result<Vec<f32>, RerankError> {
        let asked = (question.to_owned(), passages.len());
        self.asked.lock().unwrap().push(asked);
        let place = |text: &&str| self.best_first.iter().position(|word| text.contains(word));
        let scores = passages.iter().map(place);
        Ok(scores
            .map(|place| place.map_or(0.0, |place| 9.0 - f32::from(u8::try_from(place).unwrap())))
            .collect())
    }
}

/// A model that fails.
#[derive(Debug)]
struct Down;

impl Reranker for Down {
    fn scores(&self, _: &str, _: &[&str]) -> Result<Vec<f32>, RerankError> {
        Err(RerankError {
            name: "down".into(),
            reason: "no answer".into(),
        })
    }
}

/// In files of their own, so that none counts as newer than another.
const NOTES: [(&str, &str); 3] = [
    ("memory/a.md", "- Anna painted a red boat\n"),
    ("memory/b.md", "- the harbour sells every blue boat\n"),
    (
        "memory/c.md",
        "- our yard repairs a hull or a boat until spring\n",
    ),
];

fn answer(reranker: Option<Arc<dyn Reranker>>) -> SearchAnswer {
    let mut home = Home::new(&NOTES);
    home.index = home.index.with_reranker(reranker);
    search(&home.index, "boat", &SearchOptions::default()).unwrap()
}

/// The words that tell the notes apart.
const WORDS: [&str; 3] = ["blue", "red", "yard"];

/// The word of each text that tells it apart.
fn words_of(answer: &SearchAnswer) -> Vec<&'static str> {
    let word = |text: &str| WORDS.into_iter().find(|word| text.contains(word));
    let found = answer.results.iter().filter_map(|it| word(&it.text));
    found.collect()
}

fn texts(answer: &SearchAnswer) -> Vec<&str> {
    answer.results.iter().map(|it| it.text.as_str()).collect()
}

#[test]
fn the_best_results_stand_in_the_order_of_the_reranker_and_scores_still_fall() {
    let without = answer(None);
    let mut best_first = words_of(&without);
    best_first.reverse();
    let expected = best_first.clone();
    let model = Arc::new(ListedWords {
        best_first,
        ..ListedWords::default()
    });
    let with = answer(Some(Arc::clone(&model) as Arc<dyn Reranker>));
    assert_eq!(words_of(&with), expected);
    let scores =
        |answer: &SearchAnswer| answer.results.iter().map(|it| it.score).collect::<Vec<_>>();
    assert_eq!(scores(&with), scores(&without));
    assert_eq!(with.degraded, None);
    assert_eq!(*model.asked.lock().unwrap(), [("boat".to_owned(), 3)]);
}

#[test]
fn a_reranker_that_fails_leaves_the_order_and_is_reported() {
    let with = answer(Some(Arc::new(Down)));
    let without = answer(None);
    assert_eq!(texts(&with), texts(&without));
    assert_eq!(with.degraded, Some(Degraded::RerankerFailed));
}

#[test]
fn no_more_than_fifty_results_are_reranked() {
    let sections: Vec<String> = (0..70)
        .map(|n| format!("## S{n}\n- boat number {n}\n\n"))
        .collect();
    let mut home = Home::new(&[("MEMORY.md", &sections.concat())]);
    let model = Arc::new(ListedWords::default());
    home.index = home
        .index
        .with_reranker(Some(Arc::clone(&model) as Arc<dyn Reranker>));
    search(&home.index, "boat", &SearchOptions::default()).unwrap();
    assert_eq!(*model.asked.lock().unwrap(), [("boat".to_owned(), 50)]);
}
