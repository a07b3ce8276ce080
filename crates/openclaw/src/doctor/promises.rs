//! Finds bullets of `PROMISES.md` that cannot be read as promises, so that nothing brings them up, and a program that fails
//! to show reminders.
//!
//! Leaves them as they are.

use base::Disk;
use base::disk::{read_some, remove, replace};
use cli::host::Host;
use memory::promises::{promises, unread_copies};

use super::finding::{CheckRow, DoctorFinding, FindingWeight};
use crate::prelude::*;

pub(super) const UNREAD_PROMISE: CheckRow = CheckRow {
    code: "unreadPromise",
    checks: "Each bullet of `PROMISES.md` has a time or a subject that can be read.",
    weight: FindingWeight::Warning,
    fix: "begin it with a day and a time in an editor, such as `- 2026-12-04 09:00 Call the plumber`",
};

/// Bullets that are never shown.
pub(super) fn unread(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let now = context.host.clock.now();
    let workspace = context.host.workspace(home);
    // Whether a bullet can be read does not depend on the zone.
    let list = promises(&workspace, now, Tz::UTC)?;
    let path = workspace.promises_path();
    let findings = list.unread.into_iter().map(|own| {
        let message = format!("this reminder cannot be read: {}", own.why);
        let place = format!("workspace/{path}:{}", own.line);
        DoctorFinding::new(&UNREAD_PROMISE, message).at(place)
    });
    Ok(findings.collect())
}

pub(super) const UNREAD_COPY: CheckRow = CheckRow {
    code: "unreadReminderCopy",
    checks: "Each copy of `PROMISES.md` in `state/overwritten` can be read.",
    weight: FindingWeight::Warning,
    fix: "restore its permissions, or delete it: `openclaw agenda undo` skips it, and restores nothing from it",
};

/// Copies of the page that `agenda undo` skips.
pub(super) fn unread_copies_of_page(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let workspace = context.host.workspace(home);
    let unread = unread_copies(&workspace, context.host.clock.now(), Tz::UTC)?;
    let findings = unread.into_iter().map(|own| {
        let message = format!("this copy of the reminders cannot be read: {}", own.why);
        DoctorFinding::new(&UNREAD_COPY, message).at(format!("state/overwritten/{}", own.name))
    });
    Ok(findings.collect())
}

pub(super) const NOTIFY: CheckRow = CheckRow {
    code: "reminderNotShown",
    checks: "The program in `promises.notify` and the address in `promises.webhook` took the last reminder.",
    weight: FindingWeight::Warning,
    fix: "try the program or the address by hand, and correct `promises.notify` or `promises.webhook` in config.yaml",
};

/// Why the program in `promises.notify`, or the address in `promises.webhook`, failed last, in a file of the state folder; no file if it did not.
pub(crate) struct NotifyRecord {
    disk: Arc<dyn Disk>,
    path: PathBuf,
}

/// Size limit of the file in bytes.
const RECORD_BYTES_MAX: u64 = 64 * 1024;

impl NotifyRecord {
    pub(crate) fn of(host: &Host, home: &Home) -> Self {
        Self {
            disk: Arc::clone(&host.disk),
            path: home.state().join("notify-failure.txt"),
        }
    }

    /// Keeps the outcome of showing a reminder. It is only for information, so a failure to write it is not reported.
    pub(crate) fn keep(&self, shown: &std::result::Result<(), String>) {
        let kept = match shown {
            Ok(()) => remove(&*self.disk, &self.path).map(drop),
            Err(why) => replace(&*self.disk, &self.path, base::redact(why).as_bytes()),
        };
        drop(kept);
    }

    fn read(&self) -> Result<Option<String>> {
        let bytes = read_some(&*self.disk, &self.path, RECORD_BYTES_MAX)?;
        Ok(bytes.map(|it| String::from_utf8_lossy(&it).into_owned()))
    }
}

/// A program that failed to show the last reminder.
pub(super) fn not_shown(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let failure = NotifyRecord::of(context.host, home).read()?;
    let finding = failure.map(|why| {
        DoctorFinding::new(
            &NOTIFY,
            format!("the last reminder could not be shown: {why}"),
        )
    });
    Ok(finding.into_iter().collect())
}
