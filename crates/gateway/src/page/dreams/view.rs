//! Renders the dreams page.
//!
//! Pure: receives everything that it shows.

use agent::review::LineChange;
use base::counted;
use maud::{Markup, html};

use super::evidence::{EvidenceShown, evidence};
use crate::page::frame::{csrf_field, empty, key};

/// Everything that the page shows.
#[derive(Debug, Clone, Default)]
pub(super) struct DreamsView {
    pub(super) csrf: String,
    pub(super) cards: Vec<CandidateCard>,
    /// The change that an undo would revert.
    pub(super) last_decision: Option<String>,
    /// Recent decisions, newest first.
    pub(super) decided: Vec<DecidedLine>,
    /// Recent lines of the dream log, newest first: time and text.
    pub(super) log: Vec<(String, String)>,
}

/// A candidate.
#[derive(Debug, Clone)]
pub(super) struct CandidateCard {
    pub(super) id: String,
    pub(super) finding: String,
    pub(super) proposed_as: Option<String>,
    pub(super) found_in: &'static str,
    pub(super) day: String,
    pub(super) score: u32,
    pub(super) signals: Vec<(String, u32, u32)>,
    pub(super) origin: &'static str,
    pub(super) because: Option<String>,
    pub(super) action: String,
    pub(super) evidence: Vec<EvidenceShown>,
    pub(super) change: Vec<(LineChange, String)>,
    /// Older candidates that may be about the same thing: day and finding.
    pub(super) older: Vec<(String, String)>,
}

/// A decided candidate.
#[derive(Debug, Clone)]
pub(super) struct DecidedLine {
    pub(super) id: String,
    pub(super) finding: String,
    pub(super) status: &'static str,
    pub(super) at: String,
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
        (decided(&view.decided))
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
    let title = format!("finding-{}", card.id);
    html! {
        article class="card" data-item tabindex="-1" aria-labelledby=(title) {
            div class="pick" {
                @if n_all > 1 {
                    input type="checkbox" name="id" value=(card.id) form="several" data-key="x"
                        aria-label={ "Select: " (card.finding) };
                }
                div {
                    h2 class="finding" id=(title) { (card.finding) }
                    @if let Some(proposed) = &card.proposed_as {
                        p class="small muted" { "Proposed as: " (proposed) }
                    }
                    p class="meta" {
                        span { (number) " of " (n_all) }
                        span { (card.found_in) " of " (card.day) }
                        span { "said by: " (card.origin) }
                        span { "score " (card.score) }
                    }
                }
            }
            @if let Some(because) = &card.because {
                p class="small" { "It waits because " (because) "." }
            }
            div class="stack" {
                h3 { "Evidence" }
                (evidence(&card.evidence))
            }
            div class="stack" {
                h3 { "Accepting changes MEMORY.md" }
                (patch(&card.change, &card.action))
            }
            @if !card.older.is_empty() {
                div class="stack" {
                    h3 { "Older, perhaps about the same thing" }
                    ul class="small" {
                        @for (day, finding) in &card.older { li { (finding) span class="muted" { " (" (day) ")" } } }
                    }
                }
            }
            (decisions(csrf, card))
            (score(card))
        }
    }
}

fn decisions(csrf: &str, card: &CandidateCard) -> Markup {
    let words = format!("words-{}", card.id);
    html! {
        form method="post" action="/dreams/decide" class="row decide" {
            (csrf_field(csrf))
            input type="hidden" name="id" value=(card.id);
            button class="main" name="decision" value="accept" data-key="a" { "Accept " (key("a")) }
            @if !card.older.is_empty() {
                button name="decision" value="newer" data-key="n" { "Keep newer " (key("n")) }
            }
            button class="danger" name="decision" value="reject" data-key="r" { "Reject " (key("r")) }
            details class="button-like" {
                summary data-key="e" { "Edit " (key("e")) }
                div class="stack" {
                    label for=(words) { "In your words" }
                    textarea id=(words) name="words" rows="3" { (card.finding) }
                    div { button class="main" name="decision" value="edit" { "Accept these words" } }
                }
            }
        }
    }
}

/// The lines that are taken out and added.
pub(super) fn patch(change: &[(LineChange, String)], action: &str) -> Markup {
    html! {
        ul class="patch" {
            @for (change, line) in change {
                @let (class, said) = match change {
                    LineChange::Stays => ("stays", "unchanged: "),
                    LineChange::Comes => ("comes", "added: "),
                    LineChange::Goes => ("goes", "removed: "),
                };
                li class=(class) {
                    span class="sign" aria-hidden="true" { (change.sign()) }
                    span { span class="visually-hidden" { (said) } (line) }
                }
            }
            @if change.is_empty() { li { span class="sign" {} span { (action) } } }
        }
    }
}

fn score(card: &CandidateCard) -> Markup {
    html! {
        @if !card.signals.is_empty() {
            details class="small" {
                summary { "How the score is made up" }
                div class="scroll" {
                    table {
                        thead { tr { th { "Signal" } th class="number" { "Value" } th class="number" { "Weight" } th class="number" { "Counts" } } }
                        tbody {
                            @for (name, value, weight) in &card.signals {
                                tr {
                                    td { (name) }
                                    td class="number" { (value) }
                                    td class="number" { (weight) "%" }
                                    td class="number" { (value * weight / 100) }
                                }
                            }
                        }
                        tfoot { tr { td { "Score" } td {} td {} td class="number" { (card.score) } } }
                    }
                }
            }
        }
    }
}

fn decided(lines: &[DecidedLine]) -> Markup {
    html! {
        @if !lines.is_empty() {
            section {
                h2 { "Recent decisions" }
                ul class="lines" {
                    @for line in lines {
                        li {
                            p { (line.finding) }
                            span class="small muted" { (line.status) }
                            span class="small muted wide" { (line.at) ", " (line.id) }
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
