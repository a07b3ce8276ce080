//! The search page, which explains each score.
//!
//! Does not rank anything itself.

use agent::ops::Search;
use axum::response::Html;
use maud::{Markup, html};
use memory::Workspace;
use search::{Degraded, Explanation, NothingFound, SearchAnswer, SearchResult, Source};
use serde::Deserialize;

use super::subpages::{Subpage, head};
use crate::http::{HttpError, UrlQuery};
use crate::page::frame::Tab;
use crate::page::place::address_of;
use crate::page::request::{FramedPage, Visit};
use crate::page::words::safe;

/// The query: the words to search for.
#[derive(Deserialize)]
pub(in crate::page) struct SearchForm {
    #[serde(default)]
    q: String,
}

/// Shows passages of notes and conversations, best first.
pub(in crate::page) async fn search(
    visit: Visit,
    UrlQuery(SearchForm { q }): UrlQuery<SearchForm>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Memory, move |state, _| {
            let reply = if q.trim().is_empty() {
                None
            } else {
                Some(state.run(Search {
                    query: q.clone(),
                    explain: true,
                    ..Search::default()
                })?)
            };
            let content = html! {
                (head(Subpage::Search, &q))
                @if let Some(reply) = &reply {
                    (found(&reply.answer, &state.runtime.home.workspace))
                }
            };
            Ok(FramedPage::new("Search", content))
        })
        .await
}

fn found(answer: &SearchAnswer, workspace: &Workspace) -> Markup {
    let best = answer.results.first().map_or(0.0, |result| result.score);
    html! {
        @if let Some(degraded) = answer.degraded {
            p class="note" { "Results may be incomplete: the index is " (Degraded::as_str(degraded)) "." }
        }
        @if answer.results.is_empty() {
            div class="card empty" role="status" {
                p { (answer.nothing.map_or("nothing was found", NothingFound::as_str)) "." }
            }
        } @else {
            @if let Some(reason) = answer.nothing {
                p class="note" { "No clear match: " (reason.as_str()) "." }
            }
            @if let Some(span) = answer.span {
                p class="small muted" { (span.in_words(&answer.results)) "." }
            }
            ol class="lines" aria-label="Results, best first" {
                @for result in &answer.results { (passage(result, best, workspace)) }
            }
        }
    }
}

fn passage(result: &SearchResult, best: f64, workspace: &Workspace) -> Markup {
    let what = match result.source {
        Source::Memory => "note",
        Source::Session => "conversation",
    };
    html! {
        li data-item tabindex="-1" {
            p { (safe(&result.text)) }
            div {
                span class="visually-hidden" { "score " }
                span class="number small muted" { (format!("{:.2}", result.score)) }
                (bar(result.score, best))
            }
            p class="meta wide" {
                span { (what) }
                @if let Some(day) = result.day { span { (day) } }
                @if let Some(speaker) = &result.speaker { span { (safe(speaker)) } }
                span { (place(result, workspace)) }
                @if let Some(section) = &result.section { span { (safe(section)) } }
                @if let Some(day) = result.planned_for { span { "planned for " (day) } }
                @if let Some(what) = result.ended() { span { (what) } }
                @if let Some(older) = &result.renews { span { "newer than " (older) } }
            }
            @if let Some(explanation) = &result.explanation { (explained(explanation, result.score)) }
        }
    }
}

/// The place of a passage with a link to it; a note of a vault opens in Obsidian.
fn place(result: &SearchResult, workspace: &Workspace) -> Markup {
    let place = format!("{}:{}", result.path, result.start_line);
    if let Some(address) = address_of(&result.path, result.start_line, workspace) {
        html! { a href=(address) { (place) } }
    } else {
        html! { (place) }
    }
}

/// Draws a score as a share of the best one.
fn bar(score: f64, best: f64) -> Markup {
    let share = if best > 0.0 {
        (score / best).clamp(0.0, 1.0)
    } else {
        0.0
    };
    html! {
        svg class="bar thin" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true" {
            rect class="talk" width=(format!("{share:.3}")) height="1" {}
        }
    }
}

fn explained(explanation: &Explanation, score: f64) -> Markup {
    html! {
        details class="small wide" {
            summary { "Why this score?" }
            div class="scroll" {
                table {
                    thead { tr { th { "Evidence" } th class="number" { "Adds" } } }
                    tbody {
                        @for (evidence, value) in &explanation.parts {
                            tr { td { (evidence.as_str()) } td class="number" { (format!("{value:.2}")) } }
                        }
                    }
                    tfoot { tr { td { "Score" } td class="number" { (format!("{score:.2}")) } } }
                }
            }
            @if !explanation.terms.is_empty() {
                p class="muted" {
                    "Matching words: "
                    @for (number, term) in explanation.terms.iter().enumerate() {
                        @if number > 0 { ", " }
                        (term.term)
                    }
                    "."
                }
            }
        }
    }
}
