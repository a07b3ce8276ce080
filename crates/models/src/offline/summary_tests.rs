//! Summaries as a person and a model read them.

use base::model::Purpose;
use base::{SUMMARY_SECTIONS, TokenCount, estimate_text};

use super::super::fixture::{excerpts, reply, request, summary_of};

const MOVE: &str = "
    2026-04-20 user: I want to move our shop's order service from MySQL to PostgreSQL 16.2.1 before the summer sale. Please never touch the production database without asking me. Can you draft a migration plan for the order service?
    2026-04-20 assistant: Certainly! A migration has four phases. You should start with a backup. I've written the plan to docs/migration.md.
    2026-04-20 user: We chose logical replication over a dump because downtime must stay under 5 minutes. The cut-over is scheduled for May 12, 2026, and the budget is $3,400.
    2026-04-21 failed psql: psql: error: connection to server at \"10.0.4.17\", port 5432 failed: Connection refused
    2026-04-21 user: I've got a TypeError in scripts/copy_orders.py when it reads empty rows.
    2026-04-21 assistant: I fixed the TypeError in scripts/copy_orders.py: empty rows are skipped, commit 4f2a91c.
    2026-04-22 user: I've completed the replication slot setup on the staging server. Remaining: write the rollback script and rehearse the cut-over with Maria.
    2026-04-22 assistant: Great progress! Rehearsals help.
    2026-04-23 user: I've finished the rollback script. Next I'll rehearse the cut-over with Maria tomorrow, can you write a checklist for the rehearsal in docs/rehearsal.md?
    2026-04-23 assistant: I've created docs/rehearsal.md with 11 steps. You can print it.
";

#[test]
fn a_project_is_summarised_in_seven_sections() {
    insta::assert_snapshot!(summary_of(MOVE));
}

#[test]
fn the_earlier_summary_is_merged_and_what_was_finished_is_not_open_any_more() {
    let earlier = summary_of(MOVE).replace('\n', "\n| ");
    let later = format!(
        "earlier: {earlier}
        2026-04-24 user: We rehearsed the cut-over with Maria, all 11 steps are done. The rehearsal took 3 minutes.
        2026-04-24 user: The cut-over moved to May 19, 2026 because of the audit.
        2026-04-25 user: Which alerts do we need on the new PostgreSQL server?
        "
    );
    insta::assert_snapshot!(summary_of(&later));
}

#[test]
fn a_foreign_summary_is_taken_over_as_context() {
    let summary = summary_of(
        "
        earlier: **Task context:** Tax return for 2025
        | - Filed on March 3, 2026, reference 88123456
        | ## Exact identifiers
        | - /home/ana/tax/2025.pdf; $812.40
        2026-04-24 user: The refund of $812.40 arrived, I've closed the tax folder.
        ",
    );
    assert_eq!(
        summary,
        "## Timeline and Progress\n\n\
         - 2026-04-24: The refund of $812.40 arrived, I've closed the tax folder.\n\n\
         ## Technical Context and Decisions\n\n\
         - Task context: Tax return for 2025\n\
         - Filed on March 3, 2026, reference 88123456\n\n\
         ## Files and Code Changes\n\n\
         - Identifiers: /home/ana/tax/2025.pdf\n\n\
         ## Active Work and Last Actions\n\n\
         - Last message: The refund of $812.40 arrived, I've closed the tax folder.\n"
    );
}

#[test]
fn old_points_give_way_to_new_ones_and_standing_instructions_stay() {
    let mut conversation = String::from(
        "earlier: ## Timeline and Progress\n| - 2025-01-01: I've booked the venue by the river for the long party of the whole team for $100\n\
         | ## Technical Context and Decisions\n| - Always answer in Portuguese.\n",
    );
    for number in 10..60 {
        let line = format!(
            "2026-04-{} user: I've paid invoice {number} for ${number}00 to supplier {number}.\n",
            number % 20 + 10
        );
        conversation.push_str(&line);
    }
    let summary = reply(&request(Purpose::Summarise, excerpts(&conversation), 400));
    assert!(
        summary.contains("- Always answer in Portuguese."),
        "{summary}"
    );
    assert!(!summary.contains("I've booked the venue"), "{summary}");
}

#[test]
fn a_summary_keeps_within_its_room_and_its_sections_in_order() {
    for room in (40..1_500).step_by(37) {
        let summary = reply(&request(Purpose::Summarise, excerpts(MOVE), room));
        if summary.starts_with("model ") {
            continue;
        }
        assert!(
            estimate_text(&summary) <= TokenCount(room),
            "{room}: {summary}"
        );
        let headings: Vec<&str> = summary
            .lines()
            .filter_map(|line| line.strip_prefix("## "))
            .collect();
        let expected = SUMMARY_SECTIONS
            .iter()
            .filter(|known| headings.contains(known));
        assert!(headings.iter().eq(expected), "{headings:?}");
    }
}

#[test]
fn nothing_to_summarise_is_refused() {
    assert_eq!(
        summary_of(""),
        "model offline refused the request: the offline engine found nothing to summarise"
    );
}
