//! Helpers that the tests of this crate share: a runtime on a disk in memory with its index in a temporary folder,
//! and a model that follows a script. Never part of the program.

use std::path::Path;
use std::sync::Arc;

use base::disk::{MemoryDisk, OsDisk, read_all};
use base::model::Model;
use base::{
    Clock, Day, Disk, EntryId, FixedClock, HomeLayout, Message, Origin, TokenCount, ToolCall,
    ToolCallId, ToolOutcome, Tz,
};
use compaction::{AsOf, SummaryBrief, SummaryPlan, WindowSettings};
use dreaming::{DreamReport, DreamSettings, MaterialItem, MaterialSource, Promotion};
use futures_util::FutureExt;
use memory::candidates::{Access, FoundIn, MemoryTxn};
use memory::{
    AddedUnder, ForgottenEntry, Note, OwnerLines, Tombstone, TombstoneCause, TombstoneId,
    TombstoneProgress, add_note, add_tombstone,
};
use models::OfflineEngine;
use serde_json::{Value, json};
use session::{LineContent, Payload, SessionName, StoredMessage, Turn, ViewContent, ViewItem};
use tempfile::TempDir;

use crate::asked_error::AskedError;
use crate::corrected::{Corrected, CorrectedText, corrected_text};
use crate::dream::{Backfill, Begin, DreamOutcome, DreamRequest, dream};
use crate::event::Event;
use crate::knowledge::index::{IndexAccess, IndexPlace, Knowledge};
use crate::knowledge::scope::Viewer;
use crate::knowledge::session_source::SessionSource;
use crate::metered::Metered;
use crate::models::Models;
use crate::runtime::{HomeAccess, Runtime};
use crate::tools::toolbox::answer;
use crate::turn::run::run_turn;
use crate::waiting::begin_now;

mod script;

pub(crate) use script::{Script, cut_reply, done};

/// The line of `MEMORY.md` or the note with these words.
pub(crate) fn corrected(home: &HomeAccess, words: &str) -> Result<Corrected, AskedError> {
    corrected_text(home, words).map(|found| match found {
        CorrectedText::Memory(own) => own,
        CorrectedText::User(line) => panic!("{line:?}"),
    })
}

/// A home with its clock.
pub(crate) struct Home {
    pub(crate) disk: Arc<dyn Disk>,
    /// The same disk.
    pub(crate) files: MemoryDisk,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) runtime: Runtime,
    index: TempDir,
}

/// A home whose primary model this is, on Monday, 2026-03-02, in Berlin.
pub(crate) fn home(model: Arc<dyn Model>) -> Home {
    let files = MemoryDisk::new();
    let disk: Arc<dyn Disk> = Arc::new(files.clone());
    let clock = Arc::new(FixedClock::new("2026-03-02T08:00:00Z".parse().unwrap()));
    let timezone = Tz::named("Europe/Berlin").unwrap();
    let layout = HomeLayout::new("/home");
    let access = HomeAccess::open(&disk, &layout, clock.clone(), timezone);
    let index = tempfile::tempdir().unwrap();
    let place = IndexPlace {
        disk: Arc::new(OsDisk),
        directory: index.path().join("index"),
    };
    let source = SessionSource::new(access.sessions.clone(), timezone);
    let knowledge = Knowledge::new(
        place,
        Arc::clone(&access.workspace),
        source,
        clock.clone(),
        IndexAccess::ReadWrite,
    );
    let settings = WindowSettings {
        context_window: TokenCount(32_000),
        ..WindowSettings::default()
    };
    let models = Models::new(model, Arc::new(OfflineEngine::new(timezone)));
    let mut runtime = Runtime::new(access, models, settings);
    runtime.memory.knowledge = Some(Arc::new(knowledge));
    Home {
        disk,
        files,
        clock,
        runtime,
        index,
    }
}

/// A home without a key and without a network.
pub(crate) fn offline_home() -> Home {
    let mut home = home(Arc::new(Script::new()));
    let offline = Arc::clone(&home.runtime.engine.models.offline);
    home.runtime.engine.models.primary = offline;
    home
}

pub(crate) fn main() -> SessionName {
    "main".parse().unwrap()
}

/// A view of these messages: entries `m1`, `m2` and so on.
pub(crate) fn items(messages: impl IntoIterator<Item = Message>) -> Vec<ViewItem> {
    let at = "2026-04-20T14:00:00Z".parse().unwrap();
    let item = |(number, message): (usize, Message)| {
        let origin = match message {
            Message::User { .. } => Origin::Owner,
            Message::Assistant(_) | Message::ToolResult(_) => Origin::Agent,
        };
        let entry = EntryId::new(format!("m{number}"));
        ViewItem::new(entry, at, origin, ViewContent::Message(message))
    };
    (1..).zip(messages).map(item).collect()
}

