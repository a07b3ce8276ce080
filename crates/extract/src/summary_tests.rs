//! The summary, and the lines that it takes from an earlier one.

use super::*;

fn after(earlier: &str) -> ExcerptEvidence {
    ExcerptEvidence {
        earlier: earlier.to_owned(),
        ..ExcerptEvidence::default()
    }
}

#[test]
fn summary_carries_points_of_earlier_summary_in_their_section() {
    let earlier = "## Technical Context and Decisions\n\n- The boat is red\n\n## Immediate Next Step\n\n- Paint it\n\nLoose words";
    let text = summary(&after(earlier), TokenCount(500));
    let expected = "## Technical Context and Decisions\n\n- The boat is red\n";
    assert_eq!(text, expected);
}

#[test]
fn unanswered_request_becomes_next_step() {
    let asked = "Compare the two engines for my boat";
    let evidence = ExcerptEvidence {
        requests: vec![(0, asked.to_owned())],
        last_message: Some((0, asked.to_owned())),
        ..ExcerptEvidence::default()
    };
    let text = summary(&evidence, TokenCount(500));
    let next = format!("## Immediate Next Step\n\n- Continue with: {asked}");
    assert!(text.contains(&next), "{text}");
}

#[test]
fn summary_stays_within_room() {
    let earlier = "- A point about the harbour\n- Another point about its light\n".repeat(250);
    let evidence = after(&earlier);
    for room in [0, 20, 200, 2_000] {
        let text = summary(&evidence, TokenCount(room));
        assert!(base::estimate_text(&text) <= TokenCount(room), "{room}");
    }
}

#[test]
fn newest_line_of_technical_context_stays_first() {
    let earlier =
        "## Technical Context and Decisions\n\n- The boat is green now\n- The boat is red";
    let new = Statement {
        text: "The boat is blue from today".to_owned(),
        class: Class::Decision,
        score: 0.9,
        wish: 0.0,
        lasting: 0.0,
        is_instruction: false,
        is_asked_for: false,
        excerpts: vec![0],
        position: 0,
        stems: BTreeSet::new(),
        request: None,
    };
    let evidence = ExcerptEvidence {
        statements: vec![new],
        ..after(earlier)
    };
    let text = summary(&evidence, TokenCount(500));
    let expected = "## Technical Context and Decisions\n\n- The boat is blue from today\n\
                    - The boat is green now\n- The boat is red\n";
    assert_eq!(text, expected);
    assert_eq!(summary(&after(&text), TokenCount(500)), expected);
}
