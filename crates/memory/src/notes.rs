//! The workspace as a source of notes for search: files, origins of lines, and forgotten text.
//!
//! Never follows a symlink out of the workspace.

use std::borrow::Cow;
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use base::disk::DiskError;
use base::{Disk, Origin};
use search::{ForgottenFilter, LineReader, NoteFile, NoteSource};

use crate::daily_log::without_comments;
use crate::graph::{BY_PROGRAM, is_graph, with_type_by_program};
use crate::note;
use crate::tombstone::{Tombstones, load_tombstones};
use crate::workspace::{LOGS, UNSEARCHED_FILES, Workspace, is_of_template};
use crate::workspace_path::WorkspacePath;

/// Maximum depth of directories below the logs.
const DEPTH_MAX: usize = 4;

/// The notes that can be listed and have a valid workspace path.
pub fn note_paths(workspace: &Workspace) -> Vec<WorkspacePath> {
    let (found, _) = workspace.notes();
    let paths = found
        .into_iter()
        .filter_map(|found| found.path.parse().ok());
    paths.collect()
}

impl NoteSource for Workspace {
    fn disk(&self) -> &dyn Disk {
        self.disk()
    }

    fn notes(&self) -> (Vec<NoteFile>, Vec<(String, DiskError)>) {
        let mut listing = NoteListing {
            disk: self.disk(),
            root: self.root(),
            found: Vec::new(),
            problems: Vec::new(),
        };
        listing.directory(Path::new(""), 0);
        listing.directory(Path::new(LOGS), DEPTH_MAX);
        (listing.found, listing.problems)
    }

    fn locate(&self, path: &str) -> Result<PathBuf, DiskError> {
        let full = self.root().join(path);
        if self.inside(path)?.is_err() {
            let outside = io::Error::new(
                io::ErrorKind::InvalidInput,
                "it points outside the workspace",
            );
            return Err(DiskError::on("follow", &full)(outside));
        }
        Ok(full)
    }

    fn prepare(&self, path: &str, text: String) -> String {
        let is_of_graph = path.parse().is_ok_and(|path| is_graph(&path));
        let text = if is_of_graph {
            with_type_by_program(&text)
        } else {
            text
        };
        self.spelled(path, without_byte_order_mark(&text))
            .into_owned()
    }

    fn line_reader(&self) -> LineReader {
        without_our_comments
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

/// Cuts the text of a note, with its records, into passages and passes each to `sink`.
pub(crate) fn cut_note(text: &str, sink: &mut dyn FnMut(search::Passage)) {
    let note = search::MarkdownFile {
        text: without_byte_order_mark(text),
        title: "",
        day: None,
        read_line: without_our_comments,
    };
    search::cut_markdown(&note, &mut |stretch| {
        stretch.passages.into_iter().for_each(&mut *sink);
    });
}

fn without_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A line without our comments, and who answers for it.
fn without_our_comments(line: &str) -> (Cow<'_, str>, Origin) {
    if !line.contains("<!--") && !line.contains('^') {
        return (Cow::Borrowed(line), Origin::Owner);
    }
    if let Some(said) = line.strip_suffix(BY_PROGRAM) {
        return (Cow::Borrowed(said), Origin::Agent);
    }
    let origin = note::parse(line)
        .filter(note::NoteLine::is_as_written)
        .map_or(Origin::Owner, |found| found.origin);
    (Cow::Owned(without_comments(line)), origin)
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
                Ok(Some(stat)) if is_note => self.found.push(NoteFile {
                    path: shown(&path),
                    stat,
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
