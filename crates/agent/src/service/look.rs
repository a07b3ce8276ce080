//! Tells whether a dream may have become due since the last check.
//!
//! Uses the wall clock, which continues while the machine sleeps but may be set.

use base::disk::FileStat;
use base::{Day, Timestamp};
use session::{ReadError, SessionName};

use crate::runtime::HomeAccess;

/// Everything whose change may make a dream due, read without opening a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Footprint {
    sessions: Vec<(SessionName, FileStamp)>,
    log: (Day, u64),
    review: FileStamp,
}

/// A file's length and modification time.
type FileStamp = Option<(u64, Option<Timestamp>)>;

impl Footprint {
    pub(super) fn of(home: &HomeAccess) -> Result<Self, ReadError> {
        let mut sessions = Vec::new();
        for name in home.sessions.names()? {
            let stat = home.sessions.stat(&name)?;
            sessions.push((name, stamp(stat)));
        }
        let today = home.today();
        Ok(Self {
            sessions,
            log: (today, home.workspace.log_len(today)?),
            review: stamp(home.workspace.review_stat()?),
        })
    }
}

fn stamp(stat: Option<FileStat>) -> FileStamp {
    stat.map(|stat| (stat.len, stat.modified_at))
}

/// A check that found nothing to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IdleLook {
    /// When the check was made.
    pub(super) at: Timestamp,
    /// When a dream may be due even if nothing changes.
    pub(super) next: Option<Timestamp>,
    pub(super) footprint: Footprint,
}

impl IdleLook {
    /// Whether that time has come, or the clock was set back.
    pub(super) fn is_past(&self, now: Timestamp) -> bool {
        now < self.at || self.next.is_some_and(|next| next <= now)
    }

    /// Whether another check would find the same.
    pub(super) fn holds(&self, now: Timestamp, footprint: &Footprint) -> bool {
        !self.is_past(now) && self.footprint == *footprint
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_look_holds_until_due_time_or_clock_jump() {
        let at = |text: &str| -> Timestamp { text.parse().unwrap() };
        let footprint = Footprint {
            sessions: vec![("main".parse().unwrap(), Some((10, None)))],
            log: ("2026-03-02".parse().unwrap(), 0),
            review: None,
        };
        let look = IdleLook {
            at: at("2026-03-02T08:00:00Z"),
            next: Some(at("2026-03-03T02:00:00Z")),
            footprint: footprint.clone(),
        };
        let holds = |now: &str| look.holds(at(now), &footprint);
        assert!(holds("2026-03-02T08:00:00Z") && holds("2026-03-03T01:59:59Z"));
        // The machine slept over it, or somebody set the clock.
        assert!(!holds("2026-03-03T02:00:00Z") && !holds("2027-01-01T00:00:00Z"));
        assert!(!holds("2026-03-02T07:59:59Z"));
        let grown = Footprint {
            sessions: vec![("main".parse().unwrap(), Some((11, None)))],
            ..footprint.clone()
        };
        assert!(!look.holds(look.at, &grown));
        let never = IdleLook { next: None, ..look };
        assert!(never.holds(at("2036-01-01T00:00:00Z"), &footprint));
    }
}
