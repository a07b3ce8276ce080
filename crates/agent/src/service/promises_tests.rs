//! Reminders that a program shows: when, once, again after a failure, and not at night.

use std::sync::Mutex;

use base::locked;

use super::*;
use crate::test_kit::{Home, offline_home};

const PAGE: &str = "PROMISES.md";

/// A program that fails as often as `n_failures` says, and the texts that it showed.
struct Screen {
    n_failures: Mutex<usize>,
    shown: Mutex<Vec<String>>,
}

fn screen(n_failures: usize) -> Arc<Screen> {
    Arc::new(Screen {
        n_failures: Mutex::new(n_failures),
        shown: Mutex::default(),
    })
}

fn service(home: &Home, screen: &Arc<Screen>, quiet: Option<QuietHours>) -> Promises {
    let mut own = Promises::new(home.runtime.home.clone());
    let screen = Arc::clone(screen);
    let show = move |due: &DueReminder| {
        let mut n_failures = locked(&screen.n_failures);
        if *n_failures > 0 {
            *n_failures -= 1;
            return Err("no screen".to_owned());
        }
        locked(&screen.shown).push(due.text.clone());
        Ok(())
    };
    own.through(Arc::new(show), quiet);
    own
}

/// A round at a time; whether it had anything to tell.
async fn round(own: &mut Promises, home: &Home, now: &str) -> Vec<PromiseNews> {
    home.set(now);
    own.begin_if_due();
    let mut news = Vec::new();
    while own.job.is_some() || !own.news.is_empty() {
        news.extend(own.next().await);
    }
    news
}

#[tokio::test]
async fn reminder_is_shown_once_when_due_and_next_look_is_at_the_next_one() {
    let home = offline_home();
    home.write(PAGE, "- 2026-03-02 10:00 one\n- 2026-03-02 15:00 two\n");
    let screen = screen(0);
    let mut own = service(&home, &screen, None);
    assert_eq!(round(&mut own, &home, "2026-03-02T08:00:00Z").await, []);
    let zone = home.runtime.home.timezone;
    let at = |text: &str| instant(text.parse().unwrap(), zone);
    assert_eq!(own.next_at, at("2026-03-02T10:00:00"));
    let due = own.next_at.unwrap().to_rfc3339();
    assert_eq!(round(&mut own, &home, &due).await.len(), 1);
    assert_eq!(round(&mut own, &home, &due).await, []);
    assert_eq!(*locked(&screen.shown), ["one"]);
    assert_eq!(own.next_at, at("2026-03-02T15:00:00"));
    // A page that the owner changes is read again.
    home.write(PAGE, "- 2026-03-02 08:00 three\n");
    assert_eq!(round(&mut own, &home, &due).await.len(), 1);
    assert_eq!(*locked(&screen.shown), ["one", "three"]);
    assert_eq!(own.next_at, None);
}

#[tokio::test]
async fn reminder_an_hour_away_is_one_sleep_of_an_hour() {
    let home = offline_home();
    home.write(PAGE, "- 2026-03-02 10:00 one\n");
    let mut own = service(&home, &screen(0), None);
    let zone = home.runtime.home.timezone;
    let due = instant("2026-03-02T10:00:00".parse().unwrap(), zone).unwrap();
    let before = (due - TimeDelta::hours(1)).to_rfc3339();
    assert_eq!(round(&mut own, &home, &before).await, []);
    assert_eq!(own.wait(), Some(Duration::from_hours(1)));
    // Without a change of the page, nothing is read again.
    let later = (due - TimeDelta::minutes(30)).to_rfc3339();
    assert_eq!(round(&mut own, &home, &later).await, []);
    assert_eq!(own.wait(), Some(Duration::from_mins(30)));
}

#[tokio::test]
async fn failed_reminder_is_due_again_and_retried_after_a_rest() {
    let home = offline_home();
    home.write(PAGE, "- 2026-03-02 08:00 one\n");
    let screen = screen(2);
    let mut own = service(&home, &screen, None);
    let failed = round(&mut own, &home, "2026-03-02T12:00:00Z").await;
    assert_eq!(failed, [PromiseNews::Failed("no screen".to_owned())]);
    assert_eq!(round(&mut own, &home, "2026-03-02T12:00:30Z").await, []);
    assert_eq!(
        round(&mut own, &home, "2026-03-02T12:01:00Z").await.len(),
        1
    );
    assert_eq!(round(&mut own, &home, "2026-03-02T12:02:30Z").await, []);
    assert_eq!(*locked(&screen.shown), Vec::<String>::new());
    round(&mut own, &home, "2026-03-02T12:03:00Z").await;
    assert_eq!(*locked(&screen.shown), ["one"]);
    assert_eq!(round(&mut own, &home, "2026-03-03T12:03:00Z").await, []);
}

#[tokio::test]
async fn reminder_of_quiet_hours_is_shown_at_their_end() {
    let home = offline_home();
    home.write(PAGE, "- 2026-03-02 23:30 one\n");
    let time = |text: &str| text.parse().unwrap();
    let quiet = QuietHours {
        from: time("22:00:00"),
        until: time("07:00:00"),
    };
    let screen = screen(0);
    let mut own = service(&home, &screen, Some(quiet));
    let zone = home.runtime.home.timezone;
    let at = |text: &str| instant(text.parse().unwrap(), zone).unwrap().to_rfc3339();
    assert_eq!(round(&mut own, &home, &at("2026-03-02T23:45:00")).await, []);
    assert_eq!(round(&mut own, &home, &at("2026-03-03T06:59:00")).await, []);
    assert_eq!(
        round(&mut own, &home, &at("2026-03-03T07:00:00"))
            .await
            .len(),
        1
    );
    assert_eq!(*locked(&screen.shown), ["one"]);
}
