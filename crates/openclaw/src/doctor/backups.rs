//! Finds scheduled backups that are overdue.
//!
//! Makes no backup.

use chrono::SecondsFormat;

use super::finding::{CheckRow, DoctorFinding, FindingWeight, SHOW_SETTINGS};
use crate::backup::ScheduledBackups;
use crate::prelude::*;

pub(super) const BACKUP: CheckRow = CheckRow {
    code: "backup",
    checks: "A scheduled backup is there.",
    weight: FindingWeight::Problem,
    fix: SHOW_SETTINGS,
};

pub(super) fn overdue(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    // Unreadable settings are a separate finding.
    let Ok(settings) = context.settings_of(home) else {
        return Vec::new();
    };
    let find = || -> Result<Option<DoctorFinding>> {
        let Some(backups) = ScheduledBackups::of(context.host, home, &settings)? else {
            return Ok(None);
        };
        let folder = backups.folder().display().to_string();
        Ok(backups.overdue()?.map(|at| {
            let at = at.to_rfc3339_opts(SecondsFormat::Secs, true);
            let message = format!("{folder} has no backup since {at}, when one was due");
            let quoted = shlex::try_quote(&folder).unwrap_or_default();
            let hint =
                format!("`openclaw backup {quoted}`; and check that `openclaw serve` is running");
            DoctorFinding::new(&BACKUP, message).with_hint(hint)
        }))
    };
    let found = find().unwrap_or_else(|error| Some(DoctorFinding::of_failure(&BACKUP, &error)));
    Vec::from_iter(found)
}
