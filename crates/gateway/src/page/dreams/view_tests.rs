//! The cards of candidates as the owner sees them. Text in a note never becomes markup.
//!
//! Pins every part of a card.

use super::super::samples::{candidate_of, card, said, view};
use super::*;

#[test]
fn review_page_shows_evidence_of_candidate() {
    let view = view(card("c7f3", "Dislikes emoji in code comments"));
    insta::assert_snapshot!(review(&view).into_string().replace("><", ">\n<"));
}

#[test]
fn review_list_counts_and_leads_to_each_candidate() {
    let waiting = [
        candidate_of("c7f3", "Dislikes emoji"),
        candidate_of("a1b2", "Lives in Graz"),
    ];
    let shown = all("c5rf", &waiting).into_string();
    assert!(
        shown.contains("2 candidates wait for your decision."),
        "{shown}"
    );
    for address in ["/review?at=1", "/review?at=2"] {
        assert_eq!(shown.matches(address).count(), 1, "{address} in {shown}");
    }
}

#[test]
fn review_page_escapes_markup_in_notes() {
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
    let waiting = [own.own.clone()];
    let shown = review(&view(own)).into_string() + &all("c5rf", &waiting).into_string();
    assert!(shown.contains("&lt;script&gt;"), "{shown}");
    for markup in ["<script", "<img", "=\"\">", "\" autofocus"] {
        assert!(!shown.contains(markup), "{markup} in {shown}");
    }
}
