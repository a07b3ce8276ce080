//! The flush stage: announces a span and writes its notes exactly once.
//!
//! Appends an intent to the transcript, then the block to the log, then the success to the transcript. A process that
//! finds an intent without its success continues from there.

use std::borrow::Cow;

use base::disk::Lock;
use base::model::Excerpt;
use base::{Day, EntryId, Invocation, LineRange, Locator, Origin, with_causes};
use compaction::{AsOf, FlushMode, FlushNotes, FlushOutcome, WindowEvent};
use memory::{BlockOutcome, LogError, WorkspacePath, curated_lines, load_tombstones};
use session::{Entry, Epoch, FlushIntent, Meta, Turn};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::heartbeat::without_heartbeats;
use crate::jobs::backlog::{Backlog, ENTRIES_MAX, FlushExtent, FlushOrder, FlushPart};
use crate::jobs::promised::propose_promised;
use crate::jobs::slots::lock_job;
use crate::jobs::step::{AnnouncedFlush, JobResult, Step, SummaryOrder};
use crate::knowledge::replaced::{ComparedPassage, TIME_UNKNOWN};
use crate::knowledge::session_source::visible_part;
use crate::runtime::{HomeAccess, Runtime};
use crate::turn::reply_scope::is_of_repository;
use crate::writers::evidence::excerpts;
use crate::writers::notes::{NotesBrief, block, warnings};
use crate::writers::summarise::Engines;

/// How much of the earlier notes is read to judge new notes: some years of notes.
const NOTED_BYTES_MAX: usize = 256 * 1024;

/// The progress of a flush.
pub(crate) enum FlushProgress {
    /// The transcript holds the intent of a part; its notes are to be made and [concluded](conclude).
    Announced(AnnouncedFlush),
    Over(FlushOutcome),
}

/// A step that was awaited, with its results.
pub(crate) struct MadeStep {
    pub(crate) step: Step,
    /// The results; the notes are written.
    pub(crate) result: JobResult,
    /// How the flush of the step ended; `None` if it has none.
    pub(crate) flushed: Option<FlushOutcome>,
}

/// Why nothing was noted.
enum FlushFailure {
    /// No engine gave usable notes, and no block was begun.
    NoNotes(String),
    /// The log failed; it may hold the block or a part of it.
    Log(LogError),
}

/// Whether any text is unflushed, not counting health checks that found nothing.
pub(crate) fn has_unflushed(turn: &Turn) -> Result<bool, TurnError> {
    if turn.state().intent.is_some() {
        return Ok(true);
    }
    let Some(unflushed) = turn.unflushed_up_to(ENTRIES_MAX)? else {
        return Ok(true);
    };
    let entries = unflushed.collect::<Result<Vec<Entry>, _>>()?;
    let spoken = without_heartbeats(&entries).into_iter();
    Ok(spoken.filter(|entry| !is_of_repository(entry)).count() > 0)
}

/// Flushes the backlog as far as the order allows, one block per day.
///
/// Only the last block of a flush before a compaction moves the marker. A failure is reported as an event; the next
/// flush retries it, together with whatever the order leaves out.
pub(crate) async fn flush(
    runtime: &Runtime,
    turn: &mut Turn,
    order: &FlushOrder,
    on_event: OnEvent<'_>,
) -> Result<FlushProgress, TurnError> {
    if let Some(sandbox) = &runtime.sandbox {
        sandbox.report_no_flush(on_event);
        return Ok(FlushProgress::Over(FlushOutcome::Nothing));
    }
    let Some(mut backlog) = Backlog::open(turn, order.extent)? else {
        return Ok(FlushProgress::Over(FlushOutcome::Nothing));
    };
    let n_all = backlog.n_entries();
    loop {
        let announced = match announce(&runtime.home, turn, order, &mut backlog, on_event)? {
            FlushProgress::Announced(part) if order.through.is_none() || !part.is_last => part,
            ended @ (FlushProgress::Announced(_) | FlushProgress::Over(_)) => return Ok(ended),
        };
        let is_last = announced.is_last;
        let step = Step {
            engines: order.engines,
            ..step(runtime, turn, Some(announced), None)
        };
        let made = make(runtime, turn, step, on_event).await?;
        let outcome = made.flushed.unwrap_or(FlushOutcome::Nothing);
        if is_last || outcome == FlushOutcome::Failed {
            return Ok(FlushProgress::Over(outcome));
        }
        let n_left = backlog.n_entries();
        if order.extent == FlushExtent::Portion && n_all - n_left >= ENTRIES_MAX && n_left > 0 {
            on_event(still_waiting(n_left, &runtime.home.invocation));
            return Ok(FlushProgress::Over(outcome));
        }
        // Let other tasks, such as the owner's input, run between two parts.
        tokio::task::yield_now().await;
    }
}

