//! Makes one home equal to another, between a folder and a bucket in either direction.
//!
//! Only copies bytes; the caller decides whether to overwrite the target.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use base::disk::{DiskError, ReadAt, target_of_temporary, temporary_of};
use base::layout::{no_data, part_at};
use base::{Disk, HomeParts, is_in};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::HomesError;

/// Bytes per read and write.
const PIECE_BYTES: usize = 1024 * 1024;

/// Number of bytes between two syncs. An interrupted copy repeats at most this much.
const BATCH_BYTES: u64 = 16 * 1024 * 1024;

/// A home on a disk.
#[derive(Debug, Clone, Copy)]
pub struct HomePlace<'a> {
    pub disk: &'a dyn Disk,
    /// Root of the home on that disk.
    pub root: &'a Path,
}

/// Files and directories of a home, by relative path with `/`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Listing {
    pub files: BTreeMap<String, FileDigest>,
    pub directories: BTreeSet<String>,
    /// Paths that the walk left out, such as a link out of the home, with the reason.
    #[serde(skip)]
    pub left_out: BTreeMap<String, &'static str>,
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
    /// The changes that turn the content `to` into the content `from`. A path that `from` left out is not removed
    /// from `to`: a file that became a circular link still exists.
    pub fn between(from: &Listing, to: &Listing) -> Self {
        let differs = |(path, digest): &(&String, &FileDigest)| to.files.get(*path) != Some(digest);
        let write: Vec<_> = from.files.iter().filter(differs).collect();
        let gone = to.files.keys();
        let gone = gone.filter(|path| !from.files.contains_key(*path));
        let gone = gone.chain(to.directories.difference(&from.directories));
        let is_left_out = |path: &String| from.left_out.keys().any(|it| is_in(path, it));
        Self {
            bytes: write.iter().map(|(_, digest)| digest.bytes).sum(),
            write: write.into_iter().map(|(path, _)| path.clone()).collect(),
            remove: gone.filter(|path| !is_left_out(path)).cloned().collect(),
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

    /// Like [`Self::read`], but hashes only the files that a comparison with `others` needs. A file whose length
    /// differs from that in each of `others`, or that cannot be read, gets an empty hash and therefore differs.
    pub fn read_beside(
        place: HomePlace<'_>,
        layout: &HomeParts,
        others: &[&Self],
    ) -> Result<Self, DiskError> {
        Self::read_with(place, layout, &|below, path| {
            let bytes = place.disk.stat(path)?.map_or(0, |stat| stat.len);
            let unknown = FileDigest {
                bytes,
                sha256: String::new(),
            };
            let mut found = others.iter().filter_map(|other| other.files.get(below));
            if !found.any(|it| it.bytes == bytes) {
                return Ok(unknown);
            }
            let read = place.disk.open(path).and_then(|file| digest(&*file));
            Ok(read.unwrap_or(unknown))
        })
    }

    /// Whether both have the same at a path: a file, a directory, or nothing.
    pub fn agrees(&self, other: &Self, path: &str) -> bool {
        self.files.get(path) == other.files.get(path)
            && self.directories.contains(path) == other.directories.contains(path)
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
            let above = place.disk.resolve(&full)?;
            if !seen.insert(above.clone()) {
                continue;
            }
            for name in place.disk.list(&full)? {
                let path = Path::new(&directory).join(&name);
                let below = path.display().to_string();
                if layout.is_local(&below) || target_of_temporary(&name).is_some() {
                    continue;
                }
                if name.to_str().is_none() {
                    listing.left_out.insert(below, "its name is not UTF-8");
                    continue;
                }
                let part = part_at(place.disk, &above, &path).and_then(|part| match part {
                    Ok(stat) if stat.is_dir => Ok(Ok(None)),
                    Ok(_) => digest(&below, &at(place.root, &below)).map(|own| Ok(Some(own))),
                    Err(reason) => Ok(Err(reason)),
                });
                match part.or_else(|error| no_data(&error).map(Err).ok_or(error))? {
                    Ok(Some(digest)) => {
                        listing.files.insert(below, digest);
                    }
                    Ok(None) => {
                        listing.directories.insert(below.clone());
                        waiting.push(below);
                    }
                    Err(reason) => {
                        listing.left_out.insert(below, reason);
                    }
                }
            }
        }
        Ok(listing)
    }
}

/// The files that a copy has written, with the digest of the bytes that it read.
pub type WrittenFiles = BTreeMap<String, FileDigest>;

