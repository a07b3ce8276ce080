//! The table of checks: a function each, with the rows of the findings that it can have.
//!
//! `docs/doctor.md` prints the same rows.

use std::collections::HashSet;

use super::finding::{CheckRow, DoctorFinding};
use super::{
    backups, client_requests, connections, home_files, memory_files, misplaced, settings,
    transcripts, writing,
};
use crate::prelude::*;

/// A check of a home.
struct Check {
    find: fn(&Context<'_, '_>, &Home) -> Result<Vec<DoctorFinding>>,
    /// What it can find, besides that something is unreadable.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "a test prints the page of them")
    )]
    rows: &'static [CheckRow],
}

const fn check(
    find: fn(&Context<'_, '_>, &Home) -> Result<Vec<DoctorFinding>>,
    rows: &'static [CheckRow],
) -> Check {
    Check { find, rows }
}

/// Every check, in the order in which its findings are printed.
const CHECKS: [Check; 20] = [
    check(settings::valid, &[settings::SETTINGS]),
    check(settings::named, &settings::NAMED),
    check(settings::room, &[settings::NO_ROOM]),
    check(writing::writable, &writing::KINDS),
    check(home_files::files, &home_files::KINDS),
    check(home_files::workspace, &[home_files::NO_WORKSPACE]),
    check(home_files::locks, &[home_files::HELD]),
    check(home_files::quarantine, &[home_files::QUARANTINE]),
    check(transcripts::sound, &transcripts::KINDS),
    check(misplaced::scopes, &[misplaced::SCOPE]),
    check(client_requests::stored, &[client_requests::CLIENT_REQUESTS]),
    check(memory_files::utf8, &[memory_files::NOT_UTF8]),
    check(memory_files::secrets, &[memory_files::SECRET]),
    check(memory_files::evidence, &[memory_files::EVIDENCE]),
    check(memory_files::review, &memory_files::REVIEW),
    check(memory_files::note_records, &memory_files::NOTE_RECORDS),
    check(memory_files::forgotten, &memory_files::FORGOTTEN),
    check(memory_files::index, &[memory_files::INDEX]),
    check(connections::connections, &[connections::CONNECTION]),
    check(backups::overdue, &[backups::BACKUP]),
];

/// Runs all checks and returns their findings, most severe first. A check that cannot run is itself a finding.
pub(crate) fn examine(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    if let Some(closed) = writing::entry(context, home) {
        // All checks would fail for the same reason.
        return vec![closed];
    }
    let mut findings = Vec::new();
    for check in CHECKS {
        match (check.find)(context, home) {
            Ok(found) => findings.extend(found),
            Err(error) => findings.push(DoctorFinding::unread(home, &error)),
        }
    }
    let mut seen = HashSet::new();
    findings.retain(|finding| seen.insert((finding.place.clone(), finding.message.clone())));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.weight));
    findings
}

/// Every row of the table.
#[cfg(test)]
fn rows() -> impl Iterator<Item = CheckRow> {
    let of_checks = CHECKS.iter().flat_map(|check| check.rows);
    std::iter::once(super::finding::UNREADABLE).chain(of_checks.copied())
}

#[cfg(test)]
#[path = "checks_tests.rs"]
mod tests;
