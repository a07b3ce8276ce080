//! Backup copies of a `DREAMS.md` that could not be read whole, stored next to it.
//!
//! Never overwrites a copy; removes the oldest above [`KEPT_MAX`].

use std::ffi::OsStr;
use std::path::Path;
use std::sync::LazyLock;

use base::disk::{DiskError, read_all, remove, replace};
use base::{Disk, Timestamp};
use regex::Regex;

/// Size limit of `DREAMS.md` in bytes.
pub(super) const DREAMS_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Number of copies kept.
pub(super) const KEPT_MAX: usize = 10;

const PREFIX: &str = "DREAMS.md.found-";

/// Writes a copy of `found` and returns its name. If the newest copy is identical, writes nothing.
pub(super) fn keep(
    disk: &dyn Disk,
    directory: &Path,
    found: &[u8],
    at: Timestamp,
) -> Result<String, DiskError> {
    let mut copies = copies(disk, directory)?;
    if let Some(newest) = copies.last() {
        let name = name_of(newest);
        if read_all(disk, &directory.join(&name), DREAMS_BYTES_MAX)? == found {
            return Ok(name);
        }
    }
    let time = at.format("%Y%m%dT%H%M%S").to_string();
    let of_this_second = copies.iter().filter(|(own, _)| *own == time);
    let number = of_this_second.map(|(_, number)| number).max().unwrap_or(&0) + 1;
    let copy = (time, number);
    let name = name_of(&copy);
    replace(disk, &directory.join(&name), found)?;
    copies.push(copy);
    let n_over = copies.len().saturating_sub(KEPT_MAX);
    for old in copies.iter().take(n_over) {
        remove(disk, &directory.join(name_of(old)))?;
    }
    Ok(name)
}

/// Whether a path relative to the workspace is such a copy.
pub(crate) fn is_kept_dreams(name: &Path) -> bool {
    let name = name.to_str();
    name.is_some_and(|name| name.starts_with(PREFIX))
}

/// A copy: its time, and its number among the copies of that second, from 1.
type Copy = (String, u64);

static COPY: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^DREAMS\.md\.found-(\d{8}T\d{6})(?:-([2-9]|[1-9]\d+))?$").ok());

fn name_of((time, number): &Copy) -> String {
    match number {
        1 => format!("{PREFIX}{time}"),
        _ => format!("{PREFIX}{time}-{number}"),
    }
}

fn copy_of(name: &str) -> Option<Copy> {
    let found = COPY.as_ref()?.captures(name)?;
    let number = found.get(2).map_or(Ok(1), |own| own.as_str().parse());
    Some((found.get(1)?.as_str().to_owned(), number.ok()?))
}

/// The existing copies, oldest first.
fn copies(disk: &dyn Disk, directory: &Path) -> Result<Vec<Copy>, DiskError> {
    let names = disk.list(directory)?;
    let names = names
        .iter()
        .filter_map(|path| path.file_name().and_then(OsStr::to_str));
    let mut found: Vec<Copy> = names.filter_map(copy_of).collect();
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
#[path = "kept_tests.rs"]
mod tests;
