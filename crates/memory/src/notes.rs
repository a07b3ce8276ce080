//! The workspace as a source of notes for search: files, origins of lines, and forgotten text.
//!
//! Never follows a symlink out of the workspace.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use base::disk::DiskError;
use base::{Disk, Origin};
use search::{ForgottenFilter, LineOrigins, NoteFile, NoteSource, PreparedNote};

use crate::graph::earlier_type_lines;
use crate::note_folder::{decoded, prepared_page};
use crate::note_text::NoteText;
use crate::owner_files::unsearched_files;
use crate::tombstone::{Tombstones, load_tombstones};
use crate::workspace::{LOGS, Workspace, is_of_template};
use crate::workspace_path::WorkspacePath;

/// Maximum depth of directories below the logs.
const DEPTH_MAX: usize = 4;

/// The notes of the workspace itself that can be listed and have a valid workspace path.
pub fn note_paths(workspace: &Workspace) -> Vec<WorkspacePath> {
    let paths = own_notes(workspace)
        .found
        .into_iter()
        .filter_map(|found| found.path.parse().ok());
    paths.collect()
}

impl NoteSource for Workspace {
    fn disk(&self) -> &dyn Disk {
        self.disk()
    }

    fn notes(&self) -> (Vec<NoteFile>, Vec<(String, DiskError)>) {
        let NoteListing {
            mut found,
            mut problems,
            ..
        } = own_notes(self);
        for folder in self.read_in_place() {
            let listing = self.list(folder);
            found.extend(listing.found);
            problems.extend(listing.problems);
        }
        (found, problems)
    }

    fn locate(&self, path: &str) -> Result<PathBuf, DiskError> {
        let full = match self.folder_of(path) {
            Some((folder, relative)) => folder.locate(relative),
            None => self.root().join(path),
        };
        if self.inside(path)?.is_err() {
            let outside = io::Error::new(
                io::ErrorKind::InvalidInput,
                "it points outside the workspace",
            );
            return Err(DiskError::on("follow", &full)(outside));
        }
        Ok(full)
    }

    fn prepare(&self, path: &str, bytes: Vec<u8>) -> PreparedNote {
        if let Some((folder, relative)) = self.folder_of(path) {
            let text = decoded(bytes);
            let note = text.map(|text| prepared_page(folder, relative, &text));
            return note.unwrap_or_default();
        }
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        let text = without_byte_order_mark(&text);
        let mut note = searchable(&self.read_note(path, text));
        let types = earlier_type_lines(path, text).into_iter();
        note.origins.extend(types.map(|line| (line, Origin::Agent)));
        note
    }

    fn is_boilerplate(&self, path: &str, passage: &str) -> bool {
        is_of_template(path, passage)
    }

    fn known_version(&self) -> u64 {
        let records = self.layout().note_records();
        let stat = self.disk().stat(&records).unwrap_or_default();
        stat.map_or(0, |stat| stat.len)
    }

    fn known_since(&self, version: u64) -> Option<Vec<String>> {
        self.ledger().files_behind(version)
    }

    fn forgotten(&self) -> Result<Box<dyn ForgottenFilter>, Box<dyn Error + Send + Sync>> {
        Ok(Box::new(load_tombstones(self)?))
    }
}

impl ForgottenFilter for Tombstones {
    fn is_empty(&self) -> bool {
        self.hides_nothing()
    }

    fn hides_text(&self, text: &str) -> bool {
        self.hides_text(text)
    }

    fn hides_line(&self, path: &str, line: usize, text: &str) -> bool {
        self.hides_line(path, line, text)
    }

    fn text_version(&self) -> u64 {
        self.text_version()
    }
}

/// Cuts a note into passages and passes each to `sink`.
pub(crate) fn cut_note(text: &NoteText<'_>, sink: &mut dyn FnMut(search::Passage)) {
    let PreparedNote { text, origins, .. } = searchable(text);
    let note = search::MarkdownFile {
        text: without_byte_order_mark(&text),
        title: "",
        day: None,
        origins: &origins,
        label: None,
    };
    search::cut_markdown(&note, &mut |stretch| {
        stretch.passages.into_iter().for_each(&mut *sink);
    });
}

fn without_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A note as search reads it.
fn searchable(text: &NoteText<'_>) -> PreparedNote {
    let origins = text
        .numbered()
        .map(|(number, line)| (number, line.origin()));
    let others = origins.filter(|(_, origin)| *origin != Origin::Owner);
    PreparedNote {
        origins: others.collect::<LineOrigins>(),
        text: text.readable(),
        label: None,
    }
}

/// Lists the notes of the workspace itself.
fn own_notes(workspace: &Workspace) -> NoteListing<'_> {
    let mut listing = NoteListing {
        disk: workspace.disk(),
        root: workspace.root(),
        found: Vec::new(),
        problems: Vec::new(),
    };
    listing.directory(Path::new(""), 0);
    listing.directory(Path::new(LOGS), DEPTH_MAX);
    listing
}

struct NoteListing<'w> {
    disk: &'w dyn Disk,
    root: &'w Path,
    found: Vec<NoteFile>,
    problems: Vec<(String, DiskError)>,
}

impl NoteListing<'_> {
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
            let is_steering =
                directory.as_os_str().is_empty() && unsearched_files().any(|name| name == text);
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
                Ok(Some(stat)) if is_note => self.found.push(NoteFile {
                    path: shown(&path),
                    stat,
                    origin: Origin::Owner,
                }),
                Ok(_) => {}
                Err(error) => self.problems.push((shown(&path), error)),
            }
        }
    }

    /// Whether it is a symlink to a directory above it, which would make the listing cyclic.
    fn leads_back(&self, directory: &Path) -> bool {
        let full = self.root.join(directory);
        let above = full.parent().map(|above| self.disk.resolve(above));
        match (self.disk.resolve(&full), above) {
            (Ok(target), Some(Ok(above))) => above.starts_with(target),
            // Listing it reports why it cannot be resolved.
            _ => false,
        }
    }
}

fn shown(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

#[cfg(test)]
#[path = "notes_tests.rs"]
mod tests;
