//! What a chat does for itself while nobody speaks, and when: notes, and what was made in the background.
//!
//! Keeps no owner waiting.

use std::time::Duration;

use agent::{Tended, TurnError, end_chat, flush_if_idle, tend_background};
use base::Day;

use super::ears::{Ears, Heard};
use super::opening::Opened;
use super::reports::look;
use super::talk::Talk;
use super::telling::Teller;
use crate::error::{CliError, ErrorKind};
use crate::executor::interrupt;

/// Nobody has spoken for so long: what was said is written down.
pub(super) const IDLE: Duration = Duration::from_mins(30);

/// How long a chat waits at most before it looks again: clocks are set, machines sleep, and another
/// process may speak in the session.
pub(super) const LOOK_EVERY: Duration = Duration::from_mins(1);

/// What a chat knows of the last activity in its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Activity {
    /// When it was seen, on the monotonic clock.
    pub(super) seen_at: Duration,
    pub(super) day: Day,
    /// How long the transcript was then, in bytes.
    pub(super) len: u64,
    /// Whether it waits to be written down.
    pub(super) notes: Notes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notes {
    Waiting,
    Tried,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) at: Duration,
    pub(super) day: Day,
    pub(super) len: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    Flush,
    /// Look again after so long, with this known of the last activity.
    Wait(Duration, Activity),
}

impl Activity {
    /// What is known after something was said or tried.
    pub(super) fn now(look: Look, notes: Notes) -> Self {
        Self {
            seen_at: look.at,
            day: look.day,
            len: look.len,
            notes,
        }
    }
}

pub(super) fn due(activity: Activity, look: Look) -> Due {
    // Somebody else spoke in the session since: the silence begins anew.
    let activity = if look.len == activity.len {
        activity
    } else {
        Activity {
            day: activity.day,
            ..Activity::now(look, Notes::Waiting)
        }
    };
    if activity.notes == Notes::Tried {
        return Due::Wait(LOOK_EVERY, activity);
    }
    let silent_for = look.at.saturating_sub(activity.seen_at);
    if silent_for >= IDLE || look.day != activity.day {
        return Due::Flush;
    }
    Due::Wait(LOOK_EVERY.min(IDLE.saturating_sub(silent_for)), activity)
}

impl Talk<'_, '_, '_> {
    /// Writes down what an earlier process left, where the session rests; Ctrl-C leaves it for later.
    pub(super) async fn flush_rested(&mut self) -> Result<(), CliError> {
        let mut teller = Teller::new(self.context);
        let mut on_event = |event| teller.tell(&event);
        let Opened { runtime, name, .. } = &self.opened;
        let flushed = tokio::select! {
            biased;
            flushed = flush_if_idle(runtime, name, IDLE, &mut on_event) => flushed.map(|_| ()),
            () = interrupt() => Ok(()),
        };
        teller.finish()?;
        self.tell_unless_locked(flushed)
    }

    /// Writes down what was said, while the owner is asked for more. An owner who speaks is heard at once,
    /// and what was not written down by then waits for the next time.
    pub(super) async fn flush_waiting(&mut self) -> Result<Option<Heard>, CliError> {
        let Ears { heard, place, .. } = &mut self.ears;
        let mut teller = Teller::above(self.context.output, place);
        let mut on_event = |event| teller.tell(&event);
        let Opened { runtime, name, .. } = &self.opened;
        let flushed = tokio::select! {
            biased;
            heard = heard.recv() => Err(heard.unwrap_or(Heard::Ended)),
            flushed = end_chat(runtime, name, &mut on_event) => Ok(flushed.map(|_| ())),
        };
        teller.finish()?;
        match flushed {
            Err(heard) => Ok(Some(heard)),
            Ok(flushed) => {
                self.activity = Activity::now(look(&self.opened), Notes::Tried);
                self.tell_unless_locked(flushed)?;
                Ok(None)
            }
        }
    }

    /// Puts in its place what was made in the background, while the owner is asked for more.
    pub(super) fn tend(&mut self) -> Result<Tended, CliError> {
        let mut teller = Teller::above(self.context.output, &mut self.ears.place);
        let mut on_event = |event| teller.tell(&event);
        let Opened { runtime, name, .. } = &self.opened;
        let tended = tend_background(runtime, name, &mut on_event);
        teller.finish()?;
        // What the program writes itself is no sign of life.
        self.activity.len = look(&self.opened).len;
        match tended {
            Ok(tended) => Ok(tended),
            Err(error) => {
                self.survive(error.into())?;
                Ok(Tended::Held)
            }
        }
    }

    /// Another turn of the session ends with its own notes, or is seen to rest later.
    pub(super) fn tell_unless_locked(
        &mut self,
        flushed: Result<(), TurnError>,
    ) -> Result<(), CliError> {
        match flushed.map_err(CliError::from) {
            Err(error) if error.kind != ErrorKind::Locked => self.survive(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use base::Clock;
    use base::{FixedClock, Tz, day};

    use super::*;

    const MINUTE: Duration = Duration::from_mins(1);

    fn look(clock: &FixedClock, len: u64) -> Look {
        Look {
            at: clock.monotonic(),
            day: day(clock.now(), Tz::Europe__Berlin),
            len,
        }
    }

    fn clock(at: &str) -> FixedClock {
        FixedClock::new(at.parse().unwrap())
    }

    #[test]
    fn silence_is_written_down_once() {
        let clock = clock("2026-03-02T08:00:00Z");
        let activity = Activity::now(look(&clock, 10), Notes::Waiting);
        assert_eq!(due(activity, look(&clock, 10)), Due::Wait(MINUTE, activity));
        clock.advance(IDLE.saturating_sub(MINUTE / 2));
        assert_eq!(
            due(activity, look(&clock, 10)),
            Due::Wait(MINUTE / 2, activity)
        );
        clock.advance(MINUTE / 2);
        assert_eq!(due(activity, look(&clock, 10)), Due::Flush);
        let tried = Activity::now(look(&clock, 14), Notes::Tried);
        clock.advance(48 * 60 * MINUTE);
        assert_eq!(due(tried, look(&clock, 14)), Due::Wait(MINUTE, tried));
    }

    #[test]
    fn i12_midnight_on_the_owners_clock_is_a_reason() {
        let clock = clock("2026-03-02T22:58:00Z");
        let activity = Activity::now(look(&clock, 10), Notes::Waiting);
        clock.advance(MINUTE);
        assert_eq!(due(activity, look(&clock, 10)), Due::Wait(MINUTE, activity));
        clock.advance(MINUTE);
        assert_eq!(due(activity, look(&clock, 10)), Due::Flush);
    }

    #[test]
    fn a_clock_that_is_set_moves_no_silence() {
        let clock = clock("2026-03-02T08:00:00Z");
        let activity = Activity::now(look(&clock, 10), Notes::Waiting);
        clock.set("2026-03-02T20:00:00Z".parse().unwrap());
        assert_eq!(due(activity, look(&clock, 10)), Due::Wait(MINUTE, activity));
    }

    #[test]
    fn what_another_process_says_is_waited_for_anew() {
        let clock = clock("2026-03-02T08:00:00Z");
        let tried = Activity::now(look(&clock, 10), Notes::Tried);
        clock.advance(IDLE * 3);
        let heard = Activity::now(look(&clock, 20), Notes::Waiting);
        assert_eq!(due(tried, look(&clock, 20)), Due::Wait(MINUTE, heard));
        clock.advance(IDLE);
        assert_eq!(due(heard, look(&clock, 20)), Due::Flush);
    }
}
