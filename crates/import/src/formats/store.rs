//! The SQLite database in which OpenClaw has kept its sessions since August 2026.
//!
//! Opens a copy, because SQLite changes the files next to a database that it opens.

use std::io::Read;
use std::path::Path;

use base::disk::{Disk, DiskError, OsDisk, read_all, replace};
use rusqlite::{Connection, OpenFlags, Row};
use ruzstd::decoding::StreamingDecoder;

use super::model::{Conversation, ImportError, NotUnderstood};
use super::read::{note_images, openclaw_session};

/// The file name of the database.
const NAME: &str = "openclaw-agent.sqlite";

/// Suffix of the write-ahead log.
const LOG_SUFFIX: &str = "-wal";

/// Maximum bytes of a database.
const STORE_BYTES_MAX: u64 = 1 << 30;

/// Maximum attempts to copy a database that is being written.
const TRIES: usize = 4;

/// Maximum bytes of an event; OpenClaw writes no longer events.
const EVENT_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Maximum bytes of the events of one session.
const TRANSCRIPT_BYTES_MAX: usize = 1 << 30;

/// SQLite steps between two calls of the progress handler.
const STEPS: i32 = 1_000_000;

/// Number of calls of the progress handler after which the query is aborted. The largest allowed database needs
/// fewer.
const LOOKS_MAX: u32 = 4_000;

/// The tables to read. They must be real tables, because a view may never end.
const TABLES: [&str; 4] = [
    "session_windows",
    "session_nodes",
    "transcript_events",
    ARCHIVES,
];

const ARCHIVES: &str = "session_transcript_cold_archives";

/// Whether a file has the name of such a database.
pub fn is_store(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == NAME)
}