/// Applies changes; calls `done` with each batch of files once they are durable in the target.
///
/// An interrupted copy leaves each file of the target either old or new; the next copy continues from there.
/// `planned` is the content of the target when the changes were planned; content that differs from it is neither
/// replaced nor removed. `None` if only the caller can write to the target.
///
/// # Errors
///
/// [`HomesError::Changed`] if a file of the source changed other than by appending.
/// [`HomesError::Disk`] if a disk fails, if the target differs from `planned`, or if a change would go through a link
/// in the target. Links are found before anything is changed.
pub fn copy(
    from: (HomePlace<'_>, &Listing),
    (to, planned): (HomePlace<'_>, Option<&Listing>),
    changes: &Changes,
    done: &mut dyn FnMut(&WrittenFiles) -> Result<(), DiskError>,
) -> Result<(), HomesError> {
    let (source, listing) = from;
    refuse_links(to, listing, changes)?;
    for directory in &listing.directories {
        to.disk.create_dir(&at(to.root, directory))?;
    }
    let mut batch = CopyBatch {
        to,
        planned,
        done,
        n_bytes: 0,
        written: WrittenFiles::new(),
    };
    for path in &changes.write {
        batch.copy_file(source, listing, path)?;
    }
    for path in changes.remove.iter().rev() {
        let target = at(to.root, path);
        match to.disk.stat(&target)? {
            // Local files stay, and so does a directory that contains one.
            Some(stat) if stat.is_dir => remove_if_empty(to.disk, &target)?,
            Some(_) => match batch.check_planned("remove", path) {
                Ok(()) => to.disk.remove(&target)?,
                Err(refused) => return batch.end().and(Err(refused)),
            },
            None => {}
        }
    }
    batch.end()
}

/// Fails if a change would follow a link below the root, because the link may lead out of the home.
fn refuse_links(to: HomePlace<'_>, listing: &Listing, changes: &Changes) -> Result<(), DiskError> {
    let root = to.disk.resolve(to.root)?;
    let directories = listing.directories.iter().map(|it| ("make directory", it));
    let written = changes.write.iter().map(|it| ("replace", it));
    let removed = changes.remove.iter().map(|it| ("remove", it));
    for (act, below) in written.chain(removed).chain(directories) {
        let path = at(to.root, below);
        if to.disk.resolve(&path)? == root.join(below) {
            continue;
        }
        let stat = to.disk.stat(&path)?;
        if listing.directories.contains(below) && stat.is_some_and(|stat| stat.is_dir) {
            continue;
        }
        let reason = "a link is in its place or above it, and nothing is changed behind a link; \
                      replace the link with what it leads to";
        let failure = io::Error::new(io::ErrorKind::InvalidInput, reason);
        return Err(DiskError::on(act, &path)(failure));
    }
    Ok(())
}

fn remove_if_empty(disk: &dyn Disk, directory: &Path) -> Result<(), DiskError> {
    if !disk.list(directory)?.is_empty() {
        return Ok(());
    }
    disk.remove_tree(directory)
}

struct CopyBatch<'a> {
    to: HomePlace<'a>,
    planned: Option<&'a Listing>,
    done: &'a mut dyn FnMut(&WrittenFiles) -> Result<(), DiskError>,
    n_bytes: u64,
    written: WrittenFiles,
}

impl CopyBatch<'_> {
    fn copy_file(
        &mut self,
        source: HomePlace<'_>,
        listing: &Listing,
        path: &str,
    ) -> Result<(), HomesError> {
        let (target, disk) = (at(self.to.root, path), self.to.disk);
        let beside = temporary_of(&target);
        if disk.stat(&beside)?.is_some() {
            disk.remove(&beside)?;
        }
        disk.append(&beside, &[])?;
        let read = at(source.root, path);
        let file = source.disk.open(&read)?;
        let expected = listing.files.get(path);
        // Bytes that were appended since the listing are left for the next copy.
        let mut pieces = FilePieces::new(&*file, expected.map_or(0, |digest| digest.bytes));
        while let Some(piece) = pieces.next()? {
            disk.append(&beside, &piece)?;
            self.n_bytes += piece.len() as u64;
            if self.n_bytes >= BATCH_BYTES {
                self.end()?;
            }
        }
        let digest = pieces.digest();
        let checked = if expected.is_some_and(|it| !it.sha256.is_empty() && *it != digest) {
            Err(HomesError::Changed(read))
        } else {
            self.check_planned("replace", path)
        };
        if checked.is_err() {
            disk.remove(&beside)?;
            return self.end().and(checked);
        }
        disk.rename(&beside, &target)?;
        self.written.insert(path.to_owned(), digest);
        Ok(())
    }

    /// Fails if the target does not have the planned file, because its owner may have saved it during the copy.
    fn check_planned(&self, act: &'static str, path: &str) -> Result<(), HomesError> {
        let Some(planned) = self.planned else {
            return Ok(());
        };
        let target = at(self.to.root, path);
        let found = match self.to.disk.stat(&target)? {
            Some(stat) if !stat.is_dir => Some(digest(&*self.to.disk.open(&target)?)?),
            Some(_) | None => None,
        };
        if found.as_ref() == planned.files.get(path) {
            return Ok(());
        }
        let reason =
            "it was saved during the copy, and is left as it is; run the same command again";
        let failure = io::Error::new(io::ErrorKind::ResourceBusy, reason);
        Err(DiskError::on(act, &target)(failure).into())
    }

    fn end(&mut self) -> Result<(), HomesError> {
        self.to.disk.sync_tree(self.to.root)?;
        (self.done)(&self.written)?;
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

/// Reads and hashes the first `len` bytes of a file, piece by piece.
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

#[cfg(test)]
#[path = "exchange_tests.rs"]
mod tests;
