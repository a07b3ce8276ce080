//! Promises are told once: across restarts, jumps of the clock, zones and edits by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use base::disk::MemoryDisk;
use base::{Disk, Origin, Timestamp, Tz};
use chrono::{NaiveTime, TimeDelta};
use proptest::prelude::*;

use super::*;
use crate::Workspace;
use crate::workspace_kit::{ROOT, text_at, text_if_there, workspace, workspace_with};

const PAGE: &str = "/home/workspace/PROMISES.md";

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn berlin() -> Tz {
    Tz::named("Europe/Berlin").unwrap()
}

fn time(text: &str) -> PromiseTime {
    let (day, time) = text
        .split_once(' ')
        .map_or((text, None), |(day, time)| (day, Some(time)));
    PromiseTime {
        day: day.parse().unwrap(),
        time: time.map(|it| NaiveTime::parse_from_str(it, "%H:%M").unwrap()),
    }
}

fn reminder(when: &str, text: &str) -> NewPromise {
    NewPromise {
        kind: PromiseKind::Reminder,
        occasion: Occasion::Time {
            when: time(when),
            repeats: None,
        },
        text: text.to_owned(),
        origin: Origin::Owner,
        evidence: Vec::new(),
        session: None,
    }
}

fn told(workspace: &Workspace, now: &str) -> Vec<String> {
    let told = claim_due(workspace, (at(now), berlin()), "main", &|_| true).unwrap();
    settle(workspace, (at(now), berlin())).unwrap();
    told.iter()
        .map(|it| format!("{} {}", it.when, it.promise.text))
        .collect()
}

#[test]
fn promise_is_told_once_at_its_time_and_by_one_process() {
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
    disk.create_dir(Path::new(ROOT)).unwrap();
    let (one, other) = (workspace(Arc::clone(&disk)), workspace(Arc::clone(&disk)));
    let now = at("2026-11-30T08:00:00Z");
    let made = add_promise(
        &one,
        reminder("2026-12-04 09:00", "Call the plumber"),
        now,
        berlin(),
    )
    .unwrap();
    let again = add_promise(
        &one,
        reminder("2026-12-04 09:00", "Call the plumber"),
        now,
        berlin(),
    )
    .unwrap();
    assert!(made.is_new && !again.is_new);
    let (made, again) = (made.promise, again.promise);
    assert_eq!(made.id, again.id);
    assert_eq!(
        text_at(&*disk, PAGE),
        format!(
            "# Promises\n\n## Reminders\n\n- 2026-12-04 09:00 Call the plumber ^{}\n",
            made.id
        )
    );
    assert_eq!(
        next_due(&one, (now, berlin()), &|_| true).unwrap(),
        Some(at("2026-12-04T08:00:00Z"))
    );
    assert_eq!(told(&one, "2026-12-04T07:59:59Z"), Vec::<String>::new());
    assert_eq!(
        told(&other, "2026-12-04T08:00:00Z"),
        ["2026-12-04 09:00 Call the plumber"]
    );
    for now in [
        "2026-12-04T08:00:00Z",
        "2026-12-01T08:00:00Z",
        "2027-12-04T08:00:00Z",
    ] {
        assert_eq!(told(&one, now), Vec::<String>::new());
    }
    let tokyo = Tz::named("Asia/Tokyo").unwrap();
    let elsewhere = claim_due(&one, (at("2026-12-05T00:00:00Z"), tokyo), "main", &|_| true);
    assert_eq!(elsewhere.unwrap(), []);
}

