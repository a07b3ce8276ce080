//! Takes the owner's message: answers with a stream for the page's script, and with a redirect if there is no script.
//!
//! Stores nothing itself.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::Stream;
use futures_util::stream::{iter, unfold};
use serde_json::json;
use session::SessionName;
use tokio::sync::mpsc::UnboundedReceiver;

use super::command::{Typed, command_in};
use super::show::{FailedChat, WantedChat, show_failed};
use super::turn::{Job, Piece, begin};
use crate::http::{FormBody, HttpError, HttpState, UrlPath};
use crate::page::request::{Browser, FormFields};
use crate::page::words::{as_sentence, encoded, safe};

const LIFE_SIGN_EVERY: Duration = Duration::from_secs(10);

/// Takes a message or a command.
pub(in crate::page) async fn say(
    State(state): State<Arc<HttpState>>,
    UrlPath(WantedChat { name }): UrlPath<WantedChat>,
    headers: HeaderMap,
    browser: Browser,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Response, HttpError> {
    let name: SessionName = name.parse().map_err(|error| HttpError::missing(&error))?;
    let accepted = headers.get(header::ACCEPT).and_then(|it| it.to_str().ok());
    let form = if accepted.is_some_and(|it| it.contains("text/event-stream")) {
        Form::Events
    } else {
        Form::Page
    };
    let back = format!("/chat/{}", encoded(name.as_str()));
    if let Some(title) = fields.all("title").next() {
        let job = Job::Title(title.trim().to_owned());
        finished(&state, &name, begin(&state, name.clone(), job)?).await?;
        return Ok(Redirect::to(&back).into_response());
    }
    let text = fields.one("text")?.replace("\r\n", "\n");
    check_for_others(&state, &name, &text)?;
    let job = match Typed::read(&text, name.as_str()) {
        Typed::Nothing => return Ok(form.lead(&back)),
        Typed::Page(path) => return Ok(form.lead(&path)),
        Typed::Unknown(word) => {
            let message = format!("there is no command {word} on this page");
            return Err(HttpError::bad_request(message).hint("`/help` shows the commands"));
        }
        Typed::Misused(row) => {
            let message = format!(
                "{} was typed with words that it does not take, or without any",
                row.name
            );
            return Err(HttpError::bad_request(message).hint(row.does));
        }
        Typed::Memory(request) => Job::Memory(request),
        Typed::Said(text) => Job::Say {
            text,
            after: fields.all("after").next().map(str::to_owned),
            model: fields.all("model").next().map(str::to_owned),
        },
        Typed::Compact(words) => Job::Compact(words),
        Typed::New => Job::New,
        Typed::Title(title) => Job::Title(title),
    };
    let pieces = begin(&state, name.clone(), job)?;
    if form == Form::Events {
        let alive = KeepAlive::new().interval(LIFE_SIGN_EVERY);
        return Ok(Sse::new(stream(pieces)).keep_alive(alive).into_response());
    }
    match finished(&state, &name, pieces).await {
        Ok(()) => Ok(Redirect::to(&back).into_response()),
        Err(error) => show_failed(&state, browser, name, FailedChat { text, error }).await,
    }
}

/// Rejects a command that would show or change the owner's memory or sessions, in a session where others may talk.
fn check_for_others(state: &HttpState, name: &SessionName, text: &str) -> Result<(), HttpError> {
    let Some(message) = command_in(text).and_then(|row| row.rejected_among_others()) else {
        return Ok(());
    };
    let runtime = state.runtime.clone().entering(name);
    let runtime = runtime.map_err(|error| HttpError::internal(error.to_string()))?;
    if runtime.is_primary(name) {
        return Ok(());
    }
    Err(HttpError::bad_request(message)
        .hint("type it in a session where only you talk, such as main"))
}

/// Waits for the end of a job, and keeps its notices for the next page.
async fn finished(
    state: &HttpState,
    name: &SessionName,
    mut pieces: UnboundedReceiver<Piece>,
) -> Result<(), HttpError> {
    while let Some(piece) = pieces.recv().await {
        match piece {
            Piece::Words(_) => {}
            Piece::Told(text) => state.untold.keep(name, text),
            Piece::End(end) => return end,
        }
    }
    Ok(())
}

/// How the browser receives an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As events, read by the script of the page.
    Events,
    /// As a page, where no script runs.
    Page,
}

impl Form {
    /// Leads the browser to a page.
    fn lead(self, path: &str) -> Response {
        match self {
            Self::Events => {
                Sse::new(iter([Ok::<_, Infallible>(event("go", path))])).into_response()
            }
            Self::Page => Redirect::to(path).into_response(),
        }
    }
}

/// The pieces of a turn as events: `words`, `told`, and at the end `done` or `failed`.
fn stream(pieces: UnboundedReceiver<Piece>) -> impl Stream<Item = Result<SseEvent, Infallible>> {
    unfold(Some(pieces), |left| async move {
        let mut pieces = left?;
        let (told, is_over) = match pieces.recv().await {
            Some(Piece::Words(words)) => (event("words", &words), false),
            Some(Piece::Told(text)) => (event("told", &text), false),
            Some(Piece::End(Err(error))) => (
                event("failed", &as_sentence(&safe(&error.sentence()))),
                true,
            ),
            Some(Piece::End(Ok(()))) | None => (event("done", ""), true),
        };
        Some((Ok(told), (!is_over).then_some(pieces)))
    })
}

/// An event whose text is one line of JSON.
fn event(name: &str, text: &str) -> SseEvent {
    SseEvent::default()
        .event(name)
        .data(json!(text).to_string())
}
