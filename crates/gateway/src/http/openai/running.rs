//! Runs a turn on a thread for blocking work, and forwards its reply.
//!
//! A client that disconnects cuts the reply off, as the owner can in a chat.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::{Arc, Mutex};

use agent::{
    ClientConversation, Event, TurnError, TurnInput, answer_unstored, notice_in_reply,
    run_turn_until, session_of,
};
use axum::http::{HeaderMap, StatusCode};
use base::{Assistant, Hint, Invocation, locked, short_hash};
use futures_util::Stream;
use futures_util::stream::unfold;
use session::{BeginTurnError, SessionName};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::wire::ChatRequest;
use crate::http::error::HttpError;
use crate::http::state::HttpState;

const KEY_HEADER: &str = "x-openclaw-session-key";
pub(super) const MODEL_PREFIX: &str = "openclaw:";

/// The output of a turn.
#[derive(Debug)]
pub(crate) enum ReplyPiece {
    /// More of the reply.
    Words(String),
    /// The whole reply, or why there is none.
    End(Box<Result<Assistant, HttpError>>),
}

/// A turn under way; dropping it cuts the reply off.
pub(crate) type RunningTurn = UnboundedReceiver<ReplyPiece>;

/// The pieces of a turn whose first one has arrived, up to its end; `None` means that the end never came.
pub(super) fn pieces(
    first: ReplyPiece,
    running: RunningTurn,
) -> impl Stream<Item = Option<ReplyPiece>> {
    unfold(Some((Some(first), running)), |left| async move {
        let (first, mut running) = left?;
        let piece = match first {
            Some(first) => Some(first),
            None => running.recv().await,
        };
        let is_over = !matches!(piece, Some(ReplyPiece::Words(_)));
        Some((piece, (!is_over).then_some((None, running))))
    })
}

/// Sessions that were found by their messages and have a turn under way.
pub(crate) type BusySessions = Mutex<BTreeSet<SessionName>>;

/// Whether a request names its session.
pub(super) fn is_named(headers: &HeaderMap, request: &ChatRequest) -> Result<bool, HttpError> {
    Ok(named(headers, request)?.is_some())
}

/// Begins the turn that a request asks for.
pub(crate) async fn begin(
    state: &Arc<HttpState>,
    (headers, request): (&HeaderMap, &ChatRequest),
    conversation: Arc<ClientConversation>,
) -> Result<RunningTurn, HttpError> {
    let key = named(headers, request)?;
    let permit = state.permit()?;
    let (tell, pieces) = unbounded_channel();
    let (state, handle) = (Arc::clone(state), tokio::runtime::Handle::current());
    // File reads and the offline engine would block all other tasks.
    tokio::task::spawn_blocking(move || {
        let end = handle.block_on(run(&state, key, &conversation, &tell));
        // Fails only if the client has disconnected.
        drop(tell.send(ReplyPiece::End(Box::new(end))));
        drop(permit);
    });
    Ok(pieces)
}

async fn run(
    state: &HttpState,
    key: Option<SessionName>,
    conversation: &Arc<ClientConversation>,
    tell: &UnboundedSender<ReplyPiece>,
) -> Result<Assistant, HttpError> {
    if conversation.is_clients_own() {
        let mut on_event = |event: Event| {
            if let Event::ReplyDelta(words) = event {
                // Fails only if the client has disconnected, which `left` notices.
                drop(tell.send(ReplyPiece::Words(words)));
            }
        };
        let left = pin!(tell.closed());
        let answered = answer_unstored(&state.runtime, conversation, left, &mut on_event);
        return answered
            .await
            .map_err(|error| failed(error, &state.runtime.home.invocation));
    }
    let (name, _busy) = if let Some(name) = key {
        (name, None)
    } else {
        let (name, busy) = found(state, conversation)?;
        (name, Some(busy))
    };
    let mut says_something = false;
    let mut is_new_round = false;
    let mut notices = Vec::new();
    let mut on_event = |event: Event| {
        if let Event::ReplyDelta(words) = event {
            let parted = if is_new_round && says_something {
                "\n\n"
            } else {
                ""
            };
            (says_something, is_new_round) = (true, false);
            // Fails only if the client has disconnected, which `left` notices.
            drop(tell.send(ReplyPiece::Words(format!("{parted}{words}"))));
            return;
        }
        is_new_round |= matches!(event, Event::ToolStarted { .. });
        state.news.tell(&name, &event);
        if let Event::MemoryChanged(notice) = event {
            notices.push(notice_in_reply(&notice));
        } else if let Event::ReminderDue(due) = event {
            notices.push(notice_in_reply(&due.to_string()));
        }
    };
    let left = pin!(tell.closed());
    let input = TurnInput::Client(conversation);
    let turn = run_turn_until(&state.runtime, &name, input, left, &mut on_event).await;
    state.knowledge.expect_change();
    if turn.is_ok() && conversation.shows_notices && !notices.is_empty() {
        let parted = if says_something { "\n\n" } else { "" };
        let told = format!("{parted}{}", notices.join("\n\n"));
        drop(tell.send(ReplyPiece::Words(told)));
    }
    turn.map_err(|error| failed(error, &state.runtime.home.invocation))
}

