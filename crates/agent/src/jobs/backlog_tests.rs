//! A backlog that is too long to be noted while the owner waits.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use base::model::{Extractor, ExtractorInput, Model, ModelProfile, Purpose, ReplyStream, Request};
use base::{Origin, Tz};
use compaction::{Pressure, WindowEvent};
use models::OfflineEngine;
use serde_json::json;
use session::StoredMessage;

use super::*;
use crate::event::Event;
use crate::jobs::session_flush::{FlushReason, flush};
use crate::jobs::slots::{JobExecution, Jobs};
use crate::test_kit::{Home, Script, main, offline_home};

/// The offline engine, with a count of the notes that it was asked for.
#[derive(Debug)]
struct Counting {
    engine: OfflineEngine,
    n_asked: AtomicUsize,
}

impl Model for Counting {
    fn profile(&self) -> ModelProfile {
        self.engine.profile()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        self.engine.stream(request)
    }
}

impl Extractor for Counting {
    fn quote<'a>(&'a self, request: &'a Request, evidence: &'a ExtractorInput) -> ReplyStream<'a> {
        if request.purpose == Purpose::Flush {
            self.n_asked.fetch_add(1, Ordering::Relaxed);
        }
        self.engine.quote(request, evidence)
    }
}

/// A home with a transcript of this many messages, a hundred a day; the first of each day is worth a note.
fn imported(n_messages: usize) -> (Home, Arc<Counting>) {
    let mut home = offline_home();
    let model = Arc::new(Counting {
        engine: OfflineEngine::new(Tz::named("Europe/Berlin").unwrap()),
        n_asked: AtomicUsize::default(),
    });
    home.runtime.engine.models.primary = Arc::clone(&model) as _;
    home.runtime.engine.models.offline = Arc::clone(&model) as _;
    home.runtime.memory.knowledge = None;
    let first = "2025-01-01T08:00:00Z".parse::<base::Timestamp>().unwrap();
    let header = json!({
        "type": "session", "version": 3, "id": "big", "timestamp": first.to_rfc3339(), "cwd": "/",
    });
    let mut lines = format!("{header}\n");
    for idx in 0..n_messages {
        let day = u32::try_from(idx / 100).unwrap();
        let at = first + std::time::Duration::from_hours(24) * day;
        let text = if idx % 100 == 0 {
            format!("I decided to rent hall number {idx}.")
        } else {
            format!("ok {idx}")
        };
        let entry = json!({
            "type": "message", "id": format!("e{idx}"), "timestamp": at.to_rfc3339(),
            "parentId": idx.checked_sub(1).map(|idx| format!("e{idx}")),
            "message": { "role": "user", "content": [{ "type": "text", "text": text }] },
        });
        writeln!(lines, "{entry}").unwrap();
    }
    let sessions = Path::new("/home/sessions");
    home.disk.create_dir(sessions).unwrap();
    base::disk::replace(&*home.disk, &sessions.join("main.jsonl"), lines.as_bytes()).unwrap();
    (home, model)
}

fn n_asked(model: &Counting) -> usize {
    model.n_asked.load(Ordering::Relaxed)
}

/// The halls that the logs name, each as often as it occurs.
fn halls(home: &Home) -> Vec<String> {
    let entries = home.disk.list(Path::new("/home/workspace/memory"));
    let mut halls = Vec::new();
    for entry in entries.unwrap() {
        let name = entry.file_name().unwrap().to_string_lossy().into_owned();
        let log = home.read(&format!("workspace/memory/{name}"));
        let decided = log.lines().filter(|line| line.contains("rent hall number"));
        halls.extend(decided.map(|line| line.split(". ").next().unwrap().to_owned()));
    }
    halls
}

#[tokio::test]
async fn reply_does_not_wait_for_long_backlog() {
    for n_messages in [ENTRIES_MAX + 100, 2 * ENTRIES_MAX] {
        let (home, model) = imported(n_messages);
        home.say("2026-03-02T08:00:00Z", "Hello.").await;
        assert_eq!(n_asked(&model), 0, "of {n_messages} messages");
        let noted = flush(
            &home.runtime,
            &main(),
            FlushReason::LongBacklog,
            &mut |_| {},
        )
        .await;
        noted.unwrap();
        assert!(n_asked(&model) > 0, "of {n_messages} messages");
    }
}

#[tokio::test]
async fn chat_warns_once_of_older_messages_left_out_of_replies() {
    let mut home = offline_home();
    home.ask(Arc::new(Script::new().says("Hello.").says("Good.")));
    let jobs = Jobs::new(JobExecution::Background, Duration::from_mins(1));
    home.runtime.jobs = Arc::new(jobs);
    let at = home.runtime.home.clock.now();
    let mut turn = home.turn();
    for _ in 0..100 {
        let said = Message::user("the tide turns at noon ".repeat(300));
        let said = StoredMessage::new(said, Origin::Owner);
        turn.append_message(at, said).unwrap();
    }
    drop(turn);
    // Another process compacts it.
    let busy = home.runtime.home.sessions.lock_background(&main()).unwrap();
    let (reply, events) = home.say_in("main", "2026-03-02T08:00:00Z", "Hello.").await;
    assert_eq!(reply, "Hello.");
    let is_warning = |event: &&Event| {
        let Event::Window(WindowEvent::ContextWarning { pressure, .. }) = event else {
            return false;
        };
        *pressure == Pressure::LeftOut
    };
    assert_eq!(events.iter().filter(is_warning).count(), 1, "{events:?}");
    let (_, events) = home
        .say_in("main", "2026-03-02T08:01:00Z", "How are you?")
        .await;
    assert_eq!(events.iter().filter(is_warning).count(), 0, "{events:?}");
    drop(busy);
}

#[tokio::test]
async fn long_backlog_is_noted_in_batches_without_duplicates() {
    let n_messages = 2 * ENTRIES_MAX + 100;
    let (home, _) = imported(n_messages);
    home.say("2026-03-02T08:00:00Z", "Hello.").await;
    let mut n_noted = Vec::new();
    let mut told = Vec::new();
    for _ in 0..3 {
        let mut on_event = |event| {
            if let Event::Notice(notice) = event {
                told.push(notice);
            }
        };
        let noted = flush(
            &home.runtime,
            &main(),
            FlushReason::LongBacklog,
            &mut on_event,
        )
        .await;
        noted.unwrap();
        n_noted.push(halls(&home).len());
    }
    // What is left is short, and is noted as any other talk is.
    assert_eq!(n_noted, [20, 40, 40]);
    let first = told.iter().find(|notice| notice.contains("no notes"));
    insta::assert_snapshot!(first.unwrap(), @"2102 messages still have no notes: later commands write them in batches; `openclaw dream --now` writes them all at once.");
    flush(&home.runtime, &main(), FlushReason::ChatEnd, &mut |_| {})
        .await
        .unwrap();
    let halls = halls(&home);
    let once: BTreeSet<&String> = halls.iter().collect();
    assert_eq!((halls.len(), once.len()), (41, 41));
}
