//! What forgetting takes with it, in notes and transcripts at once.
//!
//! Knows no lines of files; those are held by the tests of the memory crate.

use std::sync::Arc;

use memory::Because;

use super::*;
use crate::session_end::end_chat;
use crate::test_kit::{Home, OWNER, Script, home, main, offline_home};

const CODE: &str = "The bicycle lock code is 4711";

/// The code is told twice in one session and once in another; the assistant and a note say it, too.
async fn told_everywhere() -> Home {
    let replies = ["Noted.", CODE, "Noted.", "Noted.", "Noted."];
    let script = replies
        .iter()
        .fold(Script::new(), |script, it| script.says(it));
    let home = home(Arc::new(script));
    for said in [
        CODE,
        "  the bicycle LOCK code is 4711 ",
        "The fence is green",
    ] {
        home.say("2026-03-02T08:00:00Z", said).await;
    }
    home.say_in("other", "2026-03-02T08:03:00Z", CODE).await;
    let notes = format!("- {CODE}\n- The gate is red\n");
    home.write("memory/2026-03-01.md", &notes);
    home
}

fn places(plan: &ForgetPlan) -> Vec<(String, Because)> {
    let lines = plan.lines.iter();
    let lines = lines.map(|it| (it.place().to_string(), it.because));
    let entries = plan.entries.iter();
    let entries = entries.map(|it| (it.place().to_string(), it.because));
    lines.chain(entries).collect()
}

fn at(path: &str, line: usize) -> ForgetLines {
    ForgetLines {
        path: path.to_owned(),
        lines: Some(LineRange::line(line)),
    }
}

/// What is found that holds a word; its neighbours may be found with it.
fn found(knowledge: &Knowledge, word: &str) -> Vec<String> {
    let answer = knowledge.search(word, &SearchOptions::default(), &mut |_| {});
    let texts = answer.unwrap().results.into_iter().map(|found| found.text);
    texts.filter(|text| text.contains(word)).collect()
}

#[tokio::test]
async fn forgetting_one_place_forgets_the_same_words_everywhere() {
    for chosen in [at("sessions/main.jsonl", 2), at("memory/2026-03-01.md", 1)] {
        let home = told_everywhere().await;
        let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
        let plan = knowledge.plan_lines(std::slice::from_ref(&chosen)).unwrap();
        let (said, because): (Vec<String>, Vec<Because>) = places(&plan).into_iter().unzip();
        let expected = [
            "memory/2026-03-01.md:1",
            "sessions/main.jsonl:2",
            "sessions/main.jsonl:4",
            "sessions/main.jsonl:5",
            "sessions/other.jsonl:2",
        ];
        assert_eq!(said, expected);
        let chosen_for = because.iter().filter(|it| **it == Because::Chosen);
        assert_eq!(chosen_for.count(), 1, "{because:?}");
        let report = knowledge.forget(&plan, OwnerLines::Leave).unwrap();
        assert_eq!(found(knowledge, "4711"), [""; 0]);
        assert_eq!(found(knowledge, "fence").len(), 1);
        if chosen.path.starts_with("sessions") {
            let again = knowledge.plan_lines(&[chosen]).unwrap_err();
            let expected = format!("already forgotten, under {}", report.report.id);
            assert_eq!(again.to_string(), expected);
            let asked = knowledge
                .plan_question(CODE, 5, OWNER, &mut |_| {})
                .unwrap_err();
            assert_eq!(asked.to_string(), expected);
        }
    }
}

#[tokio::test]
async fn text_said_again_after_forgetting_is_found() {
    let home = told_everywhere().await;
    let knowledge = home.runtime.memory.knowledge.clone().unwrap();
    let plan = knowledge.plan_lines(&[at("sessions/main.jsonl", 2)]);
    knowledge.forget(&plan.unwrap(), OwnerLines::Leave).unwrap();
    home.say("2026-03-02T09:00:00Z", CODE).await;
    assert_eq!(found(&knowledge, "4711"), [CODE]);
}

