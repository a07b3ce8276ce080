//! Verifies a backup, and restores a home from it.
//!
//! Never restores over an existing home.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Component;

use base::Disk;
use base::disk::{Lock, LockError, create_dir, create_tree, fill};
use encryption::{EncryptionError, Key, decrypt, is_encrypted};
use flate2::read::GzDecoder;
use tar::{Archive, EntryType};

use super::pack::{HOME, Manifest, PATH, VERSION, is_left_out};
use super::streams::{FileSlice, Hashing};
use crate::prelude::*;

/// Maximum number of bytes of a manifest entry besides its path: length, hash and JSON keys.
const LISTED_BYTES_MAX: u64 = 256;

/// Maximum number of bytes that one path byte takes in the manifest, escaped as `\u0000`.
const ESCAPED_BYTES_MAX: u64 = 6;

/// The most bytes of the manifest before its first file.
const LIST_HEAD_BYTES_MAX: u64 = 4096;

/// The file name of the lock of a running restore, among the locks of the home that it restores.
const LOCK: &str = "restore.lock";

/// Length and SHA-256 of each file found in an archive, by path.
type ArchiveFiles = BTreeMap<String, (u64, String)>;

/// A backup file, and the key if it is encrypted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BackupSource<'a> {
    pub(crate) file: &'a Path,
    pub(crate) key: Option<&'a Key>,
}

/// Verifies that a backup is complete and undamaged, and returns its manifest.
pub(crate) fn check(disk: &dyn Disk, source: BackupSource<'_>) -> Result<Manifest> {
    let file = source.file;
    let mut found = ArchiveFiles::new();
    let mut list = None;
    each(disk, source, &mut |path, entry| {
        let mut hashing = Hashing::new(entry);
        match path {
            ArchivePart::List => {
                let most = list_bytes_max(&found);
                let mut bytes = Vec::new();
                let read = hashing.take(most + 1).read_to_end(&mut bytes);
                read.map_err(|error| broken(file, &error))?;
                if bytes.len() as u64 > most {
                    let files = counted(found.len() as u64, "file", "files");
                    let reason =
                        format!("its manifest exceeds the {most} bytes that {files} can need");
                    return Err(damaged(file, &reason));
                }
                list = Some(bytes);
            }
            ArchivePart::File(path) => {
                let read = io::copy(&mut hashing, &mut io::sink());
                read.map_err(|error| broken(file, &error))?;
                let (hash, n_bytes) = hashing.finish();
                found.insert(path, (n_bytes, hash));
            }
        }
        Ok(())
    })?;
    let list =
        list.ok_or_else(|| damaged(file, "it is truncated: the manifest at its end is missing"))?;
    let manifest: Manifest = serde_json::from_slice(&list)
        .map_err(|error| damaged(file, &format!("its manifest cannot be read: {error}")))?;
    if manifest.version > VERSION {
        let message = format!(
            "{} has format version {}; this program reads up to {VERSION}",
            file.display(),
            manifest.version
        );
        return Err(CliError::new(ErrorKind::TooNew, message)
            .hint("restore it with the version of openclaw that made it"));
    }
    for line in &manifest.files {
        match found.remove(&line.path) {
            Some(same) if same == (line.bytes, line.sha256.clone()) => {}
            Some(_) => {
                let reason = format!("{} differs from what was packed", line.path);
                return Err(damaged(file, &reason));
            }
            None => return Err(damaged(file, &format!("{} is missing", line.path))),
        }
    }
    match found.keys().next() {
        Some(path) => Err(damaged(file, &format!("{path} is not in the manifest"))),
        None => Ok(manifest),
    }
}

/// A file of a backup, as text; `None` if the backup has no such file, or if the file exceeds `bytes_max`.
pub(crate) fn read_file(
    disk: &dyn Disk,
    source: BackupSource<'_>,
    (path, bytes_max): (&str, u64),
) -> Result<Option<String>> {
    let mut text = None;
    each(disk, source, &mut |part, entry| {
        if matches!(part, ArchivePart::File(own) if own == path) {
            let mut bytes = Vec::new();
            let read = entry.take(bytes_max + 1).read_to_end(&mut bytes);
            read.map_err(|error| broken(source.file, &error))?;
            let is_whole = bytes.len() as u64 <= bytes_max;
            text = is_whole.then(|| String::from_utf8_lossy(&bytes).into_owned());
        }
        Ok(())
    })?;
    Ok(text)
}

