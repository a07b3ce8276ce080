//! The store: files, stretches and their texts in one SQLite database.
//!
//! Opens its own file, as SQLite requires; does not use postings.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::time::Duration;

use base::{Day, content_hash};
use rusqlite::config::DbConfig;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Params, Row, params};

use super::error::IndexError;
use super::read_only;
use super::record::StretchRecord;
use super::schema::{FORMAT, Generation, TABLES, check_format, meta};
use crate::passage::{Heading, ResumePlace, Stretch};
use crate::passage_source::Source;

/// The database.
#[derive(Debug)]
pub(crate) struct Store {
    pub(super) connection: Connection,
}

/// A file or document as indexed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileRow {
    pub(crate) id: i64,
    pub(crate) source: Source,
    pub(crate) path: String,
    pub(crate) stamp: String,
    /// The content hash of a note; the source's history of a document.
    pub(crate) history: String,
    pub(crate) n_bytes: u64,
}

/// A stretch without its texts, as search reads it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StretchRow {
    pub(crate) key: i64,
    pub(crate) source: Source,
    pub(crate) path: String,
    pub(crate) ordinal: u64,
    pub(crate) day: Option<Day>,
    pub(crate) record: StretchRecord,
}

/// A stretch with its texts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WholeStretch {
    pub(crate) key: i64,
    pub(crate) source: Source,
    pub(crate) heading: Heading,
    pub(crate) record: StretchRecord,
    pub(crate) texts: String,
}

/// Identifies a stored stretch, to skip it if unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StretchMark {
    pub(crate) key: i64,
    pub(crate) ordinal: u64,
    pub(crate) hash: String,
    pub(crate) resume: Option<ResumePlace>,
}

/// Totals of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_field_names, reason = "all counts start with n_")]
pub(crate) struct Totals {
    pub(crate) n_pieces: u64,
    pub(crate) n_words: u64,
    pub(crate) n_stretches: u64,
}

/// Syncs at checkpoints only: what a power failure undoes is indexed again.
pub(super) const SYNCHRONOUS: &str = "PRAGMA synchronous = NORMAL";

/// Overwrites deleted text: the owner may have forgotten it.
const OVERWRITES: &str = "PRAGMA secure_delete = ON";

/// Leaves deleted rows in free pages, which is quicker; for rows without text.
const LEAVES_BYTES: &str = "PRAGMA secure_delete = OFF";

/// How long to wait for a lock of another process; its transactions are short.
const BUSY_WAIT: Duration = Duration::from_secs(2);