/// Reports how many messages remain after a partial flush.
pub(crate) fn still_waiting(n_entries: usize, invocation: &Invocation) -> Event {
    let dream = invocation.command("dream --now");
    Event::Notice(format!(
        "{n_entries} messages still have no notes: later commands write them in batches; `{dream}` writes them all at \
         once."
    ))
}

/// Spawns a flush as far as `extent` allows, without a compaction after it.
pub(crate) fn begin_notes(
    runtime: &Runtime,
    turn: &mut Turn,
    extent: FlushExtent,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let order = FlushOrder::notes(Engines::All, extent);
    let begun = begin_job(&runtime.home, turn, Some(&order), on_event)?;
    if let Some((lock, Some(announced))) = begun {
        let step = step(runtime, turn, Some(announced), None);
        runtime.jobs.begin(turn, step, lock);
    }
    Ok(())
}

/// Locks a session's job and announces the first part of its flush that needs a model: none if the order has none, or
/// if the backlog exceeds its extent. `None` if another process has a job for the session.
pub(crate) fn begin_job(
    home: &HomeAccess,
    turn: &mut Turn,
    order: Option<&FlushOrder>,
    on_event: OnEvent<'_>,
) -> Result<Option<(Lock, Option<AnnouncedFlush>)>, TurnError> {
    let Some(lock) = lock_job(&home.sessions, turn.name())? else {
        return Ok(None);
    };
    let backlog = order.map(|order| Backlog::open(turn, order.extent));
    let announced = match order.zip(backlog.transpose()?.flatten()) {
        Some((order, mut backlog)) => match announce(home, turn, order, &mut backlog, on_event)? {
            FlushProgress::Announced(announced) => Some(announced),
            FlushProgress::Over(_) => None,
        },
        None => None,
    };
    Ok(Some((lock, announced)))
}

/// A step of this moment: the models as they are now, asked in turn.
pub(crate) fn step(
    runtime: &Runtime,
    turn: &Turn,
    flush: Option<AnnouncedFlush>,
    summary: Option<SummaryOrder>,
) -> Step {
    Step {
        flush,
        engines: Engines::All,
        summary,
        writers: runtime.writers(turn.view()),
        started: runtime.home.clock.monotonic(),
    }
}

/// Makes a step while the caller waits, and writes its notes.
pub(crate) async fn make(
    runtime: &Runtime,
    turn: &mut Turn,
    step: Step,
    on_event: OnEvent<'_>,
) -> Result<MadeStep, TurnError> {
    let result = JobResult::default();
    step.make(&result).await;
    let flushed = conclude_notes(&runtime.home, turn, &step, &result, on_event)?;
    Ok(MadeStep {
        step,
        result,
        flushed,
    })
}

/// Writes the notes that a step has made; `None` if it has none.
pub(crate) fn conclude_notes(
    home: &HomeAccess,
    turn: &mut Turn,
    step: &Step,
    result: &JobResult,
    on_event: OnEvent<'_>,
) -> Result<Option<FlushOutcome>, TurnError> {
    let made = step.flush.as_ref().zip(result.take_notes());
    made.map(|(announced, notes)| conclude(home, turn, announced, notes, on_event))
        .transpose()
}

/// Announces the next part that needs notes; concludes parts before it that need none.
pub(crate) fn announce(
    home: &HomeAccess,
    turn: &mut Turn,
    order: &FlushOrder,
    backlog: &mut Backlog,
    on_event: OnEvent<'_>,
) -> Result<FlushProgress, TurnError> {
    loop {
        let part = backlog.take_part(turn.state(), order, home.timezone)?;
        let (epoch, mode) = (turn.state().compaction_count, part.mode);
        on_event(Event::Window(WindowEvent::FlushStarted { epoch, mode }));
        match begin_part(home, turn, &part, on_event)? {
            FlushProgress::Over(outcome) => {
                on_event(Event::Window(WindowEvent::FlushEnded {
                    epoch,
                    mode,
                    outcome,
                }));
                if part.is_last || outcome == FlushOutcome::Failed {
                    return Ok(FlushProgress::Over(outcome));
                }
            }
            announced @ FlushProgress::Announced(_) => return Ok(announced),
        }
    }
}

