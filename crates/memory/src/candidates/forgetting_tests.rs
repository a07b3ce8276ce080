//! Candidates that are forgotten, restored, and redacted.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use base::disk::{DiskError, HookedDisk, MemoryDisk};

use super::*;
use crate::candidates::kit::{at, candidate, dreamt, home, read, workspace, write};
use crate::candidates::{CandidateId, DreamDetail, DreamPlan, Evidence, Outcome};
use crate::forget::test_kit::{entry, gone, holding, line_of, ours, plan_of_entry};
use crate::forget::{
    ForgetChoice, ForgetError, ForgetPlan, forget, plan_forgetting, purge, undo_forgetting,
};
use crate::tombstone::{OwnerLines, reinstate};

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
fn waiting(candidates: &[Candidate]) -> (MemoryDisk, Workspace) {
    let disk = home("", "");
    let known = workspace(Arc::new(disk.clone()));
    let mut open = MemoryTxn::open(&known, at("09:00:00"), Access::Write).unwrap();
    open.dream(&dreamt(&[], candidates)).unwrap();
    drop(open);
    (disk, known)
}

/// The state as its readers get it.
fn state(workspace: &Workspace) -> DreamState {
    let state = PendingRecords { workspace }.state().unwrap();
    visible_part(&state, &load_tombstones(workspace).unwrap())
}

fn asked(workspace: &Workspace, question: &str) -> crate::ForgetPlan {
    let choice = ForgetChoice {
        question: Some(crate::ForgetQuestion {
            words: question.into(),
            n_words_min: 0,
            n_candidates_max: 5,
        }),
        ..ForgetChoice::default()
    };
    plan_forgetting(workspace, choice).unwrap()
}

#[test]
fn forget_question_takes_nearest_candidates_up_to_limit() {
    let bears = [
        "a bear",
        "a brown bear",
        "a brown bear in the park",
        "the brown bear of our park",
    ];
    let bears = bears.map(|what| {
        let id = format!("{:04x}", what.len());
        finding(&id, &format!("Never feed {what}"), &[("e1", what)])
    });
    let (_, known) = waiting(&bears);
    let chosen = |n_candidates_max, n_words_min| {
        let choice = ForgetChoice {
            question: Some(crate::ForgetQuestion {
                words: "the brown bear in the park".into(),
                n_words_min,
                n_candidates_max,
            }),
            common: search::CommonWords(|_| ["the", "in"].map(str::to_owned).into()),
            ..ForgetChoice::default()
        };
        let plan = plan_forgetting(&known, choice).unwrap();
        let findings = plan.candidates.into_iter().map(|own| own.finding);
        findings.collect::<Vec<_>>()
    };
    let park = "Never feed a brown bear in the park";
    let ours = "Never feed the brown bear of our park";
    assert_eq!(chosen(1, 0), [park]);
    assert_eq!(chosen(5, 0), [park, ours]);
    // A note that holds all of it and more is meant alone.
    assert_eq!(chosen(5, 4), [""; 0]);
}

#[test]
fn forgotten_candidate_is_hidden_at_once_and_shown_again_after_undo() {
    let bosch = [("e1", "so I work at Bosch now")];
    let bosch = finding("aa11", "I work at Bosch", &bosch);
    let graz = finding("bb22", "I live in Graz", &[("e2", "I live in Graz")]);
    let (disk, known) = waiting(&[bosch, graz]);
    let before = (read(&disk, "DREAMS.md"), state(&known).pending);
    let plan = asked(&known, "where do I work, Bosch?");
    let chosen: Vec<_> = plan
        .candidates
        .iter()
        .map(|own| (own.place().to_string(), own.because))
        .collect();
    assert_eq!(
        chosen,
        [("DREAMS.md:5-10".to_owned(), crate::Reason::Chosen)]
    );

    let done = forget(&known, &plan, OwnerLines::Leave, at("10:00:00")).unwrap();
    assert_eq!(ids_and_keys(&state(&known).pending), [("bb22", vec!["e2"])]);
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
    // Nothing is missing from the page.
    for time in ["11:10:00", "11:20:00"] {
        MemoryTxn::open(&known, at(time), Access::Write).unwrap();
    }
    assert_eq!(state(&known).pending.len(), 2);
}

