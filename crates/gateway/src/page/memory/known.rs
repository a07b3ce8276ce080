//! The page of `MEMORY.md`: each line with its evidence and a button to strike it.
//!
//! Writes nothing.

use std::collections::BTreeSet;

use agent::review::EvidenceSource;
use axum::response::Html;
use base::counted;
use maud::{Markup, html};
use memory::candidates::{Access, Evidence, EvidenceRef};
use memory::curated::{CuratedLine, LineOwner, memory_lines};
use memory::{TombstoneCause, Tombstones, file_lines, load_tombstones};
use serde::Deserialize;

use super::asked::{Asked, add_form, correct_form};
use super::shown::shown_line_fields;
use super::strike::Struck;
use super::subpages::{Subpage, head};
use crate::http::{HttpError, HttpState, UrlPath, UrlQuery};
use crate::page::dreams::{evidence, sources};
use crate::page::frame::{Tab, csrf_field, empty, key};
use crate::page::request::{Browser, FramedPage, Visit};
use crate::page::words::{encoded, minute, safe};

/// Most struck lines to show.
const STRUCK_MAX: usize = 5;

/// Everything that the page shows.
#[derive(Debug, Clone, Default)]
struct KnownView {
    csrf: String,
    lines: Vec<CuratedLine>,
    /// Numbers of forgotten lines that are still in the file.
    hidden: BTreeSet<usize>,
    /// Recently struck lines, newest first: id and time.
    struck: Vec<(String, String)>,
}

/// Shows the page of `MEMORY.md`.
pub(in crate::page) async fn show(
    visit: Visit,
    UrlQuery(struck): UrlQuery<Struck>,
    UrlQuery(asked): UrlQuery<Asked>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Memory, move |state, browser| {
            let view = look(state, browser)?;
            let done = struck.in_words().or(asked.in_words(&view.csrf));
            Ok(FramedPage::new("Memory", known(&view)).after(done))
        })
        .await
}

fn look(state: &HttpState, browser: &Browser) -> Result<KnownView, HttpError> {
    let workspace = &state.runtime.home.workspace;
    let lines = memory_lines(state.desk(Access::Read)?.memory());
    let shown = file_lines(workspace, &workspace.memory_path(), None);
    let shown = shown.map_or_else(|_| String::new(), |found| found.text);
    let hidden = (1..).zip(shown.lines());
    let hidden = hidden.filter(|(_, line)| *line == "[forgotten]");
    Ok(KnownView {
        csrf: browser.csrf.clone(),
        lines,
        hidden: hidden.map(|(number, _)| number).collect(),
        struck: struck(&load_tombstones(workspace)?, state),
    })
}

fn whose(own: &CuratedLine) -> String {
    match &own.owner {
        LineOwner::Owner => "you wrote it".to_owned(),
        LineOwner::Ours { origin, .. } => match own.last_confirmed() {
            Some(day) => format!("last confirmed {day}, said by: {origin}"),
            None => format!("said by: {origin}"),
        },
    }
}

fn struck(tombstones: &Tombstones, state: &HttpState) -> Vec<(String, String)> {
    let all = tombstones.all().iter().rev();
    let forgotten = all
        .filter(|it| it.why == TombstoneCause::Forgotten)
        .take(STRUCK_MAX);
    let timezone = state.runtime.home.timezone;
    forgotten
        .map(|it| (it.id.to_string(), minute(it.at, timezone)))
        .collect()
}

fn known(view: &KnownView) -> Markup {
    let n_lines = view.lines.len();
    let title = |line: &CuratedLine| line.section.clone().unwrap_or_default();
    html! {
        (head(Subpage::Known, ""))
        (add_form(&view.csrf))
        @if n_lines == 0 {
            (empty("No long-term memory yet", &html! { "What you tell the assistant goes into notes; dreams propose what deserves to last." }))
        } @else {
            p class="small muted" {
                (counted(n_lines as u64, "line", "lines")) " in MEMORY.md. "
                "Striking a line removes it from the file and hides it from search, with the messages that say it."
            }
        }
        @for lines in view.lines.chunk_by(|one, next| title(one) == title(next)) {
            section {
                @let section = lines.first().map(title).unwrap_or_default();
                @if !section.is_empty() { h2 { (section) } }
                ul class="lines" { @for line in lines { (one_line(view, line)) } }
            }
        }
        (struck_lately(view))
    }
}

