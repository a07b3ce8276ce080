//! When a session counts as idle: one definition for chat, service and dreams.
//!
//! Decides when notes are due but writes none; reads only the transcript's length.

use std::time::Duration;

use base::{Day, Timestamp, day};
use session::SessionName;

use crate::runtime::Runtime;

/// A session without a new message for this long is idle.
pub const IDLE_AFTER: Duration = Duration::from_mins(30);

/// Maximum wait between checks: clocks get set, machines sleep, and other processes may write to the session.
pub const LOOK_EVERY: Duration = Duration::from_mins(1);

/// Whether [`IDLE_AFTER`] has passed since the last message, by the wall clock.
pub(crate) fn is_idle(last: Timestamp, now: Timestamp) -> bool {
    let rested = (now - last).to_std();
    rested.is_ok_and(|rested| rested >= IDLE_AFTER)
}

/// The last known activity in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Activity {
    /// The session at the time of the activity.
    pub seen: ActivitySnapshot,
    /// Whether there may be unflushed text.
    pub unflushed: UnflushedState,
}

/// Whether a session may have text that no flush has covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnflushedState {
    /// There may be unflushed text.
    Waiting,
    /// A flush was attempted since the last message.
    Tried,
}

/// A snapshot of a session's clocks and transcript length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActivitySnapshot {
    /// Monotonic time; this clock may stop while the machine sleeps.
    pub at: Duration,
    /// Wall-clock time; this clock may be set.
    pub wall: Timestamp,
    /// The owner's day.
    pub day: Day,
    /// Transcript length, in bytes.
    pub len: u64,
}

/// When a session's next flush is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextFlush {
    Now,
    /// Not yet: check again after this long, with this activity.
    In(Duration, Activity),
}

impl ActivitySnapshot {
    /// Takes a snapshot of a session now.
    pub fn of(runtime: &Runtime, name: &SessionName) -> Self {
        // If the length cannot be read, reading the transcript will report why.
        let stat = runtime.home.sessions.stat(name).ok().flatten();
        let wall = runtime.home.clock.now();
        Self {
            at: runtime.home.clock.monotonic(),
            wall,
            day: day(wall, runtime.home.timezone),
            len: stat.map_or(0, |stat| stat.len),
        }
    }
}

impl Activity {
    /// The activity right after a message or a flush attempt.
    pub fn now(seen: ActivitySnapshot, unflushed: UnflushedState) -> Self {
        Self { seen, unflushed }
    }
}

/// Decides when the next flush is due: after [`IDLE_AFTER`] without a message, or when the day changes.
pub fn next_flush(activity: Activity, snapshot: ActivitySnapshot) -> NextFlush {
    // Another process has written to the session, so the idle time starts over.
    let activity = if snapshot.len == activity.seen.len {
        activity
    } else {
        let day = activity.seen.day;
        Activity::now(
            ActivitySnapshot { day, ..snapshot },
            UnflushedState::Waiting,
        )
    };
    if activity.unflushed == UnflushedState::Tried {
        return NextFlush::In(LOOK_EVERY, activity);
    }
    let awake_for = snapshot.at.saturating_sub(activity.seen.at);
    let passed = (snapshot.wall - activity.seen.wall).to_std();
    let silent_for = awake_for.max(passed.unwrap_or_default());
    if silent_for >= IDLE_AFTER || snapshot.day != activity.seen.day {
        return NextFlush::Now;
    }
    let wait = LOOK_EVERY.min(IDLE_AFTER.saturating_sub(silent_for));
    NextFlush::In(wait, activity)
}

#[cfg(test)]
mod tests {
    use base::{Clock, FixedClock, Tz, day};

    use super::*;

    const MINUTE: Duration = Duration::from_mins(1);

    fn snapshot(clock: &FixedClock, len: u64) -> ActivitySnapshot {
        ActivitySnapshot {
            at: clock.monotonic(),
            wall: clock.now(),
            day: day(clock.now(), Tz::named("Europe/Berlin").unwrap()),
            len,
        }
    }

    fn clock(at: &str) -> FixedClock {
        FixedClock::new(at.parse().unwrap())
    }

    #[track_caller]
    fn check(clock: &FixedClock, (activity, len): (Activity, u64), expected: NextFlush) {
        assert_eq!(next_flush(activity, snapshot(clock, len)), expected);
    }

    #[test]
    fn idle_session_is_flushed_once() {
        let clock = clock("2026-03-02T08:00:00Z");
        let activity = Activity::now(snapshot(&clock, 10), UnflushedState::Waiting);
        check(&clock, (activity, 10), NextFlush::In(MINUTE, activity));
        clock.advance(IDLE_AFTER.saturating_sub(MINUTE / 2));
        check(&clock, (activity, 10), NextFlush::In(MINUTE / 2, activity));
        clock.advance(MINUTE / 2);
        check(&clock, (activity, 10), NextFlush::Now);
        let tried = Activity::now(snapshot(&clock, 14), UnflushedState::Tried);
        clock.advance(48 * 60 * MINUTE);
        check(&clock, (tried, 14), NextFlush::In(MINUTE, tried));
    }

    #[test]
    fn i12_owners_midnight_triggers_flush() {
        let clock = clock("2026-03-02T22:58:00Z");
        let activity = Activity::now(snapshot(&clock, 10), UnflushedState::Waiting);
        clock.advance(MINUTE);
        check(&clock, (activity, 10), NextFlush::In(MINUTE, activity));
        clock.advance(MINUTE);
        check(&clock, (activity, 10), NextFlush::Now);
    }

    #[test]
    fn idle_time_counts_machine_sleep_and_survives_clock_set_back() {
        let clock = clock("2026-03-02T08:00:00Z");
        let activity = Activity::now(snapshot(&clock, 10), UnflushedState::Waiting);
        clock.set("2026-03-02T08:31:00Z".parse().unwrap());
        check(&clock, (activity, 10), NextFlush::Now);
        clock.set("2026-03-02T02:00:00Z".parse().unwrap());
        check(&clock, (activity, 10), NextFlush::In(MINUTE, activity));
        clock.advance(IDLE_AFTER);
        check(&clock, (activity, 10), NextFlush::Now);
    }

    #[test]
    fn idle_time_restarts_after_message_from_other_process() {
        let clock = clock("2026-03-02T08:00:00Z");
        let tried = Activity::now(snapshot(&clock, 10), UnflushedState::Tried);
        clock.advance(IDLE_AFTER * 3);
        let heard = Activity::now(snapshot(&clock, 20), UnflushedState::Waiting);
        check(&clock, (tried, 20), NextFlush::In(MINUTE, heard));
        clock.advance(IDLE_AFTER);
        check(&clock, (heard, 20), NextFlush::Now);
    }
}
