//! What a line comes from, and what became of a message.

use std::sync::Arc;

use base::{Message, Origin};
use serde_json::{Value, json};

use super::*;
use crate::jobs::compaction_kit::compaction;
use crate::knowledge::scope::Viewer;
use crate::ops::{Correct, Forget, PlanForget, Remember};
use crate::test_kit::{Home, Script, home};
use crate::turn::recall::RECALL_TYPE;

fn why(home: &Home, about: &str) -> Result<WhyReply, OpError> {
    let (access, engine) = (&home.runtime.home, &home.runtime.engine);
    let knowledge = home.runtime.memory.knowledge.as_deref();
    let at = OpContext::new(access, &engine.settings, knowledge, &Viewer::Owner);
    let about = about.to_owned();
    Why { about }.run(&at)
}

/// Each step as its event and its words.
fn steps(reply: &WhyReply) -> Vec<(WhyEvent, &str)> {
    let steps = reply.steps.iter();
    steps.map(|step| (step.event, &*step.text)).collect()
}

/// A home in which the owner moved from Zwenkau to Markkleeberg, and a note has the first of both.
async fn moved() -> Home {
    let asks = json!({ "text": "We live in Zwenkau", "quote": "we live in Zwenkau" });
    let quote = "we live in Markkleeberg now";
    let corrects =
        json!({ "line": "We live in Zwenkau", "text": "We live in Markkleeberg", "quote": quote });
    let script = Script::new()
        .calls("remember", &asks.to_string())
        .says("Noted.")
        .calls("correct", &corrects.to_string())
        .says("Corrected.");
    let home = home(Arc::new(script));
    home.runtime.home.workspace.init().unwrap();
    let first = "Remember that we live in Zwenkau.";
    home.say("2026-03-02T08:00:00Z", first).await;
    let second = "Correct that: we live in Markkleeberg now.";
    home.say("2026-03-02T08:01:00Z", second).await;
    home
}

#[tokio::test]
async fn line_names_words_and_changes_behind_it_and_line_that_replaced_it() {
    let home = moved().await;
    let (older, newer) = ("We live in Zwenkau", "We live in Markkleeberg");
    let reply = why(&home, newer).unwrap();
    assert_eq!(reply.subject, WhySubject::Line);
    let place = reply.place.unwrap().to_string();
    assert!(place.starts_with("MEMORY.md:"), "{place}");
    // The place, the id and the words name the same line.
    let by_words = why(&home, newer).unwrap();
    assert_eq!(why(&home, &place).unwrap(), by_words);
    let id = by_words.steps.iter().rev().find_map(|step| step.id.clone());
    assert_eq!(why(&home, &format!("^{}", id.unwrap())).unwrap(), by_words);
    let gone = why(&home, older).unwrap();
    assert_eq!((gone.place.clone(), &*gone.text), (None, older));
    insta::assert_debug_snapshot!((steps(&by_words), steps(&gone)));
}

#[tokio::test]
async fn message_names_note_line_and_recall_that_came_of_it() {
    let home = moved().await;
    let main = "main".parse().unwrap();
    let entry = home.entries(&main).first().cloned().unwrap();
    home.note_citing("The owner lives in Zwenkau", Origin::Agent, vec![entry]);
    let place = Value::from("sessions/main.jsonl:2");
    let recalled =
        json!([{ "path": "sessions/main.jsonl", "startLine": 2, "endLine": 3, "hash": "" }]);
    let at = "2026-03-04T08:00:00Z".parse().unwrap();
    let mut turn = home.turn();
    turn.append_custom(at, RECALL_TYPE, recalled.to_string())
        .unwrap();
    turn.append_message(
        at,
        session::StoredMessage::new(Message::assistant("In Zwenkau."), Origin::Agent),
    )
    .unwrap();
    drop(turn);
    let reply = why(&home, place.as_str().unwrap()).unwrap();
    assert_eq!(reply.subject, WhySubject::Message);
    insta::assert_debug_snapshot!(steps(&reply));
    let note = reply
        .steps
        .iter()
        .find(|step| step.event == WhyEvent::Noted);
    let note = note.and_then(|step| step.place.clone()).unwrap();
    let reply = why(&home, &note.to_string()).unwrap();
    assert_eq!(reply.subject, WhySubject::Note);
    assert_eq!(
        steps(&reply).first(),
        Some(&(WhyEvent::Said, "Remember that we live in Zwenkau."))
    );
}

