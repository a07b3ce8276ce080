//! The flush stage: writes down what is worth keeping, exactly once.
//!
//! An intent goes into the transcript first, then the block into the log, then the success into the
//! transcript; whoever finds an intent without its success goes on from there.

use base::model::{Excerpt, complete};
use base::{StopReason, Timestamp, day};
use compaction::{
    AsOf, Event as WindowEvent, FlushMode, FlushNotes, FlushOutcome, flush_request,
    parse_flush_reply,
};
use memory::{BlockOutcome, WorkspacePath};
use session::{Entry, FlushIntent, Meta, Turn};

use crate::event::{Event, OnEvent};
use crate::evidence::excerpts;
use crate::{Runtime, TurnError, joins};

/// The most that one flush covers, in entries: a bound for memory where a long session was never
/// flushed; what is left is covered by the next block.
const ENTRIES_MAX: usize = 2_000;

/// Writes down what no flush has covered yet, one block for each day.
///
/// Only the last block of a flush before a compaction moves the marker. What fails is reported as an
/// event and left for the next flush.
///
/// # Errors
///
/// [`TurnError`] where the transcript cannot be read or written: then nothing may go on.
pub(crate) async fn flush(
    runtime: &Runtime,
    turn: &mut Turn,
    mode: FlushMode,
    on_event: OnEvent<'_>,
) -> Result<FlushOutcome, TurnError> {
    loop {
        let part = next_part(runtime, turn, mode)?;
        let epoch = turn.state().compaction_count;
        on_event(Event::Window(WindowEvent::FlushStarted {
            epoch,
            mode: part.mode,
        }));
        let outcome = flush_part(runtime, turn, &part, on_event).await?;
        on_event(Event::Window(WindowEvent::FlushEnded { epoch, outcome }));
        if part.is_last || outcome == FlushOutcome::Failed {
            return Ok(outcome);
        }
    }
}

/// Whether there is text that no flush has covered.
///
/// # Errors
///
/// [`TurnError`] where the transcript cannot be read.
pub(crate) fn has_unflushed(turn: &Turn) -> Result<bool, TurnError> {
    Ok(turn.state().intent.is_some() || !turn.unflushed()?.is_empty())
}

/// The entries that one block covers.
struct Part {
    entries: Vec<Entry>,
    mode: FlushMode,
    is_last: bool,
}

fn next_part(runtime: &Runtime, turn: &Turn, mode: FlushMode) -> Result<Part, TurnError> {
    let intent = turn.state().intent.as_ref();
    let mut entries: Vec<Entry> = Vec::new();
    for entry in turn.unflushed()? {
        let entry = entry?;
        let is_covered =
            intent.is_some_and(|it| entries.last().is_some_and(|last| last.id == it.span.1));
        let is_next_day = entries
            .last()
            .is_some_and(|last| day(last.at, runtime.timezone) != day(entry.at, runtime.timezone));
        if is_covered || is_next_day || entries.len() == ENTRIES_MAX {
            return Ok(Part {
                entries,
                mode: FlushMode::SessionNotes,
                is_last: false,
            });
        }
        entries.push(entry);
    }
    Ok(Part {
        entries,
        mode,
        is_last: true,
    })
}

async fn flush_part(
    runtime: &Runtime,
    turn: &mut Turn,
    part: &Part,
    on_event: OnEvent<'_>,
) -> Result<FlushOutcome, TurnError> {
    let (Some(first), Some(last)) = (part.entries.first(), part.entries.last()) else {
        succeed(runtime, turn, part)?;
        return Ok(FlushOutcome::Nothing);
    };
    let log = runtime.workspace.log_path(day(last.at, runtime.timezone));
    let intent = FlushIntent {
        log_file: log.to_string(),
        epoch: turn.state().compaction_count,
        span: (first.id.clone(), last.id.clone()),
        before_compaction: part.mode == FlushMode::BeforeCompaction,
    };
    if turn.state().intent.as_ref() != Some(&intent) {
        let meta = Meta {
            intent: Some(intent.clone()),
            ..turn.state().clone()
        };
        turn.append_meta(runtime.clock.now(), meta)?;
    }
    match write_notes(runtime, turn, part, &intent, &log).await {
        Ok(outcome) => {
            succeed(runtime, turn, part)?;
            Ok(outcome)
        }
        Err(reason) => {
            on_event(Event::Warning(format!(
                "nothing was noted in {log}: {reason}"
            )));
            let state = turn.state().clone();
            let flush_failures = state.flush_failures.saturating_add(1);
            turn.append_meta(
                runtime.clock.now(),
                Meta {
                    intent: None,
                    flush_failures,
                    ..state
                },
            )?;
            Ok(FlushOutcome::Failed)
        }
    }
}

