//! Renders evidence in the context of its conversation or log.
//!
//! Shows no secret.

use agent::review::{EvidenceSource, SourceLine};
use maud::{Markup, html};
use memory::candidates::Evidence;

use crate::page::words::{around, safe, shortened};

/// Most characters before and after the quote.
const AROUND_CHARS: usize = 220;

/// Most characters of each neighbouring message.
const BESIDE_CHARS: usize = 140;

/// A piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::page) struct EvidenceShown {
    pub(in crate::page) place: String,
    pub(in crate::page) day: String,
    pub(in crate::page) quote: String,
    /// `None` if the source is gone.
    pub(in crate::page) source: Option<EvidenceSource>,
}

impl EvidenceShown {
    pub(in crate::page) fn new(own: &Evidence, source: Option<&EvidenceSource>) -> Self {
        Self {
            place: own.path.clone(),
            day: own.day.to_string(),
            quote: safe(&own.quote),
            source: source.cloned(),
        }
    }
}

/// Renders evidence with what was said around it.
pub(in crate::page) fn evidence(shown: &[EvidenceShown]) -> Markup {
    html! {
        @for own in shown {
            figure class="stack" {
                @if let Some(source) = &own.source {
                    blockquote class="said" {
                        @for line in &source.before { (beside(line)) }
                        p class="cited" { (said_by(&source.cited)) (cited(&source.cited.text, &own.quote)) }
                        @for line in &source.after { (beside(line)) }
                    }
                } @else {
                    blockquote class="said" {
                        p class="cited" { (own.quote) }
                        p { "This is no longer there." }
                    }
                }
                figcaption class="small muted" { (own.place) ", " (own.day) }
            }
        }
    }
}

fn said_by(line: &SourceLine) -> Markup {
    html! { @if let Some(who) = line.who { b { (who) } } }
}

fn beside(line: &SourceLine) -> Markup {
    html! { p { (said_by(line)) (shortened(&line.text, BESIDE_CHARS)) } }
}

fn cited(text: &str, quote: &str) -> Markup {
    let (before, words, after) = around(text, quote, AROUND_CHARS);
    html! { (before) @if !words.is_empty() { mark { (words) } } (after) }
}
