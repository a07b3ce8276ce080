//! A year of dreams with a clock that is set: notes and talks, nights with findings and nights without, sessions that
//! fall idle, restarts, clock changes.
//!
//! States what must be true after each of them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use base::disk::MemoryDisk;
use base::{Day, Origin};
use dreaming::{Conversations, DreamSettings, Schedule, Trigger};
use memory::NoteText;
use memory::candidates::MEMORY_CHARS_MAX;
use memory::curated::{LineOwner, memory_lines};

use super::*;
use crate::test_kit::{Home, dream_settings, offline_home};

const OWN: &str = "# Long-term memory\n\n- My own line about the boat.\n";

fn settings() -> DreamSettings {
    let nightly: Schedule = "0 3 * * *".parse().unwrap();
    DreamSettings {
        triggers: vec![
            Trigger::Schedule(Box::new(nightly)),
            Trigger::SessionIdle(std::time::Duration::from_mins(30)),
            Trigger::DailyLogSize(50 * 1024),
        ],
        ..dream_settings(1_000)
    }
}

/// The owner's note on a day: usually none, sometimes one that was noted before.
fn noted(number: usize) -> Option<String> {
    const THINGS: [&str; 24] = [
        "harbour", "violin", "kitchen", "garden", "thesis", "bicycle", "budget", "library",
        "cellar", "chimney", "orchard", "pottery", "lantern", "mountain", "blanket", "compass",
        "teapot", "ladder", "curtain", "saddle", "anchor", "pillow", "hammer", "feather",
    ];
    // Ten things that look as if they were drawn by lot.
    let lot = base::content_hash(number.to_string().as_bytes());
    let things: Vec<&str> = lot
        .bytes()
        .take(10)
        .zip(0_usize..)
        .map(|(byte, place)| THINGS[(usize::from(byte) * 7 + place * 5) % 24])
        .collect();
    match number {
        20 => Some("I prefer tabs over spaces in code.".to_owned()),
        22 => Some("I live in Graz.".to_owned()),
        23 => Some("I work at Bosch.".to_owned()),
        26 => Some("My dog is Rex.".to_owned()),
        201 => Some("I moved to Szeged last month.".to_owned()),
        202 => Some("I quit my job at Bosch.".to_owned()),
        203 => Some("My dog is called Max now.".to_owned()),
        205 => Some("I prefer spaces over tabs in code now.".to_owned()),
        _ if number.is_multiple_of(5) => Some("Always answer in metric units.".to_owned()),
        _ if number.is_multiple_of(8) => Some(format!(
            "Never keep these things together in room {number}: {}.",
            things.join(", ")
        )),
        _ if number.is_multiple_of(7) => Some("What is the weather like?".to_owned()),
        _ => None,
    }
}

/// Every sixth day the owner says it to the assistant; on other days it is noted by hand.
fn is_said(number: usize) -> bool {
    number.is_multiple_of(6)
}

/// Every file except locks.
fn files(disk: &MemoryDisk) -> BTreeMap<PathBuf, Vec<u8>> {
    let all = disk.snapshot().into_iter();
    all.filter(|(path, _)| !path.components().any(|part| part.as_os_str() == "locks"))
        .collect()
}

async fn night(home: &Home) -> DreamOutcome {
    let since = home.runtime.home.clock.now() - chrono::TimeDelta::days(1);
    let request = DreamRequest {
        begin: Begin::IfDue {
            since,
            talks: super::SessionFilter::Resting,
        },
        backfill: Backfill::Logs,
    };
    // A restart: nothing is remembered but what is on the disk.
    let runtime = home.runtime.beside();
    let dreamt = dream(&runtime, &settings(), request, &mut |_| {}).await;
    dreamt.unwrap()
}

#[tokio::test]
async fn year_of_nightly_dreams_keeps_memory_consistent() {
    let home = offline_home();
    let disk = home.files.clone();
    home.write("MEMORY.md", OWN);
    let mut day: Day = "2026-01-01".parse().unwrap();
    let (mut n_idle, mut n_nothing) = (0, 0);
    for number in 0..365 {
        let timezone = home.runtime.home.timezone;
        // The program did not dream in one week of the year; what was missed is caught up.
        let is_away = (100..107).contains(&number);
        if let Some(text) = noted(number) {
            day_of(&home, (number, day), text).await;
            if is_said(number) && !is_away {
                n_idle += fell_idle(&home, (number, day)).await;
            }
        }
        let next = Day::from(day.date().succ_opt().unwrap());
        if is_away {
            day = next;
            continue;
        }
        home.set(&(next.noon(timezone) - chrono::TimeDelta::hours(8)).to_rfc3339());
        let before = files(&disk);
        let outcome = night(&home).await;
        let is_nothing = noted(number).is_none() || is_said(number);
        if is_nothing && number != 107 {
            n_nothing += 1;
            let found = matches!(outcome, DreamOutcome::NothingNew(_));
            assert!(found, "night {number}: {outcome:?}");
            assert!(files(&disk) == before, "i11: night {number}");
        }
        holds(&home.memory(), number);
        day = next;
    }
    assert!(n_nothing > 100 && n_idle > 10, "{n_nothing} {n_idle}");
    ended_well(&home);
}

