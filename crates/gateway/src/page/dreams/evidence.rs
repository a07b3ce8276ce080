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

/// Renders evidence with what was said around it; a source is `None` if it is gone.
pub(in crate::page) fn evidence(shown: &[Evidence], sources: &[Option<EvidenceSource>]) -> Markup {
    html! {
        @for (own, source) in shown.iter().zip(sources) {
            @let quote = safe(&own.quote);
            figure class="stack" {
                @if let Some(source) = source {
                    blockquote class="said" {
                        @for line in &source.before { (beside(line)) }
                        p class="cited" { (said_by(&source.cited)) (cited(&source.cited.text, &quote)) }
                        @for line in &source.after { (beside(line)) }
                    }
                } @else {
                    blockquote class="said" {
                        p class="cited" { (quote) }
                        p { "This is no longer there." }
                    }
                }
                figcaption class="small muted" { (own.path) ", " (own.day) }
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