/// The maximum number of bytes that a manifest of these files can need. Bounds the memory that a crafted archive can
/// take.
fn list_bytes_max(found: &ArchiveFiles) -> u64 {
    let of_file = |path: &String| LISTED_BYTES_MAX + ESCAPED_BYTES_MAX * path.len() as u64;
    LIST_HEAD_BYTES_MAX + found.keys().map(of_file).sum::<u64>()
}

/// Restores a home from a backup; call [`check`] first.
///
/// Durability: restores into a sibling directory and renames it at the end, so `root` appears complete or not at
/// all. The next restore removes the sibling that a killed one left.
pub(crate) fn unpack(disk: &dyn Disk, source: BackupSource<'_>, root: &Path) -> Result<()> {
    let file = source.file;
    if !disk.list(root)?.is_empty() {
        let message = format!("{} is not empty", root.display());
        return Err(CliError::new(ErrorKind::Input, message)
            .hint("choose an empty directory with `--home DIR`, or move that one away"));
    }
    let beside = beside(root);
    let _lock = alone(disk, &beside)?;
    let made = create_tree(disk, (&beside, root), || {
        each(disk, source, &mut |path, entry| {
            let ArchivePart::File(path) = path else {
                return Ok(());
            };
            // Earlier versions packed keys, and anybody may have made the backup.
            if is_left_out(&path) {
                return Ok(());
            }
            let target = beside.join(path);
            if let Some(directory) = target.parent() {
                disk.create_dir(directory)?;
            }
            let mut reading = Ok(());
            let filled = fill(disk, &target, &mut |out: &mut dyn Write| {
                copy(entry, out, &mut reading)
            });
            reading.map_err(|error| broken(file, &error))?;
            Ok(filled?)
        })
    });
    if made.is_err() {
        // What cannot be removed now is removed by the next restore.
        disk.remove_tree(&beside).ok();
    }
    made
}

/// Locks the directory to restore into, after removing the remains of an earlier restore.
fn alone(disk: &dyn Disk, beside: &Path) -> Result<Lock> {
    let locked = || -> Result<Lock, LockError> {
        let locks = Home::new(beside).locks();
        create_dir(disk, &locks)?;
        disk.try_lock(&locks.join(LOCK))
    };
    if disk.stat(beside)?.is_some() {
        // Holding the lock proves that no other restore is running.
        let _left = locked()?;
        disk.remove_tree(beside)?;
    }
    Ok(locked()?)
}

enum ArchivePart {
    List,
    /// A file, relative to the home.
    File(String),
}

/// Size of the copy buffer.
const PART_BYTES: usize = 64 * 1024;

/// Copies a file; a read error is also stored in `reading`, which distinguishes it from a write error.
fn copy(from: &mut dyn Read, to: &mut dyn Write, reading: &mut io::Result<()>) -> io::Result<()> {
    let mut part = vec![0; PART_BYTES];
    loop {
        let n_read = match from.read(&mut part) {
            Ok(0) => return Ok(()),
            Ok(n_read) => n_read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                let told = io::Error::new(error.kind(), error.to_string());
                *reading = Err(error);
                return Err(told);
            }
        };
        to.write_all(part.get(..n_read).unwrap_or_default())?;
    }
}

/// Calls `take` for each file of an archive, in order.
fn each(
    disk: &dyn Disk,
    source: BackupSource<'_>,
    take: &mut dyn FnMut(ArchivePart, &mut dyn Read) -> Result<()>,
) -> Result<()> {
    let file = source.file;
    let mut archive = Archive::new(GzDecoder::new(open(disk, source)?));
    let broken = |error: io::Error| broken(file, &error);
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let path = entry.path().map_err(broken)?.into_owned();
        let place = place(&path).filter(|_| entry.header().entry_type() == EntryType::Regular);
        let place = place.ok_or_else(|| {
            let reason = format!("{} does not belong in a home", path.display());
            damaged(file, &reason)
        })?;
        take(place, &mut entry)?;
    }
    // Read to the end: the checksums of gzip and age come last.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(broken)?;
    Ok(())
}

