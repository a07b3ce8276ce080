//! The messages that a summary replaces, word for word.
//!
//! Does not show forgotten text.

use agent::Piece;
use agent::ops::{ExpandReply, ExpandSession};
use axum::response::Html;
use base::{Day, TokenCount, Tz, counted};
use maud::{Markup, html};
use serde::Deserialize;

use super::list::title_of;
use crate::http::{HttpError, UrlPath};
use crate::page::frame::Tab;
use crate::page::markdown::blocks;
use crate::page::request::{FramedPage, Visit};
use crate::page::words::{encoded, minute, safe};

/// Maximum number of tokens of messages to show.
const BUDGET: TokenCount = TokenCount(6_000);

/// The path: which summary.
#[derive(Deserialize)]
pub(in crate::page) struct WantedSummary {
    name: String,
    entry: String,
}

/// Shows the messages behind a summary.
pub(in crate::page) async fn summary(
    visit: Visit,
    UrlPath(WantedSummary { name, entry }): UrlPath<WantedSummary>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Conversations, move |state, _| {
            let reply = state.run(ExpandSession {
                name: Some(name.clone()),
                entry: Some(entry),
                budget: Some(BUDGET.0),
                ..ExpandSession::default()
            })?;
            let home = &state.runtime.home;
            let content = html! {
                div class="head" {
                    p class="small" { a href={ "/sessions/" (encoded(&name)) } { (title_of(state, &name)) } }
                    h1 { "What the summary covers" }
                }
                div id="covered" class="stack" { (covered(&reply, (home.timezone, home.today()))) }
            };
            Ok(FramedPage::new("What the summary covers", content))
        })
        .await
}

fn covered(reply: &ExpandReply, (timezone, today): (Tz, Day)) -> Markup {
    let messages = counted(reply.messages as u64, "message", "messages");
    html! {
        p class="small muted" {
            (messages) ", " (reply.tokens) " tokens, word for word"
            @if reply.is_cut { "; earlier ones are not shown" } "."
        }
        @for piece in &reply.items {
            @match piece {
                Piece::Said { at, speaker, text, hidden, .. } => {
                    div class="said" {
                        p { b { (safe(speaker)) } (minute(*at, timezone, today)) }
                        div class="cited text" { (blocks(&safe(text))) }
                        @if *hidden > TokenCount::ZERO { p { (hidden) " tokens of this message are not shown." } }
                    }
                }
                Piece::Gap { n_messages, tokens, .. } => {
                    p class="small muted" {
                        (counted(*n_messages as u64, "message", "messages")) " in between, " (tokens) " tokens, not shown"
                    }
                }
            }
        }
    }
}
