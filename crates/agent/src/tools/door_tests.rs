//! The requests that other programs may make of memory.

use base::test_kit::Words;
use dreaming::DreamSettings;
use serde::de::DeserializeOwned;

use super::super::answer::read;
use super::*;
use crate::dream::{Backfill, Begin, DreamRequest, dream};
use crate::jobs::session_flush::{FlushReason, flush};
use crate::ops::UndoForget;
use crate::runtime::PrivateSessions;
use crate::test_kit::{Home, dream_settings, offline_home};
use crate::tools::memory_get::HIDDEN;

/// The arguments of a call.
fn args<T: DeserializeOwned>(json: &str) -> T {
    read(json).unwrap()
}

fn door(home: Home) -> (Door, Home) {
    let knowledge = home.runtime.memory.knowledge.clone().unwrap();
    (Door::new(home.runtime.beside(), knowledge, None), home)
}

#[test]
fn door_note_has_agent_origin_is_redacted_and_found_at_once() {
    let (door, home) = door(offline_home());
    let text = "Jonas lives in Graz. token=ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let noted = door.remember(args(&json!({ "text": text }).to_string()));
    assert!(noted.unwrap().starts_with("Noted in memory/"));
    let question = r#"{"query": "Where does Jonas live?"}"#;
    let found = door.search(args(question)).unwrap();
    assert!(found.contains("Jonas lives in Graz."), "{found}");
    assert!(found.contains("agent"), "{found}");
    assert!(!found.contains("ghp_"), "{found}");
    let said = door.search_sessions(args(question));
    assert!(said.unwrap().starts_with("Nothing was found"));
    drop(home);
}

