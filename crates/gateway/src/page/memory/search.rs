//! The search page, which explains each score.
//!
//! Does not rank anything itself.

use agent::ops::Search;
use axum::response::Html;
use base::{Day, Origin};
use maud::{Markup, html};
use memory::Workspace;
use search::{Degraded, Explanation, NothingFound, SearchAnswer, SearchResult, Source};
use serde::Deserialize;

use super::subpages::{Subpage, head};
use crate::http::{HttpError, UrlQuery};
use crate::page::frame::Tab;
use crate::page::place::address_of;
use crate::page::request::{FramedPage, Visit};
use crate::page::words::{day_in_words, on_day, safe};

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
                    (found(&reply.answer, (&state.runtime.home.workspace, state.runtime.home.today())))
                }
            };
            Ok(FramedPage::new("Search", content))
        })
        .await
}

fn found(answer: &SearchAnswer, (workspace, today): (&Workspace, Day)) -> Markup {
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
                @for result in &answer.results { (passage(result, best, (workspace, today))) }
            }
        }
    }
}

fn passage(result: &SearchResult, best: f64, (workspace, today): (&Workspace, Day)) -> Markup {
    html! {
        li data-item tabindex="-1" {
            p { (safe(&without_bullets(&result.text))) }
            div {
                span class="visually-hidden" { "score " (format!("{:.2}", result.score)) }
                (bar(result.score, best))
            }
            p class="meta wide" {
                span { (place(result, workspace, today)) }
                @if let Some(section) = &result.section { span { (safe(section)) } }
                @if let Some(day) = result.planned_for { span { "planned for " (day_in_words(day, today)) } }
                @if let Some(what) = result.ended() { span { (what) } }
                @if result.renews.is_some() { span { "newer than another result" } }
            }
            @if let Some(explanation) = &result.explanation { (explained(explanation, result.score)) }
        }
    }
}

/// A passage without the bullets of its list.
fn without_bullets(text: &str) -> String {
    let lines = text.lines();
    let lines = lines.map(|line| line.strip_prefix("- ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// Where a passage stands, in words, with a link to it; a note of a vault opens in Obsidian.
fn place(result: &SearchResult, workspace: &Workspace, today: Day) -> Markup {
    let words = place_in_words(result, workspace, today);
    if let Some(address) = address_of(&result.path, result.start_line, workspace) {
        html! { a href=(address) { (words) } }
    } else {
        html! { (words) }
    }
}

/// Who said a passage and when, or the note in which it stands.
fn place_in_words(result: &SearchResult, workspace: &Workspace, today: Day) -> String {
    let of = |day: Day| on_day(day, today);
    match (result.source, result.day) {
        (Source::Session, day) => {
            let said = said_by(result);
            day.map_or(said.clone(), |day| format!("{said} {}", of(day)))
        }
        (Source::Memory, Some(day)) if workspace.log_path(day).as_str() == result.path => {
            format!("Noted {}", of(day))
        }
        (Source::Memory, Some(_) | None) => result.path.clone(),
    }
}

fn said_by(result: &SearchResult) -> String {
    match (result.speaker.as_deref(), result.origin) {
        (Some("user"), Origin::Owner) => "You said it".to_owned(),
        (Some("assistant"), _) => "The assistant said it".to_owned(),
        (Some("user") | None, _) => "Somebody else said it".to_owned(),
        (Some(name), _) => format!("From {}", safe(name)),
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
