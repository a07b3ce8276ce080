//! Makes one home equal to another: between a folder and a bucket, in either direction.
//!
//! Copies bytes and nothing else; whether to overwrite the target is the caller's decision.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use base::Disk;
use base::disk::{DiskError, ReadAt};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{HomeParts, HomesError};

/// Bytes per read and write.
const PIECE_BYTES: usize = 1024 * 1024;

/// Bytes between two syncs: what an interrupted copy has to repeat.
const BATCH_BYTES: u64 = 16 * 1024 * 1024;

/// A home on a disk.
#[derive(Debug, Clone, Copy)]
pub struct HomePlace<'a> {
    /// The disk.
    pub disk: &'a dyn Disk,
    /// Root of the home on that disk.
    pub root: &'a Path,
}

/// Files and directories of a home, by relative path with `/`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Listing {
    /// The files.
    pub files: BTreeMap<String, FileDigest>,
    /// The directories.
    pub directories: BTreeSet<String>,
}

/// Length and hash of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDigest {
    /// Length in bytes.
    pub bytes: u64,
    /// SHA-256 of its content, in hex; empty if it was not computed.
    pub sha256: String,
}

/// Changes that make one home equal to another.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Changes {
    /// New and changed files.
    pub write: Vec<String>,
    /// Files and directories to remove.
    pub remove: Vec<String>,
    /// Total length of the files to write.
    pub bytes: u64,
}

impl Changes {
    /// Changes that turn the content `to` into the content `from`.
    pub fn between(from: &Listing, to: &Listing) -> Self {
        let differs = |(path, digest): &(&String, &FileDigest)| to.files.get(*path) != Some(digest);
        let write: Vec<_> = from.files.iter().filter(differs).collect();
        let gone = to
            .files
            .keys()
            .filter(|path| !from.files.contains_key(*path));
        let empty = to.directories.difference(&from.directories);
        Self {
            bytes: write.iter().map(|(_, digest)| digest.bytes).sum(),
            write: write.into_iter().map(|(path, _)| path.clone()).collect(),
            remove: gone.chain(empty).cloned().collect(),
        }
    }

    /// Whether the homes are equal.
    pub fn is_empty(&self) -> bool {
        self.write.is_empty() && self.remove.is_empty()
    }
}

impl Listing {
    /// Hashes all files of a home, except local ones and temporary files of an interrupted copy.
    pub fn read(place: HomePlace<'_>, layout: &HomeParts) -> Result<Self, DiskError> {
        Self::read_with(place, layout, &|_, path| digest(&*place.disk.open(path)?))
    }

    /// Like [`Self::read`], but hashes only what a comparison with `other` needs: a file of another length, or one that
    /// cannot be read, gets an empty hash and so differs.
    pub fn read_beside(
        place: HomePlace<'_>,
        layout: &HomeParts,
        other: &Self,
    ) -> Result<Self, DiskError> {
        Self::read_with(place, layout, &|below, path| {
            let bytes = place.disk.stat(path)?.map_or(0, |stat| stat.len);
            let unknown = FileDigest {
                bytes,
                sha256: String::new(),
            };
            let same = other.files.get(below).filter(|it| it.bytes == bytes);
            let found = same.map(|_| place.disk.open(path).and_then(|file| digest(&*file)));
            Ok(found.and_then(Result::ok).unwrap_or(unknown))
        })
    }

    /// Fills in missing hashes from a later reading of the same files.
    pub fn complete(&mut self, later: &Self) {
        for (path, digest) in &mut self.files {
            let read = later.files.get(path).filter(|it| it.bytes == digest.bytes);
            if let Some(read) = read.filter(|_| digest.sha256.is_empty()) {
                *digest = read.clone();
            }
        }
    }

    /// Enters the files `written`, copied from `other`, and all directories of `other`.
    pub fn take(&mut self, other: &Self, written: &[String]) {
        self.directories.extend(other.directories.iter().cloned());
        for path in written {
            if let Some(digest) = other.files.get(path) {
                self.files.insert(path.clone(), digest.clone());
            }
        }
    }

    fn read_with(
        place: HomePlace<'_>,
        layout: &HomeParts,
        digest: &dyn Fn(&str, &Path) -> Result<FileDigest, DiskError>,
    ) -> Result<Self, DiskError> {
        let mut listing = Self::default();
        let mut seen = BTreeSet::new();
        let mut waiting = vec![String::new()];
        while let Some(directory) = waiting.pop() {
            let full = at(place.root, &directory);
            if !seen.insert(place.disk.resolve(&full)?) {
                continue;
            }
            for name in place.disk.list(&full)? {
                let name = name.to_str().ok_or_else(|| not_utf8(&full.join(&name)))?;
                let below = if directory.is_empty() {
                    name.to_owned()
                } else {
                    format!("{directory}/{name}")
                };
                if layout.is_local(&below) || is_temporary(name) {
                    continue;
                }
                let path = at(place.root, &below);
                match place.disk.stat(&path)? {
                    Some(stat) if stat.is_dir => {
                        listing.directories.insert(below.clone());
                        waiting.push(below);
                    }
                    Some(_) => {
                        let digest = digest(&below, &path)?;
                        listing.files.insert(below, digest);
                    }
                    None => {}
                }
            }
        }
        Ok(listing)
    }
}

