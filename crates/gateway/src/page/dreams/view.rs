//! Renders the dreams page.
//!
//! Pure: receives everything that it shows.

use agent::review::{EvidenceSource, LineChange};
use base::{Tz, counted};
use maud::{Markup, html};
use memory::candidates::Candidate;

use super::evidence::evidence;
use crate::page::frame::{csrf_field, empty, key};
use crate::page::words::{minute, safe};

/// Everything that the page shows.
#[derive(Debug, Clone, Default)]
pub(super) struct DreamsView {
    pub(super) csrf: String,
    pub(super) cards: Vec<CandidateCard>,
    /// The change that an undo would revert.
    pub(super) last_decision: Option<String>,
    /// Recent decisions, newest first.
    pub(super) decided: Vec<Candidate>,
    /// Recent lines of the dream log, newest first: time and text.
    pub(super) log: Vec<(String, String)>,
    pub(super) timezone: Tz,
}

/// A candidate.
#[derive(Debug, Clone)]
pub(super) struct CandidateCard {
    pub(super) own: Candidate,
    /// The source of each piece of its evidence; `None` if it is gone.
    pub(super) sources: Vec<Option<EvidenceSource>>,
    /// What accepting it changes in `MEMORY.md`.
    pub(super) change: Vec<(LineChange, String)>,
    /// Older candidates that may be about the same thing.
    pub(super) older: Vec<Candidate>,
}

pub(super) fn dreams(view: &DreamsView) -> Markup {
    let n_waiting = view.cards.len();
    html! {
        div class="head" {
            h1 { "Dreams" }
            p { (intro(n_waiting)) }
        }
        @if let Some(cause) = &view.last_decision {
            form method="post" action="/dreams/undo" class="row between" {
                (csrf_field(&view.csrf))
                span class="small muted" { "Last change: " (cause) "." }
                button data-key="u" { "Undo " (key("u")) }
            }
        }
        @if n_waiting > 1 { (several(view)) }
        @if n_waiting > 0 {
            section aria-label="Waiting candidates" {
                @for (number, card) in (1..).zip(&view.cards) { (candidate(&view.csrf, card, (number, n_waiting))) }
            }
        } @else {
            (empty("Nothing is waiting", &html! { "When a dream is unsure, it asks you here." }))
        }
        (decided(view))
        (log(&view.log))
    }
}

fn intro(n_waiting: usize) -> String {
    let why =
        "A dream reads new notes for what deserves to last. What you accept goes into MEMORY.md.";
    match n_waiting {
        0 => why.to_owned(),
        n => format!(
            "{} for your decision. {why}",
            counted(n as u64, "candidate waits", "candidates wait")
        ),
    }
}

fn several(view: &DreamsView) -> Markup {
    html! {
        form id="several" method="post" action="/dreams/decide" class="row several" aria-label="Several at once" {
            (csrf_field(&view.csrf))
            span class="small muted" { "Selected candidates " (key("x")) }
            button name="decision" value="accept" { "Accept selected" }
            button name="decision" value="reject" class="danger" { "Reject selected" }
        }
    }
}

fn candidate(csrf: &str, card: &CandidateCard, (number, n_all): (usize, usize)) -> Markup {
    let own = &card.own;
    let title = format!("finding-{}", own.id);
    let finding = safe(&own.finding);
    html! {
        article class="card" data-item tabindex="-1" aria-labelledby=(title) {
            div class="pick" {
                @if n_all > 1 {
                    input type="checkbox" name="id" value=(own.id) form="several" data-key="x"
                        aria-label={ "Select: " (finding) };
                }
                div {
                    h2 class="finding" id=(title) { (finding) }
                    @if let Some(proposed) = &own.proposed_as {
                        p class="small muted" { "Proposed as: " (safe(proposed)) }
                    }
                    p class="meta" {
                        span { (number) " of " (n_all) }
                        span { (own.found_in.as_str()) " of " (own.day) }
                        span { "said by: " (own.origin.as_str()) }
                        span { "score " (own.score) }
                    }
                }
            }
            @if let Some(because) = &own.staged_because {
                p class="small" { "It waits because " (safe(because)) "." }
            }
            div class="stack" {
                h3 { "Evidence" }
                (evidence(&own.evidence, &card.sources))
            }
            div class="stack" {
                h3 { "Accepting changes MEMORY.md" }
                (patch(card))
            }
            @if !card.older.is_empty() {
                div class="stack" {
                    h3 { "Older, perhaps about the same thing" }
                    ul class="small" {
                        @for own in &card.older { li { (safe(&own.finding)) span class="muted" { " (" (own.day) ")" } } }
                    }
                }
            }
            (decisions(csrf, card))
            (score(own))
        }
    }
}

