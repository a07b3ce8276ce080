//! Gathers `/context` and `/status` from the counts that `decide` uses.
//!
//! Reads the session without a lock and writes nothing.

use agent::prompt::{assemble, context_parts};
use base::day;
use cli::context::Context as App;
use cli::error::CliError;
use cli::output::counted;
use memory::candidates::{Access, MemoryTxn, MemoryTxnError};
use memory::curated::memory_lines;
use memory::spent_on;
use session::{Meta, View, ViewContent, ViewItem};

use super::context::ContextReport;
use super::opening::Opened;
use super::status::{self, ChatStatus, MemoryHeld};

pub(super) fn context(opened: &Opened) -> Result<ContextReport, CliError> {
    let runtime = &opened.runtime;
    let view = opened.snapshot()?.map(|snapshot| snapshot.view);
    let request = assemble(runtime, &opened.name, &view.unwrap_or_default())?;
    let parts = context_parts(&request).into_iter();
    Ok(ContextReport {
        session: opened.name.to_string(),
        parts: parts
            .map(|part| (part.name, request.to_provider(part.tokens)))
            .collect(),
        window: request.window,
        trigger: request.threshold,
        recall_max: runtime.memory.recall_budget,
        cut_files: request.cut_files,
    })
}

pub(super) fn status(opened: &Opened) -> Result<ChatStatus, CliError> {
    let snapshot = opened.snapshot()?;
    let runtime = &opened.runtime;
    let (id, state, view) = snapshot
        .map(|it| (Some(it.session), it.state, it.view))
        .unwrap_or_default();
    let request = assemble(runtime, &opened.name, &view)?;
    let today = day(runtime.home.clock.now(), runtime.home.timezone);
    Ok(ChatStatus {
        session: opened.name.to_string(),
        id: id.map(|id| id.to_string()),
        model: if runtime.engine.models.is_offline() {
            "none (offline): replies quote your notes and sessions".to_owned()
        } else {
            runtime.engine.models.primary.profile().name
        },
        epoch: state.compaction_count.0,
        n_messages: n_messages(view.items.iter()),
        used: request.to_provider(request.tokens()),
        window: request.window,
        flushed_at: state.memory_flush_at,
        n_waiting: n_waiting(&view, &state),
        cut_files: request.cut_files,
        spent: spent_on(&runtime.home.workspace, today).ok(),
        daily_tokens: opened.dreaming.daily_tokens,
        counts: runtime.engine.statistics.counts(),
        strategy: runtime.engine.settings.strategy.as_str(),
        is_noting: runtime.jobs.has_job(&opened.name),
        timezone: runtime.home.timezone,
        memory: if runtime.is_primary(&opened.name) {
            "notes and sessions are recalled"
        } else {
            "only this session is recalled; your notes are shown only in main"
        },
    })
}

/// The status with the id of the part that follows the newest `/new`; may read the whole file to find it.
pub(super) fn status_of_part(opened: &Opened) -> Result<ChatStatus, CliError> {
    let mut status = status(opened)?;
    if status.id.is_some()
        && let Some(part) = opened.runtime.home.sessions.part(&opened.name)?
    {
        status.id = Some(part.to_string());
    }
    Ok(status)
}

pub(super) fn tell_held(opened: &Opened, context: &mut App) -> Result<(), CliError> {
    let text = status::held_in_words(&held(opened)?);
    let text = context.output.at_home(&text);
    let stdout = context.host.environment.stdout();
    context.output.lines(&text, stdout, status::INDENT)
}

fn held(opened: &Opened) -> Result<MemoryHeld, CliError> {
    let workspace = &opened.runtime.home.workspace;
    let days = workspace.log_days()?;
    let mut n_notes = 0;
    for day in &days {
        n_notes += workspace.log_items(*day)?.len() as u64;
    }
    let desk = desk(opened)?;
    Ok(MemoryHeld {
        n_notes,
        days: days.first().copied().zip(days.last().copied()),
        n_days: days.len() as u64,
        n_lines: memory_lines(desk.memory()).len() as u64,
        n_candidates: desk.state().pending.len() as u64,
        n_waiting: status(opened)?.n_waiting,
    })
}

fn desk(opened: &Opened) -> Result<MemoryTxn<'_>, MemoryTxnError> {
    opened.runtime.home.desk(Access::Read)
}

/// The part of a status that is shown again to the owner when it changes: a few more tokens do not matter, but another
/// tenth of the window does.
pub(super) type ChatStanding = (u64, u64, bool, String);

/// The current status, also as one line; `None` if it cannot be read, since the owner did not ask for it.
pub(super) fn standing(opened: &Opened) -> Option<(ChatStanding, String)> {
    let mut status = status(opened).ok()?;
    if opened.runtime.engine.models.is_offline() {
        "offline".clone_into(&mut status.model);
    }
    let line = status::line(&status);
    let tenths = status.used.0.saturating_mul(10) / status.window.0.max(1);
    let standing = (tenths, status.epoch, status.is_noting, status.model);
    Some((standing, line))
}

/// Number of messages after the last flushed one.
fn n_waiting(view: &View, state: &Meta) -> u64 {
    let through = state.flushed_through.as_ref();
    let items = view.items.iter().rev();
    n_messages(items.take_while(|item| through != Some(&item.entry)))
}

fn n_messages<'v>(items: impl Iterator<Item = &'v ViewItem>) -> u64 {
    let is_message = |item: &&ViewItem| matches!(item.content, ViewContent::Message(_));
    items.filter(is_message).count() as u64
}

/// A line about candidates that wait for review; `None` if there are none, or in a session other than main.
pub(super) fn waiting(opened: &Opened) -> Option<String> {
    if !opened.runtime.is_primary(&opened.name) {
        return None;
    }
    // Ignore unreadable candidates; the dream commands report them.
    let n_waiting = desk(opened).ok()?.state().pending.len() as u64;
    let candidates = counted(n_waiting, "candidate waits", "candidates wait");
    (n_waiting > 0)
        .then(|| format!("{candidates} in DREAMS.md; review them with `openclaw dream review`."))
}
