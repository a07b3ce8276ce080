//! The pipeline on disks in memory: turns and replays with doubles for the model, and what they left.
//!
//! Uses only what the crates make public.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context as TaskContext, Poll, Waker};

use agent::{
    Event, Models, ReplayClock, ReplayError, ReplayInput, ReplayMode, ReplayReport, Runtime,
};
use agent::{HomeAccess, TurnError, replay, run_turn};
use base::disk::{Disk, MemoryDisk};
use base::model::{
    Extractor, Model, ModelError, ModelProfile, Purpose, ReplyEvent, ReplyStream, Request,
};
use base::{
    Assistant, Clock, EntryId, FixedClock, HomeLayout, Message, StopReason, Timestamp, TokenCount,
    ToolCall, ToolCallId, Tz, head,
};
use compaction::{Strategy, WindowSettings};
use import::Recording;
use memory::{BlockKind, Workspace};
use models::OfflineEngine;
use session::{
    Compaction, Entry, LineContent, Meta, Payload, SessionName, SessionStore, Severity,
    StoredMessage, VerifyReport,
};
use testkit::{LogBlock, TimedMessage, to_jsonl};

/// The one session that sees memory files.
pub(super) const MAIN: &str = "main";

/// The path of the home.
const HOME: &str = "/home";

/// A test double's answer: the pieces of a reply, or the reason why there is none.
pub(super) type Answer = Result<Vec<ReplyEvent>, ModelError>;

type Rule = dyn Fn(&Request) -> Answer + Send + Sync;

/// A model that answers by a rule and remembers its requests.
pub(super) struct Double {
    name: &'static str,
    window: Option<TokenCount>,
    rule: Box<Rule>,
    requests: Mutex<Vec<Request>>,
}

impl Double {
    pub(super) fn new(rule: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Arc<Self> {
        Self::named("double", None, rule)
    }

    pub(super) fn named(
        name: &'static str,
        window: Option<TokenCount>,
        rule: impl Fn(&Request) -> Answer + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            name,
            window,
            rule: Box::new(rule),
            requests: Mutex::default(),
        })
    }

    pub(super) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    pub(super) fn requests_for(&self, purpose: Purpose) -> Vec<Request> {
        let mut requests = self.requests();
        requests.retain(|request| request.purpose == purpose);
        requests
    }
}

impl fmt::Debug for Double {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

impl Model for Double {
    fn profile(&self) -> ModelProfile {
        ModelProfile {
            name: self.name.to_owned(),
            context_window: self.window,
            concurrency: 2,
            only_quotes: false,
        }
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        self.requests.lock().unwrap().push(request.clone());
        let pieces = match (self.rule)(request) {
            Ok(pieces) => pieces.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        };
        Box::pin(futures_util::stream::iter(pieces))
    }
}

impl Extractor for Double {}

/// A finished reply of one text.
#[expect(
    clippy::unnecessary_wraps,
    reason = "rules end in it, and rules may fail"
)]
pub(super) fn said(text: impl Into<String>) -> Answer {
    Ok(vec![ReplyEvent::Text(text.into()), done(StopReason::Stop)])
}

pub(super) fn call(id: &str, name: &str, arguments: impl Into<String>) -> ReplyEvent {
    ReplyEvent::ToolCall(ToolCall {
        id: ToolCallId::new(id),
        name: name.into(),
        arguments: arguments.into(),
    })
}

pub(super) fn done(stop: StopReason) -> ReplyEvent {
    ReplyEvent::Done { stop, usage: None }
}

pub(super) fn unavailable() -> ModelError {
    ModelError::Unavailable {
        model: "double".into(),
        reason: "no route to host".into(),
    }
}

