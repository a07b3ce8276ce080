//! Removes redacted words from the index and the input history.
//!
//! Removes nothing that cannot be rebuilt, except history lines that contain the words.

use std::collections::BTreeSet;

use base::disk::{LockError, read_all, replace};
use cli::home::files_below;
use cli::host::Host;
use session::Redaction;

use crate::prelude::*;

const HISTORY_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// The lock of the index writer.
const INDEX_LOCK: &str = "writer.lock";

/// Shorter lines are too common to reveal anything.
const TYPED_CHARS_MIN: usize = 3;

/// Deletes the index, since the free pages of a database may still hold deleted text. The next search rebuilds
/// it.
pub(super) fn drop_index(context: &mut Context, home: &Home) -> Result<()> {
    let disk = context.host.disk.as_ref();
    let directory = home.index();
    if disk.stat(&directory)?.is_none() {
        return Ok(());
    }
    let _lock = match disk.try_lock(&directory.join(INDEX_LOCK)) {
        Ok(lock) => lock,
        Err(LockError::Disk(error)) => return Err(error.into()),
        Err(held @ LockError::Held { .. }) => {
            context.output.warn(&format!(
                "{held}: the index no longer shows the text but may still contain it; \
                 once that process ends, delete {}",
                directory.display()
            ));
            return Ok(());
        }
    };
    for (path, _) in files_below(disk, directory)? {
        if !path.ends_with(INDEX_LOCK) {
            disk.remove(&path)?;
        }
    }
    Ok(())
}

/// Removes history lines that contain one of the words, or that equal a line of one of the messages.
pub(super) fn drop_typed<'t>(
    context: &Context,
    home: &Home,
    words: &[String],
    messages: impl IntoIterator<Item = &'t str>,
) -> Result<()> {
    let disk = context.host.disk.as_ref();
    let path = home.chat_history();
    if disk.stat(&path)?.is_none() {
        return Ok(());
    }
    let bytes = read_all(disk, &path, HISTORY_BYTES_MAX)?;
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
        replace(disk, &path, kept.as_bytes())?;
    }
    Ok(())
}

const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Files that still contain the words and that only the owner may change: other sessions, and files of the
/// workspace; relative to the home.
pub(super) fn still_in(
    host: &Host,
    home: &Home,
    store: &SessionStore,
    words: &[String],
) -> Result<Vec<String>> {
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let redaction = Redaction {
        words: words.to_vec(),
        ..Redaction::default()
    };
    let mut found = Vec::new();
    for name in store.names()? {
        // `session verify` reports a session that cannot be read.
        let lines = store.plan_redaction(&name, &redaction).unwrap_or_default();
        if !lines.is_empty() {
            found.push(agent::SessionSource::path_of(&name));
        }
    }
    let disk = host.disk.as_ref();
    for (path, stat) in files_below(disk, home.workspace().to_owned())? {
        if stat.len <= FILE_BYTES_MAX
            && let Ok(bytes) = read_all(disk, &path, FILE_BYTES_MAX)
        {
            let text = String::from_utf8_lossy(&bytes);
            if words.iter().any(|word| text.contains(word.as_str())) {
                found.push(shown(home, &path));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A file of the home, relative to it.
fn shown(home: &Home, path: &Path) -> String {
    let shown = path.strip_prefix(home.root()).unwrap_or(path);
    shown.display().to_string()
}
