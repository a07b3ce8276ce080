//! Scheduled backups: when one is due, its name, and which old ones to remove.
//!
//! Removes only its own backups, and only after the new one is complete.

use std::sync::Mutex;

use agent::service::BackupNews;
use base::disk::target_of_temporary;
use base::{Disk, Timestamp};
use chrono::{NaiveDateTime, TimeDelta};
use cli::config::{self, BackupSettings};
use cli::host::Host;
use dreaming::Schedule;

use super::make::{ENCRYPTED, Made, PACKED, TIME, make, name};
use super::unpack::is_backup;
use crate::prelude::*;

/// How late a backup may be before it is reported: the service may be busy or just starting.
const LATE: TimeDelta = TimeDelta::hours(1);

/// The scheduled backups of one home.
#[derive(Debug)]
pub(crate) struct ScheduledBackups {
    host: Host,
    home: Home,
    settings: BackupSettings,
    schedule: Schedule,
    folder: PathBuf,
    timezone: Tz,
    /// The time of the last check and the next due time; between them there is nothing to do.
    looked: Mutex<Option<(Timestamp, Timestamp)>>,
}

/// The files in the backup folder that belong to this home's schedule.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct FoundBackups {
    /// Backups with their times, oldest first.
    backups: Vec<(Timestamp, PathBuf)>,
    /// Temporary files left by a killed process.
    torn: Vec<PathBuf>,
}

impl ScheduledBackups {
    /// The schedule in the settings, if any; an error if it has no folder.
    pub(crate) fn of(
        host: &Host,
        home: &Home,
        settings: &config::Settings,
    ) -> Result<Option<Self>> {
        let Some(schedule) = &settings.backup.schedule else {
            return Ok(None);
        };
        let Some(folder) = &settings.backup.folder else {
            let message = "backup.schedule is set, but backup.folder is not";
            return Err(CliError::new(ErrorKind::Config, message)
                .hint("`openclaw config set backup.folder DIR`, ideally on another disk"));
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

    /// Makes a backup if one is due, then removes old ones beyond the number to keep.
    pub(crate) fn run_if_due(&self) -> Option<BackupNews> {
        let now = self.host.clock.now();
        let mut looked = base::locked(&self.looked);
        if looked.is_some_and(|(at, until)| at <= now && now < until) {
            return None;
        }
        let told = match self.run(now) {
            Ok(told) => told,
            Err(error) => {
                let reason = error.one_line();
                return Some(BackupNews::Failed(format!(
                    "a backup failed and will be retried: {reason}"
                )));
            }
        };
        let next = self.schedule.next_after(now, self.timezone);
        *looked = Some((now, next.unwrap_or(Timestamp::MAX_UTC)));
        told
    }

    /// Since when a backup has been overdue; now if there is none at all.
    pub(crate) fn overdue(&self) -> Result<Option<Timestamp>> {
        let now = self.host.clock.now();
        let found = self.found()?;
        let due = due((&self.schedule, self.timezone), &found, now);
        Ok(match due {
            BackupDue::Missing => Some(now),
            BackupDue::Since(at) if at < now - LATE => Some(at),
            BackupDue::Since(_) | BackupDue::Later => None,
        })
    }

    /// The time of the newest backup; `None` if there is none, or the folder cannot be read.
    pub(crate) fn newest(&self) -> Option<Timestamp> {
        let found = self.found().ok()?;
        found.backups.last().map(|(at, _)| *at)
    }

    /// The folder that holds the backups.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn run(&self, now: Timestamp) -> Result<Option<BackupNews>> {
        let disk = &*self.host.disk;
        let found = self.found()?;
        if due((&self.schedule, self.timezone), &found, now) == BackupDue::Later {
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
                "the backup {} lacks {missing}; the first is {}: {}",
                made.file, first.path, first.reason
            ))));
        }
        let keep = usize::try_from(self.settings.keep.get()).unwrap_or(usize::MAX);
        Ok(Some(match remove(disk, &too_many(&found, keep)) {
            Ok(n_removed) => BackupNews::Made(told(&made, n_removed)),
            Err(error) => BackupNews::Failed(format!(
                "the backup {} is complete, but older ones cannot be removed: {}",
                made.file,
                error.one_line()
            )),
        }))
    }

    fn found(&self) -> Result<FoundBackups> {
        if self.host.disk.stat(&self.folder)?.is_none() {
            let message = format!("there is no folder {}", self.folder.display());
            return Err(CliError::new(ErrorKind::NotFound, message)
                .hint("create it or mount its disk, or set another one: `openclaw config set backup.folder DIR`"));
        }
        let prefix = self.prefix();
        let names = self.host.disk.list(&self.folder)?;
        let mut found = FoundBackups::default();
        for path in names {
            let Some(name) = path.to_str() else { continue };
            let torn = target_of_temporary(&path).and_then(Path::to_str);
            if let Some(at) = time_of(&prefix, name) {
                found.backups.push((at, self.folder.join(name)));
            } else if torn.is_some_and(|it| time_of(&prefix, it).is_some()) {
                found.torn.push(self.folder.join(name));
            }
        }
        found.backups.sort();
        Ok(found)
    }

    /// The file name prefix, unique to this home: other homes may share the folder.
    fn prefix(&self) -> String {
        let root = self.home.root();
        // If resolving fails, packing fails too and reports it.
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
enum BackupDue {
    /// There is no backup.
    Missing,
    /// A scheduled time has passed since the newest backup.
    Since(Timestamp),
    Later,
}

/// Decides whether a backup is due; several missed times count once.
fn due((schedule, timezone): (&Schedule, Tz), found: &FoundBackups, now: Timestamp) -> BackupDue {
    // Ignore times in the future: a wrong clock must not suppress backups.
    let past = found
        .backups
        .iter()
        .map(|(at, _)| *at)
        .filter(|at| *at <= now);
    let Some(newest) = past.max() else {
        return BackupDue::Missing;
    };
    match schedule.next_after(newest, timezone) {
        Some(at) if at <= now => BackupDue::Since(at),
        Some(_) | None => BackupDue::Later,
    }
}

/// The files to remove once a new backup exists: all but the newest `keep - 1`, and torn ones.
fn too_many(found: &FoundBackups, keep: usize) -> Vec<PathBuf> {
    let n_kept = keep.saturating_sub(1).min(found.backups.len());
    let n_gone = found.backups.len() - n_kept;
    let backups = found.backups.iter().take(n_gone).map(|(_, path)| path);
    backups.chain(&found.torn).cloned().collect()
}

/// The time in the name of a backup with this prefix.
fn time_of(prefix: &str, name: &str) -> Option<Timestamp> {
    let rest = name.strip_prefix(prefix)?;
    let rest = rest.strip_suffix(ENCRYPTED).unwrap_or(rest);
    let time = rest.strip_suffix(PACKED)?;
    Some(NaiveDateTime::parse_from_str(time, TIME).ok()?.and_utc())
}

/// Removes torn files, and the others if their content is a backup; returns how many backups it removed.
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
        format!("; notes may have changed while they were packed: {reason}")
    });
    format!("Backed up {files} to {}{removed}{unsteady}.", made.file)
}

#[cfg(test)]
#[path = "schedule_tests.rs"]
mod tests;
