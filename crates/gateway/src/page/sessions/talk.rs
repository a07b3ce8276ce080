//! Renders messages with the memory next to them: what was recalled for a reply, what was noted from a message, and
//! which lines of `MEMORY.md` rest on it.
//!
//! Pure: receives everything that it shows.

use std::collections::BTreeMap;

use agent::ops::ReadItem;
use base::{Day, Origin, Tz, day, time_of_day};
use maud::{Markup, html};
use memory::Workspace;

use crate::page::frame::csrf_field;
use crate::page::markdown::{blocks, inline};
use crate::page::place::address_of;
use crate::page::words::{day_in_words, encoded, shortened};

/// Longest text of a message to show at once.
const SHOWN_CHARS_MAX: usize = 12_000;

/// Longest result of a tool to show.
const RESULT_CHARS_MAX: usize = 2_000;

/// What memory made of the messages shown.
#[derive(Debug, Default)]
pub(in crate::page) struct Margin {
    /// Notes by the entry that they rest on: text and day.
    pub(super) notes: BTreeMap<String, Vec<(String, Day)>>,
    /// Lines of `MEMORY.md` by the line of the transcript that they rest on: text and id.
    pub(super) lines: BTreeMap<u64, Vec<(String, String)>>,
}

/// The parts around the messages.
pub(in crate::page) struct Talk<'t> {
    pub(in crate::page) name: &'t str,
    pub(in crate::page) items: &'t [ReadItem],
    pub(in crate::page) margin: &'t Margin,
    pub(in crate::page) workspace: &'t Workspace,
    pub(in crate::page) timezone: Tz,
    pub(in crate::page) today: Day,
    /// The line of the message to mark.
    pub(in crate::page) marked: Option<u64>,
    /// The secret of the forms, if a message can be changed and sent again.
    pub(in crate::page) csrf: Option<&'t str>,
}

/// Renders the messages, with the day above the first of each.
pub(in crate::page) fn talk(shown: &Talk<'_>) -> Markup {
    let day_of = |item: &ReadItem| day(item.at, shown.timezone);
    html! {
        ol class="talk" {
            @for items in shown.items.chunk_by(|one, next| day_of(one) == day_of(next)) {
                @if let Some(first) = items.first() {
                    li class="day" { time datetime=(day_of(first)) { (day_in_words(day_of(first), shown.today)) } }
                }
                @for item in items { (item_of(shown, item)) }
            }
        }
    }
}

fn item_of(shown: &Talk<'_>, item: &ReadItem) -> Markup {
    let is_marked = shown.marked == Some(item.line);
    let class = match item.role {
        "user" => "mine",
        "assistant" => "reply",
        "summary" => "ended",
        "new" => return begun(shown, item),
        _ => "result",
    };
    html! {
        li id={ "line-" (item.line) } class=(class) data-item tabindex="-1" aria-current=[is_marked.then_some("true")] {
            div class="words" {
                @match item.role {
                    "summary" => { (ended(shown.name, item)) }
                    "user" | "assistant" => {
                        p class="small muted" { (speaker(item)) " at " time datetime=(item.at.to_rfc3339()) { (time_of_day(item.at, shown.timezone)) } }
                        div class="text" { (blocks(&shortened(&item.text, SHOWN_CHARS_MAX))) }
                        (again(shown, item))
                    }
                    _ => {
                        details class="small" {
                            summary { "The result of a tool" }
                            pre class="scroll" tabindex="0" { (shortened(&item.text, RESULT_CHARS_MAX)) }
                        }
                    }
                }
            }
            (margin(shown, item))
        }
    }
}

/// The beginning of a new conversation in the same session.
fn begun(shown: &Talk<'_>, item: &ReadItem) -> Markup {
    html! {
        li id={ "line-" (item.line) } class="day" {
            span { "A new conversation began at " (time_of_day(item.at, shown.timezone)) }
        }
    }
}

/// The form that sends another message in place of this one.
fn again(shown: &Talk<'_>, item: &ReadItem) -> Markup {
    let form = shown.csrf.zip(item.parent.as_ref());
    html! {
        @if let Some((csrf, parent)) = form.filter(|_| item.role == "user" && item.origin == Origin::Owner) {
            details class="again" {
                summary { "Edit or retry" }
                form class="stack" method="post" action={ "/chat/" (encoded(shown.name)) "/say" } data-say hx-boost="false" {
                    (csrf_field(csrf))
                    input type="hidden" name="after" value=(parent);
                    textarea name="text" rows="3" required aria-label="The message to send instead" { "\n" (item.text) }
                    div { button class="main" { "Send instead" } }
                    p class="small muted" { "Everything said since then leaves the conversation, but stays in its file." }
                }
            }
        }
    }
}

fn speaker(item: &ReadItem) -> &'static str {
    match (item.role, item.origin) {
        ("user", Origin::Owner) => "You",
        ("user", _) => "Somebody else",
        _ => "Assistant",
    }
}

/// The end of a window, with the summary that replaces the messages above.
fn ended(name: &str, item: &ReadItem) -> Markup {
    let address = format!(
        "/sessions/{}/summary/{}",
        encoded(name),
        encoded(item.entry.as_str())
    );
    html! {
        details {
            summary { "The window ended here. A summary replaces the messages above." }
            div class="text small" { (blocks(&shortened(&item.text, SHOWN_CHARS_MAX))) }
            p class="small" { a href=(address) { "Read what the summary covers" } }
        }
    }
}

fn margin(shown: &Talk<'_>, item: &ReadItem) -> Markup {
    let notes = shown.margin.notes.get(item.entry.as_str());
    let lines = shown.margin.lines.get(&item.line);
    let window = format!(
        "/sessions/{}/window?entry={}",
        encoded(shown.name),
        encoded(item.entry.as_str())
    );
    html! {
        div class="margin small" {
            @if let Some(notes) = notes {
                @for (text, day) in notes {
                    p { b { "Noted " } a class="quiet" href={ "/memory/days/" (day) } { (inline(text)) } }
                }
            }
            @if let Some(lines) = lines {
                @for (text, id) in lines {
                    p { b { "Remembered " } a class="quiet" href={ "/memory/known/" (encoded(id)) } { (inline(text)) } }
                }
            }
            @if !item.recalled.is_empty() {
                details {
                    summary { "Recalled " (item.recalled.len()) }
                    ul {
                        @for place in &item.recalled {
                            @let words = format!("{}:{}", place.path, place.start_line);
                            li {
                                @if let Some(address) = address_of(&place.path, place.start_line, shown.workspace) { a href=(address) { (words) } }
                                @else { (words) }
                            }
                        }
                    }
                }
            }
            @if item.role == "user" { p class="then" { a class="quiet muted" href=(window) { "What I saw then" } } }
        }
    }
}
