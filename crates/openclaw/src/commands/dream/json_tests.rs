//! The objects of dreams for programs, and the page that names every key of them.
//!
//! Each object has all the fields that it may have.

use std::collections::BTreeSet;
use std::time::Duration;

use agent::ops::{
    AlreadyDecided, CandidateReply, CandidatesReply, DecisionReply, DreamLogDetail, DreamLogEntry,
    DreamLogReply, NearLine, UndoReply,
};
use agent::review::{EvidenceSource, SourceLine};
use agent::{DreamOutcome, Unread};
use base::{Invocation, Origin, TokenCount, Tz};
use dreaming::{DreamReport, Left, Skip, SkipReason};
use memory::candidates::{
    Candidate, CandidateId, Evidence, FoundIn, Outcome, Proposal, Signal, Status,
};
use memory::{MemoryText, NoteText};

use super::*;

const PAGE: &str = include_str!("../../../../../docs/formats.md");

fn candidate() -> Candidate {
    let day: base::Day = "2026-04-20".parse().unwrap();
    Candidate {
        id: CandidateId::new("aa11"),
        finding: "I prefer tea".into(),
        proposed_as: None,
        section: "Preferences".into(),
        proposal: Proposal::Add,
        evidence: vec![Evidence {
            path: "sessions/main.jsonl".into(),
            key: "e1".into(),
            line: 1,
            hash: "81ab03ff".into(),
            quote: "I prefer tea".into(),
            day,
            scope: None,
        }],
        origin: Origin::Owner,
        found_in: FoundIn::DailyLog,
        day,
        proposed_at: day.noon(Tz::UTC),
        score: 60,
        signals: vec![Signal {
            name: "kind".into(),
            value: 90,
            weight: 25,
        }],
        staged_because: Some("its score is 60; promotion needs 70".into()),
        status: Status::Pending,
        decided_at: None,
        missing_since: None,
        is_shown: true,
    }
}

/// All keys, however deep.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(own) => {
            for (key, inner) in own {
                found.insert(key.clone());
                keys(inner, found);
            }
        }
        Value::Array(own) => own.iter().for_each(|inner| keys(inner, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn add(report: &impl Report, found: &mut BTreeSet<String>) {
    keys(&report.json(), found);
}

fn told(outcome: &DreamOutcome) -> DreamSummary<'_> {
    DreamSummary {
        outcome,
        too_old: None,
        today: (658, 100_000),
        dry_run: false,
        has_taken_in: false,
        verbosity: Verbosity::Normal,
        flushed: Vec::new(),
        took: Duration::ZERO,
        timezone: Tz::UTC,
        invocation: Invocation::default(),
    }
}

fn outcomes() -> Vec<DreamOutcome> {
    let mut report = DreamReport {
        promoted: vec![candidate()],
        staged: vec![candidate()],
        left: Some((2, Left::BudgetSpent)),
        ..DreamReport::default()
    };
    for refusal in dreaming::Refusal::ALL {
        report.refused.push((*refusal, "a line".to_owned()));
    }
    vec![
        DreamOutcome::NotDue(vec![Skip {
            trigger: "session_idle".into(),
            reason: SkipReason::NotIdle,
        }]),
        DreamOutcome::NothingNew(Unread::default()),
        DreamOutcome::MemoryMisread { line: 3 },
        DreamOutcome::BudgetSpent {
            spent: TokenCount(1),
            budget: TokenCount(1),
        },
        DreamOutcome::Dreamt {
            report: Box::new(report),
            spent: (TokenCount(1), TokenCount(2)),
            triggers: vec!["session_idle".into()],
        },
    ]
}

/// The keys of every object that reports dreams.
fn all_keys() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for outcome in outcomes() {
        let flushed = vec![("main".into(), 1)];
        let told = DreamSummary {
            flushed,
            ..told(&outcome)
        };
        add(&told, &mut found);
    }
    let own = candidate();
    let line = || SourceLine {
        who: Some("owner"),
        text: "I prefer tea".into(),
    };
    let source = EvidenceSource {
        before: vec![line()],
        cited: line(),
        after: vec![line()],
    };
    for source in [Some(&source), None] {
        let shown = CandidateReply::from(&own)
            .with_sources(vec![source])
            .with_signals(&own)
            .with_change(&MemoryText::default(), &memory("- I prefer tea\n"));
        let listed = CandidatesReply {
            candidates: vec![shown],
        };
        keys(&json!(listed), &mut found);
    }
    let decided = DecisionReply {
        status: "accepted",
        ids: vec![own.id.clone()],
        findings: vec!["I prefer tea".into()],
        already: vec![AlreadyDecided {
            id: own.id.clone(),
            status: "promoted",
        }],
        beside: NearLine::all(
            std::slice::from_ref(&own),
            &memory("- I prefer tea and cake\n"),
        ),
        left: String::new(),
        reworded: None,
        waiting: 0,
        dry_run: false,
    };
    keys(&json!(decided), &mut found);
    let undone = UndoReply {
        taken_back: "a dream promoted 1 line".into(),
        waiting: 1,
        dry_run: false,
    };
    keys(&json!(undone), &mut found);
    let line = DreamLogEntry {
        at: own.proposed_at,
        text: "read 1".into(),
        details: Some(vec![DreamLogDetail {
            outcome: Outcome::Refused,
            text: "I prefer tea".into(),
            because: Some("said twice".into()),
        }]),
    };
    let log = DreamLogReply { lines: vec![line] };
    keys(&json!(log), &mut found);
    found
}

