//! Runs a turn, or a command on a session, on a thread for blocking work.
//!
//! A browser that disconnects cuts the reply off, as the owner can in a chat.

use std::borrow::Cow;
use std::pin::pin;
use std::sync::Arc;

use agent::{
    CompactionOutcome, Event, Runtime, TurnError, TurnInput, compact_now, new_session, rewind,
    run_turn_until, set_title,
};
use base::Message;
use session::{EntrySelector, SessionName};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::memory::{MemoryRequest, carry_out};
use crate::http::{HttpError, HttpState, turn_failed};
use crate::page::words::safe;

/// What to do in a session.
#[derive(Debug)]
pub(super) enum Job {
    /// Answer a message; continue from an earlier entry first, if one is given, and ask this model first.
    Say {
        text: String,
        after: Option<String>,
        model: Option<String>,
    },
    /// Summarise older messages; the words say what the summary should keep.
    Compact(Option<String>),
    /// Begin a new conversation.
    New,
    /// Set the title.
    Title(String),
    /// Change memory, or explain a line of it.
    Memory(MemoryRequest),
}

/// The events of a job.
#[derive(Debug)]
pub(super) enum Piece {
    /// More of the reply.
    Words(String),
    /// A change to memory, a notice or a warning.
    Told(String),
    /// The end.
    End(Result<(), HttpError>),
}

/// Begins a job; dropping the receiver cuts a reply off.
pub(super) fn begin(
    state: &Arc<HttpState>,
    name: SessionName,
    job: Job,
) -> Result<UnboundedReceiver<Piece>, HttpError> {
    let permit = state.permit()?;
    let (tell, pieces) = unbounded_channel();
    let (state, handle) = (Arc::clone(state), Handle::current());
    tokio::task::spawn_blocking(move || {
        let end = match job {
            Job::Memory(request) => carry_out(&state, request).map(|text| {
                drop(tell.send(Piece::Told(safe(&text))));
            }),
            job @ (Job::Say { .. } | Job::Compact(_) | Job::New | Job::Title(_)) => {
                let end = handle.block_on(run(&state, &name, job, &tell));
                end.map_err(|error| turn_failed(error, &state.runtime.home.invocation))
            }
        };
        // Fails only if the browser has disconnected.
        drop(tell.send(Piece::End(end)));
        drop(permit);
    });
    Ok(pieces)
}

async fn run(
    state: &HttpState,
    name: &SessionName,
    job: Job,
    tell: &UnboundedSender<Piece>,
) -> Result<(), TurnError> {
    let runtime = &*asked(&state.runtime, &job);
    let (mut says_something, mut is_new_round) = (false, false);
    let mut on_event = |event: Event| {
        if let Event::ReplyDelta(words) = event {
            let is_parted = is_new_round && says_something;
            (says_something, is_new_round) = (true, false);
            let words = if is_parted {
                format!("\n\n{words}")
            } else {
                words
            };
            drop(tell.send(Piece::Words(words)));
            return;
        }
        is_new_round |= matches!(event, Event::ToolStarted { .. });
        state.news.tell(name, &event);
        let text = if let Event::ReminderDue(due) = event {
            let text = due.to_string();
            state.untold.remind(name, safe(&text));
            text
        } else if let Event::MemoryChanged(text) | Event::Notice(text) | Event::Warning(text) =
            event
        {
            text
        } else {
            return;
        };
        if tell.send(Piece::Told(safe(&text))).is_err() {
            // The browser has left; the page shows it when it comes back.
            state.untold.keep(name, safe(&text));
        }
    };
    match job {
        // It needs no turn.
        Job::Memory(_) => {}
        Job::New => drop(new_session(runtime, name, &mut on_event).await?),
        Job::Title(title) => drop(set_title(runtime, name, &title, &mut on_event).await?),
        Job::Compact(words) => {
            let outcome = compact_now(runtime, name, words, &mut on_event).await?;
            drop(tell.send(Piece::Told(compacted(&outcome))));
        }
        Job::Say { text, after, .. } => {
            if let Some(entry) = after {
                rewind(runtime, name, &EntrySelector::Entry(entry), &mut on_event).await?;
            }
            state.untold.drop_reminders(name);
            let input = TurnInput::Owner(Message::user(text));
            let left = pin!(tell.closed());
            let answered = run_turn_until(runtime, name, input, left, &mut on_event).await;
            // What was said is kept even if nothing answers it.
            state.knowledge.expect_change();
            answered?;
        }
    }
    Ok(())
}

/// The runtime, with the model that the owner chose for a message as the first to answer.
fn asked<'r>(runtime: &'r Runtime, job: &Job) -> Cow<'r, Runtime> {
    let Job::Say {
        model: Some(model), ..
    } = job
    else {
        return Cow::Borrowed(runtime);
    };
    let mut own = runtime.clone();
    own.engine.models = own.engine.models.preferring(model);
    Cow::Owned(own)
}

fn compacted(outcome: &CompactionOutcome) -> String {
    match outcome {
        CompactionOutcome::Done { tokens_after, .. } => {
            format!(
                "A summary now replaces the older messages. The conversation takes {tokens_after} tokens."
            )
        }
        CompactionOutcome::Nothing(_) => {
            "Nothing was summarised, because the conversation is still short.".to_owned()
        }
        CompactionOutcome::NoSummary { .. } => {
            "No usable summary was made, so the conversation is unchanged.".to_owned()
        }
        CompactionOutcome::Sandboxed => {
            "Nothing was summarised, because this service writes nothing.".to_owned()
        }
    }
}
