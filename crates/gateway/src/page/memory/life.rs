//! The life of a line of `MEMORY.md`: when it was said, noted, proposed, decided and replaced, with the words.
//!
//! Writes nothing.

use agent::review::EvidenceSource;
use axum::response::Html;
use base::layout::session_of_path;
use base::{Day, Tz, day};
use maud::{Markup, html};
use memory::Workspace;
use memory::candidates::{
    Access, Candidate, CandidateId, DreamState, Evidence, EvidenceRef, Proposal, Status,
};
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

/// How many earlier values of a line are followed back.
const EARLIER_MAX: usize = 20;

/// Something that happened to a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LifeStep {
    pub(super) day: Day,
    pub(super) what: &'static str,
    pub(super) words: String,
    /// The address at which the words can be read.
    pub(super) address: Option<String>,
}

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
            let own = desk.state().candidate(&CandidateId::new(id));
            let text = line.as_ref().map(|line| line.text.clone());
            let text = text.or_else(|| own.map(|own| own.finding.clone()));
            let text =
                text.ok_or_else(|| HttpError::not_found("this line is no longer in MEMORY.md"))?;
            let steps = own.map(|own| life(desk.state(), own, (home.timezone, &home.workspace)));
            // The lock is released while transcripts are read.
            drop(desk);
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
                    h2 class="finding" { (inline(&safe(&text))) }
                    button type="button" data-print data-needs-script { "Print" }
                }
                @if line.is_none() { p class="note" { "This line is no longer in MEMORY.md." } }
                div id="source" class="stack" {
                    (drawn(&steps.unwrap_or_default(), home.today()))
                    h3 { "Evidence" }
                    @if shown.is_empty() { p { "No evidence is recorded." } }
                    (evidence(&shown, &sources, (&addresses, home.today())))
                }
            };
            Ok(FramedPage::new("The life of a line", content))
        })
        .await
}

/// What happened to a line and to those that it replaced, oldest first.
fn life(state: &DreamState, own: &Candidate, at: (Tz, &Workspace)) -> Vec<LifeStep> {
    let mut steps = Vec::new();
    let mut next = Some(own);
    for _ in 0..EARLIER_MAX {
        let Some(own) = next else {
            break;
        };
        steps.splice(..0, steps_of(state, own, at));
        next = match &own.proposal {
            Proposal::Supersede { line, .. } | Proposal::Retire { line, .. } => {
                state.candidate(&CandidateId::new(line.clone()))
            }
            Proposal::Add | Proposal::Beside { .. } => None,
        };
    }
    steps.sort_by_key(|step| step.day);
    steps
}

fn steps_of(
    state: &DreamState,
    own: &Candidate,
    (timezone, workspace): (Tz, &Workspace),
) -> Vec<LifeStep> {
    let step = |day: Day, what: &'static str, words: &str| LifeStep {
        day,
        what,
        words: safe(words),
        address: None,
    };
    let cited = own.evidence.iter().map(|it| LifeStep {
        address: address_of(&it.path, it.line, workspace),
        ..match session_of_path(&it.path) {
            Some(_) => step(it.day, "Said", &it.quote),
            None => step(it.day, "Noted", &it.quote),
        }
    });
    let mut steps: Vec<LifeStep> = cited.collect();
    let proposed_as = own.proposed_as.as_deref().unwrap_or(&own.finding);
    steps.push(step(
        day(own.proposed_at, timezone),
        "Proposed",
        proposed_as,
    ));
    let decided = match own.status {
        Status::Pending => None,
        Status::Promoted if state.was_asked(own) => Some("You asked for it"),
        Status::Promoted => Some("Added to long-term memory"),
        Status::Accepted => Some("Accepted by you"),
        Status::Rejected => Some("Rejected by you"),
        Status::Undone => Some("Undone"),
    };
    if let Some((what, at)) = decided.zip(own.decided_at) {
        let at = day(at, timezone);
        if let Proposal::Supersede { older, .. } | Proposal::Retire { older, .. } = &own.proposal {
            steps.push(step(at, "No longer holds", older));
        }
        steps.push(step(at, what, &own.finding));
    }
    steps
}

pub(super) fn drawn(steps: &[LifeStep], today: Day) -> Markup {
    html! {
        @if !steps.is_empty() {
            ol class="life" {
                @for step in steps {
                    li {
                        p class="small muted" { (step.what) " " time datetime=(step.day) { (on_day(step.day, today)) } }
                        p {
                            @if let Some(address) = &step.address { a class="quiet" href=(address) { (inline(&step.words)) } }
                            @else { (inline(&step.words)) }
                        }
                    }
                }
            }
        }
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
