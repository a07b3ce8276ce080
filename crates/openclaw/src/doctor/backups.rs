//! Finds scheduled backups that are overdue.
//!
//! Makes no backup.

use chrono::SecondsFormat;

use super::finding::{DoctorFinding, FindingWeight};
use crate::backup::ScheduledBackups;
use crate::prelude::*;

pub(crate) fn look_at_backups(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    // Unreadable settings are a separate finding.
    let Ok(settings) = context.settings_of(home) else {
        return Vec::new();
    };
    let overdue = || -> Result<Option<DoctorFinding>> {
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
            DoctorFinding::new(FindingWeight::Problem, "backup", message, hint)
        }))
    };
    match overdue() {
        Ok(finding) => finding.into_iter().collect(),
        Err(error) => vec![DoctorFinding::of_failure(
            "backup",
            &error,
            "`openclaw config show`",
        )],
    }
}
