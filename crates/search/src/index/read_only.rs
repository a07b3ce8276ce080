//! The store where nothing may be written.
//!
//! Makes no file and takes no lock, not even the ones that readers take elsewhere.

use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rusqlite::{Connection, OpenFlags};

use super::error::IndexError;

/// What the path of an address may not hold as it is.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'.')
    .remove(b'-')
    .remove(b'_');

/// The store at a path, with the log that a crash or a living writer left beside it; where that cannot be
/// read without a file of our own, as it was when its last writer went.
pub(super) fn store(path: &Path) -> Result<Connection, IndexError> {
    let beside = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        Path::new(&name).exists()
    };
    // SQLite would make whichever of the two is missing.
    if beside("-wal") && beside("-shm") {
        let with_log = opened(path, "readonly_shm=1").and_then(|connection| {
            // It tells only when it is asked something whether it can read them.
            connection.pragma_query_value(None, "schema_version", |row| row.get::<_, i64>(0))?;
            Ok(connection)
        });
        if let Ok(connection) = with_log {
            return Ok(connection);
        }
    }
    Ok(opened(path, "immutable=1")?)
}

fn opened(path: &Path, how: &str) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let escaped = percent_encode(path.as_os_str().as_encoded_bytes(), ESCAPED);
    Connection::open_with_flags(format!("file:{escaped}?{how}"), flags)
}