/// Adds a line to `MEMORY.md`, as the owner's command does.
fn lasting(home: &Home, text: &str) {
    let (access, engine) = (&home.runtime.home, &home.runtime.engine);
    let at = OpContext::new(access, &engine.settings, None, &Viewer::Owner);
    let text = text.to_owned();
    let line = Remember {
        text,
        ..Remember::default()
    };
    line.run(&at).unwrap();
}

/// A turn of the owner and the assistant; returns the entry of the owner's message.
fn talk(turn: &mut session::Turn, at: &str, said: &str) -> base::EntryId {
    let at = at.parse().unwrap();
    let own = session::StoredMessage::new(Message::user(said), Origin::Owner);
    let entry = turn.append_message(at, own).unwrap();
    let reply = session::StoredMessage::new(Message::assistant("Noted."), Origin::Agent);
    turn.append_message(at, reply).unwrap();
    entry
}

#[tokio::test]
async fn summary_is_named_only_for_messages_that_it_replaced() {
    let home = moved().await;
    let mut turn = home.turn();
    let pinned = talk(&mut turn, "2026-03-03T08:00:00Z", "I like tea.");
    talk(&mut turn, "2026-03-03T08:01:00Z", "I like coffee.");
    let at = "2026-03-03T08:02:00Z".parse().unwrap();
    turn.append_rewind(at, &pinned).unwrap();
    let mut summary = compaction(talk(&mut turn, "2026-03-03T08:02:00Z", "I like cocoa."));
    let pointer = turn.locate(&pinned).unwrap();
    summary.details.keep_first.extend(pointer);
    turn.append_compaction(at, summary).unwrap();
    drop(turn);
    let line_of = |said: &str| {
        let text = home.read("sessions/main.jsonl");
        let found = text.lines().position(|line| line.contains(said));
        found.unwrap() + 1
    };
    let is_summarised = |said: &str| {
        let place = format!("sessions/main.jsonl:{}", line_of(said));
        let reply = why(&home, &place).unwrap();
        reply
            .steps
            .iter()
            .any(|step| step.event == WhyEvent::Summarised)
    };
    // Behind the summary; pinned beside it; after it.
    let shown = ["live in Zwenkau", "like tea", "like cocoa"].map(is_summarised);
    assert_eq!(shown, [true, false, false]);
    let abandoned = format!("sessions/main.jsonl:{}", line_of("like coffee"));
    assert!(why(&home, &abandoned).is_err());
}

fn run_forget(home: &Home, what: &str) {
    let (access, engine) = (&home.runtime.home, &home.runtime.engine);
    let knowledge = home.runtime.memory.knowledge.as_deref();
    let at = OpContext::new(access, &engine.settings, knowledge, &Viewer::Owner);
    let plan = PlanForget {
        what: what.to_owned(),
        ..PlanForget::default()
    };
    let token = plan.run(&at).unwrap().token.unwrap();
    let confirm = Forget {
        token,
        ..Forget::default()
    };
    confirm.run(&at).unwrap();
}

#[tokio::test]
async fn line_is_found_by_id_at_its_end() {
    let home = moved().await;
    let memory = home.read("workspace/MEMORY.md");
    let (line, mark) = memory
        .lines()
        .find_map(|line| line.split_once(" ^"))
        .unwrap();
    let by_words = why(&home, line.trim_start_matches("- ")).unwrap();
    for id in [mark.to_owned(), format!("^{mark}"), mark.to_uppercase()] {
        assert_eq!(why(&home, &id).unwrap(), by_words, "{id}");
    }
}