#[test]
fn repeating_promise_reports_missed_times_once_and_names_next_time() {
    let workspace = workspace_with(&[(
        "PROMISES.md",
        b"## Reminders\n\n- 2026-11-30 10:00 Water the plants (every Monday at 10:00)\n" as &[u8],
    )]);
    assert_eq!(
        told(&workspace, "2026-12-16T12:00:00Z"),
        ["2026-11-30 10:00 Water the plants"]
    );
    let page = text_if_there(workspace.disk(), PAGE).unwrap();
    assert!(
        page.contains("- 2026-12-21 10:00 Water the plants (every Monday at 10:00) ^"),
        "{page}"
    );
    assert_eq!(
        told(&workspace, "2026-12-20T12:00:00Z"),
        Vec::<String>::new()
    );
    assert_eq!(
        told(&workspace, "2026-12-21T09:00:00Z"),
        ["2026-12-21 10:00 Water the plants"]
    );
    // Back in the past, nothing is told twice.
    assert_eq!(
        told(&workspace, "2026-11-30T12:00:00Z"),
        Vec::<String>::new()
    );
}

#[test]
fn manual_edits_create_move_and_end_promises() {
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
    disk.create_dir(Path::new(ROOT)).unwrap();
    let workspace = workspace(Arc::clone(&disk));
    let save = |text: &str| base::disk::replace(&*disk, Path::new(PAGE), text.as_bytes()).unwrap();
    save(
        "# Mine\n\nwords\n\n- on Friday at 9 call Ana\n- someday call Bea\n* [x] 2026-11-01 done\n\n## Other\n\n- 2026-11-01 no promise\n",
    );
    assert_eq!(
        told(&workspace, "2026-11-30T08:00:00Z"),
        Vec::<String>::new()
    );
    let page = text_at(&*disk, PAGE);
    let line = page
        .lines()
        .find(|it| it.contains("call Ana"))
        .unwrap()
        .to_owned();
    assert!(line.starts_with("- 2026-12-04 09:00 call Ana ^"), "{page}");
    assert!(
        page.contains("- someday call Bea\n") && page.contains("words\n"),
        "{page}"
    );
    let list = promises(&workspace, at("2026-11-30T08:00:00Z"), berlin()).unwrap();
    assert_eq!(list.unread.len(), 1);
    assert_eq!(
        told(&workspace, "2026-12-04T09:00:00Z"),
        ["2026-12-04 09:00 call Ana"]
    );
    save(&page.replace("2026-12-04 09:00", "2026-12-05 09:00"));
    assert_eq!(
        told(&workspace, "2026-12-05T09:00:00Z"),
        ["2026-12-05 09:00 call Ana"]
    );
    save(&page.replace(&line, ""));
    assert_eq!(
        told(&workspace, "2026-12-07T09:00:00Z"),
        Vec::<String>::new()
    );
}

#[test]
fn done_snooze_and_drop_change_promises() {
    let workspace = workspace_with(&[]);
    let now = at("2026-11-30T08:00:00Z");
    let add = |text: &str| {
        add_promise(
            &workspace,
            reminder("2026-12-01 09:00", text),
            now,
            berlin(),
        )
        .unwrap()
        .promise
        .id
    };
    let (done, snoozed, dropped) = (add("one"), add("two"), add("three"));
    let change = |id: &str, change: PromiseChange| {
        change_promise(&workspace, (id, &change), (now, berlin()), &|_| true)
    };
    change(done.get(..5).unwrap(), PromiseChange::Done).unwrap();
    change(&snoozed, PromiseChange::Snooze(time("2026-12-02 10:00"))).unwrap();
    change(&dropped, PromiseChange::Drop).unwrap();
    assert!(matches!(
        change("ffffffff", PromiseChange::Drop),
        Err(PromiseError::NotFound(_))
    ));
    assert!(matches!(
        change("", PromiseChange::Drop),
        Err(PromiseError::NotFound(_))
    ));
    assert_eq!(
        told(&workspace, "2026-12-02T08:00:00Z"),
        Vec::<String>::new()
    );
    assert_eq!(
        told(&workspace, "2026-12-02T09:00:00Z"),
        ["2026-12-02 10:00 two"]
    );
    change(&snoozed, PromiseChange::Snooze(time("2026-12-03 10:00"))).unwrap();
    assert_eq!(
        told(&workspace, "2026-12-03T09:00:00Z"),
        ["2026-12-03 10:00 two"]
    );
}