#[test]
fn candidate_with_other_evidence_loses_only_redacted_evidence() {
    let twice = [
        ("e1", "I live in Graz, code 4711"),
        ("e2", "I live in Graz"),
    ];
    let (disk, known) = waiting(&[finding("aa11", "I live in Graz", &twice)]);
    purge(
        &known,
        &ForgetPlan::default(),
        &gone(&["4711"], &[]),
        at("10:00:00"),
    )
    .unwrap();
    let left = [("e2", "I live in Graz")];
    let mut expected = finding("aa11", "I live in Graz", &left);
    expected.is_shown = true;
    assert_eq!(state(&known).pending, [expected]);
    let shown = read(&disk, "DREAMS.md");
    assert!(shown.contains("I live in Graz"), "{shown}");
    assert!(!shown.contains("4711"), "{shown}");
}

#[test]
fn redaction_removes_words_from_records_and_broken_copies() {
    let mut because = finding("aa11", "I like tea", &[("e1", "I like tea")]);
    because.staged_because = Some("MEMORY.md says \"the code is 4711\"".into());
    because.proposal = Proposal::Beside {
        other: "the code is 4711".into(),
    };
    let code = finding("bb22", "the code is 4711", &[("e2", "the code is 4711")]);
    let (disk, known) = waiting(&[because, code]);
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
    purge(
        &known,
        &ForgetPlan::default(),
        &gone(&["4711"], &[]),
        at("10:00:00"),
    )
    .unwrap();
    assert_eq!(holding(&disk, "4711"), Vec::<PathBuf>::new());
    assert_eq!(ids_and_keys(&state(&known).pending), [("aa11", vec!["e1"])]);
}

/// A finding with the word `Huber` that other messages support; the rest of the candidate also says `4711`.
fn spared_candidate() -> (Candidate, PurgeTargets) {
    let said = "My dentist is Dr. Huber";
    let long = "My dentist is Dr. Huber, code 4711";
    let mut own = finding("aa11", said, &[("e1", long), ("c1", long)]);
    own.proposed_as = Some(long.into());
    own.section = "Huber 4711".into();
    own.staged_because = Some(format!("MEMORY.md says \"{long}\""));
    own.proposal = Proposal::Beside { other: long.into() };
    let gone = PurgeTargets {
        spared: crate::TextHash::of(said).into_iter().collect(),
        ..gone(&["Huber", "4711"], &["c1"])
    };
    (own, gone)
}

#[test]
fn spared_finding_keeps_only_its_own_words() {
    let (own, gone) = spared_candidate();
    let (disk, known) = waiting(&[own]);
    purge(&known, &ForgetPlan::default(), &gone, at("10:00:00")).unwrap();
    let own = state(&known).pending.remove(0);
    assert_eq!(own.finding, "My dentist is Dr. Huber");
    assert_eq!(own.section, "Huber [redacted]");
    assert_eq!(own.proposed_as, None);
    assert_eq!(own.proposal, Proposal::Add);
    let quotes: Vec<_> = own.evidence.iter().map(|it| it.quote.as_str()).collect();
    assert_eq!(quotes, ["My dentist is Dr. Huber, code [redacted]"]);
    assert_eq!(holding(&disk, "4711"), Vec::<PathBuf>::new());
}

