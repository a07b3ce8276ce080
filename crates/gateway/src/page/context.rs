//! The context page: how the tokens of the next request are used.
//!
//! Counts nothing itself; shows the same numbers that compaction uses.

use agent::PRIMARY_SESSION;
use agent::prompt::{assemble, context_parts};
use axum::response::Html;
use base::TokenCount;
use maud::{Markup, html};
use serde::Deserialize;
use session::{ReadError, SessionName};

use super::frame::{SettingsPage, Tab, settings_pages};
use super::request::{FramedPage, Visit};
use super::words::{percent, thousandths};
use crate::http::{HttpError, HttpState, UrlQuery};

/// The query: which session to show.
#[derive(Deserialize)]
pub(super) struct AskedSession {
    session: Option<String>,
}

/// The role of a part of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestShare {
    /// A part that is the same in each request.
    Standing,
    /// A part of the conversation.
    Talk,
    /// A part of this request alone.
    Moment,
}

impl RequestShare {
    /// Each role with its CSS class and its name.
    const DRAWN: [(Self, &'static str, &'static str); 3] = [
        (Self::Standing, "standing", "Instructions, memory and tools"),
        (Self::Talk, "talk", "Conversation"),
        (Self::Moment, "moment", "Only in this request"),
    ];
}

#[derive(Debug, Clone, Default)]
struct ContextView {
    session: String,
    /// The names of all sessions.
    sessions: Vec<String>,
    parts: Vec<(RequestShare, String, u64)>,
    window: u64,
    trigger: u64,
    recall_max: u64,
    cut_files: Vec<String>,
}

/// Shows the context of a session.
pub(super) async fn show(
    visit: Visit,
    UrlQuery(asked): UrlQuery<AskedSession>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Settings, move |state, _| {
            let name = asked.session.unwrap_or_else(|| PRIMARY_SESSION.to_owned());
            let name: SessionName = name.parse().map_err(|error| HttpError::missing(&error))?;
            let view = look(state, &name)?;
            Ok(FramedPage::new("Next request", context(&view)))
        })
        .await
}

fn look(state: &HttpState, name: &SessionName) -> Result<ContextView, HttpError> {
    let runtime = &state.runtime;
    let view = match runtime.home.sessions.read(name, runtime.resume_limit()) {
        Ok(snapshot) => snapshot.view,
        Err(ReadError::NotFound(_) | ReadError::NotBegun(_)) => session::View::default(),
        Err(error) => return Err(error.into()),
    };
    let request = assemble(runtime, name, &view)?;
    let mut share = RequestShare::Standing;
    let mut parts = Vec::new();
    for part in context_parts(&request) {
        // The parts come in this order: the same in each request up to `tools`, then the conversation, then the rest.
        share = match part.name.as_str() {
            "summary" | "messages" | "tool results" => RequestShare::Talk,
            _ if share == RequestShare::Talk
                || parts.iter().any(|(_, name, _)| name == "tools") =>
            {
                RequestShare::Moment
            }
            _ => RequestShare::Standing,
        };
        parts.push((share, part.name, request.to_provider(part.tokens).0));
    }
    let names = runtime.home.sessions.names()?;
    Ok(ContextView {
        session: name.to_string(),
        sessions: names.iter().map(ToString::to_string).collect(),
        parts,
        window: request.window.0,
        trigger: request.threshold.0,
        recall_max: runtime.memory.recall_budget.0,
        cut_files: request.cut_files,
    })
}

