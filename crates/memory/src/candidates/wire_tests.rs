//! The records of dreams read back as they were written.
//!
//! Compares whole values.

use base::Origin;

use super::super::kit::{at, line_ids, new_line};
use super::super::model::{Proposal, Status};
use super::super::state::DreamState;
use super::*;
use crate::NoteText;
use crate::candidates::Candidate;
use crate::candidates::change::{BegunChange, StateChange};
use crate::curated::{Edit, edited};
use crate::ledger::{Ledger, earlier_line};
use crate::workspace::MEMORY_FILE;

/// A state with a value in each field, in the documented format.
const STATE: &str = r#"{"version":1,"sequence":3,"pending":[{"id":"aa11","finding":"tea","section":"Preferences",
    "beside":["ownersLine","mine"],"evidence":[{"path":"sessions/main.jsonl","key":"entry-aa11","line":7,
    "hash":"81ab03ff","quote":"well, tea","day":"2026-04-19"}],"origin":"owner","foundIn":"Session Replay",
    "day":"2026-04-19","proposedAt":"2026-04-20T10:00:00+02:00","score":66,"signals":[["importance",80,35]],
    "stagedBecause":"it was found by a backfill","status":"pending","isShown":false},
    {"id":"cc33","finding":"緑茶","section":"Preferences","supersedes":["bb22","coffee"],"evidence":[],
    "origin":"agent","foundIn":"Daily Log","day":"2026-04-19","proposedAt":"2026-04-20T08:00:00Z","score":50,
    "signals":[],"status":"pending","missingSince":"2026-04-20T09:00:00Z","isShown":true}],
    "history":[{"id":"dd44","finding":"x","section":"Facts","retires":["ee55","y"],"evidence":[],
    "origin":"owner","foundIn":"Daily Log","day":"2026-04-19","proposedAt":"2026-04-20T08:00:00Z","score":66,
    "signals":[],"status":"rejected","decidedAt":"2026-04-20T10:00:00Z","isShown":false}],
    "rejected":["81ab03ff"],"consumed":{"2026-04-20":["aabbccdd"]},
    "backfilled":{"sessions/main.jsonl":77},"fired":{"schedule 0 3 * * *":"2026-04-20T03:00:00Z"},
    "idle":{"sessions/main.jsonl":"entry-9"},"logSize":["2026-04-20",2],"dreamtAt":"2026-04-20T11:00:00Z",
    "log":[["2026-04-20T03:00:00Z","read 1"],
    ["2026-04-20T04:00:00Z","read 2",[["notProposed","tea",null]]]]}"#;

fn state() -> DreamState {
    from_json("r", STATE.as_bytes()).unwrap()
}

#[test]
fn dream_state_is_written_in_documented_form_and_reads_back() {
    let state = state();
    insta::assert_debug_snapshot!(state);
    let bytes = to_json("r", &state).unwrap();
    let written: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    // Times are read with any offset, and written in UTC.
    let expected = STATE.replace("T10:00:00+02:00", "T08:00:00Z");
    let expected: serde_json::Value = serde_json::from_str(&expected).unwrap();
    assert_eq!(written.to_string(), expected.to_string());
    assert_eq!(from_json::<DreamState>("r", &bytes).unwrap(), state);
}

#[test]
fn begun_change_reads_back_with_records_of_its_lines() {
    let memory = edited(
        &NoteText::alone("# M\r\n").into_owned(),
        &[Edit::Add {
            section: "Facts".into(),
            line: new_line("aa11", "I live in Graz"),
        }],
    );
    let change = StateChange {
        memory: Some(memory.clone()),
        cause: "why".into(),
        candidates: vec!["aa11".into()],
        archived: vec![new_line("bb22", "I live in Szeged").line("")],
        state: state(),
        undo: Some(3),
    };
    let ledger = Ledger::default();
    let begun = BegunChange::of(change, &ledger, (at("12:00:00"), "abc".into(), 4));
    let bytes = to_json("r", &begun).unwrap();
    let read: BegunChange = from_json("r", &bytes).unwrap();
    assert_eq!(read, begun);
    let text = read.memory(&ledger).unwrap();
    assert_eq!(text.readable(), memory.readable());
    assert_eq!(line_ids(&text), ["aa11"]);
    let archived = read.archived(&ledger);
    assert_eq!(archived[0].text(), "- I live in Szeged");
    assert_eq!(archived[0].id(), Some("bb22"));
}

#[test]
fn change_that_an_earlier_version_began_is_read_with_its_comments() {
    let line = |id, text| earlier_line(id, text, &["e1"], Origin::Owner);
    let json = serde_json::json!({
        "version": 1, "at": "2026-04-20T12:00:00Z", "expectedHash": "abc", "changeId": 4, "undo": null,
        "memory": format!("# M\n{}\n", line("aa11", "I live in Graz")), "cause": "why", "candidates": ["aa11"],
        "archived": [line("bb22", "I live in Szeged")], "state": { "version": 1, "sequence": 3 },
    });
    let read: BegunChange = from_json("r", json.to_string().as_bytes()).unwrap();
    let ledger = Ledger::default();
    let text = read.memory(&ledger).unwrap();
    assert_eq!(text.readable(), "# M\n- I live in Graz\n");
    assert_eq!(line_ids(&text), ["aa11"]);
    let (written, records) = ledger.written(MEMORY_FILE, &text);
    assert!(!written.contains("<!--"), "{written}");
    assert_eq!(records.len(), 1);
    let archived = read.archived(&ledger);
    assert_eq!(archived[0].text(), "- I live in Szeged");
    assert_eq!(archived[0].id(), Some("bb22"));
}

#[test]
fn i16_unreadable_record_is_rejected_with_reason() {
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
fn fixture_of_two_sided_candidates_still_parses() {
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
