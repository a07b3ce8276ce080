//! The page of a session: tokens over time, and the events of each day.
//!
//! Writes nothing.

use agent::ops::SessionTimeline;
use axum::response::Html;
use base::{Timestamp, Tz, counted, time_of_day};
use maud::{Markup, html};
use session::timeline::{Timeline, TimelineDay, TimelineEvent, TimelineEventKind};

use super::chart::{ChartView, chart};
use crate::http::{HttpError, UrlPath};
use crate::page::frame::Tab;
use crate::page::request::{FramedPage, Visit};
use crate::page::words::{encoded, grouped, minute, size};

/// Shows the page of a session.
pub(in crate::page) async fn show(
    visit: Visit,
    UrlPath(asked): UrlPath<SessionTimeline>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Sessions, move |state, _| {
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
            let content = session(&course.timeline, &drawn);
            Ok(FramedPage::new(course.timeline.name.as_str(), content))
        })
        .await
}

fn times(course: &Timeline, is_meant: fn(&TimelineEventKind) -> bool) -> Vec<Timestamp> {
    let events = course.days.iter().flat_map(|day| &day.events);
    let meant = events.filter(|event| is_meant(&event.kind));
    meant.map(|event| event.at).collect()
}

fn session(course: &Timeline, drawn: &ChartView) -> Markup {
    let timezone = drawn.timezone;
    html! {
        div class="head" {
            p class="small" { a href="/sessions" { "Sessions" } }
            h1 { (course.name) }
            @if let Some(at) = course.created_at { p { "Since " (minute(at, timezone)) } }
        }
        dl class="facts" {
            div { dt { "Messages" } dd { (grouped(course.messages)) } }
            div { dt { "Compactions" } dd { (grouped(course.compactions)) } }
            div { dt { "Flushes" } dd { (grouped(course.flushes)) } }
            @if course.rewinds > 0 { div { dt { "Rewinds" } dd { (grouped(course.rewinds)) } } }
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
                @for day in course.days.iter().rev() { (day_of(&course.name, day, timezone)) }
            }
        }
    }
}

fn day_of(name: &str, day: &TimelineDay, timezone: Tz) -> Markup {
    let n_messages = day.messages.user + day.messages.assistant + day.messages.tool;
    html! {
        li data-item tabindex="-1" {
            h3 { time datetime=(day.day) { (day.day) } }
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
        TimelineEventKind::Flush { log_file: None, .. } => "Flushed; nothing to note".to_owned(),
        TimelineEventKind::FlushFailed { .. } => {
            "Flush failed; the next one makes up for it".to_owned()
        }
        TimelineEventKind::Compaction {
            tokens_before,
            tokens_after,
            retention_percent,
            ..
        } => {
            let after = tokens_after.map(|after| format!(" to {after}"));
            let held = retention_percent
                .map(|percent| format!("; the summary holds {percent}% of what was audited"));
            format!(
                "Compaction: {tokens_before}{} tokens{}",
                after.unwrap_or_default(),
                held.unwrap_or_default()
            )
        }
        TimelineEventKind::Reset { .. } => "Session reset".to_owned(),
        TimelineEventKind::Rewind { .. } => "Rewound to an earlier message".to_owned(),
    }
}
