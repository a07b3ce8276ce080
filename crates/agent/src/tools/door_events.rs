//! Which hook answers an event of another program, if several of this home are set up for it: only the first.
//!
//! Fails open: what cannot be recorded is answered.

use std::path::Path;
use std::time::Duration;

use base::disk::{DiskError, LockError, create_dir, read_some};
use base::{Disk, Timestamp, short_hash};

use super::door::Door;

/// How long an event counts as answered. Hooks of one event start together, and nobody sends the same words twice to
/// one conversation within this time.
const TOGETHER: Duration = Duration::from_secs(3);

/// How long a hook waits for another one to record its event.
const PATIENCE: Duration = Duration::from_millis(500);

/// The file that records the events, beside the locks: losing it does no harm.
const FILE: &str = "hook-events";
const LOCK: &str = "hook-events.lock";

/// Size limit of that file; a longer one is not ours.
const BYTES_MAX: u64 = 64 * 1024;

impl Door {
    /// Claims an event of another program, named by these parts. Returns whether this hook answers it: not if another
    /// hook claimed it shortly before.
    pub fn claim_event(&self, parts: &[&str]) -> bool {
        if self.is_read_only() {
            return true;
        }
        let home = &self.runtime().home;
        let event = short_hash(&parts.join("\0"));
        let (disk, locks) = (home.sessions.disk(), home.workspace.layout().locks());
        claimed(&*disk, &locks, &event, home.clock.now()).unwrap_or(true)
    }
}

/// Records an event in the directory of the locks, without those that are past. Returns `false` if it is there already.
fn claimed(disk: &dyn Disk, locks: &Path, event: &str, now: Timestamp) -> Result<bool, LockError> {
    create_dir(disk, locks)?;
    let _lock = disk.lock(&locks.join(LOCK), PATIENCE)?;
    let path = locks.join(FILE);
    let bytes = read_some(disk, &path, BYTES_MAX)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let recent: Vec<&str> = text.lines().filter(|line| is_recent(line, now)).collect();
    if recent.iter().any(|line| line.starts_with(event)) {
        return Ok(false);
    }
    let claimed = format!("{event} {}\n", now.timestamp_millis());
    let lines: Vec<&str> = recent.into_iter().chain([claimed.as_str()]).collect();
    rewrite(disk, &path, lines.join("\n").as_bytes())?;
    Ok(true)
}

/// Whether a recorded event happened shortly before `now`.
fn is_recent(line: &str, now: Timestamp) -> bool {
    let at = line
        .split_once(' ')
        .and_then(|(_, at)| at.parse::<i64>().ok());
    at.is_some_and(|at| {
        let since = now.timestamp_millis().saturating_sub(at);
        u64::try_from(since).is_ok_and(|since| Duration::from_millis(since) < TOGETHER)
    })
}

/// Writes the file without a sync: after a crash of the machine, no hook of the time before waits for an answer.
fn rewrite(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    if disk.stat(path)?.is_some() {
        disk.truncate(path, 0)?;
    }
    disk.append(path, bytes)
}

#[cfg(test)]
#[path = "door_events_tests.rs"]
mod tests;
