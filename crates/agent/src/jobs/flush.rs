//! The flush stage: announces a span and writes its notes exactly once.
//!
//! Appends an intent to the transcript, then the block to the log, then the success to the transcript. A process that
//! finds an intent without its success continues from there.

use std::borrow::Cow;

use base::model::Excerpt;
use base::{EntryId, Origin, Tz, day};
use compaction::{AsOf, FlushMode, FlushNotes, FlushOutcome, WindowEvent};
use memory::{BlockOutcome, LogError, WorkspacePath, curated_lines, load_tombstones};
use session::{Entry, Epoch, FlushIntent, Meta, Turn};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::heartbeat::without_heartbeats;
use crate::jobs::backlog::{Backlog, ENTRIES_MAX, FlushExtent, n_with_room};
use crate::jobs::step::AnnouncedFlush;
use crate::knowledge::session_source::visible_part;
use crate::runtime::HomeAccess;
use crate::turn::reply_scope::is_of_repository;
use crate::writers::evidence::excerpts;
use crate::writers::notes::{NotesBrief, block, warnings};
use crate::writers::summarise::Engines;

/// How much of what was noted before is read to judge new notes: some years of notes.
const NOTED_BYTES_MAX: usize = 256 * 1024;

/// What to flush, and which engines write the notes.
#[derive(Debug, Clone)]
pub(crate) struct FlushOrder {
    pub(crate) mode: FlushMode,
    pub(crate) engines: Engines,
    pub(crate) extent: FlushExtent,
    /// Flushes only up to this entry and leaves the notes of the last part to the caller.
    pub(crate) through: Option<EntryId>,
}

impl FlushOrder {
    /// Session notes, without a compaction after them.
    pub(crate) fn notes(engines: Engines, extent: FlushExtent) -> Self {
        Self {
            mode: FlushMode::SessionNotes,
            engines,
            extent,
            through: None,
        }
    }
}

/// The progress of a flush.
pub(crate) enum FlushProgress {
    /// The transcript holds the intent of a part; its notes are to be made and [concluded](conclude).
    Announced(AnnouncedFlush),
    Over(FlushOutcome),
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

/// The entries that one block covers.
struct FlushPart {
    entries: Vec<Entry>,
    mode: FlushMode,
    is_last: bool,
    /// An unfinished flush of exactly these entries.
    begun: Option<FlushIntent>,
}

/// Why nothing was noted.
enum FlushFailure {
    /// No engine gave usable notes, and no block was begun.
    NoNotes(String),
    /// The log failed; it may hold the block or a part of it.
    Log(LogError),
}

/// The next entries to flush: those of an unfinished flush, else those of one day up to `through`.
fn next_part(
    home: &HomeAccess,
    turn: &Turn,
    order: &FlushOrder,
    backlog: &mut Backlog,
) -> Result<FlushPart, TurnError> {
    let mode = order.mode;
    let entries = backlog.next_entries()?;
    let n_wanted = n_up_to(entries, order.through.as_ref());
    let state = turn.state();
    let begun = state.intent.clone();
    let begun = begun.and_then(|intent| Some((begun_len(entries, &intent)?, intent)));
    let n_entries = if let Some((n_entries, _)) = &begun {
        *n_entries
    } else {
        let wanted = entries.get(..n_wanted).unwrap_or_default();
        let n_of_day = first_day_len(wanted, home.timezone).min(ENTRIES_MAX);
        n_with_room(wanted.get(..n_of_day).unwrap_or_default()).min(n_of_day)
    };
    let is_rest = n_entries >= n_wanted;
    let epoch = state.compaction_count;
    // Invariant: an epoch has at most one flush before its compaction.
    let is_flushed = state.memory_flush_compaction_count >= Some(epoch);
    let part_mode = match &begun {
        Some((_, intent)) if intent.before_compaction && intent.epoch == epoch => {
            FlushMode::BeforeCompaction
        }
        None if is_rest && !is_flushed => mode,
        Some(_) | None => FlushMode::SessionNotes,
    };
    let is_mode_met = is_flushed || mode == FlushMode::SessionNotes || part_mode == mode;
    Ok(FlushPart {
        entries: backlog.take(n_entries),
        mode: part_mode,
        is_last: is_rest && is_mode_met,
        begun: begun.map(|(_, intent)| intent),
    })
}

/// How many of the entries an unfinished flush covers; `None` if it started elsewhere or ends on another branch.
fn begun_len(entries: &[Entry], intent: &FlushIntent) -> Option<usize> {
    let (first, last) = &intent.span;
    let begins_here = entries.first().is_some_and(|entry| entry.id == *first);
    let end = entries.iter().position(|entry| entry.id == *last)?;
    begins_here.then_some(end + 1)
}

/// How many of the unflushed entries to flush: all, or those up to `through`; none if `through` is already flushed.
fn n_up_to(entries: &[Entry], through: Option<&EntryId>) -> usize {
    let Some(through) = through else {
        return entries.len();
    };
    let position = entries.iter().position(|entry| entry.id == *through);
    let is_beyond = entries.len() > ENTRIES_MAX;
    match position {
        Some(position) => position + 1,
        None if is_beyond => entries.len(),
        None => 0,
    }
}

fn first_day_len(entries: &[Entry], timezone: Tz) -> usize {
    let mut days = entries.chunk_by(|a, b| day(a.at, timezone) == day(b.at, timezone));
    days.next().map_or(0, <[Entry]>::len)
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
        let part = next_part(home, turn, order, backlog)?;
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

/// The lines of `MEMORY.md`, then what the owner or the assistant noted before, the newest days first. Unreadable files
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
pub(crate) fn conclude(
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
        FlushFailure::Log(error) => (chain(&error), state.intent.clone()),
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
