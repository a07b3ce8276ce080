//! The page of a session: tokens over time, and the events of each day.
//!
//! Writes nothing.

use agent::ops::SessionTimeline;
use axum::response::Html;
use base::{Day, Timestamp, Tz, counted, time_of_day};
use maud::{Markup, html};
use session::timeline::{Timeline, TimelineDay, TimelineEvent, TimelineEventKind};

use super::chart::{ChartView, chart};
use super::list::title_of;
use crate::http::{HttpError, UrlPath};
use crate::page::frame::Tab;
use crate::page::request::{FramedPage, Visit};
use crate::page::words::{day_in_words, encoded, grouped, minute, size};

/// Shows the page of a session.
pub(in crate::page) async fn show(
    visit: Visit,
    UrlPath(asked): UrlPath<SessionTimeline>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Conversations, move |state, _| {
            let course = state.run(asked)?;
            let drawn = ChartView {
                moments: course.moments,
                cuts: times(&course.timeline, |kind| {
                    matches!(kind, TimelineEventKind::Compaction { .. })
                }),
                flushes: times(&course.timeline, |kind| {
                    matches!(kind, TimelineEventKind::Flush { .. })
                }),
                timezone: state.runtime.home.timezone,
            };
            let title = title_of(state, &course.timeline.name);
            let today = state.runtime.home.today();
            let content = session(&course.timeline, (&title, today), &drawn);
            Ok(FramedPage::new(title, content))
        })
        .await
}

fn times(course: &Timeline, is_meant: fn(&TimelineEventKind) -> bool) -> Vec<Timestamp> {
    let events = course.days.iter().flat_map(|day| &day.events);
    let meant = events.filter(|event| is_meant(&event.kind));
    meant.map(|event| event.at).collect()
}

fn session(course: &Timeline, (title, today): (&str, Day), drawn: &ChartView) -> Markup {
    let timezone = drawn.timezone;
    html! {
        div class="head" {
            p class="small" { a href={ "/sessions/" (encoded(&course.name)) } { (title) } }
            h1 { "Its course" }
            @if let Some(at) = course.created_at { p { "Since " (minute(at, timezone, today)) } }
        }
        dl class="facts" {
            div { dt { "Messages" } dd { (grouped(course.messages)) } }
            div { dt { "Summaries" } dd { (grouped(course.compactions)) } }
            div { dt { "Times notes were written" } dd { (grouped(course.flushes)) } }
            @if course.rewinds > 0 { div { dt { "Times gone back" } dd { (grouped(course.rewinds)) } } }
            div { dt { "Size" } dd { (size(course.bytes)) } }
        }
        section {
            h2 { "Tokens in view" }
            div class="card" { (chart(drawn)) }
            p class="small" { a href={ "/context?session=" (encoded(&course.name)) } { "Where the tokens of the next request go" } }
        }
        section {
            h2 { "What happened" }
            ul class="lines" {
                @for day in course.days.iter().rev() { (day_of(&course.name, day, (timezone, today))) }
            }
        }
    }
}

fn day_of(name: &str, day: &TimelineDay, (timezone, today): (Tz, Day)) -> Markup {
    let n_messages = day.messages.user + day.messages.assistant + day.messages.tool;
    html! {
        li data-item tabindex="-1" {
            h3 { time datetime=(day.day) { (day_in_words(day.day, today)) } }
            span class="small muted" { (counted(n_messages, "message", "messages")) }
            @for event in day.events.iter().rev() { (event_of(name, event, timezone)) }
        }
    }
}

fn event_of(name: &str, event: &TimelineEvent, timezone: Tz) -> Markup {
    let at = time_of_day(event.at, timezone);
    html! {
        @if let TimelineEventKind::Compaction { entry, .. } = &event.kind {
            @let address = format!("/sessions/{}/summary/{}", encoded(name), encoded(entry.as_str()));
            details class="wide small" hx-get=(address) hx-trigger="toggle once" hx-target="find .covered"
                hx-select="#covered" hx-swap="innerHTML" {
                summary { (at) " " (in_words(&event.kind)) }
                div class="covered" { a href=(address) { "Show what the summary covers" } }
            }
        } @else {
            p class="wide small muted" { (at) " " (in_words(&event.kind)) }
        }
    }
}

fn in_words(kind: &TimelineEventKind) -> String {
    match kind {
        TimelineEventKind::Flush {
            log_file: Some(log),
            ..
        } => format!("Notes written to {log}"),
        TimelineEventKind::Flush { log_file: None, .. } => "No new notes".to_owned(),
        TimelineEventKind::FlushFailed { .. } => {
            "Writing notes failed; the next notes cover these messages too".to_owned()
        }
        TimelineEventKind::Compaction {
            tokens_before,
            tokens_after,
            retention_percent,
            ..
        } => {
            let after = tokens_after.map(|after| format!(" to {after}"));
            let held = retention_percent
                .map(|percent| format!("; the summary keeps {percent}% of names and figures"));
            format!(
                "Summarised: {tokens_before}{} tokens{}",
                after.unwrap_or_default(),
                held.unwrap_or_default()
            )
        }
        TimelineEventKind::Reset { .. } => "A new conversation began".to_owned(),
        TimelineEventKind::Rewind { .. } => "Went back to an earlier message".to_owned(),
    }
}