/// The brief of a summary that replaces all of these.
pub(crate) fn summary_brief(span: Vec<ViewItem>) -> SummaryBrief {
    let stored: TokenCount = span.iter().map(|item| item.tokens).sum();
    SummaryBrief {
        plan: SummaryPlan {
            span,
            first_kept: Some(EntryId::new("next")),
            stored,
            replaced: stored,
            tokens_before: stored,
            output_max: TokenCount(600),
            ..SummaryPlan::default()
        },
        as_of: AsOf {
            at: "2026-04-20T14:30:00Z".parse().unwrap(),
            timezone: Tz::UTC,
        },
        instructions: None,
    }
}

/// This model, with the offline engine behind it.
pub(crate) fn models(primary: Arc<dyn Model>) -> Models {
    Models::new(primary, Arc::new(OfflineEngine::new(Tz::UTC)))
}

/// The rows of a table, one per line, with their cells between `|`.
pub(crate) fn rows<const N: usize>(table: &'static str) -> Vec<[&'static str; N]> {
    let lines = table.lines().map(str::trim);
    let rows = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    let cells = |row: &'static str| row.split(" | ").collect::<Vec<_>>().try_into().unwrap();
    rows.map(cells).collect()
}

/// Settings of a gated dream with this daily limit of tokens.
pub(crate) fn dream_settings(daily_tokens: u64) -> DreamSettings {
    DreamSettings {
        triggers: Vec::new(),
        lookback_days: 7,
        promotion: Promotion::Gated,
        daily_tokens: TokenCount(daily_tokens),
        review_per_day: 5,
        review_waiting: 20,
    }
}

/// A dream of the daily logs that runs now.
pub(crate) const DREAM_NOW: DreamRequest = DreamRequest {
    begin: Begin::Now,
    backfill: Backfill::Logs,
};

/// A message of the owner or of somebody else with the id `m1`, `m2` and so on.
pub(crate) fn material(number: usize, text: &str, origin: Origin) -> MaterialItem {
    let day: Day = "2026-04-20".parse().unwrap();
    MaterialItem {
        label: format!("e{number}"),
        text: text.to_owned(),
        origin,
        at: day.noon(Tz::UTC),
        day,
        found_in: FoundIn::DailyLog,
        sources: vec![MaterialSource {
            path: "sessions/main.jsonl".to_owned(),
            key: format!("m{number}"),
            line: number,
            text: text.to_owned(),
            origin,
            day,
            at: Some(day.noon(Tz::UTC)),
            scope: None,
        }],
        key: String::new(),
        heard: Vec::new(),
        offset: None,
        is_orphan: false,
    }
}

/// An operation or a note of a model.
pub(crate) fn adds(section: &str, text: &str, evidence: &[&str], quote: &str) -> Value {
    json!({
        "op": "add", "section": section, "text": text, "importance": 9,
        "evidence": evidence, "quote": quote, "reason": "new",
    })
}

/// The reply that proposes these operations.
pub(crate) fn operations(operations: &[Value]) -> String {
    json!({ "operations": operations }).to_string()
}

impl Home {
    /// From now on this model is asked, as a model that costs money.
    pub(crate) fn ask(&mut self, model: Arc<dyn Model>) {
        let access = &self.runtime.home;
        let workspace = Arc::clone(&access.workspace);
        let metered = Metered::new(model, workspace, self.clock.clone(), access.timezone);
        let offline = Arc::clone(&self.runtime.engine.models.offline);
        self.runtime.engine.models = Models::new(Arc::new(metered), offline);
    }

    pub(crate) fn set(&self, now: &str) {
        self.clock.set(now.parse().unwrap());
    }

    /// Puts a file where the directory of the index would be made.
    pub(crate) fn break_index(&self) {
        let index = self.index.path().join("index");
        OsDisk.append(&index, b"no directory").unwrap();
    }

    /// Hides an entry of a session as the owner's `forget` does.
    pub(crate) fn forget(&self, session: &str, entry: EntryId, line: usize) {
        let at = self.clock.now();
        let entries = vec![ForgottenEntry {
            id: entry,
            path: format!("sessions/{session}.jsonl"),
            line,
            offset: None,
            sentences: Vec::new(),
        }];
        let tombstone = Tombstone {
            id: TombstoneId::of(at, &[], &entries),
            at,
            why: TombstoneCause::Forgotten,
            texts: Vec::new(),
            reinstated: Vec::new(),
            evidence: Vec::new(),
            entries,
            files: Vec::new(),
            owner_lines: OwnerLines::Leave,
            progress: TombstoneProgress::Done,
            gone_at: None,
            asked: None,
        };
        add_tombstone(&self.runtime.home.workspace, tombstone).unwrap();
    }

    /// Sends a message at an instant and returns the text of the reply.
    pub(crate) async fn say(&self, now: &str, text: &str) -> String {
        self.say_in("main", now, text).await.0
    }

