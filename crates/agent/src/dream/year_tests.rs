//! A year of dreams with a clock that is set: notes each day, nights that bring something and nights that
//! bring nothing, restarts, clock changes.
//!
//! Holds what must be true after each of them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base::disk::MemoryDisk;
use base::{Day, Origin, TokenCount};
use dreaming::{Promotion, Schedule, Settings, Trigger};
use memory::candidates::MEMORY_CHARS_MAX;
use memory::curated::{LineOwner, memory_lines};
use memory::{Note, add_note};

use super::*;
use crate::test_kit::{Home, offline_home};

const OWN: &str = "# Long-term memory\n\n- My own line about the boat.\n";

fn settings() -> Settings {
    let nightly: Schedule = "0 3 * * *".parse().unwrap();
    Settings {
        triggers: vec![
            Trigger::Schedule(Box::new(nightly)),
            Trigger::DailyLogSize(50 * 1024),
        ],
        lookback_days: 7,
        promotion: Promotion::Gated,
        daily_tokens: TokenCount(1_000),
    }
}

/// What the owner notes on a day: mostly nothing, sometimes what was noted before.
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

/// Every file but locks.
fn files(disk: &MemoryDisk) -> BTreeMap<PathBuf, Vec<u8>> {
    let all = disk.snapshot().into_iter();
    all.filter(|(path, _)| !path.components().any(|part| part.as_os_str() == "locks"))
        .collect()
}

async fn night(home: &Home) -> DreamOutcome {
    let since = home.runtime.clock.now() - chrono::TimeDelta::days(1);
    let request = DreamRequest {
        begin: Begin::IfDue { since },
        backfill: Backfill::Logs,
        effect: Effect::Real,
    };
    // A restart: nothing is remembered but what is on the disk.
    let runtime = home.runtime.beside();
    dream(&runtime, &settings(), request, &mut |_| {})
        .await
        .unwrap()
}

#[tokio::test]
async fn a_year_of_dreams() {
    let home = offline_home();
    let disk = home.files.clone();
    home.write("MEMORY.md", OWN);
    let mut day: Day = "2026-01-01".parse().unwrap();
    let mut n_idle = 0;
    for number in 0..365 {
        let timezone = home.runtime.timezone;
        if let Some(text) = noted(number) {
            let note = Note {
                text,
                evidence: Vec::new(),
                origin: Origin::Owner,
            };
            add_note(&home.runtime.workspace, &note, day.noon(timezone), timezone).unwrap();
        }
        let next = Day::from(day.date().succ_opt().unwrap());
        // The program did not run in one week of the year; what was missed is caught up.
        if (100..107).contains(&number) {
            day = next;
            continue;
        }
        home.set(&(next.noon(timezone) - chrono::TimeDelta::hours(8)).to_rfc3339());
        let before = files(&disk);
        let outcome = night(&home).await;
        if noted(number).is_none() && number != 107 {
            n_idle += 1;
            assert_eq!(outcome, DreamOutcome::NothingNew, "night {number}");
            assert_eq!(files(&disk), before, "i11: night {number}");
        }
        holds(&home.read("workspace/MEMORY.md"), number);
        day = next;
    }
    assert!(n_idle > 100);
    let memory = home.read("workspace/MEMORY.md");
    let readable = memory::daily_log::without_comments(&memory);
    assert!(readable.contains("- I prefer spaces over tabs in code now. (until 2026-07-25: I prefer tabs over spaces in code.)"), "{readable}");
    assert_eq!(
        readable.matches("Always answer in metric units.").count(),
        1
    );
    assert!(!readable.contains('?'));
    every_line_resolves(&home, &memory);
    assert!(
        home.read("workspace/memory/archive.md")
            .contains("I prefer tabs over spaces in code. <!--")
    );
}

fn holds(memory: &str, number: usize) {
    assert!(memory.starts_with(OWN), "i9: night {number}: {memory}");
    let readable = memory::daily_log::without_comments(memory);
    assert!(
        readable.chars().count() <= MEMORY_CHARS_MAX,
        "night {number}"
    );
    let mut lines: Vec<String> = memory_lines(memory)
        .into_iter()
        .map(|line| line.text)
        .collect();
    let n_lines = lines.len();
    lines.sort();
    lines.dedup();
    assert_eq!(lines.len(), n_lines, "night {number}: a line is repeated");
}

/// Invariant I10: what each line of ours cites is there, and says so.
fn every_line_resolves(home: &Home, memory: &str) {
    let mut n_ours = 0;
    for line in memory_lines(memory) {
        let LineOwner::Ours { evidence, .. } = line.owner else {
            continue;
        };
        n_ours += 1;
        assert!(!evidence.is_empty(), "{}", line.text);
        for reference in evidence {
            let log = home.read(&format!("workspace/{}", reference.path));
            let cited = log.lines().nth(reference.line - 1).unwrap_or_default();
            let text = cited.trim_start_matches("- ");
            assert_eq!(base::short_hash(text), reference.hash, "{}", line.text);
        }
    }
    assert!(n_ours > 20, "{n_ours}: {memory}");
}
