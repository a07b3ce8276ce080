//! Text that a dream must not lose, and text that it must not count as the owner's: cut replies, facts that are stated
//! again after they were forgotten, and pasted paragraphs.
//!
//! The messages are sent, flushed and read by a dream, as in one night.

use std::sync::Arc;

use base::{Message, Origin};
use memory::OwnerLines;
use memory::candidates::{Candidate, CandidateId, DreamPlan, FoundIn, Proposal, Status};
use serde_json::{Value, json};
use session::StoredMessage;

use crate::test_kit::{self, Home, OWNER, Script, offline_home, operations};

fn adds(text: &str, (label, quote): (&str, &str)) -> Value {
    test_kit::adds("About the Owner", text, &[label], quote)
}

const TEA: &str = "I always prefer green tea.";
const SISTER: &str = "My sister Anna works in Linz.";

#[tokio::test]
async fn notes_behind_reply_cut_twice_are_read_by_next_dream() {
    for first in [TEA, SISTER] {
        let mut home = offline_home();
        let label = if first == TEA { "e1" } else { "e2" };
        let second = if first == TEA { SISTER } else { TEA };
        let start = format!("[{},{{\"op\":", adds(first, (label, first)));
        let script = Script::new()
            .breaks_off(&start)
            .breaks_off("[{\"op")
            .says(&operations(&[adds(second, ("e1", second))]));
        home.ask(Arc::new(script));
        home.note(TEA, Origin::Owner);
        home.note(SISTER, Origin::Owner);
        let report = home.dreamt().await;
        assert_eq!(report.promoted.len(), 1, "{report:?}");
        assert_eq!(report.not_proposed, Vec::<String>::new());
        let told: Vec<(&str, &str)> = report
            .refused
            .iter()
            .map(|(why, text)| (why.as_str(), text.as_str()))
            .collect();
        assert_eq!(told, [("cutOff", second)]);
        let report = home.dreamt().await;
        assert_eq!((report.n_read, report.promoted.len()), (1, 1), "{report:?}");
    }
}

#[tokio::test]
async fn cut_reply_without_citations_leaves_notes_to_next_engine() {
    let mut home = offline_home();
    let start = format!("[{},{{\"op\":", adds(TEA, ("e9", TEA)));
    let script = Script::new().breaks_off(&start).breaks_off("[{\"op");
    home.ask(Arc::new(script));
    home.note(TEA, Origin::Owner);
    let report = home.dreamt().await;
    assert_eq!(report.n_lines(), 1, "{report:?}");
}

#[tokio::test]
async fn more_useful_candidate_displaces_least_useful_one() {
    let home = offline_home();
    let desk = || home.desk();
    let sister =
        "My sister Anna runs a bakery in Linz now and opens it at five, except on Mondays.";
    home.note(sister, Origin::Owner);
    let first = home.dreamt().await.staged[0].clone();
    let others = (1..20).map(|number: u32| Candidate {
        id: CandidateId::new(format!("{number:04}")),
        finding: format!("The shelf number {number} is full"),
        day: format!("2026-01-{number:02}").parse().unwrap(),
        score: if number == 7 { 1 } else { 100 },
        signals: Vec::new(),
        ..first.clone()
    });
    let plan = DreamPlan {
        staged: others.collect(),
        ..DreamPlan::default()
    };
    desk().dream(&plan).unwrap();
    let brother =
        "My brother Karl is a nurse in Graz now and lives by the river with his two daughters.";
    home.note(brother, Origin::Owner);
    let report = home.dreamt().await;
    let told: Vec<(&str, &str)> = report
        .refused
        .iter()
        .map(|(why, text)| (why.as_str(), text.as_str()))
        .collect();
    assert_eq!(told, [("notOffered", "The shelf number 7 is full")]);
    let pending = desk().state().pending.clone();
    assert_eq!(pending.len(), 20);
    assert!(
        pending.iter().any(|own| own.finding == brother),
        "{pending:?}"
    );
}

const RENT: &str = "My rent is 1000 euros since October";

/// The proposal of a model before the owner reworded it.
const PROPOSED: &str = "My rent is 990 euros";

/// A home in which a candidate waits, in the owner's own wording if another one was proposed.
fn waiting(proposed_as: Option<&str>) -> Home {
    let home = offline_home();
    home.runtime.home.workspace.init().unwrap();
    let day = home.runtime.home.today();
    let own = Candidate {
        id: CandidateId::new("c7f3"),
        finding: RENT.to_owned(),
        proposed_as: proposed_as.map(str::to_owned),
        section: "Facts".to_owned(),
        proposal: Proposal::Add,
        evidence: Vec::new(),
        origin: Origin::Owner,
        found_in: FoundIn::DailyLog,
        day,
        proposed_at: home.runtime.home.clock.now(),
        score: 60,
        signals: Vec::new(),
        staged_because: Some("it may be".to_owned()),
        status: Status::Pending,
        decided_at: None,
        missing_since: None,
        is_shown: true,
    };
    let plan = DreamPlan {
        staged: vec![own],
        ..DreamPlan::default()
    };
    let mut desk = home.desk();
    desk.dream(&plan).unwrap();
    drop(desk);
    home
}

