//! A compaction that keeps nothing: the view after it, and after a crash during its write.

use base::disk::{Crash, CrashDisk, MemoryDisk, Unsynced};

use super::*;
use crate::test_kit::{
    NO_LIMIT, at, compaction, entries, home, id, main, said, store, texts, transcript,
};
use crate::{EntrySelector, Epoch, LineContent, SessionStore};

/// A session with two messages.
fn spoken() -> MemoryDisk {
    let disk = home();
    let mut turn = store(disk.clone()).begin_turn(&main(), NO_LIMIT).unwrap();
    turn.append_message(at(1), said("a")).unwrap();
    turn.append_message(at(2), said("b")).unwrap();
    disk
}

fn replace(store: &SessionStore) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut turn = store.begin_turn(&main(), NO_LIMIT)?;
    turn.append_replacement(at(3), compaction(0, id("none")))?;
    Ok(texts(turn.view()))
}

#[test]
fn replacement_shows_summary_alone_and_starts_file_part() {
    let disk = spoken();
    let store = store(disk.clone());
    assert_eq!(replace(&store).unwrap(), ["[summary 0]"]);
    let mut turn = store.begin_turn(&main(), NO_LIMIT).unwrap();
    assert_eq!(
        (texts(turn.view()), turn.repairs()),
        (vec!["[summary 0]".to_owned()], &[][..])
    );
    assert_eq!(turn.state().compaction_count, Epoch(1));
    turn.append_message(at(4), said("c")).unwrap();
    assert_eq!(texts(turn.view()), ["[summary 0]", "c"]);
    // The next session names this one as its parent.
    let next = turn.append_reset(at(5)).unwrap();
    drop(turn);
    let mut resets: Vec<Reset> = Vec::new();
    for entry in entries(&store, &main()) {
        if let Payload::Reset(reset) = entry.payload {
            resets.push(reset);
        }
    }
    assert_eq!(resets[0].reason, ResetReason::Replaced);
    assert_eq!(resets[1], next);
    assert_eq!(next.parent.as_ref(), Some(&resets[0].session));
    // The replaced messages can still be read.
    let spot = EntrySelector::EndOf(Epoch(0));
    let replaced = store.replaced(&main(), Some(&spot), NO_LIMIT).unwrap();
    let said: Vec<_> = replaced.items.iter().map(|item| &item.content).collect();
    assert_eq!(said.len(), 2, "{said:?}");
}

#[test]
fn i5_replacement_interrupted_by_crash_keeps_messages_in_view() {
    let start = spoken();
    let before = transcript(&start);
    // An error here is the simulated crash, which the disk reports separately.
    let replace = |disk: CrashDisk| replace(&store(disk)).is_ok();
    let crashes: Vec<Crash<bool>> = CrashDisk::crashes(&start, replace).collect();
    assert!(crashes.len() > 200, "each byte of both lines");
    let mut seen_alone = 0;
    for Crash {
        done, found, when, ..
    } in crashes
    {
        assert!(transcript(&found).starts_with(&before), "i2 {when}");
        let store = store(found.clone());
        let mut turn = store.begin_turn(&main(), NO_LIMIT).unwrap();
        let shown = texts(turn.view());
        let is_replaced = shown == ["[summary 0]"];
        assert!(is_replaced || shown == ["a", "b"], "{when}: {shown:?}");
        assert!(is_replaced || !done, "{when}");
        let n_lines = transcript(&found).split(|byte| *byte == b'\n').count() - 1;
        seen_alone += usize::from(n_lines == 4 && !is_replaced);
        // The conversation continues from the view.
        turn.append_message(at(9), said("on")).unwrap();
        let mut expected = shown;
        expected.push("on".to_owned());
        drop(turn);
        let read = store.read(&main(), NO_LIMIT).unwrap();
        assert_eq!(texts(&read.view), expected, "{when}");
    }
    assert!(seen_alone > 0, "the reset alone was met");
}

#[test]
fn i5_compaction_after_lone_reset_keeps_messages_in_view() {
    let start = spoken();
    let lone = (0..).find_map(|moment| {
        let disk = CrashDisk::new(&start, moment);
        let crashed = replace(&store(disk.clone()));
        let found = disk.after_crash(Unsynced::Kept);
        let text = String::from_utf8(transcript(&found)).unwrap();
        let is_alone = text.ends_with('\n') && text.contains("\"reason\":\"compaction\"");
        (is_alone && crashed.is_err() && !text.contains("summary")).then_some(found)
    });
    let disk = lone.unwrap();
    let store = store(disk);
    let mut turn = store.begin_turn(&main(), NO_LIMIT).unwrap();
    let part = turn.session_id().clone();
    let kept = turn.view().items[1].entry.clone();
    turn.append_message(at(4), said("c")).unwrap();
    turn.append_compaction(at(5), compaction(0, kept)).unwrap();
    assert_eq!(texts(turn.view()), ["[summary 0]", "b", "c"]);
    drop(turn);
    let turn = store.begin_turn(&main(), NO_LIMIT).unwrap();
    assert_eq!(texts(turn.view()), ["[summary 0]", "b", "c"]);
    assert_eq!(turn.repairs(), []);
    assert_eq!(turn.session_id(), &part);
    let header = store.lines(&main()).unwrap().find_map(|line| {
        let LineContent::Header(header) = line.unwrap().content else {
            return None;
        };
        Some(header.id)
    });
    assert_eq!(store.lineage(&main()).unwrap().session, header.unwrap());
}

#[test]
fn i5_replacement_for_wrong_epoch_is_rejected_without_write() {
    let disk = spoken();
    let before = transcript(&disk);
    let mut turn = store(disk.clone()).begin_turn(&main(), NO_LIMIT).unwrap();
    let refused = turn.append_replacement(at(3), compaction(4, id("none")));
    assert!(
        matches!(refused, Err(AppendError::WrongEpoch { .. })),
        "{refused:?}"
    );
    assert_eq!(transcript(&disk), before);
}
