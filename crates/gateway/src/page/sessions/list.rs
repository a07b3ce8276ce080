//! The list of sessions.
//!
//! Writes nothing.

use agent::forgotten_entries;
use axum::response::Html;
use base::{Tz, counted};
use maud::{Markup, html};
use session::timeline::{TimelineRead, timeline};
use session::{ReadError, SessionName};
use std::cmp::Reverse;

use crate::http::HttpError;
use crate::page::frame::{Tab, empty};
use crate::page::request::{FramedPage, Visit};
use crate::page::words::{encoded, minute, size};

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
                let last_at = read.as_ref().ok().and_then(|read| read.last_at);
                listed.push((last_at, session(&name, &read, home.timezone)));
            }
            listed.sort_by_key(|(last_at, _)| Reverse(*last_at));
            let lines: Vec<Markup> = listed.into_iter().map(|(_, line)| line).collect();
            Ok(FramedPage::new("Sessions", sessions(&lines)))
        })
        .await
}

fn sessions(lines: &[Markup]) -> Markup {
    html! {
        div class="head" {
            h1 { "Sessions" }
            p { "Every conversation is kept in full, even after its older part is summarised." }
        }
        @if lines.is_empty() {
            (empty("No conversation yet", &html! { "Start one with " code { "openclaw chat" } "." }))
        } @else {
            ul class="lines" {
                @for line in lines { (line) }
            }
        }
    }
}

/// A session in the list, or why it cannot be read.
fn session(name: &SessionName, read: &Result<TimelineRead, ReadError>, timezone: Tz) -> Markup {
    html! {
        li data-item tabindex="-1" {
            a class="title" href={ "/sessions/" (encoded(name.as_str())) } { (name) }
            @match read {
                Ok(read) => {
                    @if let Some(title) = read.parts.last().and_then(|part| part.title.as_ref()) {
                        p class="wide" { (title) }
                    }
                    @if let Some(at) = read.last_at { span class="small muted" { (minute(at, timezone)) } }
                    p class="small muted wide" {
                        (counted(read.timeline.messages, "message", "messages")) ", "
                        (counted(read.timeline.compactions, "compaction", "compactions")) ", "
                        (size(read.timeline.bytes))
                    }
                }
                Err(error) => { p class="small muted wide" { (error) } }
            }
        }
    }
}
