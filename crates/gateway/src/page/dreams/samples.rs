//! Candidates as examples, for tests and the gallery.

use agent::review::{EvidenceSource, LineChange, SourceLine};
use base::{Origin, Timestamp, Tz};
use memory::candidates::{Candidate, CandidateId, Evidence, FoundIn, Proposal, Signal, Status};

use super::view::{CandidateCard, Decided, LastDecision, ReviewView, all, review};
use crate::page::gallery::{Sample, instant, sample_day};

pub(super) fn said(who: &'static str, text: &str) -> SourceLine {
    SourceLine {
        who: Some(who),
        text: text.to_owned(),
    }
}

pub(super) fn candidate_of(id: &str, finding: &str) -> Candidate {
    let signal = |name: &str, value| Signal {
        name: name.to_owned(),
        value,
        weight: 50,
    };
    Candidate {
        id: CandidateId::new(id),
        finding: finding.to_owned(),
        proposed_as: Some("Dislikes emoji".to_owned()),
        section: "Preferences".to_owned(),
        proposal: Proposal::Add,
        evidence: vec![Evidence {
            path: "sessions/main.jsonl".to_owned(),
            key: "e1".to_owned(),
            line: 1,
            hash: String::new(),
            quote: "no emoji in comments".to_owned(),
            day: sample_day("2026-04-20"),
            scope: None,
        }],
        origin: Origin::Agent,
        found_in: FoundIn::SessionReplay,
        day: sample_day("2026-04-20"),
        proposed_at: Timestamp::default(),
        score: 62,
        signals: vec![signal("evidence", 80), signal("novelty", 44)],
        staged_because: Some("the assistant said it, not you".to_owned()),
        status: Status::Pending,
        decided_at: None,
        missing_since: None,
        is_shown: true,
    }
}

pub(super) fn card(id: &str, finding: &str) -> CandidateCard {
    CandidateCard {
        own: candidate_of(id, finding),
        sources: vec![Some(EvidenceSource {
            before: vec![said("assistant", "Shall I add comments?")],
            cited: said("you", "Yes, but please no emoji in comments."),
            after: vec![said("assistant", "Understood.")],
        })],
        addresses: vec![Some("/sessions/main?line=3#line-3".to_owned())],
        change: vec![
            (LineChange::Stays, "## Preferences".to_owned()),
            (LineChange::Goes, "- Likes emoji".to_owned()),
            (LineChange::Comes, format!("- {finding}")),
        ],
        older: vec![Candidate {
            day: sample_day("2026-03-01"),
            ..candidate_of("b2c3", "Likes emoji")
        }],
    }
}

pub(super) fn view(card: CandidateCard) -> ReviewView {
    ReviewView {
        csrf: "c5rf".to_owned(),
        at: 2,
        n_waiting: 3,
        last_decision: Some(LastDecision {
            told: "you rejected \"Owns a boat\"".to_owned(),
            left: "1e57".to_owned(),
        }),
        decided: vec![Decided {
            own: Candidate {
                status: Status::Rejected,
                decided_at: Some(instant("2026-04-21T08:00:00Z")),
                ..candidate_of("9d01", "Owns a boat")
            },
            is_asked: false,
        }],
        timezone: Tz::UTC,
        today: sample_day("2026-04-21"),
        card: Some(card),
    }
}

/// The states of the review pages; `text` is inserted wherever the owner's or a model's words appear.
pub(in crate::page) fn samples(text: &str) -> Vec<Sample> {
    let mut own = card("c7f3", text);
    own.own.proposed_as = Some(text.to_owned());
    own.own.staged_because = Some(text.to_owned());
    own.older = vec![candidate_of("b2c3", text)];
    own.sources = vec![Some(EvidenceSource {
        before: vec![said("you", text)],
        cited: said("you", text),
        after: vec![said("assistant", text)],
    })];
    let gone = CandidateCard {
        sources: vec![None],
        addresses: vec![None],
        ..own.clone()
    };
    let empty = ReviewView {
        n_waiting: 0,
        card: None,
        last_decision: None,
        decided: Vec::new(),
        ..view(own.clone())
    };
    let listed = [own.own.clone(), candidate_of("a1b2", text)];
    let mut last = view(own.clone());
    last.last_decision = Some(LastDecision {
        told: text.to_owned(),
        left: "1e57".to_owned(),
    });
    vec![
        Sample::new("review", "a candidate with its evidence", review(&last)),
        Sample::new(
            "review-source-gone",
            "evidence that no longer exists",
            review(&view(gone)),
        ),
        Sample::new("review-empty", "nothing waits", review(&empty)),
        Sample::new("review-all", "all candidates", all("c5rf", &listed)),
        Sample::new("review-all-empty", "no candidate", all("c5rf", &[])),
    ]
}