#[test]
fn skipped_local_time_is_due_at_clock_change_and_repeated_time_once() {
    let workspace = workspace_with(&[]);
    let now = at("2026-03-01T08:00:00Z");
    add_promise(
        &workspace,
        reminder("2026-03-29 02:30", "gap"),
        now,
        berlin(),
    )
    .unwrap();
    add_promise(
        &workspace,
        reminder("2026-10-25 02:30", "fold"),
        now,
        berlin(),
    )
    .unwrap();
    assert_eq!(
        next_due(&workspace, (now, berlin()), &|_| true).unwrap(),
        Some(at("2026-03-29T01:00:00Z"))
    );
    assert_eq!(
        told(&workspace, "2026-03-29T00:59:59Z"),
        Vec::<String>::new()
    );
    assert_eq!(
        told(&workspace, "2026-03-29T01:00:00Z"),
        ["2026-03-29 02:30 gap"]
    );
    assert_eq!(
        told(&workspace, "2026-10-25T00:30:00Z"),
        ["2026-10-25 02:30 fold"]
    );
    assert_eq!(
        told(&workspace, "2026-10-25T01:30:00Z"),
        Vec::<String>::new()
    );
}

#[test]
fn promise_of_a_repository_is_told_and_changed_by_those_who_may() {
    let workspace = workspace_with(&[]);
    let now = at("2026-11-30T07:00:00Z");
    let scope = format!("repo-{}-", base::short_hash("github.com/ana/boat"));
    let new = NewPromise {
        session: Some(base::SessionId::new(format!("{scope}notes"))),
        ..reminder("2026-11-30 09:00", "Ship it")
    };
    let own = add_promise(&workspace, new, now, berlin()).unwrap().promise;
    assert_eq!(own.scope.as_deref(), Some(scope.as_str()));
    add_promise(
        &workspace,
        reminder("2026-11-30 09:00", "Call Ana"),
        now,
        berlin(),
    )
    .unwrap();
    let is_elsewhere = |scope: Option<&str>| scope.is_none();
    let is_here = |it: Option<&str>| it.is_none() || it == Some(scope.as_str());
    let later = (at("2026-12-01T08:00:00Z"), berlin());
    let texts = |told: Vec<ToldPromise>| -> Vec<String> {
        told.into_iter().map(|it| it.promise.text).collect()
    };
    for change in [PromiseChange::Drop, PromiseChange::Done] {
        let refused = change_promise(&workspace, (&own.id, &change), later, &is_elsewhere);
        assert!(matches!(refused, Err(PromiseError::NotFound(_))));
    }
    let undone = undo_promise(&workspace, &own.id, later, &is_elsewhere);
    assert!(matches!(undone, Err(PromiseError::NothingToUndo(_))));
    let told = claim_due(&workspace, later, "hook", &is_elsewhere).unwrap();
    assert_eq!(texts(told), ["Call Ana"]);
    let told = claim_due(&workspace, later, "hook", &is_here).unwrap();
    assert_eq!(texts(told), ["Ship it"]);
}

#[test]
fn undo_restores_the_line_before_the_last_change() {
    let workspace = workspace_with(&[]);
    let now = (at("2026-11-30T08:00:00Z"), berlin());
    let new = reminder("2026-12-01 09:00", "one");
    let id = add_promise(&workspace, new, now.0, now.1)
        .unwrap()
        .promise
        .id;
    let page = || text_if_there(workspace.disk(), PAGE).unwrap();
    let added = page();
    let undo = || undo_promise(&workspace, &id, now, &|_| true).unwrap();
    for change in [
        PromiseChange::Done,
        PromiseChange::Snooze(time("2026-12-02 10:00")),
        PromiseChange::Drop,
    ] {
        change_promise(&workspace, (&id, &change), now, &|_| true).unwrap();
        let changed = page();
        assert_ne!(changed, added);
        undo();
        assert_eq!(page(), added, "{change:?}");
        // And again.
        undo();
        assert_eq!(page(), changed, "{change:?}");
        undo();
    }
    let told = claim_due(
        &workspace,
        (at("2026-12-01T08:00:00Z"), berlin()),
        "main",
        &|_| true,
    );
    assert_eq!(told.unwrap().len(), 1);
}

