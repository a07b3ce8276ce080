//! Candidates that are forgotten, given back, and redacted.

use std::sync::Arc;

use base::disk::{MemoryDisk, read_all};

use super::*;
use crate::candidates::sample::{at, candidate, home, read, workspace};
use crate::candidates::{CandidateId, DreamPlan, Evidence};
use crate::forget::{ForgetChoice, drop_kept, forget, plan_forgetting, undo_forgetting};
use crate::tombstone::OwnerLines;

fn finding(id: &str, finding: &str, quotes: &[(&str, &str)]) -> Candidate {
    let known = candidate(id, finding);
    let evidence = quotes.iter().map(|(key, quote)| Evidence {
        key: (*key).into(),
        quote: (*quote).into(),
        ..known.evidence[0].clone()
    });
    Candidate {
        evidence: evidence.collect(),
        ..known
    }
}

/// A home in which these wait.
fn waiting(candidates: Vec<Candidate>) -> (MemoryDisk, Workspace) {
    let disk = home("", "");
    let known = workspace(Arc::new(disk.clone()));
    let plan = DreamPlan {
        staged: candidates,
        ..DreamPlan::default()
    };
    Desk::open(&known, at("09:00:00"), Review::TakeIn)
        .unwrap()
        .dream(&plan)
        .unwrap();
    (disk, known)
}

fn state(workspace: &Workspace) -> DreamState {
    Records { workspace }.state().unwrap()
}

fn asked(workspace: &Workspace, question: &str) -> crate::ForgetPlan {
    let choice = ForgetChoice {
        question: Some(question.into()),
        ..ForgetChoice::default()
    };
    plan_forgetting(workspace, choice).unwrap()
}

#[test]
fn a_candidate_is_forgotten_at_once_and_given_back_as_it_was() {
    let bosch = finding(
        "aa11",
        "I work at Bosch",
        &[("e1", "so I work at Bosch now")],
    );
    let graz = finding("bb22", "I live in Graz", &[("e2", "I live in Graz")]);
    let (disk, known) = waiting(vec![bosch, graz]);
    let before = (read(&disk, "DREAMS.md"), state(&known).pending);
    let plan = asked(&known, "where do I work, Bosch?");
    let chosen: Vec<_> = plan
        .candidates
        .iter()
        .map(|own| (own.place().to_string(), own.because))
        .collect();
    assert_eq!(
        chosen,
        [("DREAMS.md:5-10".to_owned(), crate::Because::Chosen)]
    );

    let done = forget(&known, &plan, OwnerLines::Leave, at("10:00:00")).unwrap();
    let ids: Vec<_> = state(&known)
        .pending
        .into_iter()
        .map(|own| own.id)
        .collect();
    assert_eq!(ids, [CandidateId::new("bb22")]);
    assert!(!read(&disk, "DREAMS.md").contains("Bosch"));

    let undone = undo_forgetting(&known, &done.id, at("11:00:00")).unwrap();
    assert_eq!(undone.n_waiting, 1);
    let mut after = state(&known).pending;
    after.sort_by(|one, other| one.id.cmp(&other.id));
    assert_eq!(after, before.1);
    let blocks = |text: &str| -> BTreeSet<String> {
        let blocks = text.split("\n### ");
        blocks.map(|block| block.trim_end().to_owned()).collect()
    };
    assert_eq!(blocks(&read(&disk, "DREAMS.md")), blocks(&before.0));
    let kept = read_all(&disk, &forgotten(&known, &done.id), 1 << 20);
    assert!(kept.is_err(), "{kept:?}");
}

fn forgotten(workspace: &Workspace, id: &TombstoneId) -> std::path::PathBuf {
    crate::candidates::forgotten_candidates(workspace, id)
}

#[test]
fn a_candidate_that_another_message_says_too_gives_up_that_evidence_alone() {
    let twice = [
        ("e1", "I live in Graz, code 4711"),
        ("e2", "I live in Graz"),
    ];
    let (disk, known) = waiting(vec![finding("aa11", "I live in Graz", &twice)]);
    let gone = Gone {
        words: vec!["4711".into()],
        ..Gone::default()
    };
    drop_kept(&known, &gone, None, at("10:00:00")).unwrap();
    let left = [("e2", "I live in Graz")];
    let mut expected = finding("aa11", "I live in Graz", &left);
    expected.is_shown = true;
    assert_eq!(state(&known).pending, [expected]);
    let shown = read(&disk, "DREAMS.md");
    assert!(
        shown.contains("I live in Graz") && !shown.contains("4711"),
        "{shown}"
    );
}

#[test]
fn what_is_redacted_stands_in_no_record_and_what_was_found_broken_goes() {
    let mut because = finding("aa11", "I like tea", &[("e1", "I like tea")]);
    because.staged_because = Some("MEMORY.md says \"the code is 4711\"".into());
    because.proposal = Proposal::Beside {
        other: "the code is 4711".into(),
        why: Beside::Contradiction,
    };
    let code = finding("bb22", "the code is 4711", &[("e2", "the code is 4711")]);
    let (disk, known) = waiting(vec![because, code]);
    // A copy of an earlier forgetting, one of a tool, and a DREAMS.md that was found broken.
    for path in [
        "state/forgotten/x.0.md",
        "state/overwritten/x",
        "workspace/DREAMS.md.found-1",
    ] {
        let path = std::path::Path::new("/home").join(path);
        base::disk::create_dir(&disk, path.parent().unwrap()).unwrap();
        base::disk::replace(&disk, &path, b"- the code is 4711\n").unwrap();
    }
    let gone = Gone {
        words: vec!["4711".into()],
        ..Gone::default()
    };
    drop_kept(&known, &gone, None, at("10:00:00")).unwrap();
    let holding: Vec<_> = disk
        .snapshot()
        .into_iter()
        .filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains("4711"))
        .map(|(path, _)| path)
        .collect();
    assert!(holding.is_empty(), "{holding:?}");
    let ids: Vec<_> = state(&known)
        .pending
        .into_iter()
        .map(|own| own.id)
        .collect();
    assert_eq!(ids, [CandidateId::new("aa11")]);
}