/// Announces a part, or ends it at once if it needs no notes.
fn begin_part(
    home: &HomeAccess,
    turn: &mut Turn,
    part: &FlushPart,
    on_event: OnEvent<'_>,
) -> Result<FlushProgress, TurnError> {
    let epoch = turn.state().compaction_count;
    let is_before_compaction = part.mode == FlushMode::BeforeCompaction;
    let (Some(first), Some(last)) = (part.entries.first(), part.entries.last()) else {
        succeed(home, turn, is_before_compaction.then_some(epoch), None)?;
        return Ok(FlushProgress::Over(FlushOutcome::Nothing));
    };
    let through = last.id.clone();
    if let Some(begun) = &part.begun {
        match is_block_written(home, turn, begun) {
            Ok(true) => {
                let flushed = begun.before_compaction.then_some(begun.epoch);
                succeed(home, turn, flushed, Some(through))?;
                return Ok(FlushProgress::Over(FlushOutcome::Nothing));
            }
            Ok(false) => {}
            Err(error) => {
                let failure = FlushFailure::Log(error);
                let failed = fail(home, turn, &begun.log_file, failure, on_event);
                return failed.map(FlushProgress::Over);
            }
        }
    }
    let log = home.workspace.log_path(home.day(last.at));
    let intent = FlushIntent {
        log_file: log.to_string(),
        epoch,
        span: (first.id.clone(), through),
        before_compaction: is_before_compaction,
    };
    if turn.state().intent.as_ref() != Some(&intent) {
        let meta = Meta {
            intent: Some(intent.clone()),
            ..turn.state().clone()
        };
        turn.append_meta(home.clock.now(), meta)?;
    }
    let tombstones = match load_tombstones(&home.workspace) {
        Ok(tombstones) => tombstones,
        Err(error) => {
            let failure = FlushFailure::Log(error.into());
            return fail(home, turn, log.as_str(), failure, on_event).map(FlushProgress::Over);
        }
    };
    let entries = without_heartbeats(&part.entries).into_iter();
    let entries = entries.filter(|entry| !is_of_repository(entry));
    let entries: Vec<Cow<'_, Entry>> = entries
        .filter_map(|entry| visible_part(entry, &tombstones))
        .collect();
    let as_of = AsOf {
        at: last.at,
        timezone: home.timezone,
    };
    Ok(FlushProgress::Announced(AnnouncedFlush {
        intent,
        brief: NotesBrief {
            excerpts: excerpts(entries.iter().map(|entry| &**entry)),
            mode: part.mode,
            as_of,
            noted: noted_before(home),
        },
        is_last: part.is_last,
    }))
}

/// The lines of `MEMORY.md`, then earlier notes of the owner and the assistant, the newest days first. Unreadable files
/// are left out: notes are then judged by their messages alone.
fn noted_before(home: &HomeAccess) -> Vec<String> {
    let lines = curated_lines(&home.workspace).unwrap_or_default();
    let mut noted: Vec<String> = lines.into_iter().map(|line| line.text).collect();
    let mut left = NOTED_BYTES_MAX;
    for day in home
        .workspace
        .log_days()
        .unwrap_or_default()
        .into_iter()
        .rev()
    {
        let items = home.workspace.log_items(day).unwrap_or_default();
        let trusted = items
            .into_iter()
            .filter(|item| item.origin != Origin::Untrusted);
        for item in trusted {
            let Some(rest) = left.checked_sub(item.text.len()) else {
                return noted;
            };
            left = rest;
            noted.push(item.text);
        }
    }
    noted
}

/// Writes the notes of the announced flush and appends its success or failure.
fn conclude(
    home: &HomeAccess,
    turn: &mut Turn,
    announced: &AnnouncedFlush,
    notes: Result<FlushNotes, String>,
    on_event: OnEvent<'_>,
) -> Result<FlushOutcome, TurnError> {
    let intent = &announced.intent;
    let epoch = turn.state().compaction_count;
    let written = match notes {
        Ok(notes) => {
            warnings(&notes).for_each(&mut *on_event);
            write(home, turn, announced, notes, on_event)
        }
        Err(reason) => Err(FlushFailure::NoNotes(reason)),
    };
    let outcome = match written {
        Ok(outcome) => {
            let flushed = intent.before_compaction.then_some(intent.epoch);
            succeed(home, turn, flushed, Some(intent.span.1.clone()))?;
            outcome
        }
        Err(failure) => fail(home, turn, &intent.log_file, failure, on_event)?,
    };
    on_event(Event::Window(WindowEvent::FlushEnded {
        epoch,
        mode: announced.brief.mode,
        outcome,
    }));
    Ok(outcome)
}

