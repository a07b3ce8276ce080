//! The turn: from the owner's message to the reply, a line a stage.
//!
//! Holds the lock of the session from the first append to the last.

use base::disk::DiskError;
use base::model::complete;
use base::{
    Assistant, Block, Message, Origin, StopReason, TokenCount, ToolCall, ToolOutcome, ToolResult,
};
use compaction::BudgetError;
use memory::WorkspaceError;
use session::{AppendError, BeginTurnError, ReadError, SessionName, StoredMessage};

use crate::Runtime;
use crate::event::{OnEvent, warn_of_repairs};
use crate::flush::flush_other_day;
use crate::make_room::make_room;

/// A turn that did not come to its reply. Everything that was appended before stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// The session cannot be written to.
    #[error(transparent)]
    Begin(#[from] BeginTurnError),
    /// The transcript cannot be opened.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The transcript cannot be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The transcript cannot be written.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// A workspace file cannot be read.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The window is too small for what every request begins with.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// Nothing more can leave the window.
    #[error(
        "the request does not fit the window by {excess} tokens, and nothing more can leave it"
    )]
    DoesNotFit {
        /// By how much it is too large.
        excess: TokenCount,
    },
    /// The model gave no reply.
    #[error(transparent)]
    Model(#[from] base::model::ModelError),
    /// The model went on calling tools.
    #[error("the model called tools in {N_ROUNDS_MAX} replies and never came to an end")]
    TooManyRounds,
}

/// The most replies of one turn; a model that needs more is going in circles.
const N_ROUNDS_MAX: usize = 64;

/// Appends a message of the owner and gives the reply to it.
///
/// # Errors
///
/// [`TurnError`]; what was acknowledged before stays in the transcript, and the next turn goes on.
pub async fn run_turn(
    runtime: &Runtime,
    name: &SessionName,
    message: Message,
    on_event: OnEvent<'_>,
) -> Result<Assistant, TurnError> {
    let mut turn = runtime.sessions.begin_turn(name, runtime.resume_limit())?;
    warn_of_repairs(&turn, on_event);
    let now = runtime.clock.now();
    flush_other_day(runtime, &mut turn, now, on_event).await?;
    turn.append_message(now, stored(message, Origin::Owner))?;
    for _ in 0..N_ROUNDS_MAX {
        let context = make_room(runtime, &mut turn, on_event).await?;
        let reply = complete(&*runtime.models.primary, &context.to_request()).await?;
        let now = runtime.clock.now();
        turn.append_message(
            now,
            stored(Message::Assistant(reply.clone()), Origin::Agent),
        )?;
        let results = tool_results(&reply);
        if results.is_empty() {
            return Ok(reply);
        }
        let results = results
            .into_iter()
            .map(|it| (now, stored(it, Origin::Untrusted)));
        turn.append_messages(results.collect())?;
    }
    Err(TurnError::TooManyRounds)
}

/// No tool exists; a call for one is answered, so that the model can go on without it.
fn tool_results(reply: &Assistant) -> Vec<Message> {
    if reply.stop == StopReason::Aborted {
        return Vec::new();
    }
    let calls = reply.content.iter().filter_map(|block| match block {
        Block::ToolCall(call) => Some(call),
        Block::Text(_) | Block::Thinking(_) | Block::Image(_) | Block::Unknown { .. } => None,
    });
    calls
        .map(|call| Message::ToolResult(unknown_tool(call)))
        .collect()
}

fn unknown_tool(call: &ToolCall) -> ToolResult {
    ToolResult {
        call_id: call.id.clone(),
        tool_name: call.name.clone(),
        content: vec![Block::Text(format!(
            "There is no tool named {:?}.",
            call.name
        ))],
        outcome: ToolOutcome::Failure,
    }
}

pub(crate) fn stored(message: Message, origin: Origin) -> StoredMessage {
    StoredMessage {
        message,
        origin: Some(origin),
        source: None,
        copied_from: None,
    }
}
