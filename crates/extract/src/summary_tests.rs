//! The summary, and what it takes over from an earlier one.

use super::*;

#[test]
fn points_of_an_earlier_summary_keep_their_section() {
    let earlier = "## Technical Context and Decisions\n\n- The boat is red\n\n## Immediate Next Step\n\n- Paint it\n\nLoose words";
    let evidence = ExcerptEvidence {
        earlier: earlier.to_owned(),
        ..ExcerptEvidence::default()
    };
    let text = summary(&evidence, TokenCount(500));
    assert_eq!(
        text,
        "## Technical Context and Decisions\n\n- The boat is red\n"
    );
}

#[test]
fn unanswered_request_comes_next() {
    let evidence = ExcerptEvidence {
        requests: vec![(0, "Compare the two engines for my boat".to_owned())],
        last_message: Some((0, "Compare the two engines for my boat".to_owned())),
        ..ExcerptEvidence::default()
    };
    let text = summary(&evidence, TokenCount(500));
    assert!(
        text.contains(
            "## Immediate Next Step\n\n- Continue with: Compare the two engines for my boat"
        ),
        "{text}"
    );
}

#[test]
fn summary_keeps_within_its_room() {
    let earlier = "- A point about the harbour\n- Another point about its light\n".repeat(250);
    let evidence = ExcerptEvidence {
        earlier,
        ..ExcerptEvidence::default()
    };
    for room in [0, 20, 200, 2_000] {
        let text = summary(&evidence, TokenCount(room));
        assert!(base::estimate_text(&text) <= TokenCount(room), "{room}");
    }
}
