//! Replays a session with one strategy, and measures how much of it is kept.
//!
//! Works on a disk in memory; writes nothing to the session's folder.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agent::prompt::assemble;
use agent::{Event, Models, ReplayClock, ReplayInput, ReplayMode, Runtime, replay};
use base::disk::MemoryDisk;
use base::identifier::identifiers;
use base::{Message, TokenCount};
use compaction::{Strategy, WindowEvent, WindowSettings};
use session::{LineContent, Payload, SessionName};

use super::counted::{Counted, CountedTokens};
use super::delay::delays;
use super::evidence;
use super::talk::BenchTalk;
use crate::home::{HOME, runtime};
use crate::{Result, one_line};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct CompactionFigures {
    pub(super) compactions: Vec<MeasuredCompaction>,
    /// Number of exact identifiers in the owner's messages.
    pub(super) n_facts: usize,
    /// How many of them the next request shows.
    pub(super) n_shown: usize,
    /// How many of them the next request shows or a daily log notes.
    pub(super) n_kept: usize,
    /// Tokens that a model would have read and written.
    pub(super) spent: CountedTokens,
    /// For each question, the share of its answering messages among the first ten results.
    pub(super) found: Vec<f64>,
    /// For each reply, how much longer than the reply itself the owner waited.
    pub(super) delays: Vec<Duration>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MeasuredCompaction {
    pub(super) ratio_percent: u64,
    pub(super) retention_percent: Option<u64>,
    pub(super) took: Duration,
}

pub(super) fn session_name() -> Result<SessionName> {
    Ok("main".parse()?)
}

/// Replays a conversation in a window of `window` tokens, then again on a simulated clock to measure delays.
pub(super) fn measure(
    talk: &BenchTalk,
    window: TokenCount,
    strategy: Strategy,
    executor: &tokio::runtime::Runtime,
) -> Result<CompactionFigures> {
    let memory = MemoryDisk::new();
    let clock = Arc::new(ReplayClock::new());
    let model = Arc::new(Counted::new());
    let models = Models::new(Arc::clone(&model) as _, Arc::clone(&model) as _);
    let settings = WindowSettings {
        context_window: window,
        strategy,
        ..WindowSettings::default()
    };
    let runtime = runtime(&memory, Arc::clone(&clock) as _, models, settings);
    let name = session_name()?;
    let source = ReplayInput {
        recording: &talk.recording,
        name: &name,
        mode: ReplayMode::Fresh,
    };
    let mut compactions = Vec::new();
    let mut on_event = |event| {
        if let Event::Window(WindowEvent::CompactEnded {
            ratio_percent,
            retention_percent,
            duration,
            ..
        }) = event
        {
            compactions.push(MeasuredCompaction {
                ratio_percent,
                retention_percent,
                took: duration,
            });
        }
    };
    let replayed = executor.block_on(replay(&runtime, &clock, source, &mut on_event));
    replayed.map_err(|error| format!("{} cannot be replayed: {}", talk.name, one_line(&error)))?;
    let facts = facts(&runtime, &name)?;
    let shown = shown(&runtime, &name)?;
    let noted = noted(&memory);
    let holds = |text: &str, fact: &String| text.contains(fact.as_str());
    let n_shown = facts.iter().filter(|fact| holds(&shown, fact)).count();
    let is_kept = |fact: &&String| holds(&shown, fact) || holds(&noted, fact);
    Ok(CompactionFigures {
        compactions,
        n_facts: facts.len(),
        n_shown,
        n_kept: facts.iter().filter(is_kept).count(),
        spent: model.spent(),
        found: evidence::found(&runtime, &name, &talk.questions)?,
        delays: delays(talk, window, strategy)?,
    })
}

/// The exact identifiers in the owner's messages, which must be kept literally.
fn facts(runtime: &Runtime, name: &SessionName) -> Result<BTreeSet<String>> {
    let mut facts = BTreeSet::new();
    for line in runtime.home.sessions.lines(name)? {
        if let LineContent::Entry(entry) = line?.content
            && let Payload::Message(stored) = entry.payload
            && let message @ Message::User { .. } = &stored.message
        {
            let text = message.text();
            let found = identifiers(&text).into_iter();
            let exact = found.filter(|found| found.kind.is_exact());
            facts.extend(exact.map(|found| found.text.to_owned()));
        }
    }
    Ok(facts)
}

/// The text of the conversation in the next request.
fn shown(runtime: &Runtime, name: &SessionName) -> Result<String> {
    let read = runtime.home.sessions.read(name, runtime.resume_limit())?;
    let context = assemble(runtime, name, &read.view)?;
    let texts: Vec<String> = context.shown.messages().iter().map(Message::text).collect();
    Ok(texts.join("\n"))
}

fn noted(disk: &MemoryDisk) -> String {
    let logs = Path::new(HOME).join("workspace/memory");
    let files = disk.snapshot().into_iter();
    let texts = files.filter(|(path, _)| path.starts_with(&logs));
    let texts = texts.map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned());
    texts.collect::<Vec<String>>().join("\n")
}