#[test]
fn undo_of_a_repetition_takes_back_its_change_and_not_its_telling() {
    let workspace = workspace_with(&[(
        "PROMISES.md",
        b"## Reminders\n\n- 2026-11-30 10:00 Water (every Monday at 10:00)\n" as &[u8],
    )]);
    let now = (at("2026-11-29T08:00:00Z"), berlin());
    settle(&workspace, now).unwrap();
    let id = promises(&workspace, now.0, now.1).unwrap().promises[0]
        .0
        .id
        .clone();
    let moved = PromiseChange::Snooze(time("2026-12-01 09:00"));
    change_promise(&workspace, (&id, &moved), now, &|_| true).unwrap();
    let undo = |at_time: &str| undo_promise(&workspace, &id, (at(at_time), berlin()), &|_| true);
    let undone = undo("2026-11-29T09:00:00Z").unwrap();
    assert_eq!(
        undone.after.unwrap().occasion.when().unwrap(),
        time("2026-11-30 10:00")
    );
    change_promise(&workspace, (&id, &moved), now, &|_| true).unwrap();
    assert_eq!(
        told(&workspace, "2026-12-01T12:00:00Z"),
        ["2026-12-01 09:00 Water"]
    );
    // The telling has moved it to the next Monday, where the first time would be by now.
    let later = undo("2026-12-01T12:00:00Z");
    assert!(
        later.is_err()
            || later.unwrap().after.unwrap().occasion.when().unwrap() == time("2026-12-07 10:00"),
    );
    assert_eq!(
        told(&workspace, "2026-12-01T12:00:00Z"),
        Vec::<String>::new()
    );
}

#[test]
fn beginning_of_an_id_means_the_same_reminder_before_and_after_a_change() {
    let workspace = workspace_with(&[]);
    let now = (at("2026-11-30T08:00:00Z"), berlin());
    let add = |text: &str| {
        let new = reminder("2026-12-04 09:00", text);
        add_promise(&workspace, new, now.0, now.1)
            .unwrap()
            .promise
            .id
    };
    let mut ids: Vec<String> = Vec::new();
    // Two ids that begin with the same character.
    let same = (0..).find_map(|n| {
        let id = add(&format!("text {n}"));
        let same = ids
            .iter()
            .find(|own| own.starts_with(id.get(..1).unwrap()))
            .cloned();
        ids.push(id.clone());
        same.map(|own| (own, id))
    });
    let (first, second) = same.unwrap();
    change_promise(&workspace, (&second, &PromiseChange::Drop), now, &|_| true).unwrap();
    for id in ids.iter().filter(|own| **own != first && **own != second) {
        change_promise(&workspace, (id, &PromiseChange::Drop), now, &|_| true).unwrap();
    }
    let moved = PromiseChange::Snooze(time("2026-12-05 09:00"));
    change_promise(&workspace, (&first, &moved), now, &|_| true).unwrap();
    let undone = undo_promise(&workspace, first.get(..1).unwrap(), now, &|_| true).unwrap();
    let undone = undone.after.unwrap();
    let when = undone.occasion.when().unwrap();
    assert_eq!((undone.id, when), (first, time("2026-12-04 09:00")));
    let back = undo_promise(&workspace, &second, now, &|_| true).unwrap();
    assert_eq!(back.after.unwrap().id, second);
}

