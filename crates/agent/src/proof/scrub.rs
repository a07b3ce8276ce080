//! Deletes what can be rebuilt and what was only typed: the index and lines of the input history.
//!
//! Removes nothing that cannot be rebuilt, except history lines that contain the words.

use std::collections::BTreeSet;
use std::path::Path;

use base::Disk;
use base::disk::{DiskError, LockError, read_all, replace};

const HISTORY_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// The lock of the index writer.
const INDEX_LOCK: &str = "writer.lock";

/// Shorter lines are too common to reveal anything.
const TYPED_CHARS_MIN: usize = 3;

/// Deletes the index, since the free pages of a database may still hold deleted text. The next search rebuilds it.
///
/// # Errors
///
/// [`LockError::Held`] if another process is writing it; it is then still there.
pub fn drop_index(disk: &dyn Disk, directory: &Path) -> Result<(), LockError> {
    if disk.stat(directory)?.is_none() {
        return Ok(());
    }
    let _lock = disk.try_lock(&directory.join(INDEX_LOCK))?;
    Ok(drop_below(disk, directory)?)
}

fn drop_below(disk: &dyn Disk, directory: &Path) -> Result<(), DiskError> {
    for name in disk.list(directory)? {
        let path = directory.join(&name);
        match disk.stat(&path)? {
            Some(stat) if stat.is_dir => drop_below(disk, &path)?,
            Some(_) if name != Path::new(INDEX_LOCK) => disk.remove(&path)?,
            Some(_) | None => {}
        }
    }
    Ok(())
}

/// Removes lines of the input history that contain one of the words, or that equal a line of one of the messages.
///
/// # Errors
///
/// [`DiskError`]; the history is then unchanged.
pub fn drop_typed<'t>(
    disk: &dyn Disk,
    path: &Path,
    words: &[String],
    messages: impl IntoIterator<Item = &'t str>,
) -> Result<(), DiskError> {
    if disk.stat(path)?.is_none() {
        return Ok(());
    }
    let bytes = read_all(disk, path, HISTORY_BYTES_MAX)?;
    let text = String::from_utf8_lossy(&bytes);
    let said = messages.into_iter().flat_map(|text| {
        // The history holds a message of several lines on one.
        let whole = text.replace('\\', "\\\\").replace('\n', "\\n");
        text.lines().map(str::to_owned).chain([whole])
    });
    let said: BTreeSet<String> = said
        .map(|line| line.trim().to_owned())
        .filter(|line| line.chars().count() >= TYPED_CHARS_MIN)
        .collect();
    let is_kept = |line: &&str| {
        !words.iter().any(|word| line.contains(word.as_str())) && !said.contains(line.trim())
    };
    let kept: String = text.split_inclusive('\n').filter(is_kept).collect();
    if kept != text {
        replace(disk, path, kept.as_bytes())?;
    }
    Ok(())
}