impl Store {
    /// Opens an existing database.
    pub(crate) fn open(path: &Path) -> Result<Self, IndexError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Self::new(Connection::open_with_flags(path, flags)?, path)
    }

    /// Opens an existing database read-only.
    pub(crate) fn open_read_only(path: &Path) -> Result<Self, IndexError> {
        Self::new(read_only::store(path)?, path)
    }

    fn new(connection: Connection, path: &Path) -> Result<Self, IndexError> {
        connection.busy_timeout(BUSY_WAIT)?;
        // Keep query plans stable: otherwise each new key value re-prepares the statement.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.execute_batch("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4096;")?;
        connection.execute_batch(SYNCHRONOUS)?;
        connection.execute_batch(OVERWRITES)?;
        check_format(&connection, path)?;
        Ok(Self { connection })
    }

    /// Creates the tables in an empty file.
    pub(crate) fn create(path: &Path) -> Result<Self, IndexError> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.busy_timeout(BUSY_WAIT)?;
        connection.execute_batch("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;")?;
        connection.execute_batch(&format!(
            "BEGIN; {TABLES} PRAGMA user_version = {FORMAT}; COMMIT;"
        ))?;
        drop(connection);
        let store = Self::open(path)?;
        store.set_number(meta::IDENTITY, RandomState::new().hash_one(path) >> 1)?;
        Ok(store)
    }

    /// Makes a change that deletes no text.
    pub(super) fn without_overwriting<T>(
        &self,
        change: impl FnOnce() -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        self.connection.execute_batch(LEAVES_BYTES)?;
        let done = change();
        self.connection.execute_batch(OVERWRITES)?;
        done
    }

    /// An empty store in memory.
    pub(crate) fn in_memory() -> Result<Self, IndexError> {
        Ok(Self {
            connection: Connection::open_in_memory()?,
        })
    }

    /// A store in memory with the tables of an empty index.
    pub(crate) fn create_in_memory() -> Result<Self, IndexError> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(&format!(
            "BEGIN; {TABLES} PRAGMA user_version = {FORMAT}; COMMIT;"
        ))?;
        let store = Self::new(connection, Path::new(""))?;
        store.set_number(meta::IDENTITY, RandomState::new().hash_one(FORMAT) >> 1)?;
        Ok(store)
    }

    /// Begins a read transaction, which sees one state until its end.
    pub(crate) fn begin_read(&self) -> Result<(), IndexError> {
        Ok(self.connection.execute_batch("BEGIN DEFERRED")?)
    }

    /// Begins a write transaction.
    pub(crate) fn begin_write(&self) -> Result<(), IndexError> {
        Ok(self.connection.execute_batch("BEGIN IMMEDIATE")?)
    }

    /// Commits the transaction.
    pub(crate) fn commit(&self) -> Result<(), IndexError> {
        Ok(self.connection.execute_batch("COMMIT")?)
    }

    /// Rolls back the transaction, if any.
    pub(crate) fn rollback(&self) -> Result<(), IndexError> {
        if self.connection.is_autocommit() {
            return Ok(());
        }
        Ok(self.connection.execute_batch("ROLLBACK")?)
    }

    /// Runs `act` in a transaction; rolls back if it fails.
    pub(crate) fn write(
        &self,
        act: impl FnOnce() -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        self.begin_write()?;
        let done = act().and_then(|()| self.commit());
        if done.is_err() {
            self.rollback()?;
        }
        done
    }

    /// Runs a statement; returns the number of changed rows.
    pub(super) fn run(&self, sql: &str, params: impl Params) -> Result<usize, IndexError> {
        Ok(self.connection.prepare_cached(sql)?.execute(params)?)
    }

    /// The row that a statement returns, if any.
    pub(super) fn row<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, IndexError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row(params, read).optional()?)
    }

    /// All rows that a statement returns.
    pub(super) fn rows<T, C: FromIterator<T>>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<C, IndexError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map(params, read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    pub(crate) fn number(&self, name: &str) -> Result<u64, IndexError> {
        let sql = "SELECT value FROM meta WHERE name = ?1";
        Ok(self.row(sql, [name], |row| row.get(0))?.unwrap_or(0))
    }

    pub(crate) fn set_number(&self, name: &str, value: u64) -> Result<(), IndexError> {
        let sql = "INSERT OR REPLACE INTO meta VALUES (?1, ?2)";
        self.run(sql, params![name, value]).map(drop)
    }

    /// The generation of the store.
    pub(crate) fn generation(&self) -> Result<Generation, IndexError> {
        Ok(Generation {
            identity: self.number(meta::IDENTITY)?,
            number: self.number(meta::GENERATION)?,
        })
    }

    pub(crate) fn totals(&self) -> Result<Totals, IndexError> {
        Ok(Totals {
            n_pieces: self.number(meta::N_PIECES)?,
            n_words: self.number(meta::N_WORDS)?,
            n_stretches: self.number(meta::N_STRETCHES)?,
        })
    }

    pub(crate) fn set_totals(&self, totals: Totals) -> Result<(), IndexError> {
        self.set_number(meta::N_PIECES, totals.n_pieces)?;
        self.set_number(meta::N_WORDS, totals.n_words)?;
        self.set_number(meta::N_STRETCHES, totals.n_stretches)
    }

    pub(crate) fn files(&self) -> Result<Vec<FileRow>, IndexError> {
        let sql =
            "SELECT id, source, path, stamp, history, n_bytes FROM files ORDER BY source, path";
        self.rows(sql, [], |row| {
            Ok(FileRow {
                id: row.get(0)?,
                source: row.get(1)?,
                path: row.get(2)?,
                stamp: row.get(3)?,
                history: row.get(4)?,
                n_bytes: row.get(5)?,
            })
        })
    }

    /// Inserts or updates a file row; returns its id, which is stable.
    pub(crate) fn put_file(&self, file: &FileRow) -> Result<i64, IndexError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO files (source, path, stamp, history, n_bytes) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (source, path) DO UPDATE SET stamp = ?3, history = ?4, n_bytes = ?5 RETURNING id",
        )?;
        let (stamp, history) = (&file.stamp, &file.history);
        let values = params![file.source, file.path, stamp, history, file.n_bytes];
        Ok(statement.query_row(values, |row| row.get(0))?)
    }

    /// The row of one file.
    pub(crate) fn file(&self, source: Source, path: &str) -> Result<Option<FileRow>, IndexError> {
        // Called only after a read error, so a scan is fine and the columns are listed only once.
        let mut files = self.files()?.into_iter();
        Ok(files.find(|row| row.source == source && row.path == path))
    }

    pub(crate) fn remove_file(&self, id: i64) -> Result<(), IndexError> {
        self.run("DELETE FROM files WHERE id = ?1", [id]).map(drop)
    }

    /// The keys of the stretches of a file.
    pub(crate) fn keys_of(&self, file: i64) -> Result<Vec<i64>, IndexError> {
        let sql = "SELECT key FROM stretches WHERE file = ?1";
        self.rows(sql, [file], |row| row.get(0))
    }

    /// The stretches of a file from an ordinal on, in order.
    pub(crate) fn marks(&self, file: i64, from: u64) -> Result<Vec<StretchMark>, IndexError> {
        let sql = "SELECT key, ordinal, hash, resume_line, resume_offset FROM stretches
             WHERE file = ?1 AND ordinal >= ?2 ORDER BY ordinal";
        self.rows(sql, params![file, from], |row| {
            let line: Option<usize> = row.get(3)?;
            let place = line.zip(row.get(4)?);
            Ok(StretchMark {
                key: row.get(0)?,
                ordinal: row.get(1)?,
                hash: row.get(2)?,
                resume: place.map(|(line, offset)| ResumePlace { line, offset }),
            })
        })
    }

    /// The stretches of a file from the last resume place on; none without one.
    pub(crate) fn marks_to_resume(&self, file: i64) -> Result<Vec<StretchMark>, IndexError> {
        let sql = "SELECT ordinal FROM stretches WHERE file = ?1 AND resume_line IS NOT NULL
             ORDER BY ordinal DESC LIMIT 1";
        match self.row(sql, [file], |row| row.get(0))? {
            Some(from) => self.marks(file, from),
            None => Ok(Vec::new()),
        }
    }

    /// Inserts a stretch or replaces the one with the same key.
    pub(crate) fn put_stretch(
        &self,
        file: i64,
        whole: &WholeStretch,
        mark: &StretchMark,
    ) -> Result<(), IndexError> {
        let sql = "INSERT OR REPLACE INTO stretches
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
        let values = params![
            mark.key,
            file,
            mark.ordinal,
            mark.hash,
            whole.source,
            whole.heading.day.map(|day| day.to_string()),
            whole.heading.path,
            whole.heading.names,
            whole.heading.topics,
            mark.resume.map(|place| place.line),
            mark.resume.map(|place| place.offset),
            whole.record.pieces.len(),
            whole.record.n_words(),
            whole.record.encode(),
            whole.texts,
        ];
        self.run(sql, values).map(drop)
    }

    /// Removes a stretch, but not its vectors; returns its numbers of pieces and words.
    pub(crate) fn remove_stretch(&self, key: i64) -> Result<Option<(u64, u64)>, IndexError> {
        let sql = "DELETE FROM stretches WHERE key = ?1 RETURNING n_pieces, n_words";
        self.row(sql, [key], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// A stretch without its texts.
    pub(crate) fn stretch(&self, key: i64) -> Result<Option<StretchRow>, IndexError> {
        let sql = "SELECT stretches.source, path, ordinal, day, record FROM stretches
             JOIN files ON files.id = stretches.file WHERE key = ?1";
        self.row(sql, [key], |row| {
            Ok(StretchRow {
                key,
                source: row.get(0)?,
                path: row.get(1)?,
                ordinal: row.get(2)?,
                day: day(row, 3)?,
                record: row.get(4)?,
            })
        })
    }

    /// The texts of a stretch.
    pub(crate) fn texts(&self, key: i64) -> Result<String, IndexError> {
        let sql = "SELECT texts FROM stretches WHERE key = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row([key], |row| row.get(0))?)
    }

    /// The headings of a stretch from the outermost in, joined by newlines, below the title of its note; empty if the
    /// note has only a file name.
    pub(crate) fn section(&self, key: i64) -> Result<String, IndexError> {
        let sql = "SELECT iif(names = '', '', heading) FROM stretches WHERE key = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row([key], |row| row.get(0))?)
    }

    /// A stretch with its texts.
    pub(crate) fn whole_stretch(&self, key: i64) -> Result<Option<WholeStretch>, IndexError> {
        let sql = "SELECT source, day, heading, names, topics, texts, record
             FROM stretches WHERE key = ?1";
        self.row(sql, [key], |row| {
            Ok(WholeStretch {
                key,
                source: row.get(0)?,
                heading: Heading {
                    day: day(row, 1)?,
                    path: row.get(2)?,
                    names: row.get(3)?,
                    topics: row.get(4)?,
                },
                texts: row.get(5)?,
                record: row.get(6)?,
            })
        })
    }

    /// Keys after `after`, in order, at most `n_max`.
    pub(crate) fn keys_after(
        &self,
        after: Option<i64>,
        n_max: u32,
    ) -> Result<Vec<i64>, IndexError> {
        let sql = "SELECT key FROM stretches WHERE ?1 IS NULL OR key > ?1 ORDER BY key LIMIT ?2";
        self.rows(sql, params![after, n_max], |row| row.get(0))
    }

    /// The ids of notes with a passage or heading that `is_sought`.
    pub(crate) fn notes_with(
        &self,
        is_sought: &dyn Fn(&str) -> bool,
    ) -> Result<BTreeSet<i64>, IndexError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT file, heading || char(10) || names || char(10) || topics, record, texts
             FROM stretches WHERE source = ?1",
        )?;
        let mut rows = statement.query([Source::Memory])?;
        let mut found = BTreeSet::new();
        while let Some(row) = rows.next()? {
            let (heading, texts): (String, String) = (row.get(1)?, row.get(3)?);
            let record: StretchRecord = row.get(2)?;
            let passages = record.passages.iter();
            let mut passages = passages.filter_map(|it| texts.get(it.text.clone()));
            if heading.split('\n').any(is_sought) || passages.any(is_sought) {
                found.insert(row.get(0)?);
            }
        }
        Ok(found)
    }

    /// Records which stretches the newest generation has written.
    pub(crate) fn put_written_last(&self, keys: &[i64]) -> Result<(), IndexError> {
        self.run("DELETE FROM written_last", [])?;
        for key in keys {
            self.run("INSERT OR IGNORE INTO written_last VALUES (?1)", [key])?;
        }
        Ok(())
    }
}

/// The key of a stretch: a hash of its place, so the same in every index of the same documents.
pub(crate) fn stretch_key(source: Source, path: &str, ordinal: u64) -> i64 {
    let hash = content_hash(format!("{}\n{path}\n{ordinal}", source.number()).as_bytes());
    let digits = hash.get(..16).unwrap_or_default();
    let bits = u64::from_str_radix(digits, 16);
    bits.unwrap_or_default().cast_signed()
}

/// The hash that shows whether a stored stretch is unchanged.
pub(crate) fn stretch_hash(stretch: &Stretch) -> String {
    let mut hash = content_hash(format!("{stretch:?}").as_bytes());
    hash.truncate(32);
    hash
}

impl FromSql for StretchRecord {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let unreadable = || FromSqlError::Other("a record cannot be read".into());
        Self::decode(value.as_blob()?).ok_or_else(unreadable)
    }
}

impl FromSql for Source {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let number = value.as_i64()?;
        Self::from_number(number).ok_or(FromSqlError::OutOfRange(number))
    }
}

impl ToSql for Source {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.number().into())
    }
}

fn day(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Day>> {
    let text: Option<String> = row.get(column)?;
    Ok(text.and_then(|text| text.parse().ok()))
}