/// Answers by extraction: a note on each message, the beginning of the last message as the summary, the
/// beginning of the newest question as the reply.
pub(super) fn extract(request: &Request) -> Answer {
    let start = |text: &str| {
        head(text, 40)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    match request.purpose {
        Purpose::Flush => {
            let lines = testkit::shown_lines(request).into_iter();
            let lines: Vec<(String, String)> =
                lines.map(|line| (start(&line.text), line.label)).collect();
            let notes: Vec<(&str, &str, &str)> = lines
                .iter()
                .map(|(text, label)| (text.as_str(), label.as_str(), text.as_str()))
                .collect();
            said(testkit::noted("Task Progress", &notes))
        }
        Purpose::Summarise => {
            let last = testkit::shown_lines(request).pop();
            let text = last.map_or(String::new(), |it| it.text);
            said(format!("## Goals and Intent\n- Spoke of: {}", start(&text)))
        }
        Purpose::Chat | Purpose::Consolidate => {
            let by_user = |it: &&Message| matches!(it, Message::User { .. });
            let newest = request.messages.iter().rfind(by_user).map(Message::text);
            said(format!(
                "Understood: {}",
                start(&newest.unwrap_or_default())
            ))
        }
    }
}

/// A home on disks in memory.
#[derive(Debug, Clone)]
pub(super) struct Home {
    /// Transcripts and locks.
    pub(super) disk: Arc<dyn Disk>,
    /// The workspace; a separate disk if a test needs only that one to fail.
    pub(super) workspace: Arc<dyn Disk>,
    pub(super) timezone: Tz,
    pub(super) window: TokenCount,
    pub(super) strategy: Strategy,
    pub(super) models: Models,
}

impl Home {
    pub(super) fn new(disk: impl Disk + 'static, window: u64) -> Self {
        let disk: Arc<dyn Disk> = Arc::new(disk);
        let model = Double::new(extract);
        Self {
            workspace: Arc::clone(&disk),
            disk,
            timezone: Tz::UTC,
            window: TokenCount(window),
            strategy: Strategy::default(),
            models: Models::new(Arc::clone(&model) as _, model),
        }
    }

    /// The same home with a model that answers and another as its fallback.
    pub(super) fn with_models(mut self, primary: &Arc<Double>, offline: &Arc<Double>) -> Self {
        self.models = Models::new(Arc::clone(primary) as _, Arc::clone(offline) as _);
        self
    }

    /// The same home with the program's own offline engine.
    pub(super) fn with_offline_engine(mut self) -> Self {
        let engine = Arc::new(OfflineEngine::new(self.timezone));
        self.models = Models::new(Arc::clone(&engine) as _, engine);
        self
    }

    /// The same home with the workspace on another disk.
    pub(super) fn with_workspace(mut self, disk: impl Disk + 'static) -> Self {
        self.workspace = Arc::new(disk);
        self
    }

    /// The same home, with another strategy from now on.
    pub(super) fn with_strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    pub(super) fn in_timezone(mut self, timezone: Tz) -> Self {
        self.timezone = timezone;
        self
    }

    pub(super) fn runtime(&self, clock: Arc<dyn Clock>) -> Runtime {
        let layout = HomeLayout::new(HOME);
        let workspace = Workspace::new(Arc::clone(&self.workspace), layout.clone());
        let settings = WindowSettings {
            context_window: self.window,
            strategy: self.strategy,
            ..WindowSettings::default()
        };
        let sessions = SessionStore::new(Arc::clone(&self.disk), Arc::clone(&clock), layout);
        let home = HomeAccess::new((clock, self.timezone), sessions, Arc::new(workspace));
        Runtime::new(home, self.models.clone(), settings)
    }

    /// Replays into the main session; also returns what was reported.
    pub(super) fn replay(
        &self,
        recording: &Recording,
        mode: ReplayMode,
    ) -> (Result<ReplayReport, ReplayError>, Vec<Event>) {
        let clock = Arc::new(ReplayClock::new());
        let runtime = self.runtime(Arc::clone(&clock) as _);
        let name = main_session();
        let source = ReplayInput {
            recording,
            name: &name,
            mode,
        };
        let mut events = Vec::new();
        let mut on_event = |event| events.push(event);
        let result = at_once(replay(&runtime, &clock, source, &mut on_event));
        (result, events)
    }

    /// Replays as above, which must succeed.
    #[track_caller]
    pub(super) fn replayed(&self, recording: &Recording, mode: ReplayMode) -> Vec<Event> {
        let (result, events) = self.replay(recording, mode);
        result.unwrap();
        events
    }

    /// One turn of a session at an instant; also returns what was reported.
    pub(super) fn turn(
        &self,
        session: &str,
        at: &str,
        text: &str,
    ) -> (Result<Assistant, TurnError>, Vec<Event>) {
        let runtime = self.runtime(Arc::new(FixedClock::new(at.parse().unwrap())));
        let name: SessionName = session.parse().unwrap();
        let mut events = Vec::new();
        let mut on_event = |event| events.push(event);
        let result = at_once(run_turn(
            &runtime,
            &name,
            Message::user(text),
            &mut on_event,
        ));
        (result, events)
    }

    /// Sends a message as above, which must succeed.
    #[track_caller]
    pub(super) fn say(&self, session: &str, at: &str, text: &str) -> Vec<Event> {
        let (reply, events) = self.turn(session, at, text);
        reply.unwrap();
        events
    }

    /// The transcript of a session.
    pub(super) fn transcript(&self, session: &str) -> Transcript {
        let clock = FixedClock::new("2026-04-20T00:00:00Z".parse().unwrap());
        let runtime = self.runtime(Arc::new(clock));
        let name = session.parse().unwrap();
        let lines = runtime.home.sessions.lines(&name).unwrap();
        let report = session::verify(runtime.home.sessions.lines(&name).unwrap()).unwrap();
        let entries = lines.filter_map(|line| {
            if let LineContent::Entry(entry) = line.unwrap().content {
                Some(entry)
            } else {
                None
            }
        });
        Transcript {
            entries: entries.collect(),
            report,
        }
    }

    /// Every file except the locks, by path in the home.
    pub(super) fn files(disk: &MemoryDisk) -> BTreeMap<PathBuf, Vec<u8>> {
        let files = disk.snapshot().into_iter();
        files
            .filter(|(path, _)| path.extension().is_none_or(|extension| extension != "lock"))
            .map(|(path, bytes)| (path.strip_prefix(HOME).unwrap_or(&path).to_owned(), bytes))
            .collect()
    }

    /// The daily logs of a disk by day, as text.
    pub(super) fn logs(disk: &MemoryDisk) -> BTreeMap<String, String> {
        let files = Self::files(disk).into_iter();
        files
            .filter_map(|(path, bytes)| {
                let day = path.strip_prefix("workspace/memory").ok()?.to_str()?;
                let text = String::from_utf8(bytes).expect("a log is UTF-8");
                Some((day.strip_suffix(".md")?.to_owned(), text))
            })
            .collect()
    }

    /// The blocks of all logs with their days, in the order of days and places.
    pub(super) fn blocks(disk: &MemoryDisk) -> Vec<(String, LogBlock)> {
        let logs = Self::logs(disk).into_iter();
        let logs = logs.map(|(day, text)| (format!("{day}.md"), text));
        let records = Self::files(disk).remove(Path::new("state/notes.jsonl"));
        let records = String::from_utf8(records.unwrap_or_default()).expect("records are UTF-8");
        let blocks = testkit::log_blocks_in(&records, &logs.collect()).into_iter();
        blocks
            .map(|block| (block.log.trim_end_matches(".md").to_owned(), block))
            .collect()
    }
}

/// Some words about a subject, repeated this many times.
pub(super) fn matter(number: usize, n_times: usize) -> String {
    format!(
        "Matter {number}: {}",
        "the fence needs paint ".repeat(n_times)
    )
}

/// Messages of the owner about this many subjects, this many minutes apart.
pub(super) fn matters(n_messages: usize, n_minutes: u64, n_times: usize) -> Vec<TimedMessage> {
    let mut at: Timestamp = "2026-04-20T20:00:00Z".parse().unwrap();
    let said = (0..n_messages).map(|number| {
        at += std::time::Duration::from_mins(n_minutes);
        let message = Message::user(matter(number, n_times));
        TimedMessage { at, message }
    });
    said.collect()
}

/// Writes a file into a home that is not in use yet.
pub(super) fn put(disk: &MemoryDisk, path: &str, bytes: &[u8]) {
    let path = Path::new(HOME).join(path);
    disk.create_dir(path.parent().unwrap()).unwrap();
    base::disk::replace(disk, &path, bytes).unwrap();
}

/// Removes the last lines of the main session, as if a crash had come before they were written.
pub(super) fn cut_lines(disk: &MemoryDisk, n_lines: usize) {
    let path = Path::new(HOME).join("sessions/main.jsonl");
    let whole = disk.snapshot().remove(&path).unwrap();
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    let kept: usize = lines
        .iter()
        .take(lines.len() - n_lines)
        .map(|line| line.len())
        .sum();
    disk.truncate(&path, kept as u64).unwrap();
}

pub(super) fn main_session() -> SessionName {
    MAIN.parse().unwrap()
}

/// A recording of JSON Lines, on a separate disk that never fails.
pub(super) fn recording_of(text: &str) -> Recording {
    let disk = MemoryDisk::new();
    disk.append(Path::new("talk.jsonl"), text.as_bytes())
        .unwrap();
    Recording::open(Arc::new(disk), Path::new("talk.jsonl")).unwrap()
}

pub(super) fn recording(said: &[TimedMessage]) -> Recording {
    recording_of(&to_jsonl(said))
}

/// A transcript as it was at the time of reading.
#[derive(Debug)]
pub(super) struct Transcript {
    pub(super) entries: Vec<Entry>,
    pub(super) report: VerifyReport,
}

impl Transcript {
    pub(super) fn stored(&self) -> Vec<(&Entry, &StoredMessage)> {
        let stored = self.entries.iter().filter_map(|entry| {
            if let Payload::Message(stored) = &entry.payload {
                Some((entry, stored))
            } else {
                None
            }
        });
        stored.collect()
    }

    pub(super) fn messages(&self) -> Vec<Message> {
        let stored = self.stored().into_iter();
        stored.map(|(_, stored)| stored.message.clone()).collect()
    }

    /// Ids of the messages, in order.
    pub(super) fn ids(&self) -> Vec<EntryId> {
        let stored = self.stored().into_iter();
        stored.map(|(entry, _)| entry.id.clone()).collect()
    }

    pub(super) fn metas(&self) -> Vec<&Meta> {
        let metas = self.entries.iter().filter_map(|entry| {
            if let Payload::Meta(meta) = &entry.payload {
                Some(meta)
            } else {
                None
            }
        });
        metas.collect()
    }

    pub(super) fn compactions(&self) -> Vec<&Compaction> {
        let found = self.entries.iter().filter_map(|entry| {
            if let Payload::Compaction(compaction) = &entry.payload {
                Some(compaction)
            } else {
                None
            }
        });
        found.collect()
    }

    /// The kind of each line, in order: a letter for a message, words for the rest.
    pub(super) fn course(&self) -> Vec<&'static str> {
        let words = self.entries.iter().map(|entry| match &entry.payload {
            Payload::Message(stored) => stored.message.role(),
            Payload::Compaction(_) => "compaction",
            Payload::Meta(meta) if meta.intent.is_some() => "intent",
            Payload::Meta(_) => "meta",
            Payload::Reset(_)
            | Payload::Rewind(_)
            | Payload::BranchSummary(_)
            | Payload::CustomMessage(_)
            | Payload::Custom(_)
            | Payload::SessionInfo(_)
            | Payload::Other(..) => "other",
        });
        words.collect()
    }

    /// The positions of each block's first and last message among all messages.
    pub(super) fn spans(&self, blocks: &[(String, LogBlock)]) -> Vec<(usize, usize)> {
        let ids = self.ids();
        let place = |id: &str| {
            let mut ids = ids.iter();
            ids.position(|it| it.as_str() == id)
                .expect("a message of it")
        };
        let mut spans: Vec<(usize, usize)> = blocks
            .iter()
            .map(|(_, block)| (place(&block.span.0), place(&block.span.1)))
            .collect();
        spans.sort_unstable();
        spans
    }

    #[track_caller]
    pub(super) fn assert_no_errors(&self) {
        let errors: Vec<_> = self
            .report
            .findings
            .iter()
            .filter(|finding| finding.kind.severity() == Severity::Error)
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
}

/// I4: each entry is in at most one block, each epoch has at most one flush before its compaction, and no log contains
/// unfinished text.
#[track_caller]
pub(super) fn assert_exactly_once(transcript: &Transcript, disk: &MemoryDisk) {
    let blocks = Home::blocks(disk);
    for pair in transcript.spans(&blocks).windows(2) {
        assert!(pair[0].1 < pair[1].0, "{pair:?} overlap");
    }
    for (day, block) in &blocks {
        assert!(block.is_closed, "{block:?} of {day}");
    }
    let mut epochs: Vec<u64> = blocks
        .iter()
        .filter(|(_, block)| block.kind == BlockKind::PreFlush.as_str())
        .map(|(_, block)| block.epoch)
        .collect();
    epochs.sort_unstable();
    let n_flushes = epochs.len();
    epochs.dedup();
    assert_eq!(epochs.len(), n_flushes, "one flush an epoch: {epochs:?}");
    transcript.assert_no_errors();
}

/// Doubles answer at once, so nothing is awaited, but a long flush sometimes lets others go first.
fn at_once<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let mut context = TaskContext::from_waker(Waker::noop());
    for _ in 0..100_000 {
        if let Poll::Ready(done) = work.as_mut().poll(&mut context) {
            return done;
        }
    }
    panic!("something is waited for that no double gives");
}
