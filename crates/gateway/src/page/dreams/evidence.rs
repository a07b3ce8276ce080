//! Renders evidence in the context of its conversation or log.
//!
//! Redacts secrets.

use agent::review::{EvidenceSource, SourceLine};
use base::Day;
use base::layout::session_of_path;
use maud::{Markup, html};
use memory::candidates::Evidence;

use crate::page::markdown::gist;
use crate::page::words::{around, day_in_words, safe, shortened};

/// Maximum number of characters before and after the quote.
const AROUND_CHARS: usize = 220;

/// Maximum number of characters of each neighbouring message.
const BESIDE_CHARS: usize = 140;

/// Renders evidence with the messages around it, and a link to the place. A source is `None` if it no longer exists.
pub(in crate::page) fn evidence(
    shown: &[Evidence],
    sources: &[Option<EvidenceSource>],
    (addresses, today): (&[Option<String>], Day),
) -> Markup {
    html! {
        @for (place, (own, source)) in shown.iter().zip(sources).enumerate() {
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
                figcaption class="small muted" {
                    @let what = if session_of_path(&own.path).is_some() { "Open the conversation" } else { "Open the note" };
                    @if let Some(Some(address)) = addresses.get(place) { a href=(address) { (what) } ", " }
                    time datetime=(own.day) { (day_in_words(own.day, today)) }
                }
            }
        }
    }
}

fn said_by(line: &SourceLine) -> Markup {
    html! { @if let Some(who) = line.who { b { (who) } } }
}

fn beside(line: &SourceLine) -> Markup {
    html! { p { (said_by(line)) (gist(&shortened(&line.text, BESIDE_CHARS))) } }
}

fn cited(text: &str, quote: &str) -> Markup {
    let (before, words, after) = around(text, quote, AROUND_CHARS);
    html! { (before) @if !words.is_empty() { mark { (words) } } (after) }
}