/// Frees a session when its turn is over.
struct BusyGuard<'s>(&'s BusySessions, SessionName);

impl Drop for BusyGuard<'_> {
    fn drop(&mut self) {
        locked(self.0).remove(&self.1);
    }
}

fn found<'s>(
    state: &'s HttpState,
    conversation: &ClientConversation,
) -> Result<(SessionName, BusyGuard<'s>), HttpError> {
    loop {
        let busy = locked(&state.busy).clone();
        let name = session_of(&state.runtime, conversation, &|name| busy.contains(name));
        let name = name.map_err(|error| failed(error, &state.runtime.home.invocation))?;
        // Another request may have found the same name in the meantime.
        if locked(&state.busy).insert(name.clone()) {
            return Ok((name.clone(), BusyGuard(&state.busy, name)));
        }
    }
}

/// The session that the request names, by header, else by user, else by model.
fn named(headers: &HeaderMap, request: &ChatRequest) -> Result<Option<SessionName>, HttpError> {
    let header =
        match headers.get(KEY_HEADER) {
            Some(key) => Some(key.to_str().map_err(|_| {
                HttpError::bad_request(format!("{KEY_HEADER}: must be visible ASCII"))
            })?),
            None => None,
        };
    let key = header.or(request.user.as_deref());
    let key = key.or_else(|| request.model.strip_prefix(MODEL_PREFIX));
    let key = key.map(str::trim).filter(|key| !key.is_empty());
    key.map(name_of).transpose()
}

/// Turns a key into a session name; an invalid one gets a hash, so that different keys keep different names.
fn name_of(key: &str) -> Result<SessionName, HttpError> {
    if let Ok(name) = key.parse::<SessionName>()
        && base::scope_of(name.as_str()).is_none()
    {
        return Ok(name);
    }
    let plain = key.chars().map(|letter| {
        if letter.is_alphanumeric() {
            letter
        } else {
            '-'
        }
    });
    let plain: String = plain.take(KEY_CHARS_MAX).collect();
    let name = format!("key-{}-{}", plain.trim_matches('-'), short_hash(key));
    name.parse()
        .map_err(|error: session::SessionNameError| HttpError::bad_request(error.to_string()))
}

const KEY_CHARS_MAX: usize = 40;

/// The response to the client for a turn that failed.
pub(crate) fn failed(error: TurnError, invocation: &Invocation) -> HttpError {
    if matches!(error, TurnError::Begin(BeginTurnError::Locked(..))) {
        return HttpError::conflict(&error).after(5);
    }
    let is_too_large = matches!(
        error,
        TurnError::Budget(_) | TurnError::DoesNotFit { .. } | TurnError::Refused { .. }
    );
    if is_too_large {
        return HttpError::of(StatusCode::BAD_REQUEST, &error);
    }
    if matches!(error, TurnError::Model(_) | TurnError::TooManyRounds) {
        let hint = Hint::new("`openclaw doctor` checks whether the model can be reached");
        return HttpError::of(StatusCode::BAD_GATEWAY, &error).hint(hint.at(invocation));
    }
    error.into()
}
