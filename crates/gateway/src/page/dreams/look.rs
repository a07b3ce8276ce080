//! Gathers the candidates that wait, their evidence, and what accepting each would change.
//!
//! Writes nothing.

use std::sync::Arc;

use agent::SessionConversations;
use agent::review::{EvidenceContext, ReviewOrder, changed_lines, waiting_among};
use axum::response::Html;
use memory::candidates::{Access, Candidate, Evidence, MemoryTxn, Status};
use serde::Deserialize;

use super::act::Done;
use super::view::{CandidateCard, DreamsView, dreams};
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
    done: Option<String>,
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
            let done = asked.done.as_deref().and_then(Done::parse);
            let done = done.map(|done| done.in_words(asked.n));
            Ok(FramedPage::new("Dreams", dreams(&view)).after(done))
        })
        .await
}

fn look(state: &HttpState, browser: &Browser) -> Result<DreamsView, HttpError> {
    let timezone = state.runtime.home.timezone;
    // The owner may have decided in an editor.
    let desk = state.desk(Access::Write)?;
    let order = ReviewOrder::of(&desk.state().pending);
    let pending = order.ids.iter().filter_map(|id| desk.state().candidate(id));
    let cards = pending.map(|own| card(&desk, own, &order));
    let cards = cards.collect::<Result<Vec<_>, _>>()?;
    let lately = desk.state().history.iter().rev().take(DECIDED_MAX);
    let log = desk.state().log.iter().rev().take(LOG_MAX);
    let log = log.map(|line| (minute(line.at, timezone), safe(&line.text)));
    let mut view = DreamsView {
        csrf: browser.csrf.clone(),
        last_decision: desk.last_decision(),
        decided: lately.cloned().collect(),
        log: log.collect(),
        timezone,
        cards,
    };
    // Release the lock while transcripts are read.
    drop(desk);
    let evidence = view.cards.iter().flat_map(|card| &card.own.evidence);
    let sources = sources(state, evidence);
    for card in &mut view.cards {
        let around = sources.around_all(&card.own).into_iter();
        card.sources = around.map(Option::<&_>::cloned).collect();
    }
    Ok(view)
}

/// Looks up evidence in its conversation or log.
pub(in crate::page) fn sources<'e>(
    state: &HttpState,
    evidence: impl IntoIterator<Item = &'e Evidence>,
) -> EvidenceContext {
    let home = &state.runtime.home;
    let conversations =
        SessionConversations::new(home.sessions.clone(), Arc::clone(&home.workspace));
    EvidenceContext::of(evidence, &home.workspace, &conversations)
}

fn card(
    desk: &MemoryTxn<'_>,
    own: &Candidate,
    review: &ReviewOrder,
) -> Result<CandidateCard, HttpError> {
    let after = match own.status {
        Status::Pending => desk.preview(&own.id)?,
        Status::Promoted | Status::Accepted | Status::Rejected | Status::Undone => {
            desk.memory().clone()
        }
    };
    Ok(CandidateCard {
        own: own.clone(),
        sources: Vec::new(),
        change: changed_lines(desk.memory(), &after),
        older: waiting_among(desk.state(), review.older_than(&own.id)),
    })
}