/// Applies changes; calls `done` with each batch of files once they are durable in the target.
///
/// An interrupted copy leaves each file of the target either old or new; the next one continues from there.
///
/// # Errors
///
/// [`HomesError::Disk`] if a disk fails, or a file changes while it is copied.
pub fn copy(
    from: (HomePlace<'_>, &Listing),
    to: HomePlace<'_>,
    changes: &Changes,
    done: &mut dyn FnMut(&[String]) -> Result<(), DiskError>,
) -> Result<(), HomesError> {
    let (source, listing) = from;
    for directory in &listing.directories {
        to.disk.create_dir(&at(to.root, directory))?;
    }
    let mut batch = CopyBatch {
        to,
        n_bytes: 0,
        written: Vec::new(),
    };
    for path in &changes.write {
        let target = at(to.root, path);
        let beside = beside(&target);
        if to.disk.stat(&beside)?.is_some() {
            to.disk.remove(&beside)?;
        }
        to.disk.append(&beside, &[])?;
        let file = source.disk.open(&at(source.root, path))?;
        let expected = listing.files.get(path);
        // Bytes that were appended since the listing are left for the next copy.
        let mut pieces = FilePieces::new(&*file, expected.map_or(0, |digest| digest.bytes));
        while let Some(piece) = pieces.next()? {
            to.disk.append(&beside, &piece)?;
            batch.add(piece.len() as u64, done)?;
        }
        let digest = pieces.digest();
        if expected.is_some_and(|it| !it.sha256.is_empty() && *it != digest) {
            let reason = "it changed during the copy; run the same command again";
            let failure = io::Error::new(io::ErrorKind::ResourceBusy, reason);
            return Err(DiskError::on("copy", &target)(failure).into());
        }
        to.disk.rename(&beside, &target)?;
        batch.written.push(path.clone());
    }
    for path in changes.remove.iter().rev() {
        let target = at(to.root, path);
        match to.disk.stat(&target)? {
            // Local files stay, and so does a directory that holds one.
            Some(stat) if stat.is_dir => remove_if_empty(to.disk, &target)?,
            Some(_) => to.disk.remove(&target)?,
            None => {}
        }
    }
    batch.end(done)
}

fn remove_if_empty(disk: &dyn Disk, directory: &Path) -> Result<(), DiskError> {
    if !disk.list(directory)?.is_empty() {
        return Ok(());
    }
    disk.remove_tree(directory)
}

struct CopyBatch<'a> {
    to: HomePlace<'a>,
    n_bytes: u64,
    written: Vec<String>,
}

impl CopyBatch<'_> {
    fn add(
        &mut self,
        n_bytes: u64,
        done: &mut dyn FnMut(&[String]) -> Result<(), DiskError>,
    ) -> Result<(), HomesError> {
        self.n_bytes += n_bytes;
        if self.n_bytes < BATCH_BYTES {
            return Ok(());
        }
        self.end(done)
    }

    fn end(
        &mut self,
        done: &mut dyn FnMut(&[String]) -> Result<(), DiskError>,
    ) -> Result<(), HomesError> {
        self.to.disk.sync_tree(self.to.root)?;
        done(&self.written)?;
        self.written.clear();
        self.n_bytes = 0;
        Ok(())
    }
}

fn digest(file: &dyn ReadAt) -> Result<FileDigest, DiskError> {
    let mut pieces = FilePieces::new(file, file.len()?);
    while pieces.next()?.is_some() {}
    Ok(pieces.digest())
}

/// Reads the first `len` bytes of a file piece by piece, and hashes them.
struct FilePieces<'a> {
    file: &'a dyn ReadAt,
    offset: u64,
    len: u64,
    hash: Sha256,
}

impl<'a> FilePieces<'a> {
    fn new(file: &'a dyn ReadAt, len: u64) -> Self {
        Self {
            file,
            offset: 0,
            len,
            hash: Sha256::new(),
        }
    }

    fn next(&mut self) -> Result<Option<Vec<u8>>, DiskError> {
        let left = usize::try_from(self.len - self.offset).unwrap_or(usize::MAX);
        let mut piece = vec![0; left.min(PIECE_BYTES)];
        let n_read = self.file.read_at(self.offset, &mut piece)?;
        piece.truncate(n_read);
        self.offset += n_read as u64;
        self.hash.update(&piece);
        Ok((n_read > 0).then_some(piece))
    }

    fn digest(self) -> FileDigest {
        FileDigest {
            bytes: self.offset,
            sha256: base::hex(&self.hash.finalize()),
        }
    }
}

fn at(root: &Path, below: &str) -> PathBuf {
    if below.is_empty() {
        root.to_owned()
    } else {
        root.join(below)
    }
}

fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.tmp"))
}

/// Whether a file is one that [`beside`] names: written first, then renamed over its target.
fn is_temporary(name: &str) -> bool {
    name.strip_prefix('.').is_some_and(|rest| {
        rest.strip_suffix(".tmp")
            .is_some_and(|name| !name.is_empty())
    })
}

fn not_utf8(path: &Path) -> DiskError {
    let reason = io::Error::new(io::ErrorKind::InvalidFilename, "its name is not UTF-8");
    DiskError::on("copy", path)(reason)
}
