//! The calls stage: runs the tool calls of a reply and appends their results.

use base::{Assistant, Block, EntryId, Message, Origin, StopReason, ToolCall, ToolOutcome, head};
use session::{StoredMessage, Turn, ViewItem};

use crate::client::conversation::ClientConversation;
use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::runtime::Runtime;
use crate::tools::toolbox;
use crate::turn::reply::{Stop, until};
use crate::turn::reply_scope::scopes_of_result;

/// Maximum length of the reported reason of a failed call.
const REASON_CHARS_MAX: usize = 200;

/// The outcome of a reply's tool calls.
pub(crate) enum CallsOutcome {
    /// No calls.
    Nothing,
    /// All calls have results.
    Answered,
    /// The client must answer some calls; all others have results.
    HandedBack,
    /// The owner stopped first; the remaining calls got a result that says so.
    BrokenOff,
}

/// Runs the calls of a reply, which is an entry of the transcript, in sequence.
///
/// Invariant: every call of our tools gets a result, whenever the owner stops.
pub(crate) async fn answer_calls(
    runtime: &Runtime,
    turn: &mut Turn,
    (entry, reply, client): (&EntryId, &Assistant, Option<&ClientConversation>),
    stop: &mut Stop<'_>,
    on_event: OnEvent<'_>,
) -> Result<CallsOutcome, TurnError> {
    if reply.stop == StopReason::Aborted {
        return Ok(CallsOutcome::Nothing);
    }
    let calls = reply.content.iter().filter_map(Block::tool_call);
    let (handed_back, own): (Vec<&ToolCall>, Vec<&ToolCall>) =
        calls.partition(|call| client.is_some_and(|client| client.answers(&call.name)));
    let mut results = Vec::new();
    let mut is_stopped = false;
    for call in own {
        on_event(Event::ToolStarted {
            name: call.name.clone(),
            arguments: call.arguments.clone(),
        });
        let answered = if is_stopped {
            None
        } else {
            let asked = newest_question(turn);
            let answer = toolbox::answer(runtime, (turn.name(), entry), &asked, call);
            until(stop, answer).await.ok()
        };
        is_stopped = answered.is_none();
        let (result, notice) = answered.unwrap_or_else(|| (toolbox::broken_off(call), None));
        let (name, outcome) = (call.name.clone(), result.outcome);
        let result = Message::ToolResult(result);
        let reason = (outcome == ToolOutcome::Failure).then(|| first_line(&result.text()));
        on_event(Event::ToolEnded {
            name,
            outcome,
            reason,
        });
        if let Some(notice) = notice {
            on_event(Event::MemoryChanged(notice));
        }
        let result = StoredMessage {
            scopes: scopes_of_result(turn, &result),
            ..StoredMessage::new(result, Origin::Untrusted)
        };
        results.push((runtime.home.clock.now(), result));
    }
    let has_calls = !results.is_empty();
    turn.append_messages(results)?;
    Ok(match (is_stopped, has_calls) {
        (true, _) => CallsOutcome::BrokenOff,
        _ if !handed_back.is_empty() => CallsOutcome::HandedBack,
        (false, true) => CallsOutcome::Answered,
        (false, false) => CallsOutcome::Nothing,
    })
}

/// The text of the newest message of a person.
fn newest_question(turn: &Turn) -> String {
    let said = turn.view().items.iter().rev().filter_map(ViewItem::message);
    let mut questions = said.filter(|it| matches!(it, Message::User { .. }));
    questions.next().map(Message::text).unwrap_or_default()
}

/// The first line with content, shortened; skips blank lines and marks.
fn first_line(text: &str) -> String {
    let mut lines = text.lines().map(str::trim);
    let said = lines.find(|line| !line.is_empty() && !line.starts_with('<'));
    head(said.unwrap_or_default(), REASON_CHARS_MAX).to_owned()
}
