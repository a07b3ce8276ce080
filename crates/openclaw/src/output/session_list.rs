//! The sessions of a home as a table and as JSON.
//!
//! Renders what it is given; opens no transcript.

use std::collections::BTreeMap;

pub(crate) use base::counted;
use base::{SessionId, Timestamp, Tz, day, head, time_of_day};
use serde::Serialize;

use super::human::printable;
use super::table::{Align, Column, table};
use super::wire;

/// The sessions of a home.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionListing {
    /// One for each session; a file that began anew holds several.
    pub(crate) sessions: Vec<SessionLine>,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionLine {
    /// The name of its file.
    pub(crate) name: String,
    /// Its id.
    #[serde(serialize_with = "wire::text")]
    pub(crate) id: SessionId,
    /// The session before it in the same file, or the one that it was copied from.
    #[serde(serialize_with = "wire::some_text")]
    pub(crate) parent: Option<SessionId>,
    /// Messages of all roles.
    pub(crate) messages: u64,
    /// When something was last appended.
    #[serde(serialize_with = "wire::some_timestamp")]
    pub(crate) last_activity_at: Option<Timestamp>,
    /// Compactions so far.
    pub(crate) epoch: u64,
    /// Length of the file in bytes.
    pub(crate) bytes: u64,
}

/// Characters of an id that a table shows.
const ID_CHARS: usize = 13;

/// The table for people, in lines of at most `width_max` columns.
pub(crate) fn render(listing: &SessionListing, timezone: Tz, width_max: usize) -> String {
    if listing.sessions.is_empty() {
        return "no sessions yet\n".to_owned();
    }
    let labels = labels(&listing.sessions);
    // What a part comes after, its number says.
    let is_copy = |line: &SessionLine| {
        let parent = line.parent.as_ref();
        parent.is_some_and(|parent| {
            let mut same = listing.sessions.iter().filter(|own| own.name == line.name);
            !same.any(|own| own.id == *parent)
        })
    };
    let has_copies = listing.sessions.iter().any(is_copy);
    let column = |heading, align| Column { heading, align };
    let mut columns = vec![
        column("NAME", Align::Left),
        column("MESSAGES", Align::Right),
        column("LAST ACTIVITY", Align::Left),
        column("EPOCH", Align::Right),
        column("SIZE", Align::Right),
    ];
    if has_copies {
        columns.push(column("ID", Align::Left));
        columns.push(column("COPY OF", Align::Left));
    }
    let rows: Vec<Vec<String>> = listing
        .sessions
        .iter()
        .zip(labels)
        .map(|(line, label)| row(line, (label, is_copy(line)), timezone))
        .collect();
    table(&columns, &rows, width_max)
}

/// The name of each session; one that began anew with `/new` is told part by part.
fn labels(sessions: &[SessionLine]) -> Vec<String> {
    let mut n_parts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in sessions {
        *n_parts.entry(&line.name).or_default() += 1;
    }
    let mut n_before: BTreeMap<&str, usize> = BTreeMap::new();
    let mut labels = Vec::new();
    for line in sessions {
        let name = line.name.as_str();
        let number = n_before.entry(name).or_default();
        *number += 1;
        labels.push(match n_parts.get(name) {
            // In front, where a long name that is cut does not hide it.
            Some(n_parts @ 2..) => format!("{number}/{n_parts} {}", printable(name)),
            Some(_) | None => printable(name),
        });
    }
    labels
}

fn row(line: &SessionLine, (label, is_copy): (String, bool), timezone: Tz) -> Vec<String> {
    let short = |id: &SessionId| printable(head(id.as_str(), ID_CHARS));
    vec![
        label,
        grouped(line.messages),
        line.last_activity_at
            .map_or_else(|| "never".to_owned(), |at| minute(at, timezone)),
        grouped(line.epoch),
        size(line.bytes),
        short(&line.id),
        line.parent
            .as_ref()
            .filter(|_| is_copy)
            .map(short)
            .unwrap_or_default(),
    ]
}

/// Day and time of day for people.
pub(super) fn minute(at: Timestamp, timezone: Tz) -> String {
    format!("{} {}", day(at, timezone), time_of_day(at, timezone))
}

/// A number with thousands set apart.
pub(super) fn grouped(number: u64) -> String {
    base::TokenCount(number).to_string()
}

/// A number of bytes for people; 1 kB is 1,024 bytes.
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut tenths = bytes.saturating_mul(10) / 1024;
    let mut unit = "kB";
    for larger in UNITS.iter().skip(1) {
        if tenths < 10_240 {
            break;
        }
        tenths /= 1024;
        unit = larger;
    }
    format!("{}.{} {unit}", grouped(tenths / 10), tenths % 10)
}

#[cfg(test)]
#[path = "session_list_tests.rs"]
mod tests;
