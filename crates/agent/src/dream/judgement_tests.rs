//! What a good model and a bad one propose in five languages, and what becomes of it.
//!
//! Reads `fixtures/`; the rows were written from the prompt, not from the checks.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use base::{Origin, TokenCount, Tz};
use dreaming::{
    DreamReport, Material, PlanInput, ReplyFrom, compared_lines, parse_proposals, plan_promotions,
};
use memory::Tombstones;
use memory::candidates::{DreamPlan, DreamState};
use serde_json::json;

use crate::grounds::OFFLINE_READING;
use crate::test_kit::{dream_settings, material};

const KEPT: &str = include_str!("fixtures/kept.tsv");
const REFUSED: &str = include_str!("fixtures/refused.tsv");

/// Lines of memory that no row is about.
const OTHERS: [&str; 4] = [
    "I collect old maps",
    "Ich spiele gern Schach",
    "Je joue du piano",
    "Szeretem a fekete teát",
];

type Row = BTreeMap<&'static str, String>;

fn rows(table: &'static str) -> Vec<Row> {
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let row = |line: &str| {
        let cells = line.split('\t').map(|cell| cell.replace("\\n", "\n"));
        header.iter().copied().zip(cells).collect()
    };
    lines.map(row).collect()
}

/// `MEMORY.md` with the line that a row is about and others, all ours and older than what is said.
fn memory(known: &str) -> String {
    let mut text = "# Memory\n\n## Facts\n\n".to_owned();
    for (number, line) in [known].iter().chain(&OTHERS).enumerate() {
        if !line.is_empty() {
            let hash = base::short_hash(line);
            writeln!(
                text,
                "- {line} <!-- n:aaa{number} e:sessions/old.jsonl#e{number} h:{hash} o:owner d:2026-01-01 -->"
            )
            .unwrap();
        }
    }
    text
}

/// What becomes of the one operation of a row.
fn judged(row: &Row) -> (DreamPlan, DreamReport) {
    let origin = row
        .get("said_by")
        .map_or(Origin::Owner, |word| Origin::parse(word).unwrap());
    let known = &row["known"];
    let line = (!known.is_empty()).then_some("m1");
    let reply = json!({"operations": [{
        "op": row["op"], "line": line, "section": "About the Owner", "text": row["text"], "importance": 7,
        "evidence": ["e1"], "quote": row["quote"], "reason": "new",
    }]});
    let memory = memory(known);
    let shown = compared_lines(&memory);
    let proposals = parse_proposals(&reply.to_string(), ReplyFrom::Model, &shown);
    let material = Material {
        items: vec![material(1, &row["message"], origin)],
        ..Material::default()
    };
    let input = PlanInput {
        material: &material,
        memory: &memory,
        state: &DreamState::default(),
        tombstones: &Tombstones::default(),
        settings: &dream_settings(1_000_000),
        reading: &OFFLINE_READING,
        now: "2026-04-20T20:00:00Z".parse().unwrap(),
        timezone: Tz::UTC,
        due: None,
        spent: (TokenCount::ZERO, TokenCount::ZERO),
    };
    plan_promotions(&input, &proposals)
}

/// Why nothing is written; `None` where it is.
fn why_not(row: &Row) -> Option<String> {
    let (plan, report) = judged(row);
    if let Some(own) = plan.promoted.first() {
        let is_right = match row["op"].as_str() {
            "add" => !own.proposal.is_change(),
            _ => own.proposal.is_change(),
        };
        return (!is_right).then(|| "promoted beside the line".to_owned());
    }
    let staged = report
        .staged
        .first()
        .and_then(|own| own.staged_because.clone());
    let refused = report.refused.first().map(|(why, _)| why.in_words());
    let refused = refused.unwrap_or("lost").to_owned();
    staged.or(Some(refused))
}

/// The share of rows of each op and language that hold, and those that do not.
fn shares(
    rows: &[Row],
    holds: impl Fn(&Row) -> Result<(), String>,
) -> (BTreeMap<String, (usize, usize)>, String) {
    let (mut shares, mut failures) = (BTreeMap::new(), String::new());
    for row in rows {
        let is_claim = row["op"] == "add" && !row.contains_key("kind");
        let what = row.get("kind").map_or(
            if is_claim { "claims" } else { "corrections" },
            String::as_str,
        );
        let result = holds(row);
        for key in [what, &row["language"]] {
            let share: &mut (usize, usize) = shares.entry(key.to_owned()).or_default();
            share.0 += usize::from(result.is_ok());
            share.1 += 1;
        }
        if let Err(why) = result {
            writeln!(
                failures,
                "{} {what}: {} | {} -> {}: {why}",
                row["language"], row["known"], row["message"], row["text"]
            )
            .unwrap();
        }
    }
    (shares, failures)
}

fn percent((n_held, n_all): (usize, usize)) -> usize {
    100 * n_held / n_all
}

#[test]
fn proposals_of_a_good_model_are_promoted_in_five_languages() {
    let rows = rows(KEPT);
    let (shares, failures) = shares(&rows, |row| why_not(row).map_or(Ok(()), Err));
    println!("{shares:?}\n{failures}");
    for what in ["claims", "corrections"] {
        assert!(percent(shares[what]) >= 95, "{shares:?}\n{failures}");
    }
}

#[test]
fn text_not_said_in_person_is_never_promoted_in_five_languages() {
    let rows = rows(REFUSED);
    let (shares, failures) = shares(&rows, |row| match why_not(row) {
        Some(_) => Ok(()),
        None => Err("written".to_owned()),
    });
    println!("{shares:?}\n{failures}");
    assert_eq!(failures, "", "{shares:?}");
    let languages: BTreeSet<&str> = rows.iter().map(|row| row["language"].as_str()).collect();
    assert_eq!(languages.len(), 5);
}