/// Whether the log named by an unfinished flush holds its block; another time zone might choose another log now.
fn is_block_written(home: &HomeAccess, turn: &Turn, begun: &FlushIntent) -> Result<bool, LogError> {
    match begun.log_file.parse::<WorkspacePath>() {
        Ok(log) => memory::confirm_block(&home.workspace, &log, turn.session_id(), &begun.span),
        // We never write such a file name, so no block of ours can be there.
        Err(_) => Ok(false),
    }
}

fn write(
    home: &HomeAccess,
    turn: &Turn,
    announced: &AnnouncedFlush,
    notes: FlushNotes,
    on_event: OnEvent<'_>,
) -> Result<FlushOutcome, FlushFailure> {
    if announced.brief.excerpts.is_empty() {
        return Ok(FlushOutcome::Nothing);
    }
    // Text forgotten while the notes were being made must not reappear in them.
    let tombstones =
        load_tombstones(&home.workspace).map_err(|error| FlushFailure::Log(error.into()))?;
    let is_forgotten_since = |excerpt: &Excerpt| {
        let said = excerpt.message.text();
        excerpt.entry.as_ref().is_some_and(|id| {
            tombstones.hides_entry(id) || matches!(tombstones.left_of(&[id], &said), Cow::Owned(_))
        })
    };
    if announced.brief.excerpts.iter().any(is_forgotten_since) {
        let reason = "part of the conversation was forgotten while its notes were being made";
        return Err(FlushFailure::NoNotes(reason.to_owned()));
    }
    let at = announced.brief.as_of.at;
    let notes = without_replaced(home, notes, &announced.intent.log_file, home.day(at));
    let notes = propose_promised(home, turn, (&announced.brief, notes), on_event);
    let block = block(turn.session_id(), &announced.intent, at, notes);
    let report =
        memory::write_block(&home.workspace, &block, home.timezone).map_err(FlushFailure::Log)?;
    if let Some(copy) = &report.quarantined {
        let (log, copy) = (&report.log, copy.display());
        on_event(Event::Warning(format!(
            "an unfinished block of {log} was removed; the file as it was is kept in {copy}"
        )));
    }
    Ok(match report.outcome {
        BlockOutcome::Written => FlushOutcome::Written {
            n_notes: report.n_notes,
        },
        BlockOutcome::AlreadyThere | BlockOutcome::Nothing => FlushOutcome::Nothing,
    })
}

/// The notes without values that the owner replaced or took back after saying them: a new note would state them again.
fn without_replaced(home: &HomeAccess, mut notes: FlushNotes, log: &str, day: Day) -> FlushNotes {
    let replaced = home.replaced();
    let place = Locator::new(log, LineRange::line(0));
    notes.notes.retain(|note| {
        let passage = ComparedPassage {
            text: &note.text,
            day: Some(day),
            place: &place,
            entries: &note.evidence,
            is_after: TIME_UNKNOWN,
        };
        replaced.replaced_on(&passage).is_none()
    });
    notes
}

/// Records how far flushes reach; `flushed` is the epoch whose compaction this flush precedes.
fn succeed(
    home: &HomeAccess,
    turn: &mut Turn,
    flushed: Option<Epoch>,
    through: Option<EntryId>,
) -> Result<(), TurnError> {
    let now = home.clock.now();
    let state = turn.state().clone();
    let meta = Meta {
        memory_flush_compaction_count: state.memory_flush_compaction_count.max(flushed),
        flushed_through: through.or(state.flushed_through.clone()),
        memory_flush_at: Some(now),
        flush_failures: 0,
        intent: None,
        ..state.clone()
    };
    let unmoved = Meta {
        memory_flush_at: Some(now),
        ..state
    };
    // Append nothing if the flush covered and moved nothing.
    if meta != unmoved {
        turn.append_meta(now, meta)?;
    }
    Ok(())
}

/// Records a failure and leaves the span for the next flush. After a log failure the intent stays, so that a block
/// that did reach the log is found and its entries are not noted twice.
fn fail(
    home: &HomeAccess,
    turn: &mut Turn,
    log: &str,
    failure: FlushFailure,
    on_event: OnEvent<'_>,
) -> Result<FlushOutcome, TurnError> {
    let state = turn.state().clone();
    let (reason, intent) = match failure {
        FlushFailure::NoNotes(reason) => (reason, None),
        FlushFailure::Log(error) => (with_causes(&error), state.intent.clone()),
    };
    on_event(Event::Warning(format!(
        "no notes were written to {log}: {reason}"
    )));
    let meta = Meta {
        flush_failures: state.flush_failures.saturating_add(1),
        intent,
        ..state
    };
    turn.append_meta(home.clock.now(), meta)?;
    Ok(FlushOutcome::Failed)
}
