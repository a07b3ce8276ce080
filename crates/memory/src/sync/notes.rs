//! Lists and reads the notes of the workspace.
//!
//! Never follows a link that leads out of the workspace.

use std::io;
use std::path::{Path, PathBuf};

use base::disk::{DiskError, FileStat, read_all};
use base::{Disk, Timestamp, content_hash};

use super::plan::{Found, UNSURE};
use crate::passage_source::Source;
use crate::workspace::{LOGS, UNSEARCHED_FILES};
use crate::{Workspace, WorkspacePath};

/// Largest note in bytes that is indexed; it is held in memory while it is cut.
pub(crate) const NOTE_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// How deep directories may lie in that of the logs.
const DEPTH_MAX: usize = 4;

/// A file that was written this shortly before it was read may change again within the same tick of
/// the file system's clock; some tick in two seconds.
const SETTLED_AFTER: chrono::TimeDelta = chrono::TimeDelta::seconds(2);

/// The notes as they are now, with their paths in the workspace, and what cannot be looked at.
pub(crate) fn list(workspace: &Workspace) -> (Vec<Found>, Vec<(String, DiskError)>) {
    let mut listing = Listing {
        disk: workspace.disk(),
        root: workspace.root(),
        found: Vec::new(),
        problems: Vec::new(),
    };
    listing.directory(Path::new(""), 0);
    listing.directory(Path::new(LOGS), DEPTH_MAX);
    (listing.found, listing.problems)
}

/// The notes that can be looked at and whose names are paths inside the workspace.
pub fn note_paths(workspace: &Workspace) -> Vec<WorkspacePath> {
    let (found, _) = list(workspace);
    let paths = found
        .into_iter()
        .filter_map(|found| found.path.parse().ok());
    paths.collect()
}

struct Listing<'w> {
    disk: &'w dyn Disk,
    root: &'w Path,
    found: Vec<Found>,
    problems: Vec<(String, DiskError)>,
}

impl Listing<'_> {
    fn directory(&mut self, directory: &Path, depth_max: usize) {
        let names = match self.disk.list(&self.root.join(directory)) {
            Ok(names) => names,
            Err(error) => return self.problems.push((shown(directory), error)),
        };
        for name in names {
            let Some(text) = name.to_str().filter(|text| !text.starts_with('.')) else {
                continue;
            };
            let is_note = Path::new(text)
                .extension()
                .is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
            let is_steering = directory.as_os_str().is_empty() && UNSEARCHED_FILES.contains(&text);
            if (!is_note && depth_max == 0) || is_steering {
                continue;
            }
            let path = directory.join(text);
            match self.disk.stat(&self.root.join(&path)) {
                Ok(Some(stat)) if stat.is_dir => {
                    if depth_max > 0 && !self.leads_back(&path) {
                        self.directory(&path, depth_max - 1);
                    }
                }
                Ok(Some(stat)) if is_note => self.found.push(Found {
                    id: 0,
                    source: Source::Memory,
                    path: shown(&path),
                    stamp: stamp(&stat),
                    history: String::new(),
                    n_bytes: stat.len,
                }),
                Ok(_) => {}
                Err(error) => self.problems.push((shown(&path), error)),
            }
        }
    }
}

impl Listing<'_> {
    /// Whether it is a link to a directory above it, in which everything would be found again.
    fn leads_back(&self, directory: &Path) -> bool {
        let full = self.root.join(directory);
        let above = full.parent().map(|above| self.disk.resolve(above));
        match (self.disk.resolve(&full), above) {
            (Ok(target), Some(Ok(above))) => above.starts_with(target),
            // Who lists it will say why it cannot be followed.
            _ => false,
        }
    }
}

/// A note as it was read.
pub(crate) struct NoteContent {
    pub(crate) text: String,
    pub(crate) hash: String,
    pub(crate) stamp: String,
    pub(crate) n_bytes: u64,
}

/// Reads a note; bytes that are not UTF-8 become replacement characters.
pub(crate) fn read(
    workspace: &Workspace,
    path: &str,
    now: Timestamp,
) -> Result<NoteContent, DiskError> {
    let disk = workspace.disk();
    let full = inside(workspace, path)?;
    let before = disk.stat(&full)?;
    let bytes = read_all(disk, &full, NOTE_BYTES_MAX)?;
    let after = disk.stat(&full)?;
    let hash = content_hash(&bytes);
    let n_bytes = bytes.len() as u64;
    let is_settled = before == after && before.is_some_and(|stat| is_settled(&stat, now));
    let stamp = before.as_ref().map(stamp).unwrap_or_default();
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    let mark = if is_settled { "" } else { UNSURE };
    Ok(NoteContent {
        text,
        hash,
        stamp: format!("{stamp}{mark}"),
        n_bytes,
    })
}

/// Where a note lies.
pub(crate) fn inside(workspace: &Workspace, path: &str) -> Result<PathBuf, DiskError> {
    let full = workspace.root().join(path);
    if workspace.inside(path)?.is_err() {
        let outside = io::Error::new(io::ErrorKind::InvalidInput, "it leads out of the workspace");
        return Err(DiskError::on("follow", &full)(outside));
    }
    Ok(full)
}

fn is_settled(stat: &FileStat, now: Timestamp) -> bool {
    stat.modified_at.is_some_and(|at| at + SETTLED_AFTER < now)
}

fn stamp(stat: &FileStat) -> String {
    let at = stat
        .modified_at
        .map(|at| format!("{}.{:09}", at.timestamp(), at.timestamp_subsec_nanos()));
    format!("{}:{}", stat.len, at.unwrap_or_default())
}

fn shown(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// What a file's name says besides a date.
pub(crate) fn title(path: &str) -> String {
    let name = PathBuf::from(path)
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    let words = base::words(&name).filter(|word| word.chars().any(char::is_alphabetic));
    words.collect::<Vec<_>>().join(" ")
}