    /// Sends a message in a session, and returns the text of the reply with the events.
    pub(crate) async fn say_in(&self, name: &str, now: &str, text: &str) -> (String, Vec<Event>) {
        self.set(now);
        let mut events = Vec::new();
        let mut on_event = |event| events.push(event);
        let name = name.parse().unwrap();
        let reply = run_turn(&self.runtime, &name, Message::user(text), &mut on_event);
        let reply = reply.await.unwrap();
        (Message::Assistant(reply).text(), events)
    }

    /// Records a message of the owner without a reply, as in a recorded conversation.
    pub(crate) fn record(&self, now: &str, text: &str) {
        self.set(now);
        let message = StoredMessage::new(Message::user(text), Origin::Owner);
        let at = now.parse().unwrap();
        self.turn().append_message(at, message).unwrap();
    }

    /// The answer of a tool in a session; `failed: ` precedes the reason for a failure.
    pub(crate) fn call(&self, name: &str, tool: &str, arguments: &str) -> String {
        let call = ToolCall {
            id: ToolCallId::new("c"),
            name: tool.to_owned(),
            arguments: arguments.to_owned(),
        };
        let (name, entry) = (name.parse().unwrap(), EntryId::new("e-1"));
        let result = answer(&self.runtime, (&name, &entry), "", &call).now_or_never();
        let (result, _) = result.unwrap();
        let failed = match result.outcome {
            ToolOutcome::Success => "",
            ToolOutcome::Failure => "failed: ",
        };
        format!("{failed}{}", Message::ToolResult(result).text())
    }

    /// The candidates, to change them.
    pub(crate) fn desk(&self) -> MemoryTxn<'_> {
        self.runtime.home.desk(Access::Write).unwrap()
    }

    /// Takes back the last change of `MEMORY.md`, as `dream undo` does.
    pub(crate) fn undo_last(&self) {
        self.desk().undo().unwrap();
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = Path::new("/home/workspace").join(path);
        self.disk.create_dir(path.parent().unwrap()).unwrap();
        base::disk::replace(&*self.disk, &path, text.as_bytes()).unwrap();
    }

    /// A file of the home; nothing if there is none.
    pub(crate) fn read(&self, path: &str) -> String {
        let path = Path::new("/home").join(path);
        let bytes = read_all(&*self.disk, &path, 10_000_000).unwrap_or_default();
        String::from_utf8(bytes).unwrap()
    }

    /// A turn of the main session.
    pub(crate) fn turn(&self) -> Turn {
        begin_now(&self.runtime, &main(), &mut |_| {}).unwrap()
    }

    /// The entries in view of a session.
    pub(crate) fn entries(&self, name: &SessionName) -> Vec<EntryId> {
        let limit = self.runtime.resume_limit();
        let read = self.runtime.home.sessions.read(name, limit).unwrap();
        read.view.items.into_iter().map(|item| item.entry).collect()
    }

    /// Notes something by hand.
    pub(crate) fn note(&self, text: &str, origin: Origin) {
        self.note_citing(text, origin, Vec::new());
    }

    pub(crate) fn note_citing(&self, text: &str, origin: Origin, evidence: Vec<EntryId>) {
        let note = Note {
            text: text.to_owned(),
            evidence,
            origin,
        };
        let home = &self.runtime.home;
        add_note(
            &home.workspace,
            (&note, &AddedUnder::default()),
            home.clock.now(),
            home.timezone,
        )
        .unwrap();
    }

    pub(crate) fn memory(&self) -> String {
        self.read("workspace/MEMORY.md")
    }

    /// What a gated dream of the daily logs reports.
    pub(crate) async fn dreamt(&self) -> DreamReport {
        let settings = dream_settings(1_000_000);
        let dreamt = dream(&self.runtime, &settings, DREAM_NOW, &mut |_| {}).await;
        let DreamOutcome::Dreamt { report, .. } = dreamt.unwrap() else {
            panic!("no dream");
        };
        *report
    }

    /// The messages of the main session, as text.
    pub(crate) fn said(&self) -> Vec<String> {
        let messages = self.messages(&main()).into_iter();
        messages.map(|stored| stored.message.text()).collect()
    }

    /// What was said in a session, in order.
    pub(crate) fn messages(&self, name: &SessionName) -> Vec<StoredMessage> {
        let mut messages = Vec::new();
        for payload in self.payloads(name) {
            if let Payload::Message(stored) = payload {
                messages.push(stored);
            }
        }
        messages
    }

    /// The kinds of the lines of a session, in order.
    pub(crate) fn payloads(&self, name: &SessionName) -> Vec<Payload> {
        let lines = self.runtime.home.sessions.lines(name).unwrap();
        let mut payloads = Vec::new();
        for line in lines {
            if let LineContent::Entry(entry) = line.unwrap().content {
                payloads.push(entry.payload);
            }
        }
        payloads
    }
}

/// The owner as the asker.
pub(crate) const OWNER: (&Viewer, Option<&(String, usize)>) = (&Viewer::Owner, None);
