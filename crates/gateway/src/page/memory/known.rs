//! The page of `MEMORY.md`: each line with its evidence and a button that strikes it.
//!
//! Writes nothing.

use std::collections::BTreeSet;

use axum::response::Html;
use base::{Day, counted};
use maud::{Markup, html};
use memory::candidates::Access;
use memory::curated::{CuratedLine, LineOwner, memory_lines};
use memory::{TombstoneCause, Tombstones, file_lines, load_tombstones};

use super::asked::{Asked, add_form, correct_form};
use super::shown::shown_line_fields;
use super::strike::Struck;
use super::subpages::{Subpage, head};
use crate::http::{HttpError, HttpState, UrlQuery};
use crate::page::dreams::DoneQuery;
use crate::page::frame::{Tab, csrf_field, empty, key};
use crate::page::markdown::inline;
use crate::page::request::{Browser, FramedPage, Visit};
use crate::page::words::{encoded, minute, on_day, origin_in_words, safe, theme_in_words};

/// Maximum number of struck lines to show.
const STRUCK_MAX: usize = 5;

#[derive(Debug, Clone)]
pub(super) struct KnownView {
    pub(super) csrf: String,
    pub(super) lines: Vec<CuratedLine>,
    /// Numbers of forgotten lines that are still in the file.
    pub(super) hidden: BTreeSet<usize>,
    /// Recently struck lines, newest first: id and time.
    pub(super) struck: Vec<(String, String)>,
    pub(super) today: Day,
}

/// Shows the page of `MEMORY.md`.
pub(in crate::page) async fn show(
    visit: Visit,
    UrlQuery(struck): UrlQuery<Struck>,
    UrlQuery(asked): UrlQuery<Asked>,
    UrlQuery(decided): UrlQuery<DoneQuery>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Memory, move |state, browser| {
            let view = look(state, browser)?;
            let done = struck
                .in_words(&view.csrf)
                .or_else(|| asked.in_words(&view.csrf))
                .or_else(|| decided.in_words(&view.csrf, "/memory"));
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
        today: state.runtime.home.today(),
    })
}

/// Who said it, and when it was last confirmed.
fn whose(own: &CuratedLine, today: Day) -> String {
    let LineOwner::Ours { origin, .. } = &own.owner else {
        return "You wrote it.".to_owned();
    };
    let who = origin_in_words(*origin);
    match own.last_confirmed() {
        Some(day) => format!("{who}, last confirmed {}.", on_day(day, today)),
        None => format!("{who}."),
    }
}

fn struck(tombstones: &Tombstones, state: &HttpState) -> Vec<(String, String)> {
    let all = tombstones.all().iter().rev();
    let forgotten = all
        .filter(|it| it.why == TombstoneCause::Forgotten)
        .take(STRUCK_MAX);
    let (timezone, today) = (state.runtime.home.timezone, state.runtime.home.today());
    forgotten
        .map(|it| (it.id.to_string(), minute(it.at, timezone, today)))
        .collect()
}

pub(super) fn known(view: &KnownView) -> Markup {
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
                @if !section.is_empty() { h2 { (theme_in_words(&section)) } }
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
                    p { (inline(&text)) }
                }
                p class="small muted" { (whose(line, view.today)) }
            }
            @if !is_hidden {
                form method="post" action="/memory/strike" {
                    (csrf_field(&view.csrf))
                    (shown_line_fields(line))
                    button class="plain danger" data-key="x" { "Strike " (key("x")) span class="visually-hidden" { ": " (text) } }
                }
            }
            div class="tools wide small" {
            @if !is_hidden && text == line.text { (correct_form(&view.csrf, line)) }
            @if let Some(id) = line.id().filter(|_| !is_hidden) {
                @let address = format!("/memory/known/{}", encoded(id));
                details hx-get=(address) hx-trigger="toggle once" hx-target="find .source"
                    hx-select="#source" hx-swap="innerHTML" {
                    summary { "Its life, and why it is known" }
                    div class="source stack" { a href=(address) { "Show the evidence" } }
                }
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
                                    span class="visually-hidden" { " what was struck " (at) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