/// One message that says three things, each noted for itself.
async fn three_things_at_once() -> (Home, Arc<Knowledge>) {
    let home = offline_home();
    let said = "My dog is Rex. I work at Bosch. My sister Anna lives in Graz.";
    home.say_in("main", "2026-03-02T08:00:00Z", said).await;
    let ended = end_chat(&home.runtime, &main(), &mut |_| {}).await;
    ended.unwrap();
    let knowledge = home.runtime.memory.knowledge.clone().unwrap();
    (home, knowledge)
}

#[tokio::test]
async fn of_a_message_that_says_three_things_one_is_forgotten_and_the_notes_of_the_others_stay() {
    for by in ["place", "question"] {
        let (home, knowledge) = three_things_at_once().await;
        let log = home.read("workspace/memory/2026-03-02.md");
        let line = log.lines().position(|line| line.contains("Bosch"));
        let place = at("memory/2026-03-02.md", line.unwrap() + 1);
        let plan = match by {
            "place" => knowledge.plan_lines(&[place]),
            _ => knowledge.plan_question("do I work at Bosch", 5, OWNER, &mut |_| {}),
        };
        let plan = plan.unwrap();
        let taken: Vec<&str> = plan.lines.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(taken, ["- I work at Bosch."], "{by}");
        assert_eq!(plan.entries.len(), 1, "{by}");
        knowledge.forget(&plan, OwnerLines::Leave).unwrap();
        assert_eq!(found(&knowledge, "Bosch"), [""; 0], "{by}");
        let anna = "- My sister Anna lives in Graz.";
        assert_eq!(found(&knowledge, "Anna"), [anna], "{by}");
        assert_eq!(found(&knowledge, "Rex"), ["- My dog is Rex."], "{by}");
    }
}

#[tokio::test]
async fn passages_that_match_fewer_words_are_not_forgotten() {
    let home = offline_home();
    for told in [
        "My phone number is 0341 998877.",
        "My car number plate is L-ML 4483.",
        "I hate phone calls before nine.",
    ] {
        home.say("2026-03-02T08:00:00Z", told).await;
    }
    let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
    let texts = |question: &str| -> Vec<String> {
        let plan = knowledge
            .plan_question(question, 5, OWNER, &mut |_| {})
            .unwrap();
        plan.entries.iter().map(|it| it.text.clone()).collect()
    };
    let phone = "user: My phone number is 0341 998877.";
    let plate = "user: My car number plate is L-ML 4483.";
    assert_eq!(texts("my phone number"), [phone]);
    assert_eq!(texts("the number plate"), [plate]);
    assert_eq!(texts("number"), [phone, plate]);
}

#[tokio::test]
async fn statements_are_forgotten_before_questions_and_the_rest_is_counted() {
    let asked = [
        "Where is the bicycle lock code?",
        "What is the bicycle lock code?",
        "Is the bicycle lock code long?",
        "Who knows the bicycle lock code?",
    ];
    let home = home(Script::replies(5));
    let stated =
        "The lock code of the bicycle in the cellar is 4711, and it was set by Anna in May";
    home.say("2026-03-02T08:00:00Z", stated).await;
    for (minute, question) in asked.iter().enumerate() {
        let now = format!("2026-03-02T09:0{minute}:00Z");
        home.say(&now, question).await;
    }
    let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
    let plan = |limit| {
        let plan = knowledge.plan_question("bicycle lock code", limit, OWNER, &mut |_| {});
        let plan = plan.unwrap();
        let texts = plan.entries.iter().map(|it| it.text.clone());
        (texts.collect::<Vec<_>>(), plan.n_more)
    };
    let stated = format!("user: {stated}");
    assert_eq!(plan(1), (vec![stated.clone()], 4));
    let (texts, n_more) = plan(5);
    assert_eq!((texts.len(), n_more), (5, 0));
    let (texts, n_more) = plan(3);
    assert_eq!((texts.len(), n_more), (3, 2));
    assert_eq!(texts[0], stated);
}
