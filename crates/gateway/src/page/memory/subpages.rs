//! The head of each page about memory.

use maud::{Markup, html};

use crate::page::frame::key;

/// The pages about memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subpage {
    Known,
    Search,
    Days,
    Files,
}

impl Subpage {
    const LINKED: [(Self, &'static str, &'static str); 3] = [
        (Self::Known, "/memory", "What is known"),
        (Self::Days, "/memory/days", "Notes by day"),
        (Self::Files, "/memory/files", "Files"),
    ];
}

/// The title, the search form, and links to the other pages.
pub(super) fn head(at: Subpage, asked: &str) -> Markup {
    html! {
        div class="head" {
            h1 { "Memory" }
            form class="search" role="search" method="get" action="/memory/search" {
                label class="visually-hidden" for="question" { "Search notes and conversations" }
                input id="question" type="search" name="q" value=(asked) placeholder="Search memory"
                    data-key="/" autocomplete="off";
                button { "Search " (key("/")) }
            }
        }
        nav class="subpages" aria-label="Memory" {
            @for (page, path, name) in Subpage::LINKED {
                a href=(path) aria-current=[(page == at).then_some("page")] { (name) }
            }
        }
    }
}
