//! Renders the chat page.
//!
//! Pure: receives everything that it shows.

use maud::{Markup, html};
use session::SessionName;

use super::command::commands;
use crate::page::frame::csrf_field;
use crate::page::words::encoded;

/// What the page shows.
pub(in crate::page) struct ChatView {
    pub(super) csrf: String,
    pub(super) name: SessionName,
    pub(super) title: String,
    /// The messages; `None` before the first one.
    pub(super) talk: Option<Markup>,
    pub(super) has_earlier: bool,
    /// Recent conversations: name and title.
    pub(super) others: Vec<(String, String)>,
    /// The models that can answer.
    pub(super) models: Vec<String>,
    /// The one that was chosen.
    pub(super) model: Option<String>,
    /// The command that sets a model up, if there is none.
    pub(super) set_up: Option<String>,
    pub(super) notices: Vec<Notice>,
    /// What the field holds.
    pub(super) typed: String,
}

/// A notice that the page shows once.
pub(super) struct Notice {
    text: String,
    is_bad: bool,
}

impl Notice {
    pub(super) fn good(text: String) -> Self {
        Self {
            text,
            is_bad: false,
        }
    }

    pub(super) fn bad(text: String) -> Self {
        Self { text, is_bad: true }
    }
}

pub(in crate::page) fn chat(view: &ChatView) -> Markup {
    let name = encoded(view.name.as_str());
    html! {
        div class="head" id="chat-head" {
            div class="row between" {
                h1 { (view.title) }
                @if view.talk.is_some() {
                    form method="post" action={ "/chat/" (name) "/say" } hx-boost="false" {
                        (csrf_field(&view.csrf))
                        input type="hidden" name="text" value="/new";
                        button { "New conversation" }
                    }
                }
            }
            div class="row" { (switcher(view)) (renaming(view)) }
        }
        @if let Some(set_up) = &view.set_up {
            p class="note" { span { "No model is set, so I can only quote what you told me. " code { (set_up) } " sets one up." } }
        }
        div id="talk" aria-live="polite" class="stack" {
            @if view.has_earlier {
                p class="small" { a href={ "/sessions/" (name) } { "Read what was said earlier" } }
            }
            @if let Some(talk) = &view.talk { (talk) }
            @else { p class="muted" { "Say what is on your mind. What matters goes into notes, and you can change every line." } }
        }
        div id="told" role="status" class="stack" {
            @for notice in &view.notices {
                p class=(if notice.is_bad { "note bad" } else { "note" }) { (notice.text) }
            }
        }
        (composer(view))
    }
}

fn switcher(view: &ChatView) -> Markup {
    html! {
        details class="small" {
            summary { "Other conversations" }
            ul class="lines" {
                @for (name, title) in &view.others {
                    @if name != view.name.as_str() { li { a class="title" href={ "/chat/" (encoded(name)) } { (title) } } }
                }
                li { a href="/sessions" { "All conversations, with search" } }
            }
        }
    }
}

fn renaming(view: &ChatView) -> Markup {
    html! {
        @if view.talk.is_some() {
            details class="small" {
                summary { "Rename" }
                form method="post" action={ "/chat/" (encoded(view.name.as_str())) "/say" } class="row" hx-boost="false" {
                    (csrf_field(&view.csrf))
                    label class="visually-hidden" for="title" { "Title" }
                    input id="title" type="text" name="title" value=(view.title) required maxlength="60";
                    button { "Save" }
                }
            }
        }
    }
}

fn composer(view: &ChatView) -> Markup {
    html! {
        form id="say" class="composer" method="post" action={ "/chat/" (encoded(view.name.as_str())) "/say" }
            data-say hx-boost="false" {
            (csrf_field(&view.csrf))
            label class="visually-hidden" for="text" { "Your message" }
            // Browsers drop the first line break in a text area.
            textarea id="text" name="text" rows="2" required data-key="i" placeholder="Write a message, or / for a command" {
                @if !view.typed.is_empty() { "\n" (view.typed) }
            }
            div class="row between" {
                details class="small" id="commands" {
                    summary { "Commands" }
                    dl class="pairs" { @for row in commands() { dt { code { (row.name) } } dd { (row.does) } } }
                    p class="muted" data-needs-script { "Enter sends, Shift and Enter begin a new line. A text file can be dropped here." }
                }
                div class="row" {
                    (models(view))
                    button type="button" data-stop data-needs-script hidden { "Stop" }
                    button class="main" { "Send" }
                }
            }
        }
    }
}

/// The choice between several models.
fn models(view: &ChatView) -> Markup {
    html! {
        @if view.models.len() > 1 {
            label class="visually-hidden" for="model" { "Model" }
            select id="model" name="model" {
                @for model in &view.models {
                    option selected[view.model.as_ref() == Some(model)] { (model) }
                }
            }
        }
    }
}
