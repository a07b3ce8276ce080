//! What the owner reads of candidates, and that nothing of a note becomes markup.
//!
//! Pins every part of a card.

use agent::review::SourceLine;
use base::{Origin, Timestamp};
use memory::candidates::{CandidateId, Evidence, FoundIn, Proposal, Signal, Status};

use super::*;

fn said(who: &'static str, text: &str) -> SourceLine {
    SourceLine {
        who: Some(who),
        text: text.to_owned(),
    }
}

fn candidate_of(id: &str, finding: &str) -> Candidate {
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
            day: "2026-04-20".parse().unwrap(),
            scope: None,
        }],
        origin: Origin::Agent,
        found_in: FoundIn::SessionReplay,
        day: "2026-04-20".parse().unwrap(),
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

fn card(id: &str, finding: &str) -> CandidateCard {
    CandidateCard {
        own: candidate_of(id, finding),
        sources: vec![Some(EvidenceSource {
            before: vec![said("assistant", "Shall I add comments?")],
            cited: said("you", "Yes, but please no emoji in comments."),
            after: vec![said("assistant", "Understood.")],
        })],
        change: vec![
            (LineChange::Stays, "## Preferences".to_owned()),
            (LineChange::Goes, "- Likes emoji".to_owned()),
            (LineChange::Comes, format!("- {finding}")),
        ],
        older: vec![Candidate {
            day: "2026-03-01".parse().unwrap(),
            ..candidate_of("b2c3", "Likes emoji")
        }],
    }
}

#[test]
fn dreams_page_shows_evidence_of_candidate() {
    let view = DreamsView {
        csrf: "c5rf".to_owned(),
        cards: vec![
            card("c7f3", "Dislikes emoji in code comments"),
            card("a1b2", "Lives in Graz"),
        ],
        last_decision: Some("the owner rejected 9d01".to_owned()),
        decided: vec![Candidate {
            status: Status::Rejected,
            decided_at: Some("2026-04-21T08:00:00Z".parse().unwrap()),
            ..candidate_of("9d01", "Owns a boat")
        }],
        log: vec![(
            "2026-04-21 08:00".to_owned(),
            "the owner rejected 9d01".to_owned(),
        )],
        timezone: Tz::UTC,
    };
    insta::assert_snapshot!(dreams(&view).into_string().replace("><", ">\n<"));
}

#[test]
fn dreams_page_escapes_markup_in_notes() {
    let hostile =
        "\"><script>alert(1)</script><img src=x onerror=alert(2)>' autofocus onfocus='alert(3)";
    let mut own = card("c7f3", hostile);
    own.own.proposed_as = Some(hostile.to_owned());
    own.own.staged_because = Some(hostile.to_owned());
    own.older = vec![candidate_of("b2c3", hostile)];
    for shown in &mut own.own.evidence {
        shown.path = hostile.to_owned();
        shown.quote = "alert".to_owned();
    }
    own.sources = vec![Some(EvidenceSource {
        before: vec![said("you", hostile)],
        cited: said("you", hostile),
        after: vec![said("you", hostile)],
    })];
    let view = DreamsView {
        csrf: "c5rf".to_owned(),
        cards: vec![own.clone(), own],
        last_decision: Some(hostile.to_owned()),
        log: vec![(hostile.to_owned(), hostile.to_owned())],
        ..DreamsView::default()
    };
    let shown = dreams(&view).into_string();
    assert!(shown.contains("&lt;script&gt;"), "{shown}");
    for markup in ["<script", "<img", "=\"\">", "\" autofocus"] {
        assert!(!shown.contains(markup), "{markup} in {shown}");
    }
}
