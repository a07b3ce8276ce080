//! Packs a home: a consistent snapshot of notes and state, and transcripts up to their length at that moment.
//!
//! Follows a link only in place of one of the home's own files or directories.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::Bound;
use std::path::{Path, PathBuf};

use base::disk::{DiskError, read_all, replace_with, target_of_temporary};
use base::{Disk, Timestamp};
use cli::error::CliError;
use cli::home::LAYOUT;
use encryption::{Encrypting, Recipients};
use flate2::Compression;
use flate2::write::GzEncoder;
use indexmap::IndexMap;
use tar::{Builder, EntryType, Header};

use super::streams::{FileSlice, Hashing};
use base::layout::{FOLDERS, leads_back, no_data, part_at};
use serde::{Deserialize, Serialize};

/// Files up to this size are read into memory; longer ones are streamed up to their length at planning time.
const HELD_BYTES_MAX: u64 = 1024 * 1024;

/// Depth at which the walk stops.
const DEPTH_MAX: usize = 32;

/// Keys of the service. Nobody who made or has a backup may enter a service with them, so the service of a restored
/// home makes new ones.
const KEYS: [&str; 2] = ["state/token", "state/feed-token"];

/// A path that a backup does not include.
#[derive(Debug, Default, Serialize)]
pub(crate) struct LeftOutFile {
    pub(crate) path: String,
    pub(crate) reason: String,
    /// Whether it belongs to the home and could not be read.
    #[serde(skip)]
    pub(crate) is_missing: bool,
}

struct PlannedFile {
    path: PathBuf,
    content: FileContents,
}

enum FileContents {
    /// The bytes at planning time.
    Held(Vec<u8>),
    /// The length at planning time: only append-only files get that long.
    UpTo(u64),
}

/// The file to write, and how.
pub(super) struct BackupTarget<'a> {
    pub(super) file: &'a Path,
    pub(super) now: Timestamp,
    /// Recipients to encrypt for, if any.
    pub(super) recipients: Option<&'a Recipients>,
}

/// Packs the home at `root`, holding the guard from `hold_still` while it plans.
///
/// The guard stops writers of notes, and notes are read before transcripts: a flush writes its intent to the
/// transcript before the note, so every restored note has its intent in a restored transcript.
pub(super) fn pack<T>(
    disk: &dyn Disk,
    root: &Path,
    target: &BackupTarget<'_>,
    hold_still: impl FnOnce() -> T,
) -> Result<(Manifest, Vec<LeftOutFile>), DiskError> {
    let mut plan = BackupPlan {
        disk,
        root: disk.resolve(root)?,
        files: Vec::new(),
        left_out: IndexMap::new(),
        known: BTreeSet::new(),
    };
    // Fail if the home itself cannot be read, instead of packing an empty backup.
    disk.list(&plan.root)?;
    let real = plan.root.clone();
    let held = hold_still();
    for first in ["workspace", "state", "sessions"] {
        // The walk of the whole home below reports anything left out.
        drop(plan.take(Path::new(first), &real, DEPTH_MAX));
    }
    plan.directory(Path::new(""), DEPTH_MAX);
    drop(held);
    let mut manifest = Manifest {
        version: VERSION,
        created_at: (target.now).to_rfc3339_opts(chrono::SecondsFormat::Millis, true),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        files: Vec::new(),
    };
    let BackupPlan {
        files,
        left_out,
        root,
        ..
    } = plan;
    replace_with(disk, target.file, &mut |out| {
        write(disk, &root, (&files, &mut manifest), (out, target))
    })?;
    Ok((manifest, left_out.into_values().collect()))
}

struct BackupPlan<'d> {
    disk: &'d dyn Disk,
    root: PathBuf,
    files: Vec<PlannedFile>,
    left_out: IndexMap<PathBuf, LeftOutFile>,
    known: BTreeSet<PathBuf>,
}

impl BackupPlan<'_> {
    /// Plans a directory; an unreadable entry is left out and the walk continues.
    fn directory(&mut self, below: &Path, depth: usize) {
        let full = self.root.join(below);
        let names = self.disk.list(&full);
        let real = names.and_then(|names| Ok((names, self.disk.resolve(&full)?)));
        let (names, real) = match real {
            Ok(found) => found,
            Err(error) => return self.leave_out(below.to_owned(), unread(error)),
        };
        for name in names {
            let path = below.join(&name);
            let is_known = self.is_known(&path);
            let is_ours =
                target_of_temporary(&name).is_some() || path.to_str().is_some_and(is_left_out);
            if is_known || is_ours {
                continue;
            }
            if let Err(why) = self.take(&path, &real, depth) {
                self.leave_out(path, why);
            }
        }
    }

    /// Plans one path; `above` is the resolved path of its directory.
    fn take(&mut self, path: &Path, above: &Path, depth: usize) -> Result<(), LeftOutFile> {
        let full = self.root.join(path);
        let part = part_at(self.disk, above, path).map_err(unread)?;
        let stat = part.map_err(no_file)?;
        if stat.is_dir && depth == 0 {
            return Err(no_file("it is nested too deeply"));
        }
        if stat.is_dir {
            self.directory(path, depth.saturating_sub(1));
            return Ok(());
        }
        if path.to_str().is_none() {
            return Err(no_file("its name is not UTF-8"));
        }
        let content = if stat.len <= HELD_BYTES_MAX {
            FileContents::Held(read_all(self.disk, &full, u64::MAX).map_err(unread)?)
        } else {
            self.disk.open(&full).map_err(unread)?;
            FileContents::UpTo(stat.len)
        };
        self.known.insert(path.to_owned());
        self.files.push(PlannedFile {
            path: path.to_owned(),
            content,
        });
        Ok(())
    }

    /// Whether the path, or something below it, is already planned.
    fn is_known(&self, path: &Path) -> bool {
        let mut from = self
            .known
            .range::<Path, _>((Bound::Included(path), Bound::Unbounded));
        from.next().is_some_and(|known| known.starts_with(path))
    }

    fn leave_out(&mut self, path: PathBuf, why: LeftOutFile) {
        let shown = path.display().to_string();
        let left_out = LeftOutFile { path: shown, ..why };
        self.left_out.entry(path).or_insert(left_out);
    }
}

