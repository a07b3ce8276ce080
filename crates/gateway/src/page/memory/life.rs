//! The life of a line of `MEMORY.md`: when it was said, noted, proposed, decided and replaced, with the words.
//!
//! Writes nothing.

use agent::ops::{Why, WhyEvent, WhyStep};
use agent::review::EvidenceSource;
use axum::response::Html;
use base::Day;
use maud::{Markup, html};
use memory::Workspace;
use memory::candidates::{Access, Evidence, EvidenceRef};
use memory::curated::{CuratedLine, LineOwner, memory_lines};
use serde::Deserialize;

use super::subpages::{Subpage, head};
use crate::http::{HttpError, HttpState, UrlPath};
use crate::page::dreams::{evidence, sources};
use crate::page::frame::Tab;
use crate::page::markdown::inline;
use crate::page::place::address_of;
use crate::page::request::{FramedPage, Visit};
use crate::page::words::{on_day, safe};

/// The path: which line.
#[derive(Deserialize)]
pub(in crate::page) struct LineId {
    id: String,
}

/// Shows the life and the evidence of a line, even if the line is no longer in `MEMORY.md`.
pub(in crate::page) async fn source(
    visit: Visit,
    UrlPath(LineId { id }): UrlPath<LineId>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Memory, move |state, _| {
            let home = &state.runtime.home;
            let desk = state.desk(Access::Read)?;
            let line = memory_lines(desk.memory())
                .into_iter()
                .find(|line| line.id() == Some(id.as_str()));
            // The lock is released while logs and transcripts are read.
            drop(desk);
            let own = state.run(Why {
                about: format!("^{id}"),
            })?;
            let (shown, sources) = line
                .as_ref()
                .map(|line| evidence_of(state, line))
                .unwrap_or_default();
            let places = shown.iter();
            let places = places.map(|it| address_of(&it.path, it.line, &home.workspace));
            let addresses: Vec<Option<String>> = places.collect();
            let content = html! {
                (head(Subpage::Known, ""))
                div class="row between" {
                    h2 class="finding" { (inline(&safe(&own.text))) }
                    button type="button" data-print data-needs-script { "Print" }
                }
                @if own.place.is_none() { p class="note" { "This line is no longer in MEMORY.md." } }
                div id="source" class="stack" {
                    (drawn(&own.steps, (&home.workspace, home.today())))
                    h3 { "Evidence" }
                    @if shown.is_empty() { p { "No evidence is recorded." } }
                    (evidence(&shown, &sources, (&addresses, home.today())))
                }
            };
            Ok(FramedPage::new("The life of a line", content))
        })
        .await
}

/// The steps of a line's life, oldest first, each with a link to the place of its words.
pub(super) fn drawn(steps: &[WhyStep], (workspace, today): (&Workspace, Day)) -> Markup {
    let address = |step: &WhyStep| {
        let place = step.place.as_ref()?;
        address_of(&place.path, place.start_line, workspace)
    };
    html! {
        @if !steps.is_empty() {
            ol class="life" {
                @for step in steps {
                    li {
                        p class="small muted" { (event_in_words(step.event)) " " time datetime=(step.day) { (on_day(step.day, today)) } }
                        p {
                            @if let Some(address) = address(step) { a class="quiet" href=(address) { (inline(&safe(&step.text))) } }
                            @else { (inline(&safe(&step.text))) }
                        }
                    }
                }
            }
        }
    }
}

fn event_in_words(event: WhyEvent) -> &'static str {
    match event {
        WhyEvent::Said => "Said",
        WhyEvent::Noted => "Noted",
        WhyEvent::Proposed => "Proposed",
        WhyEvent::Ended => "No longer holds",
        WhyEvent::Added => "Added to long-term memory",
        WhyEvent::Asked => "You asked for it",
        WhyEvent::Accepted => "Accepted by you",
        WhyEvent::Rejected => "Rejected by you",
        WhyEvent::Undone => "Taken back by you",
        WhyEvent::Restored => "Restored by you",
        WhyEvent::Replaced => "Replaced by",
        WhyEvent::Summarised => "Replaced by a summary",
        WhyEvent::Recalled => "Recalled for a later message",
    }
}

fn evidence_of(
    state: &HttpState,
    line: &CuratedLine,
) -> (Vec<Evidence>, Vec<Option<EvidenceSource>>) {
    let (LineOwner::Ours { evidence, .. }, Some(day)) = (&line.owner, line.day()) else {
        return (Vec::new(), Vec::new());
    };
    let named = |own: &EvidenceRef| Evidence {
        path: own.path.clone(),
        key: own.key.clone(),
        line: own.line,
        hash: own.hash.clone(),
        // A line in `MEMORY.md` contains only the place of its evidence.
        quote: String::new(),
        day,
        scope: own.scope.clone(),
    };
    let named: Vec<Evidence> = evidence.iter().map(named).collect();
    let sources = sources(state, &named);
    let around = named.iter().map(|own| sources.around(own).cloned());
    let around = around.collect();
    (named, around)
}