#[test]
fn door_forgets_by_token_what_was_shown() {
    let (door, home) = door(offline_home());
    home.write("memory/2026-03-01.md", "- The Lisbon flat costs 900\n");
    let offer = door.plan_forgetting("the Lisbon flat").unwrap().unwrap();
    let shown = &offer.plan;
    assert!(shown.contains("The Lisbon flat costs 900"), "{shown}");
    assert_eq!(
        offer.question,
        "Forget this?\n- The Lisbon flat costs 900 (memory/2026-03-01.md:1)"
    );
    assert!(door.forget("0000").is_err());
    let done = door.forget(&offer.token).unwrap();
    let id = done.split("--undo ").nth(1).unwrap();
    assert!(done.contains("`openclaw memory forget --undo "), "{done}");
    assert!(door.forget(&offer.token).is_err());
    let found = door.search(args(r#"{"query": "Lisbon flat"}"#)).unwrap();
    assert!(!found.contains("900"), "{found}");
    assert!(!home.read("workspace/memory/2026-03-01.md").contains("900"));
    let id = id.split('`').next().unwrap().to_owned();
    let undone = UndoForget { id }.run(&door.context()).unwrap();
    assert_eq!(undone.restored, ["memory/2026-03-01.md"]);
    assert!(home.read("workspace/memory/2026-03-01.md").contains("900"));
}

#[test]
fn door_rejects_unreadable_arguments() {
    let (door, _home) = door(offline_home());
    assert!(read::<MemoryQuestion>("[]").is_err());
    let reason = read::<MemoryQuestion>("{}").unwrap_err();
    reason.holds("missing field `query`");
    let reason = read::<Get>(r#"{"path": "MEMORY.md", "lines": 3}"#).unwrap_err();
    reason.holds("unknown field `lines`");
    assert!(read::<ReviewCandidate>(r#"{"id": "c7f3", "decision": "keep"}"#).is_err());
    for answer in [
        door.expand(args(r#"{"session": "../x"}"#)),
        door.fetch(args(r#"{"id": "no place"}"#)),
    ] {
        assert!(answer.is_err(), "{answer:?}");
    }
    assert_eq!(door.candidates().unwrap(), "No candidates are waiting.");
}

#[test]
fn door_hides_notes_of_other_repository() {
    let (door, home) = door(offline_home());
    home.write(
        "memory/2026-03-01.md",
        "- The ferry leaves at noon.\n\
         <!-- flush session=repo-01234567-a epoch=0 span=b..c -->\n\
         - The ferry to Lisbon is called gerbil.\n\
         <!-- /flush 5f51856c -->\n",
    );
    let note = door
        .get(args(r#"{"path": "memory/2026-03-01.md"}"#))
        .unwrap();
    assert!(note.contains("- The ferry leaves at noon."), "{note}");
    assert!(note.contains(HIDDEN), "{note}");
    let whole = door.note(&"memory/2026-03-01.md".parse().unwrap()).unwrap();
    let found = door.search(args(r#"{"query": "What is the ferry called?"}"#));
    for text in [note, whole.text, found.unwrap()] {
        assert!(!text.contains("gerbil"), "{text}");
    }
    let line = door
        .get(args(r#"{"path": "memory/2026-03-01.md:1"}"#))
        .unwrap();
    assert!(line.contains("leaves at noon"), "{line}");
    assert!(!line.contains(HIDDEN), "{line}");
    let hidden = door
        .get(args(r#"{"path": "memory/2026-03-01.md:3"}"#))
        .unwrap();
    assert!(hidden.contains(HIDDEN), "{hidden}");
    for what in ["ferry to Lisbon", "ferry", "gerbil"] {
        let (without, home) = self::door(offline_home());
        home.write("memory/2026-03-01.md", "- The ferry leaves at noon.\n");
        let plan = |door: &Door| door.plan_forgetting(what).unwrap().map(|offer| offer.plan);
        assert_eq!(plan(&door), plan(&without), "{what}");
        assert_eq!(plan(&door).is_some(), what != "gerbil", "{what}");
    }
}

#[test]
fn forget_plan_counts_only_passages_visible_to_program() {
    let (door, home) = door(offline_home());
    let ours = (1..=9).map(|pier| format!("- Pier {pier} of the ferry is open.\n"));
    let ours = ours.collect::<Vec<_>>().concat();
    home.write(
        "memory/2026-03-01.md",
        &format!(
            "{ours}<!-- flush session=repo-01234567-a epoch=0 span=b..c -->\n\
             - The ferry to Lisbon is called gerbil.\n- The ferry to Porto is called hamster.\n\
             <!-- /flush 5f51856c -->\n",
        ),
    );
    let offer = door.plan_forgetting("ferry").unwrap().unwrap();
    assert!(
        offer.plan.ends_with("\n4 more passages match."),
        "{}",
        offer.plan
    );
}

#[tokio::test]
async fn forget_plan_omits_candidates_of_other_repository() {
    let mut own = offline_home();
    own.runtime.memory.private_sessions = PrivateSessions::All;
    let (door, home) = door(own);
    let elsewhere = [
        "planes", "cars", "bikes", "boats", "buses", "trams", "taxis",
    ];
    let here = elsewhere.map(|than| ("repo-01234567-a", than));
    for (name, than) in here.into_iter().chain([("main", "trains")]) {
        let said = format!("I prefer the ferry over {than}");
        home.say_in(name, "2026-03-02T08:00:00Z", &said).await;
        let flushed = flush(
            &home.runtime,
            &name.parse().unwrap(),
            FlushReason::Dream,
            &mut |_| {},
        )
        .await;
        flushed.unwrap();
    }
    let request = DreamRequest {
        begin: Begin::Now,
        backfill: Backfill::Sessions,
    };
    let settings = DreamSettings {
        review_per_day: 8,
        ..dream_settings(0)
    };
    let done = dream(&home.runtime, &settings, request, &mut |_| {}).await;
    let _done = done.unwrap();
    let dreams = home.read("workspace/DREAMS.md");
    assert_eq!(
        dreams.matches("Finding: I prefer the ferry").count(),
        8,
        "{dreams}"
    );
    let offer = door.plan_forgetting("prefer the ferry").unwrap().unwrap();
    assert_eq!(
        offer.plan.matches("source=\"DREAMS.md").count(),
        1,
        "{}",
        offer.plan
    );
    assert!(!offer.plan.contains("more passage"), "{}", offer.plan);
    for than in elsewhere {
        assert!(!offer.plan.contains(than), "{}", offer.plan);
    }
}

#[test]
fn search_shows_name_before_colon_once() {
    let (door, home) = door(offline_home());
    home.write("memory/2026-03-01.md", "- Anna: the ferry leaves at noon\n");
    let found = door.search(args(r#"{"query": "When does the ferry leave?"}"#));
    let found = found.unwrap();
    assert_eq!(found.matches("Anna").count(), 1, "{found}");
}

#[test]
fn forget_token_differs_for_same_plan_and_serves_only_its_own_door() {
    let (door, home) = door(offline_home());
    home.write("memory/2026-03-01.md", "- The Lisbon flat costs 900\n");
    let (other, _) = self::door(offline_home());
    let token = || {
        door.plan_forgetting("the Lisbon flat")
            .unwrap()
            .unwrap()
            .token
    };
    let (first, second) = (token(), token());
    assert_ne!(first, second);
    assert!(other.forget(&first).is_err());
    assert!(door.forget(&second).is_ok());
}

#[test]
fn door_note_goes_into_log_of_its_day() {
    let (door, home) = door(offline_home());
    let remember = |day: &str| {
        door.remember(args(
            &json!({ "text": "Jonas sings", "day": day }).to_string(),
        ))
    };
    assert_eq!(
        remember("2026-01-05").unwrap(),
        "Noted in memory/2026-01-05.md:5 for 2026-01-05."
    );
    assert!(
        home.read("workspace/memory/2026-01-05.md")
            .contains("- Jonas sings ^")
    );
    let today = home.runtime.home.today();
    assert!(
        remember(&today.to_string())
            .unwrap()
            .starts_with(&format!("Noted in memory/{today}.md"))
    );
    let ahead = remember("2999-01-01").unwrap_err();
    assert!(
        ahead.starts_with("`day`: 2999-01-01 has not come yet"),
        "{ahead}"
    );
    let unreadable = remember("last week").unwrap_err();
    assert!(
        unreadable.starts_with("`day`: \"last week\" is not a day such as "),
        "{unreadable}"
    );
}
