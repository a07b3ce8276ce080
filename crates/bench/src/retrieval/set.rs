//! What an evaluation set is once it is read, and how its files are opened.
//!
//! Knows no set by name.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use base::disk::{DiskError, OsDisk, read_all};
use flate2::read::GzDecoder;
use memory::{Source, SourceMessage};
use serde::de::DeserializeOwned;

/// A set: bodies of text that are searched each for itself.
#[derive(Debug)]
pub(crate) struct Set {
    pub(crate) name: &'static str,
    pub(crate) corpora: Vec<Corpus>,
    /// Which passages may answer.
    pub(crate) source: Source,
}

/// One body of text with its questions.
#[derive(Debug, Default)]
pub(crate) struct Corpus {
    /// Notes by their paths in the workspace.
    pub(crate) notes: Vec<(String, String)>,
    /// Messages by the paths of their documents.
    pub(crate) documents: Vec<(String, Vec<SourceMessage>)>,
    pub(crate) questions: Vec<Question>,
}

/// A question with the places at which its answer stands.
#[derive(Debug, Default)]
pub(crate) struct Question {
    pub(crate) text: String,
    /// What kind of question it is, in the words of the set.
    pub(crate) kind: String,
    /// What is right, each with how right it is.
    pub(crate) gold: Vec<(Place, u32)>,
    /// Where an older and a newer value of the same thing stand.
    pub(crate) pair: Option<(Vec<Place>, Vec<Place>)>,
}

/// A path and a line; 0 where the whole file is meant.
pub(crate) type Place = (String, usize);

/// A set could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SetError {
    /// The file failed.
    #[error(transparent)]
    Read(#[from] DiskError),
    /// The file is not packed as its name says.
    #[error("cannot unpack {}", path.display())]
    Unpack {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// The file holds something else.
    #[error("{}: a record is not what it should be", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: serde_json::Error,
    },
}

/// Largest file in bytes that is read; it is held in memory.
const FILE_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// The bytes of a file, unpacked where its name ends in `.gz`.
fn bytes(path: &Path) -> Result<Vec<u8>, SetError> {
    let found = read_all(&OsDisk, path, FILE_BYTES_MAX)?;
    if path.extension().is_none_or(|ending| ending != "gz") {
        return Ok(found);
    }
    let mut unpacked = Vec::new();
    let read = GzDecoder::new(found.as_slice()).read_to_end(&mut unpacked);
    read.map_err(|cause| SetError::Unpack {
        path: path.to_owned(),
        cause,
    })?;
    Ok(unpacked)
}

/// The lines of a file, unpacked where its name ends in `.gz`.
pub(crate) fn lines(path: &Path) -> Result<Vec<String>, SetError> {
    let text = String::from_utf8_lossy(&bytes(path)?).into_owned();
    Ok(text.lines().map(str::to_owned).collect())
}

/// The one record that a file holds.
pub(crate) fn record<T: DeserializeOwned>(path: &Path) -> Result<T, SetError> {
    parsed(path, serde_json::from_slice(&bytes(path)?))
}

/// The records of a file, one a line.
pub(crate) fn records<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, SetError> {
    let lines = lines(path)?;
    let lines = lines.iter().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| parsed(path, serde_json::from_str(line)))
        .collect()
}

fn parsed<T>(path: &Path, read: Result<T, serde_json::Error>) -> Result<T, SetError> {
    read.map_err(|cause| SetError::Record {
        path: path.to_owned(),
        cause,
    })
}
