//! Decides whether a dream is due.
//!
//! Pure.

use std::time::Duration;

use base::{Timestamp, Tz, day};
use chrono::TimeDelta;
use memory::candidates::{DreamState, SizeMark};

use crate::conversations::SessionStat;
use crate::settings::{DreamSettings, Trigger};

/// The inputs of triggers at one moment.
#[derive(Debug, Clone)]
pub struct Moment<'a> {
    /// The current time.
    pub now: Timestamp,
    /// The owner's time zone.
    pub timezone: Tz,
    /// The start of the period to check schedules for; earlier times were met or are too old to catch up.
    pub since: Timestamp,
    pub sessions: &'a [SessionStat],
    /// The size of today's log in bytes; 0 if there is none.
    pub n_log_bytes: u64,
}

/// The reasons for a dream, and the marks to store afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DueDream {
    /// The names of the triggers that fire.
    pub triggers: Vec<String>,
    /// Idle sessions with their last entries.
    pub idle: Vec<(String, String)>,
    /// The size of today's log.
    pub log_size: Option<SizeMark>,
}

/// Why a trigger does not fire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SkipReason {
    /// Its scheduled time is in the future.
    NotYet {
        /// The scheduled time.
        at: Timestamp,
    },
    /// It has no further scheduled time.
    Never,
    /// No session has become idle since the last dream.
    NotIdle,
    /// Today's log has not grown enough.
    LogSmall {
        /// Its size in bytes.
        n_bytes: u64,
        /// The size in bytes at which it fires.
        n_bytes_min: u64,
    },
}

/// A trigger that does not fire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// Its name.
    pub trigger: String,
    pub reason: SkipReason,
}

/// Returns the triggers that fire; if none does, why each does not.
///
/// A schedule fires once, no matter how many of its times were missed.
pub fn due(
    settings: &DreamSettings,
    state: &DreamState,
    moment: &Moment<'_>,
) -> Result<DueDream, Vec<Skip>> {
    let mut due = DueDream::default();
    let mut skips = Vec::new();
    for trigger in &settings.triggers {
        let result = match trigger {
            Trigger::Schedule(_) => scheduled(trigger, state, moment),
            Trigger::SessionIdle(idle) => fell_idle(*idle, state, moment, &mut due),
            Trigger::DailyLogSize(n_bytes) => log_grew(*n_bytes, state, moment, &mut due),
        };
        match result {
            Ok(()) => due.triggers.push(trigger.name()),
            Err(reason) => skips.push(Skip {
                trigger: trigger.name(),
                reason,
            }),
        }
    }
    if due.triggers.is_empty() {
        Err(skips)
    } else {
        Ok(due)
    }
}

/// The next time at which a trigger may fire without any new message or note.
pub fn next_due(
    settings: &DreamSettings,
    sessions: &[SessionStat],
    (now, timezone): (Timestamp, Tz),
) -> Option<Timestamp> {
    let next = |trigger: &Trigger| match trigger {
        Trigger::Schedule(schedule) => schedule.next_after(now, timezone),
        Trigger::SessionIdle(idle) => {
            let idle = TimeDelta::from_std(*idle).unwrap_or(TimeDelta::MAX);
            let last = sessions.iter().filter_map(|session| session.last.as_ref());
            let rested = last.filter_map(|(at, _)| at.checked_add_signed(idle));
            rested.filter(|at| *at > now).min()
        }
        Trigger::DailyLogSize(_) => None,
    };
    settings.triggers.iter().filter_map(next).min()
}

fn scheduled(trigger: &Trigger, state: &DreamState, moment: &Moment<'_>) -> Result<(), SkipReason> {
    let Trigger::Schedule(schedule) = trigger else {
        return Err(SkipReason::Never);
    };
    let fired = state.fired.get(&trigger.name()).copied();
    // If the clock was set back, ignore a last firing in the future.
    let after = fired.filter(|at| *at <= moment.now);
    let since = moment.since.min(moment.now);
    let after = after.map_or(since, |fired| fired.max(since));
    match schedule.next_after(after, moment.timezone) {
        Some(at) if at <= moment.now => Ok(()),
        Some(at) => Err(SkipReason::NotYet { at }),
        None => Err(SkipReason::Never),
    }
}

fn fell_idle(
    idle: Duration,
    state: &DreamState,
    moment: &Moment<'_>,
    due: &mut DueDream,
) -> Result<(), SkipReason> {
    let idle = TimeDelta::from_std(idle).unwrap_or(TimeDelta::MAX);
    for session in moment.sessions {
        let Some((at, entry)) = &session.last else {
            continue;
        };
        let is_idle = moment.now - *at >= idle;
        let is_seen = state.idle.get(&session.path).map(String::as_str) == Some(entry.as_str());
        if is_idle && !is_seen {
            due.idle.push((session.path.clone(), entry.to_string()));
        }
    }
    if due.idle.is_empty() {
        Err(SkipReason::NotIdle)
    } else {
        Ok(())
    }
}

fn log_grew(
    threshold: u64,
    state: &DreamState,
    moment: &Moment<'_>,
    due: &mut DueDream,
) -> Result<(), SkipReason> {
    let today = day(moment.now, moment.timezone);
    let n_bytes = moment.n_log_bytes;
    let threshold = threshold.max(1);
    let seen = state.log_size.filter(|mark| mark.day == today);
    let n_seen = seen.map_or(0, |mark| mark.n_thresholds);
    let n_thresholds = n_bytes / threshold;
    if n_thresholds <= n_seen {
        let n_bytes_min = (n_seen + 1).saturating_mul(threshold);
        return Err(SkipReason::LogSmall {
            n_bytes,
            n_bytes_min,
        });
    }
    due.log_size = Some(SizeMark {
        day: today,
        n_thresholds,
    });
    Ok(())
}

#[cfg(test)]
#[path = "trigger_tests.rs"]
mod tests;