#[test]
fn redaction_repeated_after_any_failure_leaves_no_redacted_words() {
    let code = "the code is 4711";
    let (disk, known) = waiting(&[finding("bb22", code, &[("e2", code)])]);
    let start = disk.snapshot();
    // What a redaction does before it takes the words out of the transcript.
    let redact = |workspace: &Workspace| -> Result<(), ForgetError> {
        let choice = ForgetChoice {
            entries: vec![entry("e2", code)],
            words: vec!["4711".into()],
            ..ForgetChoice::default()
        };
        let plan = plan_forgetting(workspace, choice)?;
        let gone = plan.gone(&["4711".to_owned()]);
        purge(workspace, &plan, &gone, at("10:00:00")).map(drop)
    };
    redact(&known).unwrap();
    let mut n_failed = 0;
    for at in 0.. {
        let disk = MemoryDisk::from_snapshot(start.clone());
        let n_changes = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&n_changes);
        let failing = HookedDisk::before(disk.clone(), move |operation| {
            if operation.is_change() && counted.fetch_add(1, Ordering::Relaxed) == at {
                let path = std::path::Path::new("/home");
                return Err(DiskError::on("write", path)(ErrorKind::Other.into()));
            }
            Ok(())
        });
        let done = redact(&workspace(Arc::new(failing)));
        if done.is_err() {
            n_failed += 1;
            redact(&workspace(Arc::new(disk.clone()))).unwrap();
        }
        let holding = holding(&disk, "4711");
        assert_eq!(holding, Vec::<PathBuf>::new(), "change {at}: {done:?}");
        if n_changes.load(Ordering::Relaxed) <= at {
            break;
        }
    }
    assert!(n_failed > 5, "{n_failed}");
}

const HEAD_NURSE: &str = "I work as a nurse";

fn nurse(id: &str) -> Candidate {
    let quotes = [
        ("e1", "I work as a nurse"),
        ("e2", "yes, I work as a nurse"),
    ];
    finding(id, HEAD_NURSE, &quotes)
}

/// Forgets what an entry said.
fn forget_entry(workspace: &Workspace, id: &str) -> TombstoneId {
    let plan = plan_of_entry(workspace, id).unwrap();
    let done = forget(workspace, &plan, OwnerLines::Leave, at("10:00:00"));
    done.unwrap().id
}

fn forget_asked(workspace: &Workspace, question: &str) -> TombstoneId {
    forget_at(workspace, question, at("10:00:00"))
}

fn forget_at(workspace: &Workspace, question: &str, now: Timestamp) -> TombstoneId {
    let plan = asked(workspace, question);
    let done = forget(workspace, &plan, OwnerLines::Leave, now);
    done.unwrap().id
}

fn desk(workspace: &Workspace) -> MemoryTxn<'_> {
    MemoryTxn::open(workspace, at("10:30:00"), Access::Write).unwrap()
}

fn ids_and_keys(candidates: &[Candidate]) -> Vec<(&str, Vec<&str>)> {
    candidates
        .iter()
        .map(|own| {
            let keys = own.evidence.iter().map(|it| it.key.as_str());
            (own.id.as_str(), keys.collect())
        })
        .collect()
}

#[test]
fn i11_undo_after_accept_returns_evidence_without_new_candidate() {
    let (disk, known) = waiting(&[nurse("aa11")]);
    let id = forget_entry(&known, "e2");
    desk(&known).accept(&[CandidateId::new("aa11")]).unwrap();
    let undone = undo_forgetting(&known, &id, at("11:00:00")).unwrap();
    let after = state(&known);
    assert_eq!(undone.n_waiting, 0);
    assert_eq!(ids_and_keys(&after.pending), []);
    assert_eq!(ids_and_keys(&after.history), [("aa11", vec!["e1", "e2"])]);
    assert_eq!(read(&disk, "MEMORY.md").matches(HEAD_NURSE).count(), 1);
}

#[test]
fn i11_candidate_waits_again_once_its_statement_is_repeated() {
    let (disk, known) = waiting(&[nurse("aa11")]);
    let id = forget_asked(&known, HEAD_NURSE);
    assert!(!read(&disk, "DREAMS.md").contains(HEAD_NURSE));
    reinstate(&known, HEAD_NURSE).unwrap();
    for time in ["10:40:00", "10:50:00"] {
        MemoryTxn::open(&known, at(time), Access::Write).unwrap();
    }
    assert_eq!(ids_and_keys(&state(&known).pending).len(), 1);
    desk(&known).accept(&[CandidateId::new("aa11")]).unwrap();
    let undone = undo_forgetting(&known, &id, at("11:00:00")).unwrap();
    assert_eq!(undone.n_waiting, 0);
    assert_eq!(ids_and_keys(&state(&known).pending), []);
    assert_eq!(read(&disk, "MEMORY.md").matches(HEAD_NURSE).count(), 1);
}

