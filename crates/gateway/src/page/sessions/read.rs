//! The page of a conversation: its messages as they were, part by part, with the memory in the margin.
//!
//! Writes nothing.

use agent::ops::{ReadSession, ReadSessionReply, SessionWindow};
use axum::response::Html;
use base::{Day, Tz, counted, day};
use maud::{Markup, html};
use serde::Deserialize;

use super::list::title_of;
use super::margin::margin_of;
use super::talk::{Talk, talk};
use crate::http::{HttpError, UrlPath, UrlQuery};
use crate::page::frame::{Tab, empty};
use crate::page::markdown::{blocks, gist};
use crate::page::request::{FramedPage, Visit};
use crate::page::words::{day_in_words, encoded, minute, shortened};

/// Number of messages on a page.
const PART: usize = 60;

/// Longest beginning of a message to show in a window.
const GIST_CHARS_MAX: usize = 200;

/// The path: which conversation.
#[derive(Deserialize)]
pub(in crate::page) struct WantedSession {
    name: String,
}

/// The query: which part of it.
#[derive(Deserialize)]
pub(in crate::page) struct WantedPart {
    /// The position of the first line.
    from: Option<usize>,
    /// The position of the line before which it ends.
    before: Option<usize>,
    /// The line of a message to mark.
    line: Option<u64>,
}

/// A part of a conversation as it is shown.
pub(super) struct PartView {
    pub(super) reply: ReadSessionReply,
    pub(super) title: String,
    pub(super) talk: Markup,
    pub(super) timezone: Tz,
    pub(super) today: Day,
}

/// Shows a part of a conversation, its end by default.
pub(in crate::page) async fn read(
    visit: Visit,
    UrlPath(WantedSession { name }): UrlPath<WantedSession>,
    UrlQuery(wanted): UrlQuery<WantedPart>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Conversations, move |state, _| {
            let reply = state.run(ReadSession {
                name,
                from: wanted.from,
                before: wanted.before,
                line: wanted.line,
                is_measured: true,
                limit: Some(PART),
                as_of: None,
            })?;
            let home = &state.runtime.home;
            let margin = margin_of(state, &reply.name, &reply.items)?;
            let shown = talk(&Talk {
                name: &reply.name,
                items: &reply.items,
                margin: &margin,
                workspace: &home.workspace,
                timezone: home.timezone,
                today: home.today(),
                marked: wanted.line,
                csrf: None,
            });
            let view = PartView {
                title: title_of(state, &reply.name),
                talk: shown,
                timezone: home.timezone,
                today: home.today(),
                reply,
            };
            Ok(FramedPage::new(view.title.clone(), conversation(&view)))
        })
        .await
}

pub(super) fn conversation(view: &PartView) -> Markup {
    let name = encoded(&view.reply.name);
    html! {
        div class="head" {
            p class="small" { a href="/sessions" { "Conversations" } }
            h1 { (view.title) }
            p {
                a href={ "/chat/" (name) } { "Continue this conversation" } ", or see "
                a href={ "/sessions/" (name) "/course" } { "its course" } "."
            }
        }
        @if view.reply.items.is_empty() { (empty("Nothing has been said here yet", &html! { "What you say appears here." })) }
        @else {
            (slider(view))
            (view.talk)
            (neighbours(&view.reply))
        }
    }
}

/// The slider over the whole conversation, from its first day to its last.
fn slider(view: &PartView) -> Markup {
    let reply = &view.reply;
    let is_whole = !reply.has_earlier && !reply.has_later;
    let positions = reply.items.first().zip(reply.items.last());
    html! {
        @if let (false, Some((first, last)), Some(n_lines)) = (is_whole, positions, reply.lines) {
            @let days = [first.at, last.at].map(|at| day_in_words(day(at, view.timezone), view.today));
            // The thumb reaches the end with the last part.
            @let most = n_lines.saturating_sub(last.position - first.position).max(first.position);
            @let at = if reply.has_later { first.position } else { most };
            form method="get" action={ "/sessions/" (encoded(&reply.name)) } class="slider" {
                label for="from" {
                    (days[0]) @if days[0] != days[1] { " to " (days[1]) }
                }
                input id="from" type="range" name="from" min="1" max=(most) value=(at)
                    step=((n_lines / STEPS).max(1)) data-submit;
                noscript { button { "Show" } }
            }
        }
    }
}

/// Number of places at which the slider stops.
const STEPS: usize = 1_000;

fn neighbours(reply: &ReadSessionReply) -> Markup {
    let address = |to: &str, at: usize| format!("/sessions/{}?{to}={at}", encoded(&reply.name));
    html! {
        nav class="row between" aria-label="Parts" {
            @if let Some(first) = reply.items.first().filter(|_| reply.has_earlier) {
                a class="button" rel="prev" href=(address("before", first.position)) { "Earlier" }
            }
            @if let Some(last) = reply.items.last().filter(|_| reply.has_later) {
                a class="button" rel="next" href=(address("from", last.position + 1)) { "Later" }
            }
        }
    }
}

/// The query: which moment.
#[derive(Deserialize)]
pub(in crate::page) struct WantedMoment {
    entry: Option<String>,
}

/// Shows what the model saw at a moment of a conversation.
pub(in crate::page) async fn window(
    visit: Visit,
    UrlPath(WantedSession { name }): UrlPath<WantedSession>,
    UrlQuery(WantedMoment { entry }): UrlQuery<WantedMoment>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Conversations, move |state, _| {
            let reply = state.run(SessionWindow {
                name,
                entry,
                as_of: None,
            })?;
            let timezone = state.runtime.home.timezone;
            let title = title_of(state, &reply.name);
            let today = state.runtime.home.today();
            let n_tokens = reply.items.iter().map(|item| item.tokens).sum::<base::TokenCount>();
            let n_messages = reply.items.iter().filter(|item| item.role != "summary").count();
            let content = html! {
                div class="head" {
                    p class="small" { a href={ "/sessions/" (encoded(&reply.name)) } { (title) } }
                    h1 { "What I saw then" }
                    p {
                        "Of this conversation, the model saw " (counted(n_messages as u64, "message", "messages"))
                        ", " (n_tokens) " tokens. "
                        @if n_messages < reply.items.len() { "A summary stood for the messages before them." }
                    }
                }
                ul class="lines" {
                    @for item in &reply.items {
                        li data-item tabindex="-1" {
                            @if item.role == "summary" {
                                details class="wide" open {
                                    summary { "Summary of everything before" }
                                    div class="text small" { (blocks(&item.text)) }
                                }
                            } @else {
                                p { b { (if item.role == "user" { "You " } else { "Assistant " }) } (gist(&shortened(&item.text, GIST_CHARS_MAX))) }
                                span class="small muted" { (minute(item.at, timezone, today)) }
                            }
                        }
                    }
                }
            };
            Ok(FramedPage::new("What I saw then", content))
        })
        .await
}