/// Opens the archive and decrypts it if necessary.
fn open(disk: &dyn Disk, source: BackupSource<'_>) -> Result<Box<dyn Read>> {
    let BackupSource { file, key } = source;
    let is_encrypted = begins_encrypted(disk, file)?;
    let read = read(disk, file)?;
    let (message, hint) = match (is_encrypted, key) {
        (false, None) => return Ok(Box::new(read)),
        (true, Some(key)) => {
            return match decrypt(key, read) {
                Ok(read) => Ok(Box::new(read)),
                Err(error @ EncryptionError::Damaged(_)) => Err(damaged(file, &error.to_string())),
                Err(error) => Err(locked(file, &error)),
            };
        }
        (true, None) => (
            "is encrypted, but no key was given",
            "pass the key with `--identity FILE`, or the passphrase with `--passphrase-file FILE`",
        ),
        (false, Some(_)) => (
            "is not encrypted, but a key was given",
            "check that it is the right file; if so, omit the key",
        ),
    };
    Err(CliError::new(ErrorKind::Input, format!("{} {message}", file.display())).hint(hint))
}

/// The key does not open the backup.
fn locked(file: &Path, error: &EncryptionError) -> CliError {
    let message = format!("the key does not open {}", file.display());
    CliError::new(ErrorKind::Input, message)
        .caused_by(error.to_string())
        .hint("nothing was written; pass the right key with `--identity FILE` or `--passphrase-file FILE`")
}

fn read(disk: &dyn Disk, file: &Path) -> Result<FileSlice> {
    let opened = disk.open(file)?;
    let end = opened.len()?;
    Ok(FileSlice::up_to(opened, end))
}

fn begins_encrypted(disk: &dyn Disk, file: &Path) -> Result<bool> {
    let mut beginning = Vec::new();
    let read = read(disk, file)?
        .take(BEGINNING_BYTES)
        .read_to_end(&mut beginning);
    read.map_err(|error| broken(file, &error))?;
    Ok(is_encrypted(&beginning))
}

/// Enough bytes to recognise an encrypted file.
const BEGINNING_BYTES: u64 = 64;

/// Whether a file begins like a backup; reads only its beginning.
pub(super) fn is_backup(disk: &dyn Disk, file: &Path) -> Result<bool> {
    if begins_encrypted(disk, file)? {
        return Ok(true);
    }
    let mut archive = Archive::new(GzDecoder::new(read(disk, file)?));
    let first = archive.entries().ok().and_then(|mut it| it.next()?.ok());
    let path = first.and_then(|it| Some(it.path().ok()?.into_owned()));
    Ok(path.is_some_and(|path| place(&path).is_some()))
}

/// Where an archive entry belongs; `None` if it would be outside the home.
fn place(path: &Path) -> Option<ArchivePart> {
    if path == Path::new(PATH) {
        return Some(ArchivePart::List);
    }
    let below = path.strip_prefix(HOME).ok()?;
    let parts: Option<Vec<&str>> = below
        .components()
        .map(|part| {
            let Component::Normal(name) = part else {
                return None;
            };
            name.to_str()
        })
        .collect();
    let parts = parts.filter(|parts| !parts.is_empty())?;
    Some(ArchivePart::File(parts.join("/")))
}

fn broken(file: &Path, error: &io::Error) -> CliError {
    damaged(file, &error.to_string())
}

fn damaged(file: &Path, reason: &str) -> CliError {
    let message = format!("{} is not an intact backup", file.display());
    CliError::new(ErrorKind::Corrupt, message)
        .caused_by(reason)
        .hint("nothing was written; try another backup, or make a new one with `openclaw backup`")
}

fn beside(root: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(root.file_name().unwrap_or_default());
    name.push(".restoring");
    root.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_rejects_paths_outside_home() {
        let file = |path: &str| match place(Path::new(path)) {
            Some(ArchivePart::File(path)) => Some(path),
            Some(ArchivePart::List) | None => None,
        };
        assert_eq!(file("home/a/b.md").as_deref(), Some("a/b.md"));
        assert!(matches!(
            place(Path::new("manifest.json")),
            Some(ArchivePart::List)
        ));
        for path in ["home", "home/../x", "/home/x", "other/x", "home/./../x", ""] {
            assert_eq!(file(path), None, "{path}");
        }
        assert_eq!(
            beside(Path::new("/srv/claw")),
            Path::new("/srv/.claw.restoring")
        );
    }
}