#[test]
fn forgotten_candidate_leaves_state_when_it_can_no_longer_be_undone() {
    let (disk, known) = waiting(&[nurse("aa11")]);
    forget_asked(&known, HEAD_NURSE);
    let holds = || holding(&disk, HEAD_NURSE).len();
    assert_eq!(holds(), 1);
    let later = at("10:00:00") + TimeDelta::days(31);
    crate::forget::sweep(&known, later).unwrap();
    assert_eq!(holds(), 0);
}

#[test]
fn i11_undo_after_owner_wrote_line_adds_no_candidate() {
    let (disk, known) = waiting(&[nurse("aa11")]);
    let id = forget_asked(&known, HEAD_NURSE);
    write(&disk, "MEMORY.md", "* i work as a nurse!\n");
    undo_forgetting(&known, &id, at("11:00:00")).unwrap();
    assert_eq!(ids_and_keys(&state(&known).pending), []);
}

#[test]
fn i9_owners_wording_of_candidate_survives_undo() {
    let (disk, known) = waiting(&[nurse("aa11")]);
    let before = state(&known).pending;
    let id = forget_entry(&known, "e2");
    let words = "I am head nurse";
    desk(&known)
        .reword(&CandidateId::new("aa11"), words)
        .unwrap();
    undo_forgetting(&known, &id, at("11:00:00")).unwrap();
    let mut expected = before;
    let proposed = std::mem::replace(&mut expected[0].finding, words.into());
    expected[0].proposed_as = Some(proposed);
    assert_eq!(state(&known).pending, expected);
    let shown = read(&disk, "DREAMS.md");
    assert!(shown.contains(words), "{shown}");
    assert!(shown.contains("sessions/main.jsonl"), "{shown}");
}

