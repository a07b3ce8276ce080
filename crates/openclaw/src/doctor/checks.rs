//! The table of checks: a function each, with the rows of the findings that it can have.
//!
//! `docs/doctor.md` prints the same rows.

use std::collections::HashSet;

use super::finding::{CheckRow, DoctorFinding};
use super::{
    backups, client_requests, connections, home_files, memory_files, misplaced, note_folders,
    orphans, promises, settings, tool_pages, transcripts, writing,
};
use crate::prelude::*;

/// A check of a home.
struct Check {
    find: Find,
    /// What it can find, besides that something is unreadable.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "a test prints the page of them")
    )]
    rows: &'static [CheckRow],
}

/// How a check finds problems.
enum Find {
    /// The check may fail because it cannot read something.
    Fallible(fn(&Context<'_, '_>, &Home) -> Result<Vec<DoctorFinding>>),
    /// The check cannot fail.
    Infallible(fn(&Context<'_, '_>, &Home) -> Vec<DoctorFinding>),
}

const fn check(
    find: fn(&Context<'_, '_>, &Home) -> Result<Vec<DoctorFinding>>,
    rows: &'static [CheckRow],
) -> Check {
    let find = Find::Fallible(find);
    Check { find, rows }
}

const fn sure_check(
    find: fn(&Context<'_, '_>, &Home) -> Vec<DoctorFinding>,
    rows: &'static [CheckRow],
) -> Check {
    let find = Find::Infallible(find);
    Check { find, rows }
}

/// Every check, in the order in which its findings are printed.
const CHECKS: [Check; 26] = [
    sure_check(settings::valid, &[settings::SETTINGS]),
    sure_check(settings::named, &settings::NAMED),
    sure_check(settings::room, &[settings::NO_ROOM]),
    sure_check(writing::writable, &writing::KINDS),
    sure_check(home_files::files, &home_files::KINDS),
    check(home_files::workspace, &[home_files::NO_WORKSPACE]),
    check(home_files::locks, &[home_files::HELD]),
    check(home_files::quarantine, &[home_files::QUARANTINE]),
    check(transcripts::sound, &transcripts::KINDS),
    check(misplaced::scopes, &[misplaced::SCOPE]),
    check(orphans::sessions, &orphans::KINDS),
    check(tool_pages::pages, &[tool_pages::TOOL_PAGE]),
    check(client_requests::stored, &[client_requests::CLIENT_REQUESTS]),
    check(memory_files::utf8, &[memory_files::NOT_UTF8]),
    sure_check(memory_files::secrets, &[memory_files::SECRET]),
    check(memory_files::evidence, &[memory_files::EVIDENCE]),
    check(memory_files::review, &memory_files::REVIEW),
    check(promises::unread, &[promises::UNREAD_PROMISE]),
    check(promises::unread_copies_of_page, &[promises::UNREAD_COPY]),
    check(promises::not_shown, &[promises::NOTIFY]),
    check(memory_files::note_records, &memory_files::NOTE_RECORDS),
    sure_check(memory_files::forgotten, &memory_files::FORGOTTEN),
    check(memory_files::index, &[memory_files::INDEX]),
    sure_check(note_folders::folders, &note_folders::KINDS),
    sure_check(connections::connections, &[connections::CONNECTION]),
    sure_check(backups::overdue, &[backups::BACKUP]),
];

/// Runs all checks and returns their findings, most severe first. A check that cannot run is itself a finding.
pub(crate) fn examine(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    if let Some(closed) = writing::entry(context, home) {
        // All checks would fail for the same reason.
        return vec![closed];
    }
    let mut findings = Vec::new();
    for check in CHECKS {
        match check.find {
            Find::Infallible(find) => findings.extend(find(context, home)),
            Find::Fallible(find) => match find(context, home) {
                Ok(found) => findings.extend(found),
                Err(error) => findings.push(DoctorFinding::unread(home, &error)),
            },
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
