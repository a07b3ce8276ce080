//! Gathers the candidates that wait, their evidence, and what accepting each would change.
//!
//! Writes nothing.

use std::sync::Arc;

use agent::SessionConversations;
use agent::review::{EvidenceContext, ReviewOrder, changed_lines, waiting_among};
use axum::response::Html;
use memory::candidates::{Candidate, Desk, Review, Status};
use serde::Deserialize;

use super::act::Done;
use super::evidence::EvidenceShown;
use super::view::{CandidateCard, DecidedLine, DreamsView, dreams};
use crate::http::{HttpError, HttpState, UrlQuery};
use crate::page::frame::Tab;
use crate::page::request::{Browser, FramedPage, Visit};
use crate::page::words::{minute, safe};

/// Most decided candidates to show.
const DECIDED_MAX: usize = 12;

/// Most lines of the dream log to show.
const LOG_MAX: usize = 8;

/// The query: what was just done, and to how many candidates.
#[derive(Deserialize)]
pub(in crate::page) struct DoneQuery {
    done: Option<Done>,
    n: Option<u64>,
}

/// Shows the dreams page.
pub(in crate::page) async fn show(
    visit: Visit,
    UrlQuery(asked): UrlQuery<DoneQuery>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Dreams, move |state, browser| {
            let view = look(state, browser)?;
            let done = asked.done.map(|done| done.in_words(asked.n));
            Ok(FramedPage::new("Dreams", dreams(&view)).after(done))
        })
        .await
}

fn look(state: &HttpState, browser: &Browser) -> Result<DreamsView, HttpError> {
    let timezone = state.runtime.home.timezone;
    let desk = state.desk(Review::LeaveAsIs)?;
    let order = ReviewOrder::of(&desk.state().pending);
    let found = order.ids.iter().filter_map(|id| desk.state().candidate(id));
    let pending: Vec<Candidate> = found.cloned().collect();
    let mut cards = Vec::new();
    for own in &pending {
        cards.push(card(&desk, own, &order)?);
    }
    let lately = desk.state().history.iter().rev().take(DECIDED_MAX);
    let decided = lately.map(|own| DecidedLine {
        id: own.id.to_string(),
        finding: safe(&own.finding),
        status: own.status.as_str(),
        at: own
            .decided_at
            .map(|at| minute(at, timezone))
            .unwrap_or_default(),
    });
    let log = desk.state().log.iter().rev().take(LOG_MAX);
    let log = log.map(|line| (minute(line.at, timezone), safe(&line.text)));
    let mut view = DreamsView {
        csrf: browser.csrf.clone(),
        last_decision: desk.last_decision(),
        decided: decided.collect(),
        log: log.collect(),
        cards,
    };
    // Release the lock while transcripts are read.
    drop(desk);
    let sources = sources(state, &pending);
    for (card, own) in view.cards.iter_mut().zip(&pending) {
        let around = own.evidence.iter().zip(sources.around_all(own));
        card.evidence = around
            .map(|(own, source)| EvidenceShown::new(own, source))
            .collect();
    }
    Ok(view)
}

fn sources(state: &HttpState, pending: &[Candidate]) -> EvidenceContext {
    let runtime = &state.runtime;
    let workspace = Arc::clone(&runtime.home.workspace);
    let conversations = SessionConversations::new(runtime.home.sessions.clone(), workspace);
    let evidence = pending.iter().flat_map(|own| &own.evidence);
    EvidenceContext::of(evidence, &runtime.home.workspace, &conversations)
}

fn card(
    desk: &Desk<'_>,
    own: &Candidate,
    review: &ReviewOrder,
) -> Result<CandidateCard, HttpError> {
    let after = match own.status {
        Status::Pending => desk.preview(&own.id)?,
        Status::Promoted | Status::Accepted | Status::Rejected => desk.memory().to_owned(),
    };
    let change = changed_lines(desk.memory(), &after).into_iter();
    let signals = own.signals.iter();
    let older = waiting_among(desk.state(), review.older_than(&own.id)).into_iter();
    Ok(CandidateCard {
        id: own.id.to_string(),
        finding: safe(&own.finding),
        proposed_as: own.proposed_as.as_deref().map(safe),
        found_in: own.found_in.as_str(),
        day: own.day.to_string(),
        score: own.score,
        signals: signals
            .map(|it| (it.name.clone(), it.value, it.weight))
            .collect(),
        origin: own.origin.as_str(),
        because: own.staged_because.as_deref().map(safe),
        action: safe(&own.action()),
        evidence: Vec::new(),
        change: change.map(|(change, line)| (change, safe(&line))).collect(),
        older: older
            .map(|it| (it.day.to_string(), safe(&it.finding)))
            .collect(),
    })
}