fn decisions(csrf: &str, card: &CandidateCard) -> Markup {
    let words = format!("words-{}", card.own.id);
    html! {
        form method="post" action="/dreams/decide" class="row decide" {
            (csrf_field(csrf))
            input type="hidden" name="id" value=(card.own.id);
            button class="main" name="decision" value="accept" data-key="a" { "Accept " (key("a")) }
            @if !card.older.is_empty() {
                button name="decision" value="newer" data-key="n" { "Keep newer " (key("n")) }
            }
            button class="danger" name="decision" value="reject" data-key="r" { "Reject " (key("r")) }
            details class="button-like" {
                summary data-key="e" { "Edit " (key("e")) }
                div class="stack" {
                    label for=(words) { "In your words" }
                    textarea id=(words) name="words" rows="3" { (safe(&card.own.finding)) }
                    div { button class="main" name="decision" value="edit" { "Accept these words" } }
                }
            }
        }
    }
}

/// The lines that are taken out and added.
fn patch(card: &CandidateCard) -> Markup {
    html! {
        ul class="patch" {
            @for (change, line) in &card.change {
                @let (class, said) = match change {
                    LineChange::Stays => ("stays", "unchanged: "),
                    LineChange::Comes => ("comes", "added: "),
                    LineChange::Goes => ("goes", "removed: "),
                };
                li class=(class) {
                    span class="sign" aria-hidden="true" { (change.sign()) }
                    span { span class="visually-hidden" { (said) } (safe(line)) }
                }
            }
            @if card.change.is_empty() { li { span class="sign" {} span { (safe(&card.own.action())) } } }
        }
    }
}

fn score(own: &Candidate) -> Markup {
    html! {
        @if !own.signals.is_empty() {
            details class="small" {
                summary { "How the score is made up" }
                div class="scroll" {
                    table {
                        thead { tr { th { "Signal" } th class="number" { "Value" } th class="number" { "Weight" } th class="number" { "Counts" } } }
                        tbody {
                            @for signal in &own.signals {
                                tr {
                                    td { (signal.name) }
                                    td class="number" { (signal.value) }
                                    td class="number" { (signal.weight) "%" }
                                    td class="number" { (signal.value * signal.weight / 100) }
                                }
                            }
                        }
                        tfoot { tr { td { "Score" } td {} td {} td class="number" { (own.score) } } }
                    }
                }
            }
        }
    }
}

fn decided(view: &DreamsView) -> Markup {
    html! {
        @if !view.decided.is_empty() {
            section {
                h2 { "Recent decisions" }
                ul class="lines" {
                    @for own in &view.decided {
                        li {
                            p { (safe(&own.finding)) }
                            span class="small muted" { (own.status.as_str()) }
                            span class="small muted wide" {
                                @if let Some(at) = own.decided_at { (minute(at, view.timezone)) }
                                ", " (own.id)
                            }
                        }
                    }
                }
            }
        }
    }
}

fn log(lines: &[(String, String)]) -> Markup {
    html! {
        @if !lines.is_empty() {
            section {
                h2 { "Recent activity" }
                dl class="pairs small" {
                    @for (at, text) in lines { dt { (at) } dd { (text) } }
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
