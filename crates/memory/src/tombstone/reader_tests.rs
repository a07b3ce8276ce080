//! Tests of tombstones where notes are read and written: forgotten text is not in prompts, lines or new notes.

use std::sync::Arc;

use base::disk::{MemoryDisk, replace};
use base::{Day, EntryId, Origin, Timestamp, TokenCount, Tz};

use crate::daily_log::kit;
use crate::forget::test_kit::tombstone;
use crate::tombstone::{Tombstone, TombstoneId, add_tombstone, load_tombstones};
use crate::workspace_kit::{text_at, workspace};
use crate::{
    AddOutcome, AddedUnder, BlockOutcome, FlushBlock, Note, Workspace, add_note, file_lines,
    write_block,
};

const NOTE: &str = "- Anna's number is 555 0199\n";

fn workspace_that_forgot(files: &[(&str, &str)]) -> (Arc<MemoryDisk>, Workspace, TombstoneId) {
    let disk = Arc::new(MemoryDisk::new());
    let workspace = workspace(Arc::clone(&disk) as _);
    workspace.init().unwrap();
    for (path, text) in files {
        replace(&*disk, &workspace.root().join(path), text.as_bytes()).unwrap();
    }
    let tombstone = tombstone(NOTE, &[("said", 7)]);
    let id = tombstone.id.clone();
    add_tombstone(&workspace, tombstone).unwrap();
    (disk, workspace, id)
}

fn block(at: Timestamp, notes: Vec<Note>) -> FlushBlock {
    FlushBlock {
        at,
        sections: vec![("Issues Found".into(), notes)],
        ..kit::block(&[])
    }
}

#[test]
fn forgotten_text_is_absent_from_prompts() {
    let memory = format!("# Memory\n\n{NOTE}- likes tea\n");
    let (_, workspace, _) = workspace_that_forgot(&[
        ("MEMORY.md", &memory),
        ("USER.md", NOTE),
        ("memory/2026-03-02.md", &format!("- tea\n{NOTE}- ferry\n")),
    ]);
    let files = workspace.prompt_files().unwrap();
    let shown = |name: &str| {
        let mut found = files.iter().filter(|file| file.name.as_str() == name);
        found.next().map(|file| file.text.as_str())
    };
    assert_eq!(shown("MEMORY.md"), Some("# Memory\n\n- likes tea\n"));
    assert_eq!(shown("USER.md"), None);
    let today: Day = "2026-03-02".parse().unwrap();
    let logs = workspace.recent_logs(today, TokenCount(500)).unwrap();
    let logs: Vec<&str> = logs.iter().map(|log| log.text.as_str()).collect();
    assert_eq!(logs, ["- tea\n- ferry\n"]);
}

#[test]
fn forgotten_line_is_replaced_so_line_numbers_stay() {
    let (_, workspace, _) =
        workspace_that_forgot(&[("garden.md", &format!("- tea\n{NOTE}- ferry\n"))]);
    let found = file_lines(&workspace, &"garden.md".parse().unwrap(), None).unwrap();
    assert_eq!(found.text, "- tea\n[forgotten]\n- ferry");
}

#[test]
fn forgotten_text_is_not_noted_again() {
    let (disk, workspace, id) = workspace_that_forgot(&[]);
    let note = |text: &str, evidence: &[&str]| Note {
        text: text.into(),
        evidence: evidence.iter().map(|id| EntryId::new(*id)).collect(),
        origin: Origin::Owner,
    };
    let at = "2026-03-03T08:04:17Z".parse().unwrap();
    let again = vec![
        note("anna's number is  555 0199", &["other"]),
        note("Call Anna at 555 0199", &["said"]),
    ];
    let report = write_block(&workspace, &block(at, again.clone()), Tz::UTC).unwrap();
    assert_eq!(report.outcome, BlockOutcome::Nothing);
    let mut more = again;
    more.push(note("The ferry leaves at noon", &["said", "other"]));
    let report = write_block(&workspace, &block(at, more), Tz::UTC).unwrap();
    assert_eq!((report.outcome, report.n_notes), (BlockOutcome::Written, 1));
    let log = text_at(&*disk, "/home/workspace/memory/2026-03-03.md");
    assert!(!log.contains("555") && log.contains("ferry"), "{log}");

    let by_agent = Note {
        origin: Origin::Agent,
        ..note("Anna's number is 555 0199", &[])
    };
    let added = add_note(&workspace, (&by_agent, &AddedUnder::default()), at, Tz::UTC).unwrap();
    assert_eq!(added.outcome, AddOutcome::Forgotten(id));
}

#[test]
fn text_stated_again_by_owner_is_noted_but_old_entry_stays_hidden() {
    let told_at = "2026-03-03T08:00:00Z".parse().unwrap();
    let note = |origin, evidence: Vec<EntryId>| Note {
        text: "Anna's number is 555 0199".into(),
        evidence,
        origin,
    };
    let before = EntryId::generate("2026-03-02T08:04:16Z".parse().unwrap());
    let since = EntryId::generate(told_at);
    let hides = |workspace: &Workspace| {
        let tombstones = load_tombstones(workspace).unwrap();
        let text = tombstones.hides_text(NOTE) || tombstones.hidden_since(NOTE).is_some();
        (text, tombstones.hides_entry(&EntryId::new("said")))
    };
    for (told, n_notes) in [
        (note(Origin::Owner, vec![before.clone()]), 0),
        (note(Origin::Agent, vec![since.clone()]), 0),
        (note(Origin::Owner, vec![before, since]), 1),
    ] {
        let (_, workspace, _) = workspace_that_forgot(&[]);
        let report = write_block(&workspace, &block(told_at, vec![told]), Tz::UTC).unwrap();
        assert_eq!(report.n_notes, n_notes);
        assert_eq!(hides(&workspace), (n_notes == 0, true));
    }
    let (_, workspace, id) = workspace_that_forgot(&[]);
    let told = note(Origin::Owner, Vec::new());
    let noted = (&told, &AddedUnder::default());
    let added = add_note(&workspace, noted, told_at, Tz::UTC).unwrap();
    assert_eq!(
        (added.outcome, added.reinstated),
        (AddOutcome::Added(5), Some(id.clone()))
    );
    assert_eq!(hides(&workspace), (false, true));
    // Forgotten once more, it is hidden once more.
    let once_more = Tombstone {
        id: TombstoneId::new("0000000a"),
        at: told_at,
        reinstated: Vec::new(),
        evidence: Vec::new(),
        ..load_tombstones(&workspace).unwrap().all()[0].clone()
    };
    add_tombstone(&workspace, once_more).unwrap();
    assert_eq!(hides(&workspace), (true, true));
}