fn memory(text: &str) -> MemoryText {
    NoteText::alone(text).into_owned()
}

#[test]
fn dream_json_keys_and_words_are_documented() {
    let (_, page) = PAGE.split_once("## Objects of `--json`: dreams").unwrap();
    let (page, _) = page.split_once("\n## ").unwrap();
    let mut wanted = all_keys();
    assert!(wanted.len() > 40, "{wanted:?}");
    for outcome in outcomes() {
        let told = told(&outcome);
        let (outcome, skipped, _) = told.facts();
        wanted.insert(outcome.to_owned());
        wanted.extend(skipped.iter().map(|own| own.1.to_owned()));
        let refused = told.json()["refused"].clone();
        let reasons = refused.as_array().unwrap().iter();
        wanted.extend(reasons.map(|own| own["reason"].as_str().unwrap().to_owned()));
    }
    let unnamed: Vec<&String> = wanted
        .iter()
        .filter(|word| !page.contains(&format!("`{word}`")))
        .collect();
    assert_eq!(unnamed, Vec::<&String>::new());
}

#[test]
fn dream_without_news_reports_tokens_of_the_day() {
    let report = told(&DreamOutcome::NothingNew(Unread::default())).json();
    assert_eq!(report["tokensToday"], 658);
    assert_eq!(report["dailyTokens"], 100_000);
}

#[test]
fn dream_without_news_reports_notes_older_than_lookback() {
    let day = |text: &str| text.parse::<base::Day>().unwrap();
    let of = |newest| TooOldNotes::of(newest, day("2026-03-20"), 7);
    assert_eq!(of(None), None);
    assert_eq!(of(Some(day("2026-03-14"))), None);
    let outcome = DreamOutcome::NothingNew(Unread::default());
    let told = DreamSummary {
        too_old: of(Some(day("2026-03-13"))),
        ..told(&outcome)
    };
    assert_eq!(
        told.human(Stream::File),
        "the newest notes are of 2026-03-13, and a dream reads those of the last 7 days (`dreaming.lookbackDays`); \
         nothing was written\n`openclaw dream --backfill` reads older notes too\n"
    );
}

#[test]
fn dream_report_uses_singular_for_counts_of_one() {
    let mut report = DreamReport {
        n_read: 1,
        n_proposed: 1,
        n_archived: 1,
        n_offered: 1,
        left: Some((1, Left::BudgetSpent)),
        ..DreamReport::default()
    };
    report.staged = vec![candidate()];
    let outcome = DreamOutcome::Dreamt {
        report: Box::new(report),
        spent: (TokenCount(0), TokenCount(2)),
        triggers: Vec::new(),
    };
    assert_eq!(
        told(&outcome).human(Stream::Terminal(120)),
        "read 1 note or message, 1 proposal, in 0.0 s\n\
         waiting in DREAMS.md: 1\n\
         \x20 aa11    I prefer tea\n\
         \x20         Preferences; its score is 60; promotion needs 70\n\
         moved to memory/archive.md: 1 line (less useful or superseded)\n\
         1 line of MEMORY.md helped to answer none of your past questions: see `openclaw memory archive`\n\
         left for the next `openclaw dream --backfill`: 1 day or session, because today's tokens are spent\n\
         \x20 (`dreaming.dailyTokens`)\n\
         review the candidates with `openclaw dream review`\n"
    );
}

#[test]
fn dream_dry_run_reports_planned_flushes() {
    let outcome = DreamOutcome::NothingNew(Unread::default());
    let mut told = told(&outcome);
    told.dry_run = true;
    told.flushed = [("main", 0), ("work", 2)]
        .map(|(session, n_notes)| (session.to_owned(), n_notes))
        .to_vec();
    assert!(told.is_dry_run());
    assert_eq!(
        told.human(Stream::Terminal(120)),
        "flushed session main: nothing worth noting\n\
         flushed session work: 2 notes\n\
         the daily logs have nothing to dream about yet; nothing was written\n"
    );
}

#[test]
fn quiet_dream_prints_only_changes() {
    let dreamt = outcomes().pop().unwrap();
    let of = |verbosity| {
        let told = DreamSummary {
            verbosity,
            flushed: vec![("main".into(), 1)],
            ..told(&dreamt)
        };
        told.human(Stream::File)
    };
    for step in [
        "flushed session main",
        "read 0 notes",
        "review the candidates",
    ] {
        assert!(of(Verbosity::Normal).contains(step), "{step}");
        assert!(!of(Verbosity::Quiet).contains(step), "{step}");
    }
    assert!(of(Verbosity::Quiet).starts_with("promoted to MEMORY.md: 1\n"));
}