/// The candidates that wait after a dream in which a model replaces a waiting candidate with this note.
async fn waiting_after(home: &mut Home, (text, origin): (&str, Origin)) -> Vec<String> {
    let mut update = adds(text, ("e1", text));
    update["op"] = json!("update");
    update["line"] = json!("w1");
    update["importance"] = json!(if origin == Origin::Owner { 2 } else { 8 });
    home.ask(Arc::new(Script::new().says(&operations(&[update]))));
    home.note(text, origin);
    home.dreamt().await;
    let desk = home.desk();
    let pending = desk.state().pending.iter();
    pending.map(|own| own.finding.clone()).collect()
}

#[tokio::test]
async fn waiting_candidate_is_replaced_only_by_owners_words() {
    let page = ("The rent is 5 euros here", Origin::Untrusted);
    let both = [RENT, page.0];
    assert_eq!(
        waiting_after(&mut waiting(Some(PROPOSED)), page).await,
        both
    );
    assert_eq!(waiting_after(&mut waiting(None), page).await, both);
    let said = ("My rent is 1100 euros since November", Origin::Owner);
    assert_eq!(
        waiting_after(&mut waiting(Some(PROPOSED)), said).await,
        [RENT, said.0]
    );
    assert_eq!(waiting_after(&mut waiting(None), said).await, [said.0]);
}

#[tokio::test]
async fn update_without_room_keeps_waiting_candidate_it_names() {
    let mut home = waiting(None);
    let first = home.desk();
    let own = first.state().pending[0].clone();
    drop(first);
    let others = (1..6).map(|number: u32| Candidate {
        id: CandidateId::new(format!("{number:04}")),
        finding: format!("The shelf number {number} is full"),
        score: 100,
        ..own.clone()
    });
    let plan = DreamPlan {
        withdrawn: [own.id.clone()].into(),
        staged: others.collect(),
        ..DreamPlan::default()
    };
    let mut desk = home.desk();
    desk.dream(&plan).unwrap();
    let earlier = Candidate {
        day: own.day.previous(),
        ..own
    };
    let plan = DreamPlan {
        staged: vec![earlier],
        ..DreamPlan::default()
    };
    desk.dream(&plan).unwrap();
    drop(desk);
    let mut update = adds("My rent is 1100 euros", ("e1", "My rent is 1100 euros"));
    update["op"] = json!("update");
    update["line"] = json!("w6");
    update["importance"] = json!(1);
    home.ask(Arc::new(Script::new().says(&operations(&[update]))));
    home.note("My rent is 1100 euros", Origin::Owner);
    let report = home.dreamt().await;
    let told = report.refused.iter();
    let told: Vec<&str> = told.map(|(why, _)| why.as_str()).collect();
    assert_eq!(told, ["notOffered"]);
    let desk = home.desk();
    assert!(desk.state().pending.iter().any(|own| own.finding == RENT));
}

#[tokio::test]
async fn note_citing_assistant_and_owner_has_owner_origin() {
    let pork = "I never eat pork";
    for (other, is_owners) in [
        (Message::assistant("Noted, no pork."), true),
        (Message::user("The page says so too."), false),
    ] {
        let mut home = offline_home();
        let script = Script::new().says("{\"notes\":[]}");
        home.ask(Arc::new(
            script.says(&operations(&[adds(pork, ("e1", pork))])),
        ));
        let at = home.runtime.home.clock.now();
        let origin = if is_owners {
            Origin::Agent
        } else {
            Origin::Untrusted
        };
        let mut turn = home.turn();
        let said = StoredMessage::new(Message::user(pork), Origin::Owner);
        let other = StoredMessage::new(other, origin);
        let said = turn.append_message(at, said).unwrap();
        let other = turn.append_message(at, other).unwrap();
        drop(turn);
        home.note_citing("The owner eats no pork", Origin::Agent, vec![said, other]);
        let report = home.dreamt().await;
        assert_eq!(report.promoted.len(), usize::from(is_owners), "{report:?}");
        assert_eq!(report.staged.len(), usize::from(!is_owners), "{report:?}");
    }
}

