//! The format of the index: version, tables and fields.
//!
//! Any change here requires a new version.

use std::fmt;
use std::path::Path;

use base::Day;
use chrono::{Datelike, NaiveDate};
use rusqlite::Connection;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions,
};

use super::error::IndexError;

/// Version of the whole index, including how text becomes passages and terms.
///
/// An older index is rebuilt; a newer one belongs to a newer program and is left alone.
pub(crate) const FORMAT: u32 = 15;

/// Tables of the store.
pub(crate) const TABLES: &str = "
CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    path TEXT NOT NULL,
    stamp TEXT NOT NULL,
    history TEXT NOT NULL,
    n_bytes INTEGER NOT NULL,
    UNIQUE (source, path)
);
CREATE TABLE stretches (
    key INTEGER PRIMARY KEY,
    file INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    hash TEXT NOT NULL,
    source INTEGER NOT NULL,
    day TEXT,
    heading TEXT NOT NULL,
    names TEXT NOT NULL,
    topics TEXT NOT NULL,
    resume_line INTEGER,
    resume_offset INTEGER,
    n_pieces INTEGER NOT NULL,
    n_words INTEGER NOT NULL,
    record BLOB NOT NULL,
    texts TEXT NOT NULL
);
CREATE INDEX stretches_of_file ON stretches (file, ordinal);
CREATE TABLE written_last (key INTEGER PRIMARY KEY);
CREATE TABLE embedder (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    identity TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    is_complete INTEGER NOT NULL,
    n_vectors INTEGER NOT NULL,
    sums BLOB NOT NULL
);
CREATE TABLE vectors (key INTEGER PRIMARY KEY, rows BLOB NOT NULL);
CREATE TABLE vectors_gone (key INTEGER PRIMARY KEY);
";

/// Keys in the table `meta`.
pub(crate) mod meta {
    pub(crate) const GENERATION: &str = "generation";
    /// Identity of the index; a rebuild gets a new one.
    pub(crate) const IDENTITY: &str = "identity";
    pub(crate) const IS_COMPLETE: &str = "isComplete";
    /// Version of the forgotten texts at the last full sync.
    pub(crate) const FORGOTTEN: &str = "forgotten";
    /// Version of what is known about the lines of notes at the last full sync.
    pub(crate) const KNOWN: &str = "known";
    /// Number of the pack; 0 if there is none.
    pub(crate) const PACK: &str = "pack";
    /// Highest pack number ever used.
    pub(crate) const PACK_LAST: &str = "packLast";
    pub(crate) const N_PIECES: &str = "nPieces";
    pub(crate) const N_WORDS: &str = "nWords";
    pub(crate) const N_STRETCHES: &str = "nStretches";
}

/// The position of the headings' terms.
pub(crate) const HEADING_POSITION: u32 = 4_095;

/// The name of the tokenizer.
pub(crate) const TOKENIZER: &str = "terms";

/// Fields of a tantivy document, which is a stretch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IndexFields {
    /// The key of the stretch in the store.
    pub(crate) key: Field,
    pub(crate) source: Field,
    /// A [`day_number`].
    pub(crate) day: Field,
    /// Terms; the position of a term is its piece.
    pub(crate) terms: Field,
}

/// The schema of the lexical index and its fields.
pub(crate) fn fields() -> (Schema, IndexFields) {
    let mut builder = Schema::builder();
    let terms = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_fieldnorms(false)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let fields = IndexFields {
        key: builder.add_i64_field("key", INDEXED | FAST),
        source: builder.add_u64_field("source", FAST),
        day: builder.add_i64_field("day", FAST),
        terms: builder.add_text_field("terms", TextOptions::default().set_indexing_options(terms)),
    };
    (builder.build(), fields)
}

/// A day as a number: days from 31 December 1 BC, which no note has; 0 for no day.
pub(crate) fn day_number(day: Option<Day>) -> i32 {
    day.map_or(0, |day| day.date().num_days_from_ce())
}

/// The day that a number encodes.
pub(crate) fn day_of(number: i32) -> Option<Day> {
    let number = Some(number).filter(|number| *number != 0)?;
    NaiveDate::from_num_days_from_ce_opt(number).map(Day::from)
}

/// One state of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Generation {
    /// Identity of the index; a rebuild gets a new one.
    pub(crate) identity: u64,
    /// Increases with every change.
    pub(crate) number: u64,
}

impl Generation {
    /// Parses the output of [`fmt::Display`].
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (identity, number) = text.split_once(':')?;
        Some(Self {
            identity: identity.parse().ok()?,
            number: number.parse().ok()?,
        })
    }

    /// The state after one more change.
    pub(crate) fn next(self) -> Self {
        let number = self.number + 1;
        Self { number, ..self }
    }

    /// Whether postings with this generation match the store; new postings have none and match generation 0.
    pub(crate) fn is_that_of(self, written: Option<Self>) -> bool {
        written.map_or(self.number == 0, |written| written == self)
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.identity, self.number)
    }
}

/// Checks that a store has the current format.
pub(super) fn check_format(connection: &Connection, path: &Path) -> Result<(), IndexError> {
    let found: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found > FORMAT {
        let path = path.parent().unwrap_or(path).display().to_string();
        return Err(IndexError::TooNew(path, found));
    }
    if found == 0 && !has_tables(connection)? {
        return Err(IndexError::Unmade);
    }
    if found < FORMAT {
        return Err(IndexError::Damaged(format!(
            "it has the old format {found}; the current one is {FORMAT}"
        )));
    }
    Ok(())
}

fn has_tables(connection: &Connection) -> Result<bool, IndexError> {
    let query = "SELECT EXISTS (SELECT 1 FROM sqlite_schema)";
    Ok(connection.query_row(query, [], |row| row.get(0))?)
}