fn context(view: &ContextView) -> Markup {
    let used: u64 = view.parts.iter().map(|(_, _, tokens)| tokens).sum();
    let room = view.trigger.saturating_sub(used);
    html! {
        (settings_pages(SettingsPage::Context))
        div class="head" {
            h1 { "Next request" }
            p { "Where the tokens of the next request go. At the mark, older messages are summarised." }
        }
        form method="get" action="/context" class="row" {
            label class="visually-hidden" for="session" { "Session" }
            select id="session" name="session" {
                @for own in &view.sessions { option value=(own) selected[*own == view.session] { (own) } }
                @if !view.sessions.contains(&view.session) { option value=(view.session) selected { (view.session) } }
            }
            button { "Show" }
        }
        section class="card" aria-label="The window" {
            dl class="facts" {
                div { dt { "In use" } dd { (TokenCount(used)) small { (percent(used, view.window)) "% of the window" } } }
                div { dt { "Room left" } dd { (TokenCount(room)) small { "until older messages are summarised" } } }
                div { dt { "Window" } dd { (TokenCount(view.window)) small { "tokens" } } }
            }
            (window(view, used))
            (legend(view))
        }
        section {
            h2 { "Part by part" }
            div class="card scroll" { (parts(view, used)) }
            p class="small muted" {
                "Recall adds at most " (TokenCount(view.recall_max)) " tokens per message."
                @for file in &view.cut_files { " " (file) " is too long for a prompt: only a part of it is shown." }
            }
        }
    }
}

/// Draws the context window as a bar, with a mark at the size where compaction begins.
fn window(view: &ContextView, used: u64) -> Markup {
    let mut x = 0;
    let mut drawn = Vec::new();
    for (share, class, _) in RequestShare::DRAWN {
        let width = thousandths(sum(view, share), view.window);
        drawn.push((class, x, width));
        x += width;
    }
    let due = thousandths(view.trigger, view.window);
    let label = format!(
        "{} of {} tokens in use; older messages are summarised at {}",
        TokenCount(used),
        TokenCount(view.window),
        TokenCount(view.trigger)
    );
    html! {
        svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label=(label) {
            rect class="kept-free" x=(due) width=(1_000 - due) height="10" {}
            @for (class, x, width) in drawn { rect class=(class) x=(x) width=(width) height="10" {} }
            line class="due" x1=(due) x2=(due) y1="0" y2="10" {}
        }
    }
}

fn legend(view: &ContextView) -> Markup {
    html! {
        ul class="legend" {
            @for (share, class, name) in RequestShare::DRAWN {
                li { (swatch(class)) (name) ": " (TokenCount(sum(view, share))) }
            }
            li { (swatch("kept-free")) "reserved for replies and notes: " (TokenCount(view.window.saturating_sub(view.trigger))) }
        }
    }
}

fn swatch(class: &str) -> Markup {
    html! {
        svg viewBox="0 0 20 10" aria-hidden="true" { rect class=(class) width="20" height="10" rx="2" {} }
    }
}

fn sum(view: &ContextView, share: RequestShare) -> u64 {
    let own = view.parts.iter().filter(|(own, ..)| *own == share);
    own.map(|(_, _, tokens)| tokens).sum()
}

fn parts(view: &ContextView, used: u64) -> Markup {
    html! {
        table {
            thead { tr { th { "Part" } th class="number" { "Tokens" } th class="number" { "Share" } } }
            tbody {
                @for (_, name, tokens) in &view.parts {
                    tr {
                        td { (name) }
                        td class="number" { (TokenCount(*tokens)) }
                        td class="number" { (percent(*tokens, used)) "%" }
                    }
                }
            }
            tfoot { tr { td { "In use" } td class="number" { (TokenCount(used)) } td {} } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn context_page_shows_tokens_by_part() {
        let view = ContextView {
            session: "main".into(),
            sessions: vec!["main".into(), "work".into()],
            parts: vec![
                (RequestShare::Standing, "instructions".into(), 400),
                (RequestShare::Standing, "MEMORY.md".into(), 600),
                (RequestShare::Talk, "summary".into(), 2_000),
                (RequestShare::Talk, "messages".into(), 7_000),
                (RequestShare::Moment, "time".into(), 30),
            ],
            window: 32_000,
            trigger: 24_000,
            recall_max: 800,
            cut_files: vec!["<b>MEMORY.md".into()],
        };
        insta::assert_snapshot!(context(&view).into_string());
    }
}
