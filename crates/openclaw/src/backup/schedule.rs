//! Backups on a schedule: when one is due, what it is called, and which ones go.
//!
//! Removes only what it made itself, and nothing before the new backup is whole.

use std::sync::{Mutex, PoisonError};

use agent::service::BackupNews;
use base::{Disk, Timestamp};
use chrono::{NaiveDateTime, TimeDelta};
use dreaming::Schedule;

use super::make::{ENCRYPTED, Made, PACKED, TIME, make, name};
use super::unpack::is_backup;
use crate::config::{self, BackupSettings};
use crate::host::Host;
use crate::prelude::*;

/// A backup that is this late is reported: the service may have been busy, or had no time yet.
const LATE: TimeDelta = TimeDelta::hours(1);

/// The backups of one home that are made by themselves.
#[derive(Debug)]
pub(crate) struct ScheduledBackups {
    host: Host,
    home: Home,
    settings: BackupSettings,
    schedule: Schedule,
    folder: PathBuf,
    timezone: Tz,
    /// When a look found nothing to do, and until when another would find the same.
    looked: Mutex<Option<(Timestamp, Timestamp)>>,
}

/// What of a folder belongs to the schedule of a home.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Found {
    /// Backups with their times, oldest first.
    backups: Vec<(Timestamp, PathBuf)>,
    /// What a process left that was killed.
    torn: Vec<PathBuf>,
}

impl ScheduledBackups {
    /// The schedule that the settings have, if any.
    pub(crate) fn of(
        host: &Host,
        home: &Home,
        settings: &config::Settings,
    ) -> Result<Option<Self>> {
        let Some(schedule) = &settings.backup.schedule else {
            return Ok(None);
        };
        let Some(folder) = &settings.backup.folder else {
            let message = "backup.schedule is set, and backup.folder does not say where to";
            return Err(CliError::new(ErrorKind::Config, message)
                .hint("`openclaw config set backup.folder DIR`, best on another disk"));
        };
        Ok(Some(Self {
            host: host.clone(),
            home: home.clone(),
            settings: settings.backup.clone(),
            schedule: schedule.to_library(),
            folder: wiring::in_home(host, home, folder),
            timezone: settings.timezone.find(&host.environment).zone,
            looked: Mutex::new(None),
        }))
    }

    /// Makes a backup where one is due, and then removes those that are too many.
    pub(crate) fn run_if_due(&self) -> Option<BackupNews> {
        let now = self.host.clock.now();
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.is_some_and(|(at, until)| at <= now && now < until) {
            return None;
        }
        let told = match self.run(now) {
            Ok(told) => told,
            Err(error) => {
                let reason = error.one_line();
                return Some(BackupNews::Failed(format!(
                    "a backup failed and is tried again: {reason}"
                )));
            }
        };
        let next = self.schedule.next_after(now, self.timezone);
        *looked = Some((now, next.unwrap_or(Timestamp::MAX_UTC)));
        told
    }

    /// Since when a backup is due that should be there by now; for the owner.
    pub(crate) fn overdue(&self) -> Result<Option<Timestamp>> {
        let now = self.host.clock.now();
        let found = self.found()?;
        let due = due((&self.schedule, self.timezone), &found, now);
        Ok(match due {
            Due::Missing => Some(now),
            Due::Since(at) if at < now - LATE => Some(at),
            Due::Since(_) | Due::Later => None,
        })
    }

