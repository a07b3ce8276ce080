//! Renders the review page.
//!
//! Pure: receives everything that it shows.

use agent::review::{EvidenceSource, LineChange};
use base::{Day, Tz, counted};
use maud::{Markup, html};
use memory::candidates::{Candidate, Status};

use super::act::LEFT_FIELD;
use super::evidence::evidence;
use crate::page::frame::{csrf_field, empty, key};
use crate::page::markdown::inline;
use crate::page::words::{day_in_words, minute, on_day, origin_in_words, safe, theme_in_words};

#[derive(Debug, Clone)]
pub(super) struct ReviewView {
    pub(super) csrf: String,
    /// The position of the candidate shown, from 1.
    pub(super) at: usize,
    pub(super) n_waiting: usize,
    /// The candidate shown; `None` if nothing waits.
    pub(super) card: Option<CandidateCard>,
    /// The change that an undo would revert.
    pub(super) last_decision: Option<LastDecision>,
    /// Recent decisions, newest first.
    pub(super) decided: Vec<Decided>,
    pub(super) timezone: Tz,
    pub(super) today: Day,
}

/// A decided candidate.
#[derive(Debug, Clone)]
pub(super) struct Decided {
    pub(super) own: Candidate,
    /// Whether the owner asked for it.
    pub(super) is_asked: bool,
}

/// The last change.
#[derive(Debug, Clone)]
pub(super) struct LastDecision {
    /// What it was, in words.
    pub(super) told: String,
    /// Identifies it, so that its undo reverts nothing else.
    pub(super) left: String,
}

#[derive(Debug, Clone)]
pub(super) struct CandidateCard {
    pub(super) own: Candidate,
    /// The source of each piece of its evidence; `None` if the source no longer exists.
    pub(super) sources: Vec<Option<EvidenceSource>>,
    /// Where each piece of its evidence can be read.
    pub(super) addresses: Vec<Option<String>>,
    /// The change to `MEMORY.md` if it is accepted.
    pub(super) change: Vec<(LineChange, String)>,
    /// Older candidates that may be about the same thing.
    pub(super) older: Vec<Candidate>,
}

/// Renders one candidate at a time.
pub(super) fn review(view: &ReviewView) -> Markup {
    html! {
        div class="head" {
            h1 { "Review" }
            p { "A dream reads new notes for what deserves to last. What you accept goes into MEMORY.md." }
        }
        @if let Some(card) = &view.card {
            (way(view))
            (candidate(view, card))
        } @else {
            (empty("Nothing is waiting", &html! { "When a dream is unsure, it asks you here." }))
        }
        @if let Some(last) = &view.last_decision { (last_change(view, last)) }
        (decided(view))
    }
}

/// The position of the candidate among those that wait, and the links to the others.
fn way(view: &ReviewView) -> Markup {
    let address = |at: usize| format!("/review?at={at}");
    html! {
        nav class="row between way" aria-label="Candidates" {
            span class="small muted" { (view.at) " of " (view.n_waiting) }
            div class="row" {
                @if view.at > 1 { a class="button" rel="prev" data-key="k" href=(address(view.at - 1)) { "Back " (key("k")) } }
                @if view.at < view.n_waiting { a class="button" rel="next" data-key="j" href=(address(view.at + 1)) { "Later " (key("j")) } }
                @if view.n_waiting > 1 { a class="button" href="/review/all" { "All at once" } }
            }
        }
    }
}

fn last_change(view: &ReviewView, last: &LastDecision) -> Markup {
    html! {
        form method="post" action="/dreams/undo" class="row between" {
            (csrf_field(&view.csrf))
            input type="hidden" name="at" value=(view.at);
            input type="hidden" name=(LEFT_FIELD) value=(last.left);
            span class="small muted" { "Last change: " (safe(&last.told)) "." }
            button data-key="u" { "Undo it " (key("u")) }
        }
    }
}