#[tokio::test]
async fn line_by_hand_has_no_history_and_unknown_words_and_places_are_errors() {
    let home = moved().await;
    let memory = home.read("workspace/MEMORY.md");
    home.write(
        "MEMORY.md",
        &format!("{memory}- The bins go out on Mondays\n"),
    );
    let reply = why(&home, "bins go out").unwrap();
    assert_eq!(
        (reply.subject, reply.steps),
        (WhySubject::LineByHand, vec![])
    );
    run_forget(&home, "bins go out");
    assert!(home.read("workspace/MEMORY.md").contains("bins go out"));
    assert!(why(&home, "bins go out").is_err());
    for about in [
        "zebra",
        "MEMORY.md:1",
        "memory/2026-03-02.md:99",
        "sessions/main.jsonl:999",
        "USER.md:1",
    ] {
        assert!(why(&home, about).is_err(), "{about}");
    }
}

#[tokio::test]
async fn line_taken_back_and_restored_says_that_owner_did_it() {
    let asks = json!({ "text": "We live in Zwenkau", "quote": "we live in Zwenkau" });
    let script = Script::new()
        .calls("remember", &asks.to_string())
        .says("Noted.");
    let home = home(Arc::new(script));
    home.runtime.home.workspace.init().unwrap();
    let first = "Remember that we live in Zwenkau.";
    home.say("2026-03-02T08:00:00Z", first).await;
    let asked = home.desk().state().log.last().unwrap().text.clone();
    home.set("2026-03-02T09:00:00Z");
    lasting(&home, "We like tea");
    home.set("2026-03-03T08:00:00Z");
    home.desk().undo_change(&asked).unwrap();
    let events = |reply: &WhyReply| -> Vec<(String, WhyEvent)> {
        let steps = reply.steps.iter();
        let steps = steps.map(|step| (step.day.to_string(), step.event));
        steps
            .filter(|(_, event)| *event != WhyEvent::Noted)
            .collect()
    };
    let day = |day: &str, event: WhyEvent| (day.to_owned(), event);
    let reply = why(&home, "We live in Zwenkau").unwrap();
    assert_eq!(
        events(&reply),
        [
            day("2026-03-02", WhyEvent::Said),
            day("2026-03-02", WhyEvent::Asked),
            day("2026-03-03", WhyEvent::Undone),
        ]
    );
    home.set("2026-03-04T08:00:00Z");
    home.undo_last();
    let reply = why(&home, "We live in Zwenkau").unwrap();
    assert_eq!(
        events(&reply),
        [
            day("2026-03-02", WhyEvent::Said),
            day("2026-03-02", WhyEvent::Asked),
            day("2026-03-04", WhyEvent::Restored),
        ]
    );
}

#[tokio::test]
async fn missing_session_is_named_once_with_its_cause() {
    let home = moved().await;
    let error = why(&home, "sessions/nosuch.jsonl:3").unwrap_err();
    assert_eq!(
        base::with_causes(&error),
        "cannot read sessions/nosuch.jsonl: there is no session nosuch"
    );
}

#[tokio::test]
async fn correction_of_line_that_was_taken_back_says_so() {
    let home = moved().await;
    lasting(&home, "The boat lies in Grimma");
    home.set("2026-03-03T08:00:00Z");
    home.undo_last();
    let (access, engine) = (&home.runtime.home, &home.runtime.engine);
    let at = OpContext::new(access, &engine.settings, None, &Viewer::Owner);
    let correct = Correct {
        line: "The boat lies in Grimma".to_owned(),
        text: "The boat lies in Wurzen".to_owned(),
        ..Correct::default()
    };
    let error = correct.run(&at).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no line of MEMORY.md says \"The boat lies in Grimma\" any more: you took it back on 2026-03-03"
    );
}
