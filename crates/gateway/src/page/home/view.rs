//! Renders the first page.
//!
//! Pure: receives everything that it shows.

use base::{Day, Invocation, counted};
use maud::{Markup, html};

use super::remind::remind_form;
use crate::page::frame::csrf_field;
use crate::page::markdown::inline;
use crate::page::words::{day_in_words, encoded, on_day, theme_in_words};

/// Maximum number of sentences of a theme to show; the memory page shows all.
const SENTENCES_MAX: usize = 8;

#[derive(Debug, Clone)]
pub(super) struct HomeView {
    pub(super) csrf: String,
    pub(super) name: Option<String>,
    pub(super) hour: u32,
    pub(super) today: Day,
    pub(super) themes: Vec<Theme>,
    pub(super) fresh: Vec<NewItem>,
    pub(super) ahead: Vec<PlannedItem>,
    pub(super) with_subject: Vec<SubjectItem>,
    pub(super) waiting: Vec<DecideItem>,
    pub(super) n_waiting: usize,
    pub(super) is_new_home: bool,
    pub(super) invocation: Invocation,
}

/// What is known under one heading.
#[derive(Debug, Clone)]
pub(super) struct Theme {
    /// The heading in `MEMORY.md`, or the file.
    pub(super) heading: String,
    pub(super) sentences: Vec<KnownSentence>,
}

/// One thing known.
#[derive(Debug, Clone)]
pub(super) struct KnownSentence {
    pub(super) text: String,
    /// The id of its line; `None` if the owner wrote it by hand.
    pub(super) id: Option<String>,
    pub(super) path: String,
    pub(super) day: Option<Day>,
}

/// A line that is new this week.
#[derive(Debug, Clone)]
pub(super) struct NewItem {
    pub(super) text: String,
    pub(super) day: Option<Day>,
}

/// Something planned.
#[derive(Debug, Clone)]
pub(super) struct PlannedItem {
    pub(super) day: Day,
    pub(super) until: Option<Day>,
    pub(super) text: String,
    pub(super) address: Option<String>,
}

/// A reminder that comes up with a subject.
#[derive(Debug, Clone)]
pub(super) struct SubjectItem {
    pub(super) subject: String,
    pub(super) text: String,
    pub(super) address: Option<String>,
}

/// A candidate that waits.
#[derive(Debug, Clone)]
pub(super) struct DecideItem {
    pub(super) id: String,
    pub(super) finding: String,
}

pub(super) fn home(view: &HomeView) -> Markup {
    html! {
        div class="head" {
            h1 { (greeting(view)) }
            p { (summary(view)) }
        }
        @if view.is_new_home && view.themes.is_empty() { (beginnings(&view.invocation)) }
        @else {
            div class="columns" {
                div class="stack wide-gap" { (known(view)) }
                div class="stack wide-gap" {
                    (to_decide(view))
                    (coming_up(view))
                    (new_this_week(view))
                }
            }
        }
    }
}

fn greeting(view: &HomeView) -> String {
    let part = match view.hour {
        5..12 => "Good morning",
        12..18 => "Good afternoon",
        _ => "Good evening",
    };
    match &view.name {
        Some(name) => format!("{part}, {name}."),
        None => format!("{part}."),
    }
}

/// A sentence about the current state.
fn summary(view: &HomeView) -> String {
    let n_known: usize = view.themes.iter().map(|it| it.sentences.len()).sum();
    if n_known == 0 {
        return "I know nothing about you yet. Everything that I learn stays on this machine."
            .to_owned();
    }
    let known = counted(n_known as u64, "thing", "things");
    match view.n_waiting {
        0 => format!("I know {known} about you, and nothing waits for you."),
        1 => format!("I know {known} about you. One more waits for your decision."),
        n => format!("I know {known} about you. {n} more wait for your decision."),
    }
}

/// Three ways to begin.
fn beginnings(invocation: &Invocation) -> Markup {
    html! {
        ol class="beginnings" {
            li class="card" {
                h2 { "Say something" }
                p { "Tell me who you are and what I should remember. I note what you say, and you can change or strike every line." }
                p { a class="button main" href="/chat" { "Start a conversation" } }
            }
            li class="card" {
                h2 { "Connect a program" }
                p { "Claude Code, Codex, Obsidian and others can use this memory and add to it. Type this in a terminal:" }
                pre { code { (invocation.command("connect")) } }
            }
            li class="card" {
                h2 { "Import what you have" }
                p { "Conversations from ChatGPT, Claude and others can be read in, and dreams propose what deserves to last." }
                pre { code { (invocation.command("session import FILE")) } }
            }
        }
    }
}