/// Asks for notes and writes them; a block that stands in the log already is left as it is.
async fn write_notes(
    runtime: &Runtime,
    turn: &Turn,
    part: &Part,
    intent: &FlushIntent,
    log: &WorkspacePath,
) -> Result<FlushOutcome, String> {
    let session = turn.session_id();
    let workspace = &runtime.workspace;
    let stands = memory::confirm_block(workspace, log, session, &intent.span);
    if stands.map_err(|error| chain(&error))? {
        return Ok(FlushOutcome::Nothing);
    }
    let as_of = AsOf {
        at: last_instant(part, runtime),
        timezone: runtime.timezone,
    };
    let excerpts = excerpts(&part.entries);
    if excerpts.is_empty() {
        return Ok(FlushOutcome::Nothing);
    }
    let notes = notes(runtime, excerpts, part.mode, as_of).await?;
    let block = joins::block(session, intent, as_of.at, notes);
    let report = memory::write_block(workspace, &block, runtime.timezone);
    let report = report.map_err(|error| chain(&error))?;
    Ok(match report.outcome {
        BlockOutcome::Written => FlushOutcome::Written {
            n_notes: report.n_notes,
        },
        BlockOutcome::AlreadyThere | BlockOutcome::Nothing => FlushOutcome::Nothing,
    })
}

/// Notes by the first engine that gives usable ones.
async fn notes(
    runtime: &Runtime,
    excerpts: Vec<Excerpt>,
    mode: FlushMode,
    as_of: AsOf,
) -> Result<FlushNotes, String> {
    let mut failures = Vec::new();
    for model in runtime.models.ladder() {
        let profile = model.profile();
        let window = profile
            .context_window
            .unwrap_or(runtime.settings.context_window);
        let request = flush_request(excerpts.clone(), mode, as_of, window);
        let reply = match complete(&**model, &request).await {
            Ok(reply) if reply.stop == StopReason::Aborted => Err("it was broken off".to_owned()),
            Ok(reply) => Ok(base::Message::Assistant(reply).text()),
            Err(error) => Err(error.to_string()),
        };
        let parsed = reply.and_then(|text| {
            parse_flush_reply(&text, &request.excerpts).map_err(|error| error.to_string())
        });
        match parsed {
            Ok(notes) => return Ok(notes),
            Err(reason) => failures.push(format!("{}: {reason}", profile.name)),
        }
    }
    Err(failures.join("; "))
}

fn succeed(runtime: &Runtime, turn: &mut Turn, part: &Part) -> Result<(), TurnError> {
    let now = runtime.clock.now();
    let state = turn.state().clone();
    let is_flushed = part.mode == FlushMode::BeforeCompaction;
    let marker = if is_flushed {
        Some(state.compaction_count)
    } else {
        state.memory_flush_compaction_count
    };
    let covered = part.entries.last().map(|entry| entry.id.clone());
    let meta = Meta {
        memory_flush_compaction_count: marker,
        flushed_through: covered.or(state.flushed_through.clone()),
        memory_flush_at: Some(now),
        flush_failures: 0,
        intent: None,
        ..state.clone()
    };
    // A flush that covered nothing and moved nothing leaves no trace.
    if meta
        != (Meta {
            memory_flush_at: Some(now),
            ..state
        })
    {
        turn.append_meta(now, meta)?;
    }
    Ok(())
}

fn last_instant(part: &Part, runtime: &Runtime) -> Timestamp {
    part.entries
        .last()
        .map_or_else(|| runtime.clock.now(), |entry| entry.at)
}

/// An error with its causes, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        text.push_str(": ");
        text.push_str(&source.to_string());
        cause = source.source();
    }
    text
}
