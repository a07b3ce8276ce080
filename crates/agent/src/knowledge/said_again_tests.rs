//! An older value that the owner says again replaces the line that had replaced it, through every door.

use std::sync::Arc;

use base::Origin;
use dreaming::ChangeReason;
use search::SearchOptions;
use serde_json::json;

use super::*;
use crate::asked::{AskedLine, remember_typed};
use crate::knowledge::scope::Viewer;
use crate::ops::{AddNote, OpContext, Operation, Remember};
use crate::test_kit::corrected;
use crate::test_kit::{Home, Script, home, offline_home, operations};

const GRAZ: &str = "I live in Graz";
const LINZ: &str = "I live in Linz";

fn typed(home: &Home, text: &str, older: Option<&str>) {
    let own = &home.runtime.home;
    let asked = AskedLine {
        text: text.to_owned(),
        section: None,
        replaces: older.map(|words| corrected(own, words).unwrap()),
        reason: ChangeReason::Changed,
    };
    remember_typed(own, &asked).unwrap();
}

/// Graz in January, Linz since March; now it is June.
fn moved(home: Home) -> Home {
    home.runtime.home.workspace.init().unwrap();
    home.set("2026-01-05T10:00:00Z");
    typed(&home, GRAZ, None);
    home.set("2026-03-05T10:00:00Z");
    typed(&home, LINZ, Some(GRAZ));
    home.set("2026-06-05T10:00:00Z");
    home
}

fn run<O: Operation>(home: &Home, request: O) -> O::Reply {
    let at = OpContext {
        home: &home.runtime.home,
        window: &home.runtime.engine.settings_in_force(),
        on_event: &|_| {},
        knowledge: None,
        viewer: &Viewer::Owner,
        origin: Origin::Owner,
    };
    request.run(&at).unwrap()
}

fn is_replaced(home: &Home, day: &str, text: &str) -> bool {
    let place = Locator::new(format!("memory/{day}.md"), LineRange::line(3));
    let passage = ComparedPassage {
        text,
        day: Some(day.parse().unwrap()),
        place: &place,
        entries: &[],
        is_after: TIME_UNKNOWN,
    };
    home.runtime.home.replaced().replaced_on(&passage).is_some()
}

/// Checks that Graz is in force, and Linz is not.
fn lives_in_graz_again(home: &Home, door: &str) {
    let memory = home.memory();
    let lines: Vec<&str> = memory.lines().filter(|it| it.contains("live in")).collect();
    assert_eq!(lines.len(), 1, "{door}: {memory}");
    assert!(
        lines[0].contains("I live in Graz (until 2026-06-0"),
        "{door}: {memory}"
    );
    assert!(!is_replaced(home, "2026-01-05", GRAZ), "{door}");
    assert!(is_replaced(home, "2026-03-05", LINZ), "{door}");
}

#[test]
fn older_value_requested_again_replaces_newer_line() {
    let home = moved(offline_home());
    let again = Remember {
        text: format!("{GRAZ}."),
        ..Remember::default()
    };
    let reply = run(&home, again);
    assert!(reply.replaces.unwrap().starts_with(LINZ));
    lives_in_graz_again(&home, "command");
    home.undo_last();
    assert!(is_replaced(&home, "2026-01-05", GRAZ));
    assert!(!is_replaced(&home, "2026-03-05", LINZ));

    home.record(
        "2026-06-06T10:00:00Z",
        "Remember that I live in Graz, please.",
    );
    let asked = json!({ "text": GRAZ, "quote": GRAZ });
    let answer = home.call("main", "remember", &asked.to_string());
    assert!(answer.contains("instead of \"I live in Linz"), "{answer}");
    lives_in_graz_again(&home, "tool");
}

#[tokio::test]
async fn older_value_noted_again_waits_as_change_that_accepting_applies() {
    let home = moved(offline_home());
    let note = AddNote {
        text: format!("{GRAZ}."),
        ..AddNote::default()
    };
    run(&home, note);
    let report = home.dreamt().await;
    let waiting: Vec<_> = report.staged.iter().map(|own| own.id.clone()).collect();
    assert_eq!(waiting.len(), 1, "{report:?}");
    let mut desk = home.desk();
    desk.accept(&waiting).unwrap();
    drop(desk);
    lives_in_graz_again(&home, "candidate");
}

#[tokio::test]
async fn older_value_added_again_by_model_replaces_newer_line() {
    let script = Arc::new(Script::new());
    let mut home = moved(home(script));
    home.note(&format!("{GRAZ} again"), Origin::Owner);
    let add = crate::test_kit::adds("Facts", GRAZ, &["e1"], GRAZ);
    home.ask(Arc::new(Script::new().says(&operations(&[add]))));
    let report = home.dreamt().await;
    assert_eq!(report.promoted.len(), 1, "{report:?}");
    lives_in_graz_again(&home, "dream");
}

#[test]
fn older_value_said_again_in_other_words_is_no_longer_marked() {
    let home = moved(offline_home());
    assert!(is_replaced(&home, "2026-01-05", GRAZ));
    typed(&home, "I moved back to Graz", Some(LINZ));
    assert!(!is_replaced(&home, "2026-01-05", GRAZ));
    assert!(is_replaced(&home, "2026-03-05", LINZ));
}

#[test]
fn paraphrase_of_earlier_value_names_replacing_line() {
    let home = moved(offline_home());
    let reply = run(
        &home,
        Remember {
            text: "I moved back to Graz".to_owned(),
            ..Remember::default()
        },
    );
    assert!(reply.earlier.unwrap().starts_with(LINZ));
    home.undo_last();
    let quote = "I moved back to Graz";
    home.record("2026-06-06T10:00:00Z", &format!("Remember that {quote}."));
    let asked = json!({ "text": quote, "quote": quote });
    let answer = home.call("main", "remember", &asked.to_string());
    assert!(answer.contains("It also says \"I live in Linz"), "{answer}");
    let other = Remember {
        text: "Tom moved to Vienna".to_owned(),
        ..Remember::default()
    };
    assert_eq!(run(&home, other).earlier, None);
}

#[test]
fn older_value_noted_again_is_not_marked_in_search() {
    let home = moved(offline_home());
    let found = || {
        let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
        let found = knowledge.search("live in Graz", &SearchOptions::default(), &mut |_| {});
        let found = found.unwrap().results.into_iter();
        let mut found = found.filter(|it| it.text.contains(GRAZ) && it.day.is_some());
        found.next().unwrap().replaced_on
    };
    assert!(found().is_some());
    let note = AddNote {
        text: GRAZ.to_owned(),
        ..AddNote::default()
    };
    run(&home, note);
    assert_eq!(found(), None);
}
