//! What the owner reads of candidates, and that nothing of a note becomes markup.
//!
//! Pins every part of a card.

use agent::review::{EvidenceSource, SourceLine};

use super::*;

fn said(who: &'static str, text: &str) -> SourceLine {
    SourceLine {
        who: Some(who),
        text: text.to_owned(),
    }
}

fn card(id: &str, finding: &str) -> CandidateCard {
    CandidateCard {
        id: id.to_owned(),
        finding: finding.to_owned(),
        proposed_as: Some("Dislikes emoji".to_owned()),
        found_in: "Session Replay",
        day: "2026-04-20".to_owned(),
        score: 62,
        signals: vec![
            ("evidence".to_owned(), 80, 50),
            ("novelty".to_owned(), 44, 50),
        ],
        origin: "agent",
        because: Some("the assistant said it, not you".to_owned()),
        action: "Add it to Preferences in MEMORY.md".to_owned(),
        evidence: vec![EvidenceShown {
            place: "sessions/main.jsonl".to_owned(),
            day: "2026-04-20".to_owned(),
            quote: "no emoji in comments".to_owned(),
            source: Some(EvidenceSource {
                before: vec![said("assistant", "Shall I add comments?")],
                cited: said("you", "Yes, but please no emoji in comments."),
                after: vec![said("assistant", "Understood.")],
            }),
        }],
        change: vec![
            (LineChange::Stays, "## Preferences".to_owned()),
            (LineChange::Goes, "- Likes emoji".to_owned()),
            (LineChange::Comes, format!("- {finding}")),
        ],
        older: vec![("2026-03-01".to_owned(), "Likes emoji".to_owned())],
    }
}

#[test]
fn a_candidate_is_shown_with_all_that_speaks_for_it() {
    let view = DreamsView {
        csrf: "c5rf".to_owned(),
        cards: vec![
            card("c7f3", "Dislikes emoji in code comments"),
            card("a1b2", "Lives in Graz"),
        ],
        last_decision: Some("the owner rejected 9d01".to_owned()),
        decided: vec![DecidedLine {
            id: "9d01".to_owned(),
            finding: "Owns a boat".to_owned(),
            status: "rejected",
            at: "2026-04-21 08:00".to_owned(),
        }],
        log: vec![(
            "2026-04-21 08:00".to_owned(),
            "the owner rejected 9d01".to_owned(),
        )],
    };
    insta::assert_snapshot!(dreams(&view).into_string().replace("><", ">\n<"));
}

#[test]
fn nothing_of_a_note_becomes_markup() {
    let hostile =
        "\"><script>alert(1)</script><img src=x onerror=alert(2)>' autofocus onfocus='alert(3)";
    let mut own = card("c7f3", hostile);
    own.proposed_as = Some(hostile.to_owned());
    own.because = Some(hostile.to_owned());
    own.older = vec![(hostile.to_owned(), hostile.to_owned())];
    for shown in &mut own.evidence {
        shown.place = hostile.to_owned();
        shown.quote = "alert".to_owned();
        shown.source = Some(EvidenceSource {
            before: vec![said("you", hostile)],
            cited: said("you", hostile),
            after: vec![said("you", hostile)],
        });
    }
    let view = DreamsView {
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
