//! Collects the waiting candidates, their evidence, and the change that accepting each would make.
//!
//! Writes nothing.

use std::sync::Arc;

use agent::SessionConversations;
use agent::ops::left_by_last;
use agent::review::{EvidenceContext, ReviewOrder, changed_lines, waiting_among};
use axum::response::Html;
use memory::candidates::{Access, Candidate, Evidence, MemoryTxn, Status};

use super::act::DoneQuery;
use super::view::{CandidateCard, Decided, LastDecision, ReviewView, all, review};
use crate::http::{HttpError, HttpState, UrlQuery};
use crate::page::frame::Tab;
use crate::page::place::address_of;
use crate::page::request::{Browser, FramedPage, Visit};

/// Maximum number of decided candidates to show.
const DECIDED_MAX: usize = 12;

/// Shows one waiting candidate.
pub(in crate::page) async fn show(
    visit: Visit,
    UrlQuery(asked): UrlQuery<DoneQuery>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Review, move |state, browser| {
            let view = look(state, browser, asked.at)?;
            let done = asked.in_words(&browser.csrf, "/review");
            Ok(FramedPage::new("Review", review(&view)).after(done))
        })
        .await
}

/// Lists all waiting candidates, so that several can be decided at once.
pub(in crate::page) async fn show_all(
    visit: Visit,
    UrlQuery(asked): UrlQuery<DoneQuery>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Review, move |state, browser| {
            let desk = state.desk(Access::Write)?;
            let order = ReviewOrder::of(&desk.state().pending);
            let waiting = order.ids.iter().filter_map(|id| desk.state().candidate(id));
            let waiting: Vec<Candidate> = waiting.cloned().collect();
            let done = asked.in_words(&browser.csrf, "/review/all");
            Ok(FramedPage::new("Review", all(&browser.csrf, &waiting)).after(done))
        })
        .await
}

fn look(state: &HttpState, browser: &Browser, at: Option<usize>) -> Result<ReviewView, HttpError> {
    let timezone = state.runtime.home.timezone;
    // The owner may have made decisions in an editor, and these are read first.
    let desk = state.desk(Access::Write)?;
    let order = ReviewOrder::of(&desk.state().pending);
    let n_waiting = order.ids.len();
    // After the last one was decided, the one before it is shown.
    let at = at.unwrap_or(1).clamp(1, n_waiting.max(1));
    let shown = order.ids.get(at - 1);
    let shown = shown.and_then(|id| desk.state().candidate(id));
    let card = shown.map(|own| card(&desk, own, &order)).transpose()?;
    let lately = desk.state().history.iter().rev().take(DECIDED_MAX);
    let mut view = ReviewView {
        csrf: browser.csrf.clone(),
        at,
        n_waiting,
        last_decision: desk.last_decision().map(|cause| LastDecision {
            told: desk.state().in_words(&cause),
            left: left_by_last(&desk),
        }),
        decided: lately
            .map(|own| Decided {
                own: own.clone(),
                is_asked: desk.state().was_asked(own),
            })
            .collect(),
        timezone,
        today: state.runtime.home.today(),
        card,
    };
    // The lock is released while transcripts are read.
    drop(desk);
    if let Some(card) = &mut view.card {
        let sources = sources(state, &card.own.evidence);
        let around = sources.around_all(&card.own).into_iter();
        card.sources = around.map(Option::<&_>::cloned).collect();
        let workspace = &state.runtime.home.workspace;
        let places = card.own.evidence.iter();
        let places = places.map(|it| address_of(&it.path, it.line, workspace));
        card.addresses = places.collect();
    }
    Ok(view)
}

/// Finds each piece of evidence in its conversation or log.
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
        addresses: Vec::new(),
        change: changed_lines(desk.memory(), &after),
        older: waiting_among(desk.state(), review.older_than(&own.id)),
    })
}