    /// Where they go.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn run(&self, now: Timestamp) -> Result<Option<BackupNews>> {
        let disk = &*self.host.disk;
        let found = self.found()?;
        if due((&self.schedule, self.timezone), &found, now) == Due::Later {
            return Ok(None);
        }
        let recipients = wiring::backup_recipients(&self.settings, &self.host, &self.home)?;
        let file = self
            .folder
            .join(name(&self.prefix(), now, recipients.as_ref()));
        let made = make(&self.host, &self.home, &file, recipients.as_ref())?;
        if let Some(first) = made.missing().next() {
            let missing = counted(made.missing().count() as u64, "file", "files");
            return Ok(Some(BackupNews::Failed(format!(
                "the backup {} lacks {missing}, of which one is {}: {}",
                made.file, first.path, first.reason
            ))));
        }
        let keep = usize::try_from(self.settings.keep.get()).unwrap_or(usize::MAX);
        Ok(Some(match remove(disk, &too_many(&found, keep)) {
            Ok(n_removed) => BackupNews::Made(told(&made, n_removed)),
            Err(error) => BackupNews::Failed(format!(
                "the backup {} is complete, and older ones cannot be removed: {}",
                made.file,
                error.one_line()
            )),
        }))
    }

    fn found(&self) -> Result<Found> {
        if self.host.disk.stat(&self.folder)?.is_none() {
            let message = format!("there is no folder {}", self.folder.display());
            return Err(CliError::new(ErrorKind::NotFound, message)
                .hint("make it or mount its disk, or set another one: `openclaw config set backup.folder DIR`"));
        }
        let prefix = self.prefix();
        let names = self.host.disk.list(&self.folder)?;
        let mut found = Found::default();
        for path in names {
            let Some(name) = path.to_str() else { continue };
            let torn = name
                .strip_prefix('.')
                .and_then(|it| it.strip_suffix(".tmp"));
            if let Some(at) = time_of(&prefix, name) {
                found.backups.push((at, self.folder.join(name)));
            } else if torn.is_some_and(|it| time_of(&prefix, it).is_some()) {
                found.torn.push(self.folder.join(name));
            }
        }
        found.backups.sort();
        Ok(found)
    }

    /// What the names begin with: other homes may have their backups in the same folder.
    fn prefix(&self) -> String {
        let root = self.home.root();
        // A home that cannot be followed cannot be packed either, which is told.
        let root = self
            .host
            .disk
            .resolve(root)
            .unwrap_or_else(|_| root.to_owned());
        let home = base::short_hash(&root.to_string_lossy());
        format!("openclaw-scheduled-{home}-")
    }
}

/// Whether a backup is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Due {
    /// There is none.
    Missing,
    /// A time of the schedule has come since the newest.
    Since(Timestamp),
    Later,
}

/// The one definition of due; times that were missed count once.
fn due((schedule, timezone): (&Schedule, Tz), found: &Found, now: Timestamp) -> Due {
    // A clock that was wrong must not keep backups from being made.
    let past = found
        .backups
        .iter()
        .map(|(at, _)| *at)
        .filter(|at| *at <= now);
    let Some(newest) = past.max() else {
        return Due::Missing;
    };
    match schedule.next_after(newest, timezone) {
        Some(at) if at <= now => Due::Since(at),
        Some(_) | None => Due::Later,
    }
}

/// What goes once a further backup is there: all but the newest, and what is torn.
fn too_many(found: &Found, keep: usize) -> Vec<PathBuf> {
    let n_kept = keep.saturating_sub(1).min(found.backups.len());
    let n_gone = found.backups.len() - n_kept;
    let backups = found.backups.iter().take(n_gone).map(|(_, path)| path);
    backups.chain(&found.torn).cloned().collect()
}

/// The time in the name of a backup that this schedule made.
fn time_of(prefix: &str, name: &str) -> Option<Timestamp> {
    let rest = name.strip_prefix(prefix)?;
    let rest = rest.strip_suffix(ENCRYPTED).unwrap_or(rest);
    let time = rest.strip_suffix(PACKED)?;
    Some(NaiveDateTime::parse_from_str(time, TIME).ok()?.and_utc())
}

/// Removes files; one that the reader does not take for a backup stays.
fn remove(disk: &dyn Disk, files: &[PathBuf]) -> Result<usize> {
    let mut n_removed = 0;
    for file in files {
        let is_torn = file.extension().is_some_and(|it| it == "tmp");
        if is_torn || is_backup(disk, file)? {
            base::disk::remove(disk, file)?;
            n_removed += usize::from(!is_torn);
        }
    }
    Ok(n_removed)
}

fn told(made: &Made, n_removed: usize) -> String {
    let files = counted(made.files as u64, "file", "files");
    let removed = match n_removed {
        0 => String::new(),
        n => format!("; removed {}", counted(n as u64, "older one", "older ones")),
    };
    let unsteady = made.unsteady.as_ref().map_or_else(String::new, |reason| {
        format!("; notes may have been written while they were packed: {reason}")
    });
    format!("A backup: {} with {files}{removed}{unsteady}.", made.file)
}

#[cfg(test)]
#[path = "schedule_tests.rs"]
mod tests;