fn known(view: &HomeView) -> Markup {
    html! {
        section aria-labelledby="known-title" {
            h2 id="known-title" { "What I know about you" }
            @if view.themes.is_empty() {
                p class="muted" { "Nothing yet. Tell me something in " a href="/chat" { "Chat" } ", or add a line in " a href="/memory" { "Memory" } "." }
            }
            @for theme in &view.themes {
                div class="theme" {
                    h3 { (theme_in_words(&theme.heading)) }
                    ul {
                        @for sentence in theme.sentences.iter().take(SENTENCES_MAX) { li { (one_sentence(sentence, view.today)) } }
                    }
                    @if theme.sentences.len() > SENTENCES_MAX {
                        p class="small" { a href="/memory" { (theme.sentences.len() - SENTENCES_MAX) " more in Memory" } }
                    }
                }
            }
        }
    }
}

/// A sentence that shows its source when it is opened.
fn one_sentence(sentence: &KnownSentence, today: Day) -> Markup {
    let file = format!("/memory/file?path={}", encoded(&sentence.path));
    html! {
        @if let Some(id) = &sentence.id {
            @let address = format!("/memory/known/{}", encoded(id));
            details class="sentence" hx-get=(address) hx-trigger="toggle once" hx-target="find .source"
                hx-select="#source" hx-swap="innerHTML" {
                summary { (inline(&sentence.text)) }
                @if let Some(day) = sentence.day { p class="small muted" { "Last confirmed " (on_day(day, today)) "." } }
                div class="source small" { a href=(address) { "Show where I know this from" } }
            }
        } @else {
            details class="sentence" {
                summary { (inline(&sentence.text)) }
                p class="small muted" { "You wrote this yourself. " a href=(file) { "Open the page" } }
            }
        }
    }
}

fn to_decide(view: &HomeView) -> Markup {
    html! {
        @if !view.waiting.is_empty() {
            section aria-labelledby="decide-title" {
                h2 id="decide-title" { "Should I remember this?" }
                ul class="lines" {
                    @for item in &view.waiting {
                        li data-item tabindex="-1" {
                            p { (inline(&item.finding)) }
                            form method="post" action="/dreams/decide" class="row wide" {
                                (csrf_field(&view.csrf))
                                input type="hidden" name="id" value=(item.id);
                                input type="hidden" name="back" value="/";
                                button name="decision" value="accept" data-key="a" { "Yes" span class="visually-hidden" { ": " (item.finding) } }
                                button name="decision" value="reject" data-key="r" { "No" span class="visually-hidden" { ": " (item.finding) } }
                            }
                        }
                    }
                }
                p class="small" { a href="/review" { "See the evidence in Review" } }
            }
        }
    }
}

fn coming_up(view: &HomeView) -> Markup {
    html! {
        section aria-labelledby="ahead-title" {
            h2 id="ahead-title" { "Coming up" }
            @if view.ahead.is_empty() { p class="muted" { "Nothing is planned for the next 30 days." } }
            @else {
                ul class="lines" {
                    @for item in &view.ahead {
                        li {
                            p class="wide small muted" {
                                time datetime=(item.day) { (day_in_words(item.day, view.today)) }
                                @if let Some(until) = item.until { " to " (day_in_words(until, view.today)) }
                            }
                            p class="wide" {
                                @if let Some(address) = &item.address { a class="quiet" href=(address) { (inline(&item.text)) } }
                                @else { (inline(&item.text)) }
                            }
                        }
                    }
                }
            }
            @if !view.with_subject.is_empty() {
                h3 { "When it comes up" }
                ul class="lines" {
                    @for item in &view.with_subject {
                        li {
                            p class="wide small muted" { (item.subject) }
                            p class="wide" {
                                @if let Some(address) = &item.address { a class="quiet" href=(address) { (inline(&item.text)) } }
                                @else { (inline(&item.text)) }
                            }
                        }
                    }
                }
            }
            (remind_form(&view.csrf))
        }
    }
}

fn new_this_week(view: &HomeView) -> Markup {
    html! {
        section aria-labelledby="new-title" {
            h2 id="new-title" { "New this week" }
            @if view.fresh.is_empty() { p class="muted" { "Nothing new was added to long-term memory." } }
            @else {
                ul class="lines" {
                    @for item in &view.fresh {
                        li {
                            p { (inline(&item.text)) }
                            @if let Some(day) = item.day { span class="small muted" { (day_in_words(day, view.today)) } }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
