//! Packs a home: notes and state as they are at one moment, transcripts as far as they reach then.
//!
//! Never follows a link out of the home.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use base::disk::{DiskError, read_all, replace_with};
use base::{Disk, Timestamp};
use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, EntryType, Header};

use super::manifest::{FileLine, HOME, Manifest, PATH, VERSION};
use super::streams::{Hashing, Reading};

/// Longer files are read while they are packed, as far as they reached before.
const HELD_BYTES_MAX: u64 = 1024 * 1024;

/// Directories are followed no deeper.
const DEPTH_MAX: usize = 32;

/// What can be made anew, and what means nothing elsewhere.
const DERIVED: [&str; 3] = ["index", "models", "state/locks"];

/// What a backup holds.
#[derive(Debug)]
pub(crate) struct Packed {
    /// The list at its end.
    pub(crate) manifest: Manifest,
    /// What is not in it.
    pub(crate) left_out: Vec<LeftOut>,
}

/// Something that is not in a backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// Relative to the home.
    pub(crate) path: PathBuf,
    /// Why.
    pub(crate) reason: &'static str,
}

/// A file that will be packed.
struct Planned {
    /// Relative to the home.
    path: PathBuf,
    content: Content,
}

enum Content {
    /// As it was when it was looked at.
    Held(Vec<u8>),
    /// As far as it reached then: only what is added to is that long.
    UpTo(u64),
}

/// Packs the home at `root` into `file`; what `hold_still` gives is kept until it is known what is packed.
///
/// Notes are looked at before transcripts, and nobody writes notes meanwhile: a flush announces itself in
/// its transcript before it writes a note, so that a restored transcript knows of every note.
///
/// # Errors
///
/// [`DiskError`]; there is no file then, or the one that was there.
pub(crate) fn pack<T>(
    disk: &dyn Disk,
    root: &Path,
    (file, now): (&Path, Timestamp),
    hold_still: impl FnOnce() -> T,
) -> Result<Packed, DiskError> {
    let mut plan = Plan {
        disk,
        root: disk.resolve(root)?,
        files: Vec::new(),
        left_out: Vec::new(),
    };
    let held = hold_still();
    plan.directory(Path::new("workspace"), DEPTH_MAX)?;
    plan.directory(Path::new("state"), DEPTH_MAX)?;
    plan.directory(Path::new("sessions"), DEPTH_MAX)?;
    plan.directory(Path::new(""), DEPTH_MAX)?;
    drop(held);
    let mut manifest = Manifest {
        version: VERSION,
        created_at: now.to_rfc3339_opts(chrono::SecondsFormat::Millis, true),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        files: Vec::new(),
    };
    let Plan {
        files,
        left_out,
        root,
        ..
    } = plan;
    replace_with(disk, file, &mut |out| {
        write(disk, &root, (&files, &mut manifest), (out, now))
    })?;
    Ok(Packed { manifest, left_out })
}

struct Plan<'d> {
    disk: &'d dyn Disk,
    root: PathBuf,
    files: Vec<Planned>,
    left_out: Vec<LeftOut>,
}

impl Plan<'_> {
    fn directory(&mut self, below: &Path, depth: usize) -> Result<(), DiskError> {
        for name in self.disk.list(&self.root.join(below))? {
            let path = below.join(&name);
            let is_known = self.files.iter().any(|it| it.path.starts_with(&path));
            let is_temporary = name.to_string_lossy().starts_with('.')
                && name.extension().is_some_and(|ending| ending == "tmp");
            if is_known || is_temporary || DERIVED.iter().any(|it| path == Path::new(it)) {
                continue;
            }
            let full = self.root.join(&path);
            let Some(stat) = self.disk.stat(&full)? else {
                self.leave_out(path, "it is a link that leads nowhere");
                continue;
            };
            if self.disk.resolve(&full)? != full {
                self.leave_out(path, "it is a link");
            } else if stat.is_dir && depth == 0 {
                self.leave_out(path, "it lies too deep");
            } else if stat.is_dir {
                self.directory(&path, depth.saturating_sub(1))?;
            } else if path.to_str().is_none() {
                self.leave_out(path, "its name is not UTF-8");
            } else {
                let content = if stat.len <= HELD_BYTES_MAX {
                    Content::Held(read_all(self.disk, &full, u64::MAX)?)
                } else {
                    Content::UpTo(stat.len)
                };
                self.files.push(Planned { path, content });
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, path: PathBuf, reason: &'static str) {
        if self.left_out.iter().all(|known| known.path != path) {
            self.left_out.push(LeftOut { path, reason });
        }
    }
}

fn write(
    disk: &dyn Disk,
    root: &Path,
    (files, manifest): (&[Planned], &mut Manifest),
    (out, now): (&mut dyn Write, Timestamp),
) -> io::Result<()> {
    let mut archive = Builder::new(GzEncoder::new(out, Compression::default()));
    for planned in files {
        let (mut reading, n_bytes): (Box<dyn io::Read>, u64) = match &planned.content {
            Content::Held(bytes) => (Box::new(bytes.as_slice()), bytes.len() as u64),
            Content::UpTo(end) => {
                let file = disk.open(&root.join(&planned.path));
                let file = file.map_err(io::Error::other)?;
                (Box::new(Reading::up_to(file, *end)), *end)
            }
        };
        let mut hashing = Hashing::new(&mut reading);
        let path = Path::new(HOME).join(&planned.path);
        archive.append_data(&mut header(n_bytes, now), path, &mut hashing)?;
        let (sha256, bytes) = hashing.finish();
        let parts = planned.path.iter().filter_map(|part| part.to_str());
        manifest.files.push(FileLine {
            path: parts.collect::<Vec<_>>().join("/"),
            bytes,
            sha256,
        });
    }
    let list = serde_json::to_vec(&manifest)?;
    archive.append_data(&mut header(list.len() as u64, now), PATH, list.as_slice())?;
    archive.into_inner()?.finish()?.flush()
}

fn header(n_bytes: u64, now: Timestamp) -> Header {
    let mut header = Header::new_gnu();
    header.set_size(n_bytes);
    header.set_entry_type(EntryType::Regular);
    header.set_mode(0o600);
    header.set_mtime(u64::try_from(now.timestamp()).unwrap_or_default());
    header
}