/// The owner's actions on a day, at noon.
async fn day_of(home: &Home, (number, day): (usize, Day), text: String) {
    let timezone = home.runtime.home.timezone;
    let noon = day.noon(timezone).to_rfc3339();
    if is_said(number) {
        home.say(&noon, &text).await;
        return;
    }
    home.set(&noon);
    home.note(&text, Origin::Owner);
}

/// Half an hour after the last message a dream reads the session, once; returns how often something resulted.
async fn fell_idle(home: &Home, (number, day): (usize, Day)) -> usize {
    let noon = day.noon(home.runtime.home.timezone);
    home.set(&(noon + chrono::TimeDelta::minutes(29)).to_rfc3339());
    let too_early = night(home).await;
    let fires = |outcome: &DreamOutcome| {
        matches!(outcome, DreamOutcome::Dreamt { triggers, .. }
            if triggers.iter().any(|own| own == "session_idle"))
    };
    assert!(!fires(&too_early), "day {number}: {too_early:?}");
    home.set(&(noon + chrono::TimeDelta::minutes(31)).to_rfc3339());
    let first = night(home).await;
    let before = files(&home.files);
    let second = night(home).await;
    assert!(!fires(&second), "day {number}: {second:?}");
    assert!(files(&home.files) == before, "i11: day {number}");
    usize::from(fires(&first))
}

fn ended_well(home: &Home) {
    let memory = home.memory();
    let readable = memory::daily_log::without_comments(&memory);
    assert_eq!(
        readable.matches("Always answer in metric units.").count(),
        1
    );
    assert!(!readable.contains('?'));
    every_line_resolves(home, &memory);
}

fn holds(memory: &str, number: usize) {
    assert!(memory.starts_with(OWN), "i9: night {number}: {memory}");
    let readable = memory::daily_log::without_comments(memory);
    assert!(
        readable.chars().count() <= MEMORY_CHARS_MAX,
        "night {number}"
    );
    let lines = memory_lines(&NoteText::alone(memory)).into_iter();
    let mut lines: Vec<String> = lines.map(|line| line.text).collect();
    let n_lines = lines.len();
    lines.sort();
    lines.dedup();
    assert_eq!(lines.len(), n_lines, "night {number}: a line is repeated");
}

/// Invariant I10: the evidence that each line of ours cites exists and supports the line.
fn every_line_resolves(home: &Home, memory: &str) {
    let said = said(home);
    let (mut n_of_logs, mut n_of_sessions) = (0, 0);
    let workspace = &home.runtime.home.workspace;
    for line in memory_lines(&workspace.read_note("MEMORY.md", memory)) {
        let LineOwner::Ours { evidence, .. } = line.owner else {
            continue;
        };
        assert!(!evidence.is_empty(), "{}", line.text);
        for reference in evidence {
            let text = if reference.path.starts_with("sessions/") {
                n_of_sessions += 1;
                let (at, text) = &said[&reference.key];
                assert_eq!(*at, reference.line, "{}", line.text);
                text.clone()
            } else {
                n_of_logs += 1;
                let log = home.read(&format!("workspace/{}", reference.path));
                let log = memory::daily_log::without_comments(&log);
                let cited = log.lines().nth(reference.line - 1).unwrap_or_default();
                cited.trim_start_matches("- ").to_owned()
            };
            assert_eq!(base::short_hash(&text), reference.hash, "{}", line.text);
        }
    }
    let counts = format!("{n_of_logs} {n_of_sessions}: {memory}");
    assert!(n_of_logs > 10 && n_of_sessions > 5, "{counts}");
}

/// The messages of the session by entry, each with its line.
fn said(home: &Home) -> BTreeMap<String, (usize, String)> {
    let runtime = &home.runtime;
    let workspace = Arc::clone(&runtime.home.workspace);
    let conversations = SessionConversations::new(runtime.home.sessions.clone(), workspace);
    let mut said = BTreeMap::new();
    let mut sink = |own: dreaming::SpokenMessage| {
        said.insert(own.entry.to_string(), (own.line, own.text));
    };
    let read = conversations.read("sessions/main.jsonl", 0, &mut sink);
    read.unwrap();
    said
}
