//! Opens the store without write access.
//!
//! Creates no file and takes no lock, not even a reader's.

use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rusqlite::{Connection, OpenFlags};

use super::error::IndexError;

/// Characters to escape in the path of a URI.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'.')
    .remove(b'-')
    .remove(b'_');

/// Opens the store with its WAL, if a crash or a live writer left one; if the WAL cannot be read without creating a
/// file, the state at the last checkpoint.
pub(super) fn store(path: &Path) -> Result<Connection, IndexError> {
    let beside = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        Path::new(&name).exists()
    };
    // SQLite would create a missing one.
    if beside("-wal") && beside("-shm") {
        let with_log = opened(path, "readonly_shm=1").and_then(|connection| {
            // Only a query shows whether SQLite can read them.
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
