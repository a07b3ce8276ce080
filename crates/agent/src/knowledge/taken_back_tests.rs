//! Text that the owner took back or called never true: agenda, recall, prompts and dreams leave it out.
//!
//! Uses no model: a script requests each change.

use std::sync::Arc;

use base::test_kit::Words;
use base::{Message, Origin};
use dreaming::{ChangeReason, Refusal};
use search::SearchOptions;
use serde_json::json;

use super::*;
use crate::asked::{AskedLine, remember_typed};
use crate::jobs::session_flush::{FlushReason, flush};
use crate::knowledge::scope::Viewer;
use crate::ops::{AddNote, OpContext, Operation};
use crate::runtime::PrivateSessions;
use crate::test_kit::corrected;
use crate::test_kit::{Home, Script, home, main, offline_home, operations};

const SHOES: &str = "Tomasz wears shoe size 44";

/// A home in which the owner asked to remember this and took it back, with notes of it, and a model that follows a script.
async fn taken_back(script: Script) -> (Home, Arc<Script>) {
    let mut home = offline_home();
    home.runtime.home.workspace.init().unwrap();
    home.record("2026-03-02T08:00:00Z", &format!("Remember that {SHOES}."));
    let asked = json!({ "text": SHOES, "quote": SHOES });
    let answer = home.call("main", "remember", &asked.to_string());
    answer.holds("MEMORY.md now says");
    home.note("In the town, Tomasz wears shoe size 44", Origin::Owner);
    home.note("Tomasz plays the viola on 2026-03-09", Origin::Owner);
    home.undo_last();
    let flushed = flush(&home.runtime, &main(), FlushReason::Dream, &mut |_| {}).await;
    flushed.unwrap();
    let script = Arc::new(script);
    home.ask(script.clone());
    (home, script)
}

fn asked_last(script: &Script) -> String {
    let requests = script.requests();
    let asked = requests.last().unwrap();
    let messages: String = asked.messages.iter().map(Message::text).collect();
    asked.system.clone() + &messages
}

#[tokio::test]
async fn taken_back_statement_is_neither_recalled_nor_in_the_prompt() {
    let (mut home, script) = taken_back(Script::new().says("I do not know.")).await;
    home.runtime.memory.private_sessions = PrivateSessions::All;
    let question = "What shoe size does Tomasz wear?";
    home.say_in("other", "2026-03-02T09:00:00Z", question).await;
    let asked = asked_last(&script);
    asked.lacks("44");
    asked.holds("Tomasz plays the viola");
}

#[tokio::test]
async fn retracted_note_is_skipped_by_dream_and_listed_in_its_log() {
    let (home, script) = taken_back(Script::new().says(&operations(&[]))).await;
    let report = home.dreamt().await;
    let asked = asked_last(&script);
    asked.holds("viola");
    asked.lacks("44");
    let (refusal, text) = &report.refused[0];
    assert_eq!(*refusal, Refusal::TakenBack);
    text.holds("Tomasz wears shoe size 44");
}

#[tokio::test]
async fn statement_remembered_again_is_known_again() {
    let (home, _) = taken_back(Script::new()).await;
    let values = || home.runtime.home.replaced();
    let place = Locator::new("memory/2026-03-02.md".to_owned(), LineRange::line(1));
    let note = ComparedPassage {
        text: "In the town, Tomasz wears shoe size 44",
        day: Some("2026-03-02".parse().unwrap()),
        place: &place,
        entries: &[],
        is_after: TIME_UNKNOWN,
    };
    assert!(values().is_untrue(&note));
    let other = ComparedPassage {
        text: "Tomasz wears a hat",
        ..note
    };
    assert!(!values().is_untrue(&other));
    let asked = json!({ "text": SHOES, "quote": SHOES });
    home.call("main", "remember", &asked.to_string());
    assert!(!values().is_untrue(&note));
}

#[test]
fn value_is_untrue_only_if_newer_line_denies_it() {
    let home = home(Arc::new(Script::new()));
    home.runtime.home.workspace.init().unwrap();
    let older = "Our dog Pixel must not eat beef";
    home.record("2026-03-02T08:00:00Z", &format!("Remember that {older}."));
    let asked = json!({ "text": older, "quote": older });
    home.call("main", "remember", &asked.to_string());
    let newer = "My sister's dog, not our dog Pixel, must not eat beef";
    home.record("2026-03-02T08:01:00Z", &format!("I was wrong: {newer}."));
    let correct = |reason: &str| {
        let asked = json!({ "line": older, "text": newer, "quote": newer, "reason": reason });
        home.call("main", "correct", &asked.to_string())
    };
    let place = Locator::new("memory/archive.md".to_owned(), LineRange::line(5));
    let is_untrue = |text: &str| {
        let passage = ComparedPassage {
            text,
            day: Some("2026-03-02".parse().unwrap()),
            place: &place,
            entries: &[],
            is_after: TIME_UNKNOWN,
        };
        home.runtime.home.replaced().is_untrue(&passage)
    };
    correct("more_detail").holds("MEMORY.md now says");
    assert!(!is_untrue(older));
    home.undo_last();
    correct("was_wrong").holds("MEMORY.md now says");
    assert!(is_untrue(older));
    assert!(is_untrue("Remember that our dog Pixel must not eat beef."));
    assert!(!is_untrue(newer));
    assert!(!is_untrue("Pixel eats"));
}