#[tokio::test]
async fn five_findings_per_day_are_staged_and_rest_is_logged_as_not_offered() {
    let home = offline_home();
    for animal in [
        "ants", "bees", "cows", "dogs", "eels", "fish", "goats", "hens", "ibex", "jays", "koi",
        "lambs", "mules", "newts", "owls", "pigs", "quails",
    ] {
        let said = format!("My uncle in Graz keeps {animal}.");
        home.say("2026-03-02T08:00:00Z", &said).await;
    }
    let report = home.dreamt().await;
    assert_eq!(
        (report.promoted.len(), report.staged.len()),
        (0, 5),
        "{report:?}"
    );
    let of = |wanted: &str| {
        let refused = report.refused.iter();
        refused.filter(|(why, _)| why.as_str() == wanted).count()
    };
    assert_eq!(of("notOffered"), report.refused.len());
    assert_eq!(report.refused.len() + 5, report.n_proposed);
}

/// The owner forgets the text that contains these words.
fn forget(home: &Home, words: &str) {
    let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
    let plan = knowledge
        .plan_question(words, 9, OWNER, &mut |_| {})
        .unwrap();
    knowledge.forget(&plan, OwnerLines::Remove).unwrap();
}

const WISH: &str = "Remember that I prefer window seats on trains.";

#[tokio::test]
async fn wish_stated_again_after_forgetting_is_promoted() {
    for again in ["2026-03-02T18:00:00Z", "2026-03-05T18:00:00Z"] {
        let home = offline_home();
        home.record("2026-03-02T08:00:00Z", WISH);
        assert_eq!(home.dreamt().await.promoted.len(), 1);
        assert!(home.memory().contains("window seats"));
        home.set("2026-03-02T12:00:00Z");
        forget(&home, "window seats on trains");
        assert!(!home.memory().contains("window seats"));
        home.record(again, WISH);
        let report = home.dreamt().await;
        assert_eq!(report.promoted.len(), 1, "{again}: {report:?}");
        assert!(home.memory().contains("window seats"));
    }
}

#[tokio::test]
async fn forgotten_paraphrase_is_promoted_when_owner_repeats_it() {
    let text = "The owner prefers window seats on trains";
    let quote = "I prefer window seats on trains";
    for again in [
        Some("2026-03-02T18:00:00Z"),
        Some("2026-03-05T18:00:00Z"),
        None,
    ] {
        let mut home = offline_home();
        let script = Script::new()
            .says(&json!({"notes": [adds(text, ("e1", quote))]}).to_string())
            .says(&operations(&[adds(text, ("e1", quote))]))
            .says(&json!({"notes": [adds("A seat by the window on trains suits the owner", ("e1", quote))]}).to_string())
            .says(&operations(&[adds(text, ("e1", quote))]));
        home.record("2026-03-02T08:00:00Z", WISH);
        let offline = home.runtime.engine.models.clone();
        home.ask(Arc::new(script));
        assert_eq!(home.dreamt().await.promoted.len(), 1);
        let models = std::mem::replace(&mut home.runtime.engine.models, offline);
        home.set("2026-03-02T12:00:00Z");
        forget(&home, "window seats on trains");
        let Some(again) = again else {
            // What was said before stays forgotten, whoever notes it now.
            home.runtime.engine.models = models;
            home.note("the train leaves at noon", Origin::Owner);
            home.dreamt().await;
            assert!(!home.memory().contains("window seats"));
            continue;
        };
        home.record(again, WISH);
        home.runtime.engine.models = models;
        let report = home.dreamt().await;
        assert_eq!(report.promoted.len(), 1, "{again}: {report:?}");
        let files = home.runtime.home.workspace.prompt_files().unwrap();
        assert!(
            files.iter().any(|file| file.text.contains(text)),
            "{files:?}"
        );
    }
}

#[tokio::test]
async fn quote_is_staged_only_if_its_paragraph_is_long() {
    let quote = "I moved to Bergen last month";
    let sentences = "The flat is small but bright, and my new number is on the card. ";
    let paragraph = format!("{quote} and it rains all day. {}", sentences.repeat(10));
    let paragraphs = format!("{quote}.\n\n{}", format!("{sentences}\n\n").repeat(10));
    for (said, counts) in [
        (paragraph.as_str(), (0, 1)),
        (paragraphs.as_str(), (1, 0)),
        (
            "I moved to Bergen last month, at last. Anna too. So did Tom. And Eva.",
            (1, 0),
        ),
    ] {
        let mut home = offline_home();
        home.say("2026-03-02T08:00:00Z", said).await;
        let script = Script::new()
            .says(&json!({"notes": [adds(quote, ("e1", quote))]}).to_string())
            .says(&operations(&[adds(quote, ("e1", quote))]));
        home.ask(Arc::new(script));
        let report = home.dreamt().await;
        assert_eq!(
            (report.promoted.len(), report.staged.len()),
            counts,
            "{report:?}"
        );
    }
}
