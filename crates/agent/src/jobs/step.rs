//! A step of a flush or compaction as data: the input of models, and their results so far.
//!
//! Borrows no turn and writes nothing: `flush` and `compaction` run steps and apply their results.

use std::sync::Mutex;
use std::time::Duration;

use base::model::{Excerpt, ModelError, SaidSizes};
use base::{Message, StopReason, locked};
use compaction::{
    Audit, FlushNotes, MEMORY_ROUNDS_MAX, Rung, SavedMemories, Summary, SummaryBrief, fits_whole,
    memories_request, summary_request,
};
use session::FlushIntent;
use tokio::sync::Notify;

use crate::writers::grounds::MessageGrounds;
use crate::writers::notes::{NotesBrief, notes};
use crate::writers::summarise::{
    Engines, FailureReason, RungFailure, SummaryOutcome, SummaryTask, Writers, summarise,
};

#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) flush: Option<AnnouncedFlush>,
    /// The engines that may write the notes.
    pub(crate) engines: Engines,
    pub(crate) summary: Option<SummaryOrder>,
    pub(crate) writers: Writers,
    /// When it began, on the monotonic clock.
    pub(crate) started: Duration,
}

/// A part of a flush whose intent is in the transcript and whose notes are still to be made.
#[derive(Debug)]
pub(crate) struct AnnouncedFlush {
    pub(crate) intent: FlushIntent,
    pub(crate) brief: NotesBrief,
    /// Whether this is the last part of the flush.
    pub(crate) is_last: bool,
}

#[derive(Debug)]
pub(crate) struct SummaryOrder {
    pub(crate) brief: SummaryBrief,
    pub(crate) first: Rung,
}

impl Step {
    /// Asks the models and stores each result as soon as it is ready.
    pub(crate) async fn make(&self, result: &JobResult) {
        let notes_brief = self.flush.as_ref().map(|flush| &flush.brief);
        if let (Some(noted), Some(SummaryOrder { brief, first })) = (notes_brief, &self.summary)
            && brief.plan.strategy.notes_with_summary(*first)
        {
            let (notes, summary) = read_once(noted, brief, &self.writers).await;
            result.put(|outputs| {
                outputs.notes = Some(notes);
                outputs.summary = Some(summary);
            });
            return;
        }
        if let Some(brief) = notes_brief {
            let notes = notes(brief, &self.writers, self.engines).await;
            result.put(|outputs| outputs.notes = Some(notes));
        }
        if let Some(SummaryOrder { brief, first }) = &self.summary {
            let summary = summarise(brief, &self.writers, *first).await;
            result.put(|outputs| outputs.summary = Some(summary));
        }
    }
}

/// Results of a step, waiting to be taken.
#[derive(Debug, Default)]
struct Outputs {
    notes: Option<Result<FlushNotes, String>>,
    summary: Option<SummaryOutcome>,
    is_over: bool,
}

/// Passes the results of a step to the holder of the turn.
#[derive(Debug, Default)]
pub(crate) struct JobResult {
    /// Valid at any moment, even after a panic.
    outputs: Mutex<Outputs>,
    changed: Notify,
}

impl JobResult {
    /// Takes the notes, or the reason why there are none.
    pub(crate) fn take_notes(&self) -> Option<Result<FlushNotes, String>> {
        locked(&self.outputs).notes.take()
    }

    pub(crate) fn take_summary(&self) -> SummaryOutcome {
        locked(&self.outputs).summary.take().unwrap_or_default()
    }

    /// Marks the step as finished.
    pub(crate) fn end(&self) {
        self.put(|outputs| outputs.is_over = true);
    }

    /// Whether the step is finished; results may still wait to be taken.
    pub(crate) fn is_over(&self) -> bool {
        locked(&self.outputs).is_over
    }

    /// Whether a result is ready or the step is finished.
    pub(crate) fn has_news(&self) -> bool {
        let outputs = locked(&self.outputs);
        outputs.notes.is_some() || outputs.summary.is_some() || outputs.is_over
    }

    /// Waits until a result is ready or the step is finished.
    pub(crate) async fn news(&self) {
        loop {
            let changed = self.changed.notified();
            if self.has_news() {
                return;
            }
            changed.await;
        }
    }

    fn put(&self, put: impl FnOnce(&mut Outputs)) {
        put(&mut locked(&self.outputs));
        self.changed.notify_waiters();
    }
}

pub(crate) type NotesAndSummary = (Result<FlushNotes, String>, SummaryOutcome);

/// Makes notes and a summary in one conversation with a model; `noted` is the unflushed part of the span.
pub(crate) async fn read_once(
    noted: &NotesBrief,
    brief: &SummaryBrief,
    writers: &Writers,
) -> NotesAndSummary {
    match read(noted, brief, writers).await {
        Ok((written, summary)) => (Ok(written), SummaryOutcome::of(Some(summary), Vec::new())),
        Err(reason) => apart(noted, brief, writers, reason).await,
    }
}

/// Makes both separately after a failure; a model that gave no reply is not asked again.
async fn apart(
    noted: &NotesBrief,
    brief: &SummaryBrief,
    writers: &Writers,
    reason: FailureReason,
) -> NotesAndSummary {
    let (engines, rung) = if reason.is_about_size() {
        (Engines::All, Rung::Staged)
    } else {
        (Engines::Offline, Rung::Offline)
    };
    let written = notes(noted, writers, engines).await;
    let mut made = summarise(brief, writers, rung).await;
    if let Some(summary) = &mut made.summary {
        summary.failed.insert(0, Rung::Model);
    }
    let rung = Rung::Model;
    made.failures.insert(0, RungFailure { rung, reason });
    (written, made)
}

async fn read(
    noted: &NotesBrief,
    brief: &SummaryBrief,
    writers: &Writers,
) -> Result<(FlushNotes, Summary), FailureReason> {
    let writer = writers.best(&brief.plan.strategy);
    if !fits_whole(brief, writer.window) {
        // The other rungs handle a span that does not fit.
        let (model, said) = (writer.name(), SaidSizes::default());
        return Err(ModelError::ContextOverflow { model, said }.into());
    }
    let mut unflushed: Vec<Excerpt> = noted.excerpts.clone();
    let mut request = memories_request(brief, &mut unflushed, writer.window);
    let mut memories = SavedMemories::default();
    let grounds = MessageGrounds {
        timezone: noted.as_of.timezone,
        noted: &noted.noted,
    };
    for _ in 0..MEMORY_ROUNDS_MAX {
        let reply = writer.reply(&request).await?;
        let is_broken_off = matches!(reply.stop, StopReason::Aborted | StopReason::Error);
        let message = Message::Assistant(reply.clone());
        if is_broken_off || message.tool_calls().next().is_none() {
            let audit = Audit::of(&brief.plan);
            let task = SummaryTask {
                brief,
                audit: &audit,
                rung: Rung::Model,
            };
            // Memories are saved by now, so a retry asks for the summary alone.
            let again = |window| summary_request(brief, window);
            let summary = writer.settled(task, reply, again).await?;
            return Ok((memories.into_notes(), summary));
        }
        let answers = memories.take(&message, &unflushed, &grounds);
        request.messages.push(message);
        request.messages.extend(answers);
    }
    Err(FailureReason::Endless)
}

#[cfg(test)]
#[path = "step_tests.rs"]
mod tests;
