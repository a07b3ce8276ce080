//! Where work stands at the end of a span.

use super::super::super::fixture::summary_of;

const FIRST_OF_CLOSING: [&str; 2] = [
    "## Active Work and Last Actions",
    "## Unresolved Issues and Pending Tasks",
];

/// The lines of the last three sections.
#[track_caller]
fn check(talk: &str, expected: &[&str]) {
    let summary = summary_of(talk);
    let closing: Vec<&str> = summary
        .lines()
        .skip_while(|line| !FIRST_OF_CLOSING.contains(line))
        .filter(|line| !line.is_empty())
        .collect();
    assert_eq!(closing, expected, "{summary}");
}

#[test]
fn a_request_that_was_answered_is_no_next_step() {
    check(
        "
        2026-04-20 user: How many people come to lunch on Saturday in Porto?
        2026-04-20 assistant: Nine people come to lunch, two of them children.
        ",
        &[
            "## Active Work and Last Actions",
            "- Last request: How many people come to lunch on Saturday in Porto?",
            "- Last reply: Nine people come to lunch, two of them children.",
        ],
    );
}

#[test]
fn a_request_that_is_open_is_said_once_as_the_next_step() {
    check(
        "
        2026-04-20 assistant: The plan for the garden is in docs/plan.md.
        2026-04-20 user: Can you write the checklist for the rehearsal with Maria?
        ",
        &[
            "## Active Work and Last Actions",
            "- Last reply: The plan for the garden is in docs/plan.md.",
            "## Immediate Next Step",
            "- Continue with: Can you write the checklist for the rehearsal with Maria?",
        ],
    );
}

#[test]
fn a_message_that_asks_nothing_is_no_request_and_no_next_step() {
    check(
        "
        2026-04-20 user: The upload to the archive fails with a timeout.
        2026-04-20 assistant: That is a pity.
        2026-04-20 user: The files stay where they are until after the demo.
        2026-04-20 assistant: I'll check the limits of the proxy tonight.
        ",
        &[
            "## Active Work and Last Actions",
            "- Last message: The files stay where they are until after the demo.",
            "## Unresolved Issues and Pending Tasks",
            "- The upload to the archive fails with a timeout.",
            "## Immediate Next Step",
            "- Assistant: I'll check the limits of the proxy tonight.",
        ],
    );
}

#[test]
fn without_a_plan_what_the_last_message_leaves_open_comes_next() {
    check(
        "
        2026-04-20 user: The upload to the archive fails with a timeout.
        2026-04-20 assistant: That is a pity, such limits are low.
        ",
        &[
            "## Active Work and Last Actions",
            "- Last reply: That is a pity, such limits are low.",
            "## Immediate Next Step",
            "- Continue with: The upload to the archive fails with a timeout.",
        ],
    );
}

#[test]
fn an_open_point_outlives_the_step_that_names_it() {
    let first = "
        2026-04-20 user: The upload to the archive fails with a timeout.
        2026-04-20 assistant: That is a pity, such limits are low.
    ";
    let earlier = summary_of(first).replace('\n', "\n| ");
    let later = |more: &str| format!("earlier: {earlier}\n2026-04-21 user: {more}");
    check(
        &later("I'll paint the kitchen in May."),
        &[
            "## Unresolved Issues and Pending Tasks",
            "- The upload to the archive fails with a timeout.",
            "## Immediate Next Step",
            "- I'll paint the kitchen in May.",
        ],
    );
}

#[test]
fn a_short_question_stands_beside_what_it_is_about() {
    check(
        "
        2026-04-20 user: The backup script changed, too. Did it run?
        2026-04-20 assistant: Checking the log of last night.
        ",
        &[
            "## Active Work and Last Actions",
            "- Last request: The backup script changed, too. Did it run?",
            "- Last reply: Checking the log of last night.",
        ],
    );
}
