//! The list of sessions.
//!
//! Writes nothing.

use agent::forgotten_entries;
use axum::response::Html;
use base::{Timestamp, Tz, counted};
use maud::{Markup, html};
use session::timeline::timeline;
use std::cmp::Reverse;

use crate::http::HttpError;
use crate::page::frame::{Tab, empty};
use crate::page::request::{FramedPage, Visit};
use crate::page::words::{encoded, minute, size};

/// A session in the list.
#[derive(Debug, Clone)]
struct ListedSession {
    name: String,
    title: Option<String>,
    last_at: Option<Timestamp>,
    n_messages: u64,
    n_compactions: u64,
    bytes: u64,
    /// Why it cannot be read.
    failure: Option<String>,
}

/// Lists the sessions, newest first.
pub(in crate::page) async fn list(visit: Visit) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Sessions, move |state, _| {
            let runtime = &state.runtime;
            let is_forgotten = forgotten_entries(&runtime.home.workspace);
            let mut listed = Vec::new();
            for name in runtime.home.sessions.names()? {
                let home = &runtime.home;
                let read = timeline(&home.sessions, &name, home.timezone, &is_forgotten);
                let name = name.to_string();
                listed.push(match read {
                    Ok(read) => ListedSession {
                        name,
                        title: read.parts.last().and_then(|part| part.title.clone()),
                        last_at: read.last_at,
                        n_messages: read.timeline.messages,
                        n_compactions: read.timeline.compactions,
                        bytes: read.timeline.bytes,
                        failure: None,
                    },
                    Err(error) => ListedSession {
                        name,
                        title: None,
                        last_at: None,
                        n_messages: 0,
                        n_compactions: 0,
                        bytes: 0,
                        failure: Some(error.to_string()),
                    },
                });
            }
            listed.sort_by_key(|own| Reverse(own.last_at));
            let content = sessions(&listed, runtime.home.timezone);
            Ok(FramedPage::new("Sessions", content))
        })
        .await
}

fn sessions(listed: &[ListedSession], timezone: Tz) -> Markup {
    html! {
        div class="head" {
            h1 { "Sessions" }
            p { "Every conversation is kept in full, even after its older part is summarised." }
        }
        @if listed.is_empty() {
            (empty("No conversation yet", &html! { "Start one with " code { "openclaw chat" } "." }))
        } @else {
            ul class="lines" {
                @for own in listed { (session(own, timezone)) }
            }
        }
    }
}

fn session(own: &ListedSession, timezone: Tz) -> Markup {
    let compactions = counted(own.n_compactions, "compaction", "compactions");
    html! {
        li data-item tabindex="-1" {
            a class="title" href={ "/sessions/" (encoded(&own.name)) } { (own.name) }
            @if let Some(title) = &own.title { p class="wide" { (title) } }
            @if let Some(at) = own.last_at { span class="small muted" { (minute(at, timezone)) } }
            p class="small muted wide" {
                @if let Some(failure) = &own.failure { (failure) }
                @else { (counted(own.n_messages, "message", "messages")) ", " (compactions) ", " (size(own.bytes)) }
            }
        }
    }
}
