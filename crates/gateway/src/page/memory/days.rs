//! The pages of notes by day.
//!
//! Writes nothing.

use axum::response::Html;
use base::{Day, Origin, counted};
use maud::html;
use memory::LogItem;
use serde::Deserialize;

use super::subpages::{Subpage, head};
use crate::http::{HttpError, UrlPath};
use crate::page::frame::{Tab, empty};
use crate::page::request::{FramedPage, Visit};
use crate::page::words::{day_in_words, encoded, origin_in_words, safe};

/// Lists the days that have notes, newest first.
pub(in crate::page) async fn days(visit: Visit) -> Result<Html<String>, HttpError> {
    visit.show(Tab::Memory, move |state, _| {
        let workspace = &state.runtime.home.workspace;
        let today = state.runtime.home.today();
        let mut days = Vec::new();
        for day in workspace.log_days()?.into_iter().rev() {
            let items = workspace.log_items(day)?;
            let first = items.first().map(|item| safe(&item.text));
            days.push((day, items.len(), first.unwrap_or_default()));
        }
        let content = html! {
            (head(Subpage::Days, ""))
            @if days.is_empty() { (empty("", &html! { "No notes yet." })) }
            @else {
                ul class="lines" {
                    @for (day, n_notes, first) in &days {
                        li data-item tabindex="-1" {
                            a class="title" href={ "/memory/days/" (day) } { time datetime=(day) { (day_in_words(*day, today)) } }
                            span class="small muted" { (counted(*n_notes as u64, "note", "notes")) }
                            p class="small muted wide" { (first) }
                        }
                    }
                }
            }
        };
        Ok(FramedPage::new("Notes by day", content))
    })
    .await
}

/// The path: which day.
#[derive(Deserialize)]
pub(in crate::page) struct WantedDay {
    day: String,
}

/// Shows the notes of a day.
pub(in crate::page) async fn day(
    visit: Visit,
    UrlPath(WantedDay { day }): UrlPath<WantedDay>,
) -> Result<Html<String>, HttpError> {
    visit.show(Tab::Memory, move |state, _| {
        let day: Day = day.parse().map_err(|error| HttpError::missing(&error))?;
        let items = state.runtime.home.workspace.log_items(day)?;
        let path = state.runtime.home.workspace.log_path(day);
        let content = html! {
            (head(Subpage::Days, ""))
            div class="row between" {
                h2 { "Notes for " time datetime=(day) { (day_in_words(day, state.runtime.home.today())) } }
                a class="button" data-key="e" href={ "/memory/file?path=" (encoded(path.as_str())) } { "Edit the file" }
            }
            @if items.is_empty() { (empty("", &html! { "No notes for this day." })) }
            @else {
                ul class="lines" {
                    @for item in &items {
                        li data-item tabindex="-1" {
                            p { (safe(&item.text)) }
                            span class="small muted" { (whose(item)) }
                        }
                    }
                }
            }
        };
        Ok(FramedPage::new("Notes by day", content))
    })
    .await
}

fn whose(item: &LogItem) -> &'static str {
    match (item.origin, &item.id) {
        (Origin::Owner, None) => "You wrote it",
        (origin, _) => origin_in_words(origin),
    }
}
