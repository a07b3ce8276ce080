//! The wait for the next reminder, which is as long as its time is away.

use super::*;
use crate::test_kit::offline_home;

const PAGE: &str = "PROMISES.md";

#[test]
fn wait_lasts_until_the_reminder_and_is_planned_anew_when_the_page_changes() {
    let home = offline_home();
    home.write(PAGE, "- 2026-03-02 10:00 one\n");
    home.set("2026-03-02T08:00:00Z");
    let mut own = DueWatch::begin(home.runtime.home.clone());
    let zone = home.runtime.home.timezone;
    let now = home
        .runtime
        .home
        .clock
        .now()
        .with_timezone(&zone)
        .naive_local();
    let until = |text: &str| {
        let at: chrono::NaiveDateTime = text.parse().unwrap();
        (at - now).to_std().unwrap()
    };
    assert_eq!(own.wait(), Some(until("2026-03-02T10:00:00")));
    assert_eq!(own.wait(), Some(until("2026-03-02T10:00:00")));
    home.write(PAGE, "- 2026-03-02 09:30 two of them\n");
    assert_eq!(own.wait(), Some(until("2026-03-02T09:30:00")));
    home.write(PAGE, "nothing\n");
    assert_eq!(own.wait(), None);
}

#[tokio::test]
async fn due_reminder_that_nobody_claims_is_reported_once_a_minute() {
    let home = offline_home();
    home.write(PAGE, "- 2026-03-02 08:00 one\n");
    home.set("2026-03-02T12:00:00Z");
    let mut own = DueWatch::begin(home.runtime.home.clone());
    own.due().await;
    assert_eq!(own.wait(), Some(LOOK_EVERY));
}