#[test]
fn claim_whose_telling_failed_is_due_again() {
    let workspace = workspace_with(&[(
        "PROMISES.md",
        b"- 2026-11-30 09:00 Ship it\n- 2026-11-30 10:00 Water the plants (every Monday at 10:00)\n"
            as &[u8],
    )]);
    let now = (at("2026-12-01T08:00:00Z"), berlin());
    let claim = || claim_due(&workspace, now, "notify", &|_| true).unwrap();
    for _ in 0..3 {
        let claimed = claim();
        assert_eq!(claimed.len(), 2);
        assert_eq!(claim(), []);
        for own in &claimed {
            release_claim(&workspace, own, now, "notify").unwrap();
        }
    }
    let [one, other] = <[ToldPromise; 2]>::try_from(claim()).unwrap();
    release_claim(&workspace, &other, now, "notify").unwrap();
    let again = claim();
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].when, time("2026-11-30 10:00"));
    assert_eq!(again[0].next, Some(time("2026-12-07 10:00")));
    assert_eq!(claim(), []);
    assert_eq!(one.promise.text, "Ship it");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn i16_any_page_is_read_and_lines_without_promise_are_kept(text in "(?s).{0,200}") {
        let workspace = workspace_with(&[("PROMISES.md", text.as_bytes())]);
        promises(&workspace, at("2026-11-30T08:00:00Z"), berlin()).unwrap();
        let now = (at("2026-11-30T08:00:00Z"), berlin());
        claim_due(&workspace, now, "main", &|_| true).unwrap();
        settle(&workspace, now).unwrap();
        let page = text_if_there(workspace.disk(), PAGE).unwrap();
        for line in text.lines().filter(|it| !it.trim_start().starts_with(['-', '*', '+'])) {
            prop_assert!(page.contains(line), "{line:?} {page:?}");
        }
    }

    /// Two processes, years of hours, sleep, jumps of the clock both ways and zones: nothing missed, nothing doubled.
    #[test]
    fn promises_are_neither_missed_nor_told_twice(
        starts in prop::collection::vec((0_i64..20_000, any::<bool>()), 1..12),
        steps in prop::collection::vec((-200_i64..900, 0..3_usize, any::<bool>()), 1..40),
    ) {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
        disk.create_dir(Path::new(ROOT)).unwrap();
        let zones = ["Europe/Berlin", "Asia/Tokyo", "America/New_York"].map(|it| Tz::named(it).unwrap());
        let begin = at("2026-01-01T00:00:00Z");
        let mut expected = BTreeMap::new();
        for (number, (hours, is_daily)) in starts.iter().enumerate() {
            let local = begin.naive_utc() + TimeDelta::hours(*hours);
            let when = PromiseTime { day: local.date().into(), time: Some(local.time()) };
            let every = base::dates::Every::Day;
            let repeats = is_daily.then_some(Repetition { every, time: when.time });
            let new = NewPromise { occasion: Occasion::Time { when, repeats }, ..reminder("2026-01-01", &format!("number {number}")) };
            let own = workspace(Arc::clone(&disk));
            expected.insert(add_promise(&own, new, begin, zones[0]).unwrap().promise.id, (local, *is_daily));
        }
        let mut now = begin;
        let mut seen = BTreeSet::new();
        let mut latest = chrono::NaiveDateTime::MIN;
        for (hours, zone, is_second) in steps {
            now += TimeDelta::hours(hours);
            latest = latest.max(now.with_timezone(&zones[zone]).naive_local());
            let process = workspace(Arc::clone(&disk));
            let place = if is_second { "serve" } else { "main" };
            for own in claim_due(&process, (now, zones[zone]), place, &|_| true).unwrap() {
                prop_assert!(own.when.local() <= now.with_timezone(&zones[zone]).naive_local());
                prop_assert!(seen.insert((own.promise.id.clone(), own.when.local())), "doubled");
            }
        }
        for (id, (local, is_daily)) in expected {
            let times: Vec<_> = seen.iter().filter(|(own, _)| *own == id).collect();
            prop_assert_eq!(!times.is_empty(), local <= latest, "missed or early");
            prop_assert!(is_daily || times.len() <= 1);
        }
    }
}
