//! The records of dreams read back as they were written.
//!
//! Compares whole values.

use super::super::kit::{at, candidate};
use super::super::model::{Proposal, Status};
use super::super::state::{DreamLogLine, DreamState, SizeMark};
use super::*;
use crate::candidates::Candidate;
use crate::candidates::change::{BegunChange, StateChange};
use base::Day;

fn state() -> DreamState {
    let mut state = DreamState {
        sequence: 3,
        pending: vec![
            candidate("aa11", "tea"),
            Candidate {
                proposal: Proposal::Supersede {
                    line: "bb22".into(),
                    older: "coffee".into(),
                },
                missing_since: Some(at("09:00:00")),
                is_shown: true,
                ..candidate("cc33", "\u{7dd1}\u{8336}")
            },
        ],
        history: vec![Candidate {
            status: Status::Rejected,
            decided_at: Some(at("10:00:00")),
            staged_because: None,
            proposal: Proposal::Beside {
                other: "mine".into(),
            },
            ..candidate("dd44", "x")
        }],
        dreamt_at: Some(at("11:00:00")),
        log_size: Some(SizeMark {
            day: "2026-04-20".parse().unwrap(),
            n_thresholds: 2,
        }),
        ..DreamState::default()
    };
    state.rejected.insert("81ab03ff".into());
    let day: Day = "2026-04-20".parse().unwrap();
    state
        .consumed
        .entry(day)
        .or_default()
        .insert("aabbccdd".into());
    state.postponed.insert((day, "11223344".into()));
    state.backfilled.insert("sessions/main.jsonl".into(), 77);
    state
        .fired
        .insert("schedule 0 3 * * *".into(), at("03:00:00"));
    state
        .idle
        .insert("sessions/main.jsonl".into(), "entry-9".into());
    state.log.push(DreamLogLine {
        at: at("03:00:00"),
        text: "read 1".into(),
        details: Vec::new(),
    });
    state
}

#[test]
fn the_state_reads_back() {
    let state = state();
    let bytes = to_json("r", &state).unwrap();
    assert_eq!(from_json::<DreamState>("r", &bytes).unwrap(), state);
}

#[test]
fn a_change_under_way_reads_back() {
    let begun = BegunChange {
        at: at("12:00:00"),
        expected_hash: "abc".into(),
        change_id: 4,
        change: StateChange {
            memory: Some("text\r\n".into()),
            cause: "why".into(),
            candidates: vec!["aa11".into()],
            archived: vec!["- old".into()],
            state: state(),
            undo: Some(3),
        },
    };
    let bytes = to_json("r", &begun).unwrap();
    assert_eq!(from_json::<BegunChange>("r", &bytes).unwrap(), begun);
}

#[test]
fn i16_what_cannot_be_read_is_said_and_not_guessed() {
    for (text, expected) in [
        (
            "",
            "state/r is damaged: EOF while parsing a value at line 1 column 0",
        ),
        (
            "{\"version\":9}",
            "state/r has the newer version 9; nothing was written",
        ),
        (
            "{\"version\":1,\"sequence\":1,\"dreamtAt\":\"soon\"}",
            "state/r is damaged: input contains invalid characters at line 1 column 43",
        ),
    ] {
        let error = from_json::<DreamState>("r", text.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn each_field_stands_where_the_format_says() {
    let json = r#"{"version":1,"sequence":3,"pending":[{"id":"aa11","finding":"tea","section":"Preferences",
        "beside":["ownersLine","mine"],"evidence":[{"path":"sessions/main.jsonl","key":"entry-aa11","line":7,
        "hash":"81ab03ff","quote":"well, tea","day":"2026-04-19"}],"origin":"owner","foundIn":"Session Replay",
        "day":"2026-04-19","proposedAt":"2026-04-20T08:00:00+00:00","score":66,"signals":[["importance",80,35]],
        "stagedBecause":"it was found by a backfill","status":"pending","isShown":false}],"history":[],
        "rejected":[],"consumed":{"2026-04-20":["aabbccdd"]},"backfilled":{},"fired":{},"idle":{},
        "logSize":["2026-04-20",2],"dreamtAt":null,"log":[["2026-04-20T03:00:00+00:00","read 1"],
        ["2026-04-20T04:00:00+00:00","read 2",[["notProposed","tea",null]]]]}"#;
    let state: DreamState = from_json("r", json.as_bytes()).unwrap();
    let told = Proposal::Beside {
        other: "mine".into(),
    };
    assert_eq!(state.pending.first().map(|own| &own.proposal), Some(&told));
    let written = String::from_utf8(to_json("r", &state).unwrap()).unwrap();
    let lines = json.lines().map(str::trim_start).collect::<String>();
    let expected = lines.replace("+00:00", "Z");
    let written: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!(written.to_string(), {
        let expected: serde_json::Value = serde_json::from_str(&expected).unwrap();
        expected.to_string()
    });
}

#[test]
fn what_earlier_versions_wrote_of_two_sides_is_still_read() {
    let text = include_str!("../../../../tests/fixtures/v1/candidates_two_sides.json");
    let state: DreamState = from_json("r", text.as_bytes()).unwrap();
    let read = |own: &Candidate| (own.finding.clone(), own.proposal.clone(), own.status);
    let beside = |other: &str| Proposal::Beside {
        other: other.to_owned(),
    };
    assert_eq!(
        state.pending.iter().map(read).collect::<Vec<_>>(),
        [
            ("tea".to_owned(), beside("no tea"), Status::Pending),
            ("milk".to_owned(), beside("no milk"), Status::Pending),
        ]
    );
    assert_eq!(
        state.history.iter().map(read).collect::<Vec<_>>(),
        [("no rice".to_owned(), beside("rice"), Status::Rejected)]
    );
}
