//! When a dream is due: schedules over clock changes, idle sessions, growing logs.
//!
//! Fixed times only.

use base::TokenCount;

use super::*;
use crate::settings::Promotion;

fn settings(trigger: Trigger) -> DreamSettings {
    DreamSettings {
        triggers: vec![trigger],
        lookback_days: 7,
        promotion: Promotion::Gated,
        daily_tokens: TokenCount(1),
        review_per_day: 5,
        review_waiting: 20,
    }
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn moment(now: &str, since: &str) -> Moment<'static> {
    Moment {
        now: at(now),
        timezone: Tz::named("Europe/Berlin").unwrap(),
        since: at(since),
        sessions: &[],
        n_log_bytes: 0,
    }
}

fn nightly() -> DreamSettings {
    settings(Trigger::Schedule(Box::new("0 3 * * *".parse().unwrap())))
}

/// The last time it fired, the present time, and the outcome.
#[track_caller]
fn check(fired: Option<&str>, now: &str, expected: &str) {
    let mut state = DreamState::default();
    let settings = nightly();
    if let Some(fired) = fired {
        state.fired.insert("schedule 0 3 * * *".into(), at(fired));
    }
    let found = match due(&settings, &state, &moment(now, "2026-03-01T12:00:00Z")) {
        Ok(_) => "due".to_owned(),
        Err(skips) => match skips[0].reason {
            SkipReason::NotYet { at } => at.to_rfc3339(),
            other @ (SkipReason::Never | SkipReason::NotIdle | SkipReason::LogSmall { .. }) => {
                format!("{other:?}")
            }
        },
    };
    assert_eq!(found, expected, "{now}");
}

#[test]
fn schedule_follows_owners_clock_through_time_changes() {
    check(None, "2026-03-01T13:00:00Z", "2026-03-02T02:00:00+00:00");
    check(None, "2026-03-02T02:00:00Z", "due");
    check(
        Some("2026-03-02T02:00:05Z"),
        "2026-03-02T02:01:00Z",
        "2026-03-03T02:00:00+00:00",
    );
    // On 2026-03-29 clocks go from 2 to 3; on 2026-10-25 from 3 back to 2.
    check(
        Some("2026-03-28T02:00:00Z"),
        "2026-03-29T00:59:59Z",
        "2026-03-29T01:00:00+00:00",
    );
    check(
        Some("2026-03-29T01:00:00Z"),
        "2026-03-29T23:00:00Z",
        "2026-03-30T01:00:00+00:00",
    );
    check(
        Some("2026-10-24T01:00:00Z"),
        "2026-10-25T01:30:00Z",
        "2026-10-25T02:00:00+00:00",
    );
    check(
        Some("2026-10-25T02:00:00Z"),
        "2026-10-25T12:00:00Z",
        "2026-10-26T02:00:00+00:00",
    );
}

#[test]
fn missed_schedule_is_caught_up_once() {
    check(Some("2026-03-02T02:00:00Z"), "2026-03-09T18:00:00Z", "due");
    check(
        Some("2026-03-09T18:00:00Z"),
        "2026-03-09T18:01:00Z",
        "2026-03-10T02:00:00+00:00",
    );
    // A clock that was set back.
    check(Some("2027-01-01T00:00:00Z"), "2026-03-02T02:00:00Z", "due");
}

#[test]
fn schedule_requires_five_valid_fields() {
    for text in ["", "* * * *", "0 0 3 * * *", "61 * * * *", "never"] {
        assert!(text.parse::<crate::Schedule>().is_err(), "{text}");
    }
    // A day that never comes does no harm.
    let settings = settings(Trigger::Schedule(Box::new("0 3 30 2 *".parse().unwrap())));
    let found = due(
        &settings,
        &DreamState::default(),
        &moment("2026-03-02T02:00:00Z", "2026-03-01T12:00:00Z"),
    );
    assert_eq!(found.unwrap_err()[0].reason, SkipReason::Never);
}