/// The conversations in a database, oldest first, each with its own result. Copies the database into `scratch`, which
/// must be empty and on the real disk.
pub fn read_store(
    disk: &dyn Disk,
    path: &Path,
    scratch: &Path,
) -> Result<Vec<Result<Conversation, ImportError>>, ImportError> {
    let unknown = |reason: String| ImportError::Unknown {
        path: path.to_owned(),
        reason,
    };
    if !copy(disk, path, scratch)? {
        return Err(unknown("it is being written; quit OpenClaw first".into()));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
    let sql = |error: rusqlite::Error| unknown(format!("it is not an OpenClaw database: {error}"));
    let mut store = Connection::open_with_flags(scratch.join(NAME), flags).map_err(sql)?;
    bound(&mut store).map_err(sql)?;
    if let Some(name) = no_table(&store).map_err(sql)? {
        let reason = format!("it is not an OpenClaw database: {name} is not a table");
        return Err(unknown(reason));
    }
    let windows = windows(&store).map_err(sql)?;
    // An unreadable session must not hide the others.
    let found = windows.iter().map(|window| {
        conversation(&store, path, window).map_err(|error| ImportError::Session {
            key: window.key.clone(),
            reason: error.to_string(),
        })
    });
    Ok(found.collect())
}

/// Aborts a query that takes more steps than the largest allowed database needs.
fn bound(store: &mut Connection) -> Result<(), rusqlite::Error> {
    let mut n_looks = 0;
    let is_too_much = move || {
        n_looks += 1;
        n_looks > LOOKS_MAX
    };
    store.progress_handler(STEPS, Some(is_too_much))?;
    // The schema is untrusted: it may call only functions that SQLite marks as innocuous.
    store.pragma_update(None, "trusted_schema", false)
}

/// The first name in [`TABLES`] that is not a real table.
fn no_table(store: &Connection) -> Result<Option<String>, rusqlite::Error> {
    let mut statement = store.prepare("SELECT name, type, sql FROM sqlite_master")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        let kind: String = row.get(1)?;
        let sql: Option<String> = row.get(2)?;
        let sql = sql.unwrap_or_default().to_ascii_uppercase();
        let is_table = kind == "table" && sql.starts_with("CREATE TABLE");
        let is_read = TABLES.iter().any(|read| read.eq_ignore_ascii_case(&name));
        if is_read && !is_table {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// The reason why a session in a database cannot be imported.
#[derive(Debug, thiserror::Error)]
enum SessionError {
    #[error("cannot read it from the database: {0}")]
    Database(#[from] rusqlite::Error),
    #[error("its events exceed {TRANSCRIPT_BYTES_MAX} bytes")]
    TooLong,
    #[error(transparent)]
    Import(#[from] ImportError),
}

fn conversation(
    store: &Connection,
    path: &Path,
    window: &Window,
) -> Result<Conversation, SessionError> {
    let mut not_understood = NotUnderstood::default();
    let text = events(store, &window.session, &mut not_understood)?;
    if window.is_archived {
        not_understood.add("a transcript that OpenClaw has archived");
    }
    let mut conversation = openclaw_session(text, path, (&window.session, Some(&window.key)))?;
    if !window.is_current {
        // Another session uses this key now, so the title is not this session's.
        conversation.title = None;
    }
    for (what, count) in conversation.not_understood.0 {
        *not_understood.0.entry(what).or_default() += count;
    }
    conversation.not_understood = not_understood;
    note_images(&mut conversation);
    Ok(conversation)
}

/// Copies the database and its log; returns whether both copies are from the same moment.
fn copy(disk: &dyn Disk, path: &Path, scratch: &Path) -> Result<bool, DiskError> {
    let beside = path.with_file_name(format!("{NAME}{LOG_SUFFIX}"));
    let seen = || Ok::<_, DiskError>([disk.stat(path)?, disk.stat(&beside)?]);
    for _ in 0..TRIES {
        let before = seen()?;
        let bytes = read_all(disk, path, STORE_BYTES_MAX)?;
        replace(&OsDisk, &scratch.join(NAME), &bytes)?;
        let log = match &before {
            [_, Some(_)] => read_all(disk, &beside, STORE_BYTES_MAX)?,
            _ => Vec::new(),
        };
        replace(&OsDisk, &scratch.join(format!("{NAME}{LOG_SUFFIX}")), &log)?;
        if seen()? == before {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A session as listed in the database.
struct Window {
    session: String,
    /// Its key, such as `agent:main:main`.
    key: String,
    /// Whether this is the key's current session.
    is_current: bool,
    /// Whether its events are in the archive table.
    is_archived: bool,
}

fn windows(store: &Connection) -> Result<Vec<Window>, rusqlite::Error> {
    let archived = "SELECT count(*) FROM sqlite_master WHERE name = ?1";
    let has_archives: bool = store.query_row(archived, [ARCHIVES], |row| row.get(0))?;
    let is_archived = if has_archives {
        "EXISTS (SELECT 1 FROM session_transcript_cold_archives c WHERE c.session_id = w.session_id)"
    } else {
        "0"
    };
    let mut statement = store.prepare(&format!(
        "SELECT w.session_id, w.session_key, \
                EXISTS (SELECT 1 FROM session_nodes n WHERE n.current_session_id = w.session_id), \
                {is_archived} \
         FROM session_windows w ORDER BY w.created_at, w.session_id"
    ))?;
    let window = |row: &Row<'_>| {
        Ok(Window {
            session: row.get(0)?,
            key: row.get(1)?,
            is_current: row.get(2)?,
            is_archived: row.get(3)?,
        })
    };
    statement.query_map([], window)?.collect()
}

/// The events of a session, one per line.
fn events(
    store: &Connection,
    session: &str,
    not_understood: &mut NotUnderstood,
) -> Result<String, SessionError> {
    let mut statement = store.prepare(
        "SELECT event_json, event_zstd FROM transcript_events WHERE session_id = ?1 ORDER BY seq",
    )?;
    let mut rows = statement.query([session])?;
    let mut text = String::new();
    while let Some(row) = rows.next()? {
        let plain: Option<String> = row.get(0)?;
        let packed: Option<Vec<u8>> = row.get(1)?;
        match plain.or_else(|| unpacked(packed.as_deref()?)) {
            Some(event) => {
                if text.len() + event.len() >= TRANSCRIPT_BYTES_MAX {
                    return Err(SessionError::TooLong);
                }
                text.push_str(&event.replace('\n', " "));
                text.push('\n');
            }
            None => not_understood.add("an event that cannot be unpacked"),
        }
    }
    Ok(text)
}

fn unpacked(bytes: &[u8]) -> Option<String> {
    let decoder = StreamingDecoder::new(bytes).ok()?;
    let mut event = String::new();
    let mut decoder = decoder.take(EVENT_BYTES_MAX + 1);
    decoder.read_to_string(&mut event).ok()?;
    (event.len() as u64 <= EVENT_BYTES_MAX).then_some(event)
}
