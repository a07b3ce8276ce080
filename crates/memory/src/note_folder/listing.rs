//! Lists the notes of a folder.
//!
//! Follows no link to another folder, so that it ends and stays inside.

use std::path::Path;

use base::Disk;
use base::disk::{DiskError, read_all};
use search::NoteFile;

use super::folder::NoteFolder;
use super::ignored::{Ignored, is_hidden};
use super::page::{PAGE_BYTES_MAX, decoded};
use crate::Workspace;

/// Maximum depth of folders.
const DEPTH_MAX: usize = 64;

/// A note that is left out because it cannot be read as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutNote {
    /// Its path below the name of its folder.
    pub path: String,
    /// Why it is left out.
    pub why: LeftOutWhy,
}

/// Why a note is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOutWhy {
    NotUtf8,
    /// It is larger than this many bytes.
    TooLarge(u64),
}

/// The notes of a folder.
#[derive(Debug, Default)]
pub(crate) struct FolderListing {
    pub(crate) found: Vec<NoteFile>,
    /// Paths of notes that are too large.
    pub(crate) too_large: Vec<String>,
    pub(crate) problems: Vec<(String, DiskError)>,
}

/// Lists the notes of a folder; a missing folder is a problem.
fn list_folder(disk: &dyn Disk, folder: &NoteFolder) -> FolderListing {
    let mut listing = FolderListing::default();
    match (disk.stat(&folder.root), disk.resolve(&folder.root)) {
        (Ok(Some(stat)), Ok(root)) if stat.is_dir => {
            let mut walk = FolderWalk {
                disk,
                folder,
                ignored: Ignored::of(disk, folder),
                listing: &mut listing,
            };
            walk.directory("", &root, DEPTH_MAX);
        }
        (Ok(_), Ok(_)) => {
            let error = DiskError::not_found("list", &folder.root);
            listing.problems.push((folder.name.clone(), error));
        }
        (Err(error), _) | (_, Err(error)) => listing.problems.push((folder.name.clone(), error)),
    }
    listing
}

struct FolderWalk<'w> {
    disk: &'w dyn Disk,
    folder: &'w NoteFolder,
    ignored: Ignored,
    listing: &'w mut FolderListing,
}

impl FolderWalk<'_> {
    /// Lists a directory; `resolved` is where it really is.
    fn directory(&mut self, relative: &str, resolved: &Path, depth_max: usize) {
        let names = match self.disk.list(resolved) {
            Ok(names) => names,
            Err(error) => return self.problem(relative, error),
        };
        for name in names {
            // What is not Unicode, or has signs that no path of a note may have, has no address.
            let Some(text) = name.to_str().filter(|text| is_addressable(text)) else {
                continue;
            };
            let below = if relative.is_empty() {
                text.to_owned()
            } else {
                format!("{relative}/{text}")
            };
            if is_hidden(text) || self.ignored.has(&below) {
                continue;
            }
            let full = resolved.join(text);
            let is_note = is_note(text) && self.folder.covers(&below);
            match self.disk.stat(&full) {
                Ok(Some(stat)) if stat.is_dir => {
                    if !self.folder.covers(&format!("{below}/")) {
                        continue;
                    }
                    let is_link = self.disk.resolve(&full).map_or(true, |real| real != full);
                    if depth_max > 0 && !is_link {
                        self.directory(&below, &full, depth_max - 1);
                    }
                }
                Ok(Some(stat)) if is_note && stat.len > PAGE_BYTES_MAX => {
                    let path = self.folder.path_of(&below);
                    self.listing.too_large.push(path);
                }
                Ok(Some(stat)) if is_note => self.listing.found.push(NoteFile {
                    path: self.folder.path_of(&below),
                    stat,
                    origin: self.folder.origin,
                }),
                Ok(_) => {}
                Err(error) => self.problem(&below, error),
            }
        }
    }

    fn problem(&mut self, relative: &str, error: DiskError) {
        let path = if relative.is_empty() {
            self.folder.name.clone()
        } else {
            self.folder.path_of(relative)
        };
        self.listing.problems.push((path, error));
    }
}

impl Workspace {
    /// Lists the notes of a folder that is read in place. If a folder elsewhere also contains a note of the workspace,
    /// or hides it by its name, this folder does not list the note.
    pub(crate) fn list(&self, folder: &NoteFolder) -> FolderListing {
        let mut listing = list_folder(self.disk(), folder);
        if folder.name.is_empty() {
            let is_left = |path: &str| {
                let full = self.root().join(path);
                let mut folders = self.folders().iter();
                folders.any(|it| it.relative(path).is_some() || full.starts_with(&it.root))
            };
            listing.found.retain(|file| !is_left(&file.path));
            // A workspace that cannot be listed is reported with its own notes.
            listing.problems.retain(|(path, _)| !path.is_empty());
        }
        listing
    }
}

impl NoteFolder {
    /// Whether the settings leave in this path, which need not exist.
    pub(crate) fn has(&self, disk: &dyn Disk, relative: &str) -> bool {
        let mut above = relative;
        let ignored = Ignored::of(disk, self);
        if !is_note(relative) || is_hidden(relative) || ignored.has(relative) {
            return false;
        }
        while let Some((folder, _)) = above.rsplit_once('/') {
            if ignored.has(folder) {
                return false;
            }
            above = folder;
        }
        true
    }

    /// The notes that are left out because they cannot be read as text.
    pub(crate) fn left_out(&self, disk: &dyn Disk) -> Vec<LeftOutNote> {
        let listing = list_folder(disk, self);
        let too_large = listing.too_large.into_iter().map(|path| LeftOutNote {
            path,
            why: LeftOutWhy::TooLarge(PAGE_BYTES_MAX),
        });
        let is_misread = |file: &NoteFile| {
            let relative = self.relative(&file.path)?;
            let bytes = read_all(disk, &self.locate(relative), PAGE_BYTES_MAX).ok()?;
            decoded(bytes).is_none().then_some(())
        };
        let misread = listing.found.into_iter();
        let misread = misread.filter(|file| is_misread(file).is_some());
        let misread = misread.map(|file| LeftOutNote {
            path: file.path,
            why: LeftOutWhy::NotUtf8,
        });
        too_large.chain(misread).collect()
    }
}

fn is_addressable(name: &str) -> bool {
    !name.contains(|c: char| c == '\\' || c.is_control())
}

fn is_note(name: &str) -> bool {
    let ending = Path::new(name).extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}