/// Whether neither backups nor restored homes contain a path below the home: it can be rebuilt, means nothing on
/// another machine, or is a key. Some file systems ignore the case of the name of a key.
pub(super) fn is_left_out(below: &str) -> bool {
    LAYOUT.is_local(below) || KEYS.iter().any(|key| key.eq_ignore_ascii_case(below))
}

/// Whether a backup of the home at `root` would include `target`, a resolved path.
pub(crate) fn would_pack(disk: &dyn Disk, root: &Path, target: &Path) -> Result<bool, DiskError> {
    if target.starts_with(disk.resolve(root)?) {
        return Ok(true);
    }
    // A part that cannot be resolved is not packed.
    let is_in = |below: &Path| {
        let full = root.join(below);
        let Some(parent) = full.parent() else {
            return false;
        };
        let followed = disk
            .resolve(parent)
            .and_then(|it| Ok((it, disk.resolve(&full)?)));
        followed.is_ok_and(|(above, part)| target.starts_with(&part) && !leads_back(&above, &part))
    };
    let mut parts = FOLDERS
        .iter()
        .filter(|below| !below.is_empty() && !is_left_out(below));
    Ok(parts.any(|below| is_in(Path::new(below))))
}

/// Reports a path that is not a file of a home.
fn no_file(reason: &str) -> LeftOutFile {
    LeftOutFile {
        reason: reason.to_owned(),
        ..LeftOutFile::default()
    }
}

/// An unreadable file is missing from the backup if it may hold data.
fn unread(error: DiskError) -> LeftOutFile {
    match no_data(&error) {
        Some(reason) => no_file(reason),
        None => LeftOutFile {
            is_missing: true,
            ..no_file(&CliError::from(error).with_hints())
        },
    }
}

fn write(
    disk: &dyn Disk,
    root: &Path,
    (files, manifest): (&[PlannedFile], &mut Manifest),
    (out, target): (&mut dyn Write, &BackupTarget<'_>),
) -> io::Result<()> {
    let now = target.now;
    let out = Encrypting::new(target.recipients, out)?;
    let mut archive = Builder::new(GzEncoder::new(out, Compression::default()));
    for planned in files {
        let (mut reading, n_bytes): (Box<dyn io::Read>, u64) = match &planned.content {
            FileContents::Held(bytes) => (Box::new(bytes.as_slice()), bytes.len() as u64),
            FileContents::UpTo(end) => {
                let file = disk.open(&root.join(&planned.path));
                let file = file.map_err(io::Error::other)?;
                (Box::new(FileSlice::up_to(file, *end)), *end)
            }
        };
        let mut hashing = Hashing::new(&mut reading);
        let path = Path::new(HOME).join(&planned.path);
        archive.append_data(&mut header(n_bytes, now), path, &mut hashing)?;
        let (sha256, bytes) = hashing.finish();
        let parts = planned.path.iter().filter_map(|part| part.to_str());
        manifest.files.push(ManifestFile {
            path: parts.collect::<Vec<_>>().join("/"),
            bytes,
            sha256,
        });
    }
    let list = serde_json::to_vec(&manifest)?;
    archive.append_data(&mut header(list.len() as u64, now), PATH, list.as_slice())?;
    archive.into_inner()?.finish()?.finish()?.flush()
}

fn header(n_bytes: u64, now: Timestamp) -> Header {
    let mut header = Header::new_gnu();
    header.set_size(n_bytes);
    header.set_entry_type(EntryType::Regular);
    header.set_mode(0o600);
    header.set_mtime(u64::try_from(now.timestamp()).unwrap_or_default());
    header
}

/// The format version that this program writes; it rejects a newer one.
pub(crate) const VERSION: u32 = 1;

/// The manifest's path in the archive. It is the last entry, so a truncated backup has none.
pub(super) const PATH: &str = "manifest.json";

/// The directory in the archive that holds the home's files.
pub(super) const HOME: &str = "home";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Manifest {
    pub(crate) version: u32,
    /// Creation time, RFC 3339.
    pub(crate) created_at: String,
    /// The version of openclaw that made the backup.
    pub(crate) program: String,
    /// The files, in archive order.
    pub(crate) files: Vec<ManifestFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ManifestFile {
    /// Relative to the home, with `/` as separator.
    pub(crate) path: String,
    pub(crate) bytes: u64,
    /// SHA-256 of the content, in hex.
    pub(crate) sha256: String,
}
