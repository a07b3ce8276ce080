//! Notes and a summary by one reading, where the strategy wants both from the same model.
//!
//! Borrows no turn and writes nothing; where the reading fails, notes and summary are made apart.

use base::model::{Excerpt, ModelError, SaidSizes};
use base::{Message, StopReason};
use compaction::{
    Audit, FlushNotes, MEMORY_ROUNDS_MAX, Rung, SavedMemories, Strategy, Summary, SummaryBrief,
    fits_whole, memories_request, summary_request,
};

use crate::grounds::MessageGrounds;
use crate::notes::{NotesBrief, notes};
use crate::summarise::{Engines, FailureReason, Made, RungFailure, Wanted, Writers, summarise};

/// Notes, or why there are none, and what came of the summary.
pub(crate) type Extracted = (Result<FlushNotes, String>, Made);

/// Whether one model is asked for both at once.
pub(crate) fn is_one_reading(strategy: &Strategy, rung: Rung) -> bool {
    match strategy {
        Strategy::Tiered(_) => rung == Rung::Model,
        Strategy::Handoff | Strategy::Replace(_) | Strategy::Middle(_) | Strategy::Off => false,
    }
}

/// Makes notes and a summary by one reading; `noted` is what no flush has covered of what leaves.
pub(crate) async fn extract(
    noted: &NotesBrief,
    brief: &SummaryBrief,
    writers: &Writers,
) -> Extracted {
    match read(noted, brief, writers).await {
        Ok((written, summary)) => (Ok(written), Made::of(Some(summary), Vec::new())),
        Err(reason) => apart(noted, brief, writers, reason).await,
    }
}

/// Both apart, without what failed: a model that gave no reply is not asked again.
async fn apart(
    noted: &NotesBrief,
    brief: &SummaryBrief,
    writers: &Writers,
    reason: FailureReason,
) -> Extracted {
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
        // What does not fit is for the other rungs.
        let (model, said) = (writer.name(), SaidSizes::default());
        return Err(ModelError::ContextOverflow { model, said }.into());
    }
    let mut unflushed: Vec<Excerpt> = noted.excerpts.clone();
    let mut request = memories_request(brief, &mut unflushed, writer.window);
    let mut memories = SavedMemories::default();
    let grounds = MessageGrounds {
        timezone: noted.as_of.timezone,
    };
    for _ in 0..MEMORY_ROUNDS_MAX {
        let reply = writer.reply(&request).await?;
        let is_broken_off = matches!(reply.stop, StopReason::Aborted | StopReason::Error);
        let message = Message::Assistant(reply.clone());
        if is_broken_off || message.tool_calls().next().is_none() {
            let audit = Audit::of(&brief.plan, extract::decided_or_open);
            let wanted = Wanted {
                brief,
                audit: &audit,
                rung: Rung::Model,
            };
            // What deserved to be saved has been: the second time it is the summary alone.
            let again = |window| summary_request(brief, window);
            let summary = writer.settled(wanted, reply, again).await?;
            return Ok((memories.into_notes(), summary));
        }
        let answers = memories.take(&message, &unflushed, &grounds);
        request.messages.push(message);
        request.messages.extend(answers);
    }
    Err(FailureReason::Endless)
}

#[cfg(test)]
#[path = "extract_tests.rs"]
mod tests;