#[test]
fn quoted_words_are_redacted_in_hidden_candidates_and_torn_ends() {
    let said = "I work at \"Kleine Insel\" \\ Bern";
    let inn = finding("aa11", said, &[("e1", said)]);
    let (disk, known) = waiting(&[inn, nurse("bb22")]);
    forget_asked(&known, "Kleine Insel");
    forget_at(&known, HEAD_NURSE, at("10:00:01"));
    let broken = std::path::Path::new("/home/state/quarantine/b.torn");
    base::disk::create_dir(&disk, broken.parent().unwrap()).unwrap();
    base::disk::replace(&disk, broken, br#"{"text":"at \"Kleine Insel\" \\ B"#).unwrap();
    let gone = gone(&["\"Kleine Insel\" \\"], &[]);
    purge(&known, &ForgetPlan::default(), &gone, at("10:30:00")).unwrap();
    assert_eq!(holding(&disk, "Kleine"), Vec::<PathBuf>::new());
}

#[test]
fn redaction_drops_copies_of_every_earlier_forgetting() {
    let inn = [("e1", "so I work at the Inselspital")];
    let inn = finding("aa11", "I work at the Inselspital", &inn);
    let tea = finding("bb22", "I like tea", &[("e2", "I like tea")]);
    let (disk, known) = waiting(&[inn, tea]);
    let line = ours("Works at the Inselspital", "e1");
    write(&disk, "memory/2026-04-20.md", &format!("{line}\n"));
    let redacted = forget_entry(&known, "e1");
    let other = forget_entry(&known, "e2");
    let kept = |id: &TombstoneId| -> Vec<String> {
        let files = disk.snapshot().into_keys();
        let files = files.filter(|path| path.starts_with("/home/state/forgotten"));
        let names = files.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
        names
            .filter_map(|name| Some(name.strip_prefix(id.as_str())?.to_owned()))
            .collect()
    };
    let log = ".memory%2F2026-04-20%2Emd.1";
    assert_eq!(kept(&redacted), [log]);
    purge(
        &known,
        &ForgetPlan::default(),
        &gone(&[], &["e1"]),
        at("11:00:00"),
    )
    .unwrap();
    assert_eq!(kept(&redacted), Vec::<String>::new());
    assert_eq!(kept(&other), Vec::<String>::new());
}

#[test]
fn forget_by_place_skips_missing_candidates() {
    let tea = finding("bb22", "I like tea", &[("e3", "tea")]);
    let (disk, known) = waiting(&[nurse("aa11"), tea]);
    write(&disk, "DREAMS.md", "# Dreams\n");
    let error = plan_forgetting(&known, line_of("DREAMS.md", 1)).unwrap_err();
    assert_eq!(error.to_string(), "nothing to forget at DREAMS.md:1");
    let told = asked(&known, HEAD_NURSE).candidates;
    assert_eq!(told.len(), 1);
}

#[test]
fn forgetting_removes_proposed_wording_of_candidate() {
    let (_disk, known) = waiting(&[nurse("aa11")]);
    desk(&known)
        .reword(&CandidateId::new("aa11"), "Head of the ward")
        .unwrap();
    let proposed_as = || {
        state(&known)
            .pending
            .first()
            .and_then(|own| own.proposed_as.clone())
    };
    assert!(proposed_as().is_some());
    let _id = forget_entry(&known, "e2");
    assert_eq!(proposed_as(), None);
}

#[test]
fn forgetting_clears_details_of_earlier_dreams() {
    let (_, known) = waiting(&[]);
    let dream = |time: &str, text: &str| {
        let plan = DreamPlan {
            log: Some("read two notes".into()),
            details: vec![DreamDetail {
                outcome: Outcome::NotProposed,
                text: text.into(),
                because: None,
            }],
            ..DreamPlan::default()
        };
        let mut open = MemoryTxn::open(&known, at(time), Access::Write).unwrap();
        open.dream(&plan).unwrap();
    };
    let details = || -> Vec<String> {
        let lines = state(&known).log.into_iter();
        lines
            .flat_map(|line| line.details)
            .map(|it| it.text)
            .collect()
    };
    dream("09:30:00", "The owner is employed by Bosch");
    forget_entry(&known, "e9");
    desk(&known);
    assert_eq!(details(), [""; 0], "no candidate says it, a detail does");
    dream("11:00:00", "Tom hates olives");
    MemoryTxn::open(&known, at("11:30:00"), Access::Write).unwrap();
    assert_eq!(details(), ["Tom hates olives"]);
}

#[test]
fn forgotten_line_is_absent_from_log_and_undo_report() {
    let disk = home("", "");
    let known = workspace(Arc::new(disk.clone()));
    let say = |id: &str, text: &str| {
        let cause = format!("{REMEMBERED}{text}");
        let plan = DreamPlan {
            asked: Some(cause.clone()),
            log: Some(cause),
            ..dreamt(&[finding(id, text, &[(id, text)])], &[])
        };
        desk(&known).dream(&plan).unwrap();
    };
    say("aa11", "I prefer tea over coffee");
    say("bb22", "Carl plays chess at the zyxomma club");
    let forget_line = |word: &str| {
        let choice = ForgetChoice {
            words: vec![word.to_owned()],
            ..ForgetChoice::default()
        };
        let plan = plan_forgetting(&known, choice).unwrap();
        forget(&known, &plan, OwnerLines::Leave, at("10:00:00")).unwrap();
    };
    forget_line("zyxomma");
    let log = |open: &MemoryTxn<'_>| {
        let log = open.state().log.iter().map(|line| line.text.clone());
        log.collect::<Vec<_>>()
    };
    let open = desk(&known);
    let told = [
        "remembered: I prefer tea over coffee",
        "remembered: (forgotten)",
    ];
    assert_eq!(log(&open), told);
    drop(open);
    forget_line("coffee");
    let refused = desk(&known).undo().unwrap_err().to_string();
    assert!(refused.contains("remembered: (forgotten)"), "{refused}");
    assert!(!refused.contains("zyxomma"), "{refused}");
}
