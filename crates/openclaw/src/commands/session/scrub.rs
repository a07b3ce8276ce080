//! Removes redacted words from the index and the input history.
//!
//! Removes nothing that cannot be rebuilt, except history lines that contain the words.

use base::disk::{LockError, read_all};
use cli::home::files_below;
use cli::host::Host;
use session::Redaction;

use crate::prelude::*;

/// Deletes the index, since the free pages of a database may still hold deleted text. The next search rebuilds
/// it.
pub(super) fn drop_index(context: &mut Context, home: &Home) -> Result<()> {
    let directory = home.index();
    match agent::drop_index(context.host.disk.as_ref(), &directory) {
        Ok(()) => Ok(()),
        Err(LockError::Disk(error)) => Err(error.into()),
        Err(held @ LockError::Held { .. }) => {
            context.output.warn(&format!(
                "{held}: the index no longer shows the text but may still contain it; \
                 once that process ends, delete {}",
                directory.display()
            ));
            Ok(())
        }
    }
}

/// Removes history lines that contain one of the words, or that equal a line of one of the messages.
pub(super) fn drop_typed<'t>(
    context: &Context,
    home: &Home,
    words: &[String],
    messages: impl IntoIterator<Item = &'t str>,
) -> Result<()> {
    let (disk, path) = (context.host.disk.as_ref(), home.chat_history());
    Ok(agent::drop_typed(disk, &path, words, messages)?)
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
