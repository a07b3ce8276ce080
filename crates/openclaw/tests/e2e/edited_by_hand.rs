//! Decisions that the owner writes into `DREAMS.md` take effect under programs that run already.
//!
//! Waits for what the programs report, never for a time.

use testkit::{HttpService, TestHome, Words};

use crate::dream_review::waiting;
use crate::freshness::Running;

/// Accepts the first candidate in an editor; returns its text.
fn accept_first(home: &TestHome) -> String {
    let dreams = home.read("workspace/DREAMS.md");
    let finding = dreams
        .lines()
        .find_map(|line| line.strip_prefix("Finding: "));
    let finding = finding.unwrap().to_owned();
    let accepted = dreams.replacen("Status: pending", "Status: accepted", 1);
    home.write("workspace/DREAMS.md", accepted);
    assert!(!home.memory().contains(&finding));
    finding
}

/// Removes the last candidate's block in an editor.
fn remove_last(home: &TestHome) {
    let dreams = home.read("workspace/DREAMS.md");
    let (kept, _) = dreams.rsplit_once("\n### [").unwrap();
    home.write("workspace/DREAMS.md", format!("{kept}\n"));
}

#[test]
fn saved_decision_takes_effect_under_running_service() {
    let home = waiting();
    let service = HttpService::begin(&home, &[]);
    let n_waiting = || {
        loop {
            let answer = service.get("/api/status");
            // The service limits how often it is asked.
            if answer.status != 429 {
                break answer.with_status(200).json()["candidates"]
                    .as_u64()
                    .unwrap();
            }
        }
    };
    let finding = accept_first(&home);
    while n_waiting() > 3 {}
    home.memory().holds(&finding);
    remove_last(&home);
    // A removed block counts once it has been missing for a while.
    while n_waiting() > 2 {}
    service.end();
}

#[test]
fn saved_decision_shows_at_once_in_list_of_candidates() {
    let home = waiting();
    let service = HttpService::begin(&home, &[]);
    let finding = accept_first(&home);
    let listed = service.get_json("/api/dreams/candidates");
    assert_eq!(listed["candidates"].as_array().unwrap().len(), 3);
    home.memory().holds(&finding);
    service.end();
}

#[test]
fn saved_decision_takes_effect_under_running_chat() {
    let home = waiting();
    let mut chat = Running::start(&home, "main");
    let finding = accept_first(&home);
    while !home.memory().contains(&finding) {
        chat.say("/status");
        chat.wait("status");
    }
    assert_eq!(chat.end().0, Some(0));
}

#[test]
fn saved_decision_takes_effect_before_next_message() {
    let home = waiting();
    let finding = accept_first(&home);
    let run = home.ok("chat -m Hello.");
    run.stderr.holds("DREAMS.md: you accepted 1 candidate");
    home.memory().holds(&finding);
}
