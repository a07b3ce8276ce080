//! The list of the days ahead.

use std::sync::Arc;

use base::test_kit::Words;
use serde_json::json;

use super::*;
use crate::jobs::session_flush::{FlushReason, flush};
use crate::test_kit::{Home, Script, home, main, offline_home};

const MEMORY: &str = "# Long-term memory\n\n## Facts\n\n- Ann's birthday is on 2026-03-09\n";

/// The owner has an appointment remembered on 2 March.
fn remember(home: &Home, text: &str) {
    home.record("2026-03-02T08:00:00Z", &format!("Remember: {text}."));
    let asked = json!({ "text": text, "quote": text });
    home.call("main", "remember", &asked.to_string())
        .begins("MEMORY.md now says");
}

/// The owner has a remembered appointment changed on 3 March.
fn move_to(home: &Home, first: &str, then: &str) {
    home.record("2026-03-03T08:00:00Z", &format!("It was moved: {then}."));
    let asked = json!({ "line": first, "text": then, "quote": then, "reason": "changed" });
    home.call("main", "correct", &asked.to_string())
        .begins("MEMORY.md now says");
}

fn shown(home: &HomeAccess, n_days: u32) -> Vec<String> {
    let items = agenda(home, n_days).unwrap();
    let items = items.iter();
    items
        .map(|own| format!("{} {} ({})", own.day, own.text, own.place))
        .collect()
}

#[tokio::test]
async fn agenda_lists_owners_messages_until_a_note_covers_them() {
    let home = offline_home();
    let said = "My dentist appointment is on 6 March at 10. Is the fair on 2026-03-07?";
    home.say("2026-03-02T08:00:00Z", said).await;
    let own = home.runtime.home.clone();
    let of_message =
        "2026-03-06 My dentist appointment is on 6 March at 10. (sessions/main.jsonl:2)";
    assert_eq!(shown(&own, 30), [of_message]);
    let flushed = flush(&home.runtime, &main(), FlushReason::Dream, &mut |_| {}).await;
    assert!(flushed.unwrap().is_some());
    let of_note = shown(&own, 30);
    assert_eq!(of_note.len(), 1, "{of_note:?}");
    of_note[0].begins("2026-03-06 My dentist appointment");
    of_note[0].holds("(memory/2026-03-02.md:");
    home.say("2026-03-03T08:00:00Z", "The piano is tuned tomorrow.")
        .await;
    let both = shown(&own, 30);
    assert_eq!(both.len(), 2, "{both:?}");
    both[0].begins("2026-03-04 The piano is tuned tomorrow. (sessions/main.jsonl:");
}

#[tokio::test]
async fn request_for_a_reminder_is_no_plan_whether_it_was_made_or_asked_back() {
    let home = offline_home();
    home.runtime.home.workspace.init().unwrap();
    for said in [
        "Remind me tomorrow at 5 to call Ann",
        "Remind me on 6 March at 9 to call Bob",
        "I have to call the dentist tomorrow at 5. Please remind me.",
    ] {
        home.say("2026-03-02T08:00:00Z", said).await;
    }
    let own = home.runtime.home.clone();
    assert_eq!(shown(&own, 30), Vec::<String>::new());
    let said = "Remind me tomorrow at 5 to call Ann and remember that the fair is on 2026-03-07";
    home.say("2026-03-02T08:00:00Z", said).await;
    let planned = shown(&own, 30);
    assert_eq!(planned.len(), 1, "{planned:?}");
    assert!(planned[0].contains("fair is on"), "{planned:?}");
}

#[test]
fn agenda_lists_dated_notes_and_memory_lines_within_days() {
    let home = home(Arc::new(Script::new()));
    home.set("2026-03-02T08:00:00Z");
    home.write("MEMORY.md", MEMORY);
    home.write(
        "memory/2026-03-01.md",
        "# 2026-03-01\n\n- Dentist tomorrow at 9\n- The fair was on 2026-02-27\n- Flight on 2026-03-20\n",
    );
    home.write(
        "memory/2026-03-02.md",
        "# 2026-03-02\n\n- Flight on 2026-03-20\n- Tea today\n- The tuner comes on 8 March\n",
    );
    let ahead = |n_days| shown(&home.runtime.home, n_days);
    assert_eq!(
        ahead(30),
        [
            "2026-03-02 Dentist tomorrow at 9 (memory/2026-03-01.md:3)",
            "2026-03-08 The tuner comes on 8 March (memory/2026-03-02.md:5)",
            "2026-03-09 Ann's birthday is on 2026-03-09 (MEMORY.md:5)",
            "2026-03-20 Flight on 2026-03-20 (memory/2026-03-02.md:3)",
        ]
    );
    assert_eq!(
        ahead(1),
        ["2026-03-02 Dentist tomorrow at 9 (memory/2026-03-01.md:3)"]
    );
    assert_eq!(ahead(0), Vec::<String>::new());
}