/// Renders all candidates as a list.
pub(super) fn all(csrf: &str, waiting: &[Candidate]) -> Markup {
    html! {
        div class="head" {
            p class="small" { a href="/review" { "One at a time" } }
            h1 { "Review" }
            p { (counted(waiting.len() as u64, "candidate waits", "candidates wait")) " for your decision." }
        }
        @if waiting.is_empty() {
            (empty("Nothing is waiting", &html! { "When a dream is unsure, it asks you here." }))
        } @else {
            form method="post" action="/dreams/decide" class="stack" {
                (csrf_field(csrf))
                input type="hidden" name="back" value="/review/all";
                ul class="lines" {
                    @for (at, own) in (1..).zip(waiting) { (row(at, own)) }
                }
                div class="row several" {
                    span class="small muted" { "Selected: " output data-count="id" { "as ticked" } }
                    button class="main" name="decision" value="accept" { "Accept selected" }
                    button name="decision" value="reject" class="danger" { "Reject selected" }
                }
            }
        }
    }
}

fn row(at: usize, own: &Candidate) -> Markup {
    let title = format!("finding-{}", own.id);
    html! {
        li data-item tabindex="-1" aria-labelledby=(title) {
            label class="pick" {
                input type="checkbox" name="id" value=(own.id) data-key="x";
                span id=(title) { (inline(&safe(&own.finding))) }
            }
            a class="small" href={ "/review?at=" (at) } { "Evidence" span class="visually-hidden" { " of: " (safe(&own.finding)) } }
        }
    }
}

fn candidate(view: &ReviewView, card: &CandidateCard) -> Markup {
    let own = &card.own;
    let title = format!("finding-{}", own.id);
    html! {
        article class="card" data-item data-swipe tabindex="-1" aria-labelledby=(title) {
            div class="stack" {
                h2 class="finding" id=(title) { (inline(&safe(&own.finding))) }
                @if let Some(proposed) = &own.proposed_as {
                    p class="small muted" { "Proposed as: " (inline(&safe(proposed))) }
                }
                p class="small muted" { (whence(own, view.today)) }
            }
            @if let Some(because) = &own.staged_because {
                p class="small" { "It waits because " (safe(because)) "." }
            }
            (decisions(view, card))
            div class="stack" {
                h3 { "Evidence" }
                (evidence(&own.evidence, &card.sources, (&card.addresses, view.today)))
            }
            div class="stack" {
                h3 { "Accepting changes MEMORY.md" }
                (patch(card))
            }
            @if !card.older.is_empty() {
                div class="stack" {
                    h3 { "Older, perhaps about the same thing" }
                    ul class="small" {
                        @for own in &card.older { li { (inline(&safe(&own.finding))) span class="muted" { " (" (day_in_words(own.day, view.today)) ")" } } }
                    }
                }
            }
            (score(own))
        }
    }
}

/// The speaker of a candidate's evidence, and the time.
fn whence(own: &Candidate, today: Day) -> String {
    format!(
        "{} {}.",
        origin_in_words(own.origin),
        on_day(own.day, today)
    )
}

fn decisions(view: &ReviewView, card: &CandidateCard) -> Markup {
    let words = format!("words-{}", card.own.id);
    html! {
        form method="post" action="/dreams/decide" class="row decide" {
            (csrf_field(&view.csrf))
            input type="hidden" name="id" value=(card.own.id);
            input type="hidden" name="at" value=(view.at);
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

/// Renders the removed and added lines.
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
                    span { span class="visually-hidden" { (said) } (shown_line(line)) }
                }
            }
            @if card.change.is_empty() { li { span class="sign" {} span { (safe(&card.own.action())) } } }
        }
    }
}

/// A line of `MEMORY.md` as a page shows it: a heading or an item, without its Markdown.
fn shown_line(line: &str) -> Markup {
    html! {
        @if let Some(heading) = line.strip_prefix("## ") {
            strong { (safe(theme_in_words(heading))) }
        } @else {
            (inline(&safe(line.strip_prefix("- ").unwrap_or(line))))
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

fn decided(view: &ReviewView) -> Markup {
    html! {
        @if !view.decided.is_empty() {
            details {
                summary { "Recent decisions" }
                ul class="lines" {
                    @for decided in &view.decided {
                        @let own = &decided.own;
                        li {
                            p { (inline(&safe(&own.finding))) }
                            span class="small muted wide" {
                                (outcome(decided))
                                @if let Some(at) = own.decided_at { ", " (minute(at, view.timezone, view.today)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn outcome(decided: &Decided) -> &'static str {
    match decided.own.status {
        Status::Pending => "it waits",
        Status::Promoted if decided.is_asked => "you asked for it",
        Status::Promoted => "a dream added it",
        Status::Accepted => "you accepted it",
        Status::Rejected => "you rejected it",
        Status::Undone => "undone",
    }
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