fn one_line(view: &KnownView, line: &CuratedLine) -> Markup {
    let is_hidden = view.hidden.contains(&line.number);
    let text = safe(&line.text);
    html! {
        li data-item tabindex="-1" id={ "line-" (line.number) } {
            div {
                @if is_hidden {
                    p class="muted" { "Struck; the line is still in the file." }
                } @else {
                    p { (text) }
                }
                p class="small muted" { (whose(line)) }
            }
            @if !is_hidden {
                form method="post" action="/memory/strike" {
                    (csrf_field(&view.csrf))
                    (shown_line_fields(line))
                    button class="plain danger" data-key="x" { "Strike " (key("x")) span class="visually-hidden" { ": " (text) } }
                }
            }
            @if line.id().is_some() && !is_hidden { (correct_form(&view.csrf, line)) }
            @if let Some(id) = line.id().filter(|_| !is_hidden) {
                @let address = format!("/memory/known/{}", encoded(id));
                details class="small wide" hx-get=(address) hx-trigger="toggle once" hx-target="find .source"
                    hx-select="#source" hx-swap="innerHTML" {
                    summary { "Why is this known?" }
                    div class="source" { a href=(address) { "Show the evidence" } }
                }
            }
        }
    }
}

fn struck_lately(view: &KnownView) -> Markup {
    html! {
        @if !view.struck.is_empty() {
            section {
                h2 { "Recently struck" }
                ul class="lines" {
                    @for (number, (id, at)) in view.struck.iter().enumerate() {
                        li {
                            span class="small muted" { (at) }
                            form method="post" action="/memory/unstrike" {
                                (csrf_field(&view.csrf))
                                input type="hidden" name="id" value=(id);
                                button class="plain" data-key=[(number == 0).then_some("u")] {
                                    "Restore " @if number == 0 { (key("u")) }
                                    span class="visually-hidden" { " what was struck at " (at) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The path: which line.
#[derive(Deserialize)]
pub(in crate::page) struct LineId {
    id: String,
}

/// Shows the evidence of a line.
pub(in crate::page) async fn source(
    visit: Visit,
    UrlPath(LineId { id }): UrlPath<LineId>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Memory, move |state, _| {
            let lines = memory_lines(state.desk(Access::Read)?.memory());
            let found = lines
                .into_iter()
                .find(|line| line.id() == Some(id.as_str()));
            let line =
                found.ok_or_else(|| HttpError::not_found("this line is no longer in MEMORY.md"))?;
            let (shown, sources) = evidence_of(state, &line);
            let content = html! {
                (head(Subpage::Known, ""))
                p class="finding" { (safe(&line.text)) }
                div id="source" class="stack" {
                    @if shown.is_empty() { p { "No evidence is recorded." } }
                    (evidence(&shown, &sources))
                }
            };
            Ok(FramedPage::new("Why is this known?", content))
        })
        .await
}

fn evidence_of(
    state: &HttpState,
    line: &CuratedLine,
) -> (Vec<Evidence>, Vec<Option<EvidenceSource>>) {
    let (LineOwner::Ours { evidence, .. }, Some(day)) = (&line.owner, line.day()) else {
        return (Vec::new(), Vec::new());
    };
    let named = |own: &EvidenceRef| Evidence {
        path: own.path.clone(),
        key: own.key.clone(),
        line: own.line,
        hash: own.hash.clone(),
        // A line of memory names only the place of its evidence.
        quote: String::new(),
        day,
        scope: own.scope.clone(),
    };
    let named: Vec<Evidence> = evidence.iter().map(named).collect();
    let sources = sources(state, &named);
    let around = named.iter().map(|own| sources.around(own).cloned());
    let around = around.collect();
    (named, around)
}
