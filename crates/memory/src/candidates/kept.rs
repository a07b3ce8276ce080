//! Copies of a `DREAMS.md` that could not be read whole, kept beside it.
//!
//! A copy takes no other's place, and the oldest leave where there are too many.

use std::ffi::OsStr;
use std::path::Path;

use base::disk::{DiskError, read_all, remove, replace};
use base::{Disk, Timestamp};

use super::pending::DREAMS_BYTES_MAX;

/// So many copies are kept.
pub(super) const KEPT_MAX: usize = 10;

const PREFIX: &str = "DREAMS.md.found-";

/// Keeps what was found; gives the name of the copy. What the newest copy holds already is kept once.
pub(super) fn keep(
    disk: &dyn Disk,
    directory: &Path,
    found: &[u8],
    at: Timestamp,
) -> Result<String, DiskError> {
    let mut copies = copies(disk, directory)?;
    if let Some(newest) = copies.last() {
        let name = newest.name();
        if read_all(disk, &directory.join(&name), DREAMS_BYTES_MAX)? == found {
            return Ok(name);
        }
    }
    let time = at.format("%Y%m%dT%H%M%S").to_string();
    let of_this_second = copies.iter().filter(|own| own.time == time);
    let number = of_this_second.map(|own| own.number).max().unwrap_or(0) + 1;
    let copy = Copy { time, number };
    let name = copy.name();
    replace(disk, &directory.join(&name), found)?;
    copies.push(copy);
    let n_over = copies.len().saturating_sub(KEPT_MAX);
    for old in copies.iter().take(n_over) {
        remove(disk, &directory.join(old.name()))?;
    }
    Ok(name)
}

/// Whether a file of the workspace is such a copy, by its path below it.
pub(crate) fn is_kept_dreams(name: &Path) -> bool {
    let name = name.to_str();
    name.is_some_and(|name| name.starts_with(PREFIX))
}

/// A copy, by when it was made and which of that second it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Copy {
    time: String,
    /// From 1.
    number: u64,
}

impl Copy {
    fn name(&self) -> String {
        let Self { time, number } = self;
        if *number == 1 {
            format!("{PREFIX}{time}")
        } else {
            format!("{PREFIX}{time}-{number}")
        }
    }

    fn parse(name: &str) -> Option<Self> {
        let rest = name.strip_prefix(PREFIX)?;
        let (time, number) = match rest.split_once('-') {
            Some((time, number)) => (time, number.parse().ok().filter(|own| *own > 1)?),
            None => (rest, 1),
        };
        let is_time = time.len() == "20260420T070000".len()
            && time
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'T');
        is_time.then(|| Self {
            time: time.to_owned(),
            number,
        })
    }
}

/// The copies that are there, the oldest first.
fn copies(disk: &dyn Disk, directory: &Path) -> Result<Vec<Copy>, DiskError> {
    let names = disk.list(directory)?;
    let names = names
        .iter()
        .filter_map(|path| path.file_name().and_then(OsStr::to_str));
    let mut found: Vec<Copy> = names.filter_map(Copy::parse).collect();
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
#[path = "kept_tests.rs"]
mod tests;
