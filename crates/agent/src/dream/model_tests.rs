//! Model replies that are cut, unusable or missing, and the proposals that are kept.
//!
//! The model follows a script; the offline engine is its fallback.

use std::sync::Arc;

use base::Origin;
use base::test_kit::Words;

use super::*;
use crate::models::Models;
use crate::test_kit::{self, Script, material, offline_home};

const SAID: [&str; 2] = [
    "I prefer tea over coffee",
    "My sister Anna works in Linz as a nurse",
];

fn adds(number: usize, text: &str, quote: &str) -> String {
    test_kit::adds("Facts", text, &[&format!("e{number}")], quote).to_string()
}

fn tea() -> String {
    adds(1, SAID[0], SAID[0])
}

fn anna() -> String {
    adds(2, "My sister Anna works in Linz", SAID[1])
}

/// The proposed lines, and the reports.
async fn proposed(script: Script) -> (Vec<String>, Proposals, Vec<String>, Vec<Request>) {
    let mut home = offline_home();
    let script = Arc::new(script);
    let offline = Arc::clone(&home.runtime.engine.models.offline);
    home.runtime.engine.models = Models::new(script.clone(), offline);
    let item = |(number, text)| material(number, text, Origin::Owner);
    let items: Vec<MaterialItem> = (1..).zip(SAID).map(item).collect();
    let known = KnownMemory {
        lines: &[],
        waiting: &[],
    };
    let all = extract(&home.runtime, &items, known).await.unwrap();
    let texts = all.proposals.operations.iter().map(|own| own.text.clone());
    let texts = texts.collect();
    (texts, all.proposals, all.warnings, script.requests())
}

fn small() -> Script {
    Script::new().with_window(4_096)
}

#[tokio::test]
async fn rest_of_cut_reply_is_requested() {
    let start = format!("{{\"operations\":[{},{{\"op\":\"ad", tea());
    let script = Script::new().breaks_off(&start).says(&anna());
    let (texts, found, told, requests) = proposed(script).await;
    assert_eq!(texts, [SAID[0], "My sister Anna works in Linz"]);
    assert_eq!(found.unreadable, Vec::<String>::new());
    assert_eq!(told, Vec::<String>::new());
    let asked = requests[1].messages.last().unwrap().text();
    assert!(asked.contains("the reply was cut off after it"), "{asked}");
}

#[tokio::test]
async fn operation_still_wrong_after_retry_is_listed_once() {
    let wrong = adds(1, SAID[0], "nobody said these words");
    let first = format!("[{wrong},{}]", anna());
    let script = Script::new().says(&first).says(&format!("[{wrong}]"));
    let (texts, ..) = proposed(script).await;
    assert_eq!(texts, ["My sister Anna works in Linz", SAID[0]]);
}

#[tokio::test]
async fn reply_cut_twice_is_reported_and_fails_without_any_operation() {
    let start = format!("[{},{{\"op\":", tea());
    let script = Script::new().breaks_off(&start).breaks_off("[{\"op");
    let (texts, _, told, _) = proposed(script).await;
    assert_eq!(texts, [SAID[0]]);
    assert_eq!(
        told,
        ["script reached its length limit twice; the next dream reads what it left out"]
    );
    let script = Script::new().breaks_off("[{\"op").says("[]");
    let (_, _, told, _) = proposed(script).await;
    told[0].holds("length limit before the first complete operation");
}

#[tokio::test]
async fn replies_of_small_model_that_stops_answering_are_kept() {
    let (texts, _, told, _) = proposed(small().says(&tea())).await;
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert_eq!(told.len(), 1, "{told:?}");
    told[0].begins("script answered for 1 of 2 sentences");
}

#[tokio::test]
async fn small_model_gets_one_retry() {
    let wrong = adds(1, SAID[0], "nothing of the kind");
    let none = "{\"op\":\"none\"}";
    let script = small().says(&wrong).says(&tea()).says(none);
    let (texts, _, told, requests) = proposed(script).await;
    assert_eq!((texts, told), (vec![SAID[0].to_owned()], vec![]));
    let asked = requests[1].messages.last().unwrap().text();
    assert!(asked.contains("the quote is not in"), "{asked}");
    let script = small().says("Sure.").says("Done.").says(none);
    let (texts, _, told, requests) = proposed(script).await;
    assert_eq!((texts.len(), requests.len()), (1, 3), "{texts:?}");
    assert_eq!(
        told,
        ["script proposed nothing usable for 1 of 2 sentences, which are kept verbatim"]
    );
}
