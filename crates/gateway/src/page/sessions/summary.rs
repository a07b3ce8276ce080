//! The messages that a summary replaces, word for word.
//!
//! Shows nothing that was forgotten.

use agent::{ExpandOptions, ExpandOrder, Expansion, Piece};
use axum::response::Html;
use base::{TokenCount, Tz, counted};
use maud::{Markup, html};
use serde::Deserialize;
use session::EntrySelector;

use crate::http::{HttpError, SessionPath, UrlPath, expansion_of};
use crate::page::frame::Tab;
use crate::page::request::{FramedPage, Visit};
use crate::page::words::{encoded, minute, safe};

/// Most tokens of messages to show.
const BUDGET: TokenCount = TokenCount(6_000);

/// The path: which summary.
#[derive(Deserialize)]
pub(in crate::page) struct WantedSummary {
    #[serde(flatten)]
    session: SessionPath,
    entry: String,
}

/// Shows the messages behind a summary.
pub(in crate::page) async fn summary(
    visit: Visit,
    UrlPath(WantedSummary { session, entry }): UrlPath<WantedSummary>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Sessions, move |state, _| {
            let name = session.name()?;
            let options = ExpandOptions {
                by: Some(EntrySelector::Entry(entry)),
                budget: BUDGET,
                order: ExpandOrder::Ends,
            };
            let expansion = expansion_of(state, &name, &options)?;
            let content = html! {
                div class="head" {
                    p class="small" { a href={ "/sessions/" (encoded(name.as_str())) } { (name) } }
                    h1 { "What the summary covers" }
                }
                div id="covered" class="stack" { (covered(&expansion, state.runtime.home.timezone)) }
            };
            Ok(FramedPage::new("What the summary covers", content))
        })
        .await
}

fn covered(expansion: &Expansion, timezone: Tz) -> Markup {
    let messages = counted(expansion.n_messages as u64, "message", "messages");
    html! {
        p class="small muted" {
            (messages) ", " (expansion.tokens) " tokens, word for word"
            @if expansion.is_cut { "; earlier ones are not shown" } "."
        }
        @for piece in &expansion.pieces {
            @match piece {
                Piece::Said { at, speaker, text, hidden, .. } => {
                    div class="said" {
                        p { b { (safe(speaker)) } (minute(*at, timezone)) }
                        p class="cited" { (safe(text)) }
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