#[test]
fn idle_trigger_fires_once_per_last_message() {
    let settings = settings(Trigger::SessionIdle(Duration::from_mins(30)));
    let session = |last: &str, entry: &str| SessionStat {
        path: "sessions/main.jsonl".into(),
        n_bytes: 1,
        last: Some((at(last), base::EntryId::new(entry))),
        is_flushed: false,
    };
    let mut state = DreamState::default();
    let fires = |state: &DreamState, sessions: &[SessionStat], now: &str| {
        let moment = Moment {
            sessions,
            ..moment(now, now)
        };
        due(&settings, state, &moment).is_ok()
    };
    let one = [session("2026-03-02T10:00:00Z", "e1")];
    assert!(!fires(&state, &one, "2026-03-02T10:29:59Z"));
    assert!(fires(&state, &one, "2026-03-02T10:30:00Z"));
    state.idle.insert("sessions/main.jsonl".into(), "e1".into());
    assert!(!fires(&state, &one, "2026-03-02T18:00:00Z"));
    let two = [session("2026-03-02T18:00:00Z", "e2")];
    assert!(fires(&state, &two, "2026-03-02T18:30:00Z"));
    assert!(!fires(&state, &[], "2026-03-02T18:30:00Z"));
}

#[test]
fn log_size_trigger_fires_at_each_further_threshold_of_day() {
    let settings = settings(Trigger::DailyLogSize(1_024));
    let mut state = DreamState::default();
    let mark = |state: &DreamState, n_log_bytes, now: &str| {
        let moment = Moment {
            n_log_bytes,
            ..moment(now, now)
        };
        due(&settings, state, &moment)
            .ok()
            .and_then(|due| due.log_size)
    };
    assert_eq!(mark(&state, 1_023, "2026-03-02T10:00:00Z"), None);
    let first = mark(&state, 1_024, "2026-03-02T10:00:00Z");
    assert_eq!(first.map(|mark| mark.n_thresholds), Some(1));
    state.log_size = first;
    assert_eq!(mark(&state, 2_047, "2026-03-02T11:00:00Z"), None);
    assert_eq!(
        mark(&state, 3_100, "2026-03-02T11:00:00Z").map(|mark| mark.n_thresholds),
        Some(3)
    );
    // Another day begins anew.
    let next = mark(&state, 1_024, "2026-03-03T11:00:00Z");
    assert_eq!(next.map(|mark| mark.n_thresholds), Some(1));
}

#[test]
fn next_due_is_earliest_of_triggers() {
    let idle = Trigger::SessionIdle(Duration::from_mins(30));
    let session = |last: &str| SessionStat {
        path: "sessions/main.jsonl".into(),
        n_bytes: 1,
        last: Some((at(last), base::EntryId::new("m1"))),
        is_flushed: false,
    };
    let sessions = ["2026-03-01T11:00:00Z", "2026-03-01T11:50:00Z"].map(session);
    let zone = Tz::named("Europe/Berlin").unwrap();
    let next = |settings: &DreamSettings, now: &str| next_due(settings, &sessions, (at(now), zone));
    let (noon, one) = ("2026-03-01T12:00:00Z", "2026-03-01T13:00:00Z");
    let night = at("2026-03-02T02:00:00Z");
    assert_eq!(next(&nightly(), noon), Some(night));
    assert_eq!(
        next(&settings(idle.clone()), noon),
        Some(at("2026-03-01T12:20:00Z"))
    );
    assert_eq!(next(&settings(idle.clone()), one), None);
    assert_eq!(next(&settings(Trigger::DailyLogSize(9)), noon), None);
    let mut both = nightly();
    both.triggers.push(idle);
    assert_eq!(next(&both, noon), Some(at("2026-03-01T12:20:00Z")));
    assert_eq!(next(&both, one), Some(night));
}