#[test]
fn agenda_leaves_out_notes_of_an_appointment_that_was_moved() {
    let home = home(Arc::new(Script::new()));
    home.runtime.home.workspace.init().unwrap();
    let (first, then) = (
        "The ear doctor is on 2026-03-10 at 14:30",
        "The ear doctor is on 2026-03-14 at 8:15",
    );
    remember(&home, first);
    home.write(
        "memory/2026-03-02.md",
        "- On 2026-03-10 at half past two I see the ear doctor\n- On 2026-03-10 the piano is tuned\n",
    );
    move_to(&home, first, then);
    let ahead = agenda(&home.runtime.home, 30).unwrap();
    let texts: Vec<&str> = ahead.iter().map(|own| own.text.as_str()).collect();
    assert_eq!(texts, ["On 2026-03-10 the piano is tuned", then]);
}

#[test]
fn agenda_keeps_other_appointments_of_day_when_one_moves() {
    let home = home(Arc::new(Script::new()));
    home.runtime.home.workspace.init().unwrap();
    let (first, then) = (
        "My appointment with the dentist is on 2026-03-10 at 9:00",
        "My appointment with the dentist is on 2026-03-15 at 9:00",
    );
    let others = [
        "My appointment with the eye doctor is on 2026-03-10 after lunch",
        "My appointment with the notary is on 2026-03-11 at 10:00",
    ];
    remember(&home, first);
    let entry = home.entries(&main()).pop().unwrap();
    home.note(first, Origin::Owner);
    home.note(others[0], Origin::Owner);
    // A note of the same message is about something else as well.
    home.note_citing(others[1], Origin::Agent, vec![entry]);
    move_to(&home, first, then);
    let ahead = agenda(&home.runtime.home, 30).unwrap();
    let texts: Vec<&str> = ahead.iter().map(|own| own.text.as_str()).collect();
    assert_eq!(texts, [others[0], others[1], then]);
}

#[test]
fn agenda_lists_appointment_from_notes_and_memory_once() {
    let home = home(Arc::new(Script::new()));
    home.runtime.home.workspace.init().unwrap();
    home.set("2026-03-02T08:00:00Z");
    let text = "Lieke arrives in Gotha on 2026-03-18 at 20:07";
    home.record(
        "2026-03-02T08:00:00Z",
        &format!("Remember: {text}. And on 2026-03-18 at 9:00 Lieke has her exam."),
    );
    let asked = json!({ "text": text, "quote": text });
    let answer = home.call("main", "remember", &asked.to_string());
    assert!(answer.starts_with("MEMORY.md now says"), "{answer}");
    let entry = home.entries(&main()).pop().unwrap();
    for note in [
        "On 2026-03-18 at 20:07 Lieke comes to Gotha by train",
        "On 2026-03-18 at 9:00 Lieke has her exam",
    ] {
        home.note_citing(note, Origin::Agent, vec![entry.clone()]);
    }
    home.note_citing(
        "On 2026-03-18 a parcel comes",
        Origin::Untrusted,
        Vec::new(),
    );
    let items = agenda(&home.runtime.home, 30).unwrap();
    let texts: Vec<&str> = items.iter().map(|own| own.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            text,
            "On 2026-03-18 at 9:00 Lieke has her exam",
            "On 2026-03-18 a parcel comes",
        ]
    );
    assert_eq!(items[2].origin, Origin::Untrusted);
}

#[tokio::test]
async fn agenda_reads_days_without_a_date_from_the_day_of_the_message() {
    let home = offline_home();
    // A Monday.
    home.say("2026-03-02T08:00:00Z", "On Friday I meet Paula for lunch.")
        .await;
    home.say("2026-03-02T08:01:00Z", "We moved in on Sunday.")
        .await;
    home.set("2026-03-03T08:00:00Z");
    home.write(
        "memory/2026-03-02.md",
        "- Vet on the 18th at 16:00\n- Die Steuer ist am 15.3. f\u{e4}llig.\n- In two weeks we get the new fridge.\n\
         - Guests next week\n",
    );
    let day = |own: &AgendaItem| {
        let until = own.until.map(|day| format!(" until {day}"));
        format!("{}{} {}", own.day, until.unwrap_or_default(), own.place)
    };
    let days = agenda(&home.runtime.home, 30).unwrap();
    let days: Vec<String> = days.iter().map(day).collect();
    assert_eq!(
        days,
        [
            "2026-03-06 sessions/main.jsonl:2",
            "2026-03-09 until 2026-03-15 memory/2026-03-02.md:4",
            "2026-03-15 memory/2026-03-02.md:2",
            "2026-03-16 memory/2026-03-02.md:3",
            "2026-03-18 memory/2026-03-02.md:1",
        ]
    );
}