#[tokio::test]
async fn statement_said_again_in_a_message_after_the_undo_is_known_again() {
    let (home, _) = taken_back(Script::new()).await;
    let again = format!("After all, {SHOES}.");
    home.record("2026-03-02T11:00:00Z", &again);
    let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
    let options = search::SearchOptions::default();
    let found = knowledge.search("shoe size of Tomasz", &options, &mut |_| {});
    let found = found.unwrap().results;
    let is_untrue = |text: &str| {
        let mut own = found.iter();
        let own = own.find(|it| it.source == Source::Session && it.text.contains(text));
        own.map(|it| it.is_untrue)
    };
    assert_eq!(is_untrue(&again), Some(false), "{found:?}");
    assert_eq!(is_untrue("Remember that"), Some(true), "{found:?}");
}

#[tokio::test]
async fn statement_noted_again_by_the_owner_is_known_again() {
    let (home, _) = taken_back(Script::new()).await;
    let place = Locator::new("memory/2026-03-02.md".to_owned(), LineRange::line(1));
    let is_untrue = || {
        home.runtime.home.replaced().is_untrue(&ComparedPassage {
            text: "In the town, Tomasz wears shoe size 44",
            day: Some("2026-03-02".parse().unwrap()),
            place: &place,
            entries: &[],
            is_after: TIME_UNKNOWN,
        })
    };
    let note = |origin: Origin| {
        let at = OpContext {
            home: &home.runtime.home,
            window: &home.runtime.engine.settings_in_force(),
            on_event: &|_| {},
            knowledge: None,
            viewer: &Viewer::Owner,
            origin,
        };
        let note = AddNote {
            text: format!("{SHOES}."),
            ..AddNote::default()
        };
        note.run(&at).unwrap();
    };
    note(Origin::Agent);
    assert!(is_untrue());
    note(Origin::Owner);
    assert!(!is_untrue());
}

#[test]
fn undo_day_is_in_owners_time_zone() {
    let home = offline_home();
    home.runtime.home.workspace.init().unwrap();
    home.record("2026-03-02T22:00:00Z", &format!("Remember that {SHOES}."));
    let asked = json!({ "text": SHOES, "quote": SHOES });
    home.call("main", "remember", &asked.to_string());
    home.set("2026-03-03T05:00:00Z");
    home.undo_last();
    let day_in = |zone: &str| {
        let values = replaced_values(&home.runtime.home.workspace, Tz::named(zone).unwrap());
        values.unwrap()[0].day.to_string()
    };
    assert_eq!(day_in("UTC"), "2026-03-03");
    assert_eq!(day_in("Pacific/Honolulu"), "2026-03-02");
}

#[test]
fn search_marks_taken_back_never_true_and_replaced_and_lists_them_last() {
    let home = offline_home();
    home.runtime.home.workspace.init().unwrap();
    let own = &home.runtime.home;
    let line = |text: &str, older: Option<&str>, reason: ChangeReason| {
        let asked = AskedLine {
            text: text.to_owned(),
            section: None,
            replaces: older.map(|words| corrected(own, words).unwrap()),
            reason,
        };
        remember_typed(own, &asked).unwrap();
    };
    home.set("2026-03-02T08:00:00Z");
    line("Tom lives in Rome", None, ChangeReason::Changed);
    home.undo_last();
    // Notes of one minute are one list, of which each note is found by the words of all.
    home.set("2026-03-02T08:01:00Z");
    line("Ann likes airports", None, ChangeReason::Changed);
    let never = "Ann likes harbours";
    line(never, Some("likes airports"), ChangeReason::Corrected);
    home.set("2026-03-02T08:02:00Z");
    line("My locker is number 48", None, ChangeReason::Changed);
    line(
        "My locker is number 51",
        Some("locker"),
        ChangeReason::Changed,
    );
    let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
    let ends = |question: &str| {
        let answer = knowledge.search(question, &SearchOptions::default(), &mut |_| {});
        let results = answer.unwrap().results.into_iter();
        results.map(|it| it.ended()).collect::<Vec<_>>()
    };
    let day = "2026-03-02";
    assert_eq!(ends("Tom Rome"), [Some(format!("taken back on {day}"))]);
    let airports = ends("airports");
    assert!(
        airports.contains(&Some("never true".to_owned())),
        "{airports:?}"
    );
    let locker = ends("locker number");
    assert_eq!(locker[0], None, "{locker:?}");
    assert!(
        locker.contains(&Some(format!("replaced on {day}"))),
        "{locker:?}"
    );
}
