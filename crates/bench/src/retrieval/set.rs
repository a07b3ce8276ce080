//! What an evaluation set is once it is read, and how its files are opened.
//!
//! Knows no set by name.

use std::io::Read;
use std::path::Path;

use base::disk::{OsDisk, read_all};
use flate2::read::GzDecoder;
use search::{Source, SourceMessage};
use serde::de::DeserializeOwned;

use crate::Result;

/// A set: bodies of text that are searched each for itself.
#[derive(Debug)]
pub(crate) struct Set {
    pub(crate) name: &'static str,
    pub(crate) corpora: Vec<Corpus>,
    /// Which passages may answer.
    pub(crate) source: Source,
}

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

/// Largest file in bytes that is read; it is held in memory.
const FILE_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// The text of a file, unpacked where its name ends in `.gz`.
fn text(path: &Path) -> Result<String> {
    let mut found = read_all(&OsDisk, path, FILE_BYTES_MAX)?;
    if path.extension().is_some_and(|ending| ending == "gz") {
        let mut unpacked = Vec::new();
        let read = GzDecoder::new(found.as_slice()).read_to_end(&mut unpacked);
        read.map_err(|cause| format!("cannot unpack {}: {cause}", path.display()))?;
        found = unpacked;
    }
    Ok(String::from_utf8_lossy(&found).into_owned())
}

/// The lines of a file, unpacked where its name ends in `.gz`.
pub(crate) fn lines(path: &Path) -> Result<Vec<String>> {
    Ok(text(path)?.lines().map(str::to_owned).collect())
}

pub(crate) fn record<T: DeserializeOwned>(path: &Path) -> Result<T> {
    parsed(path, &text(path)?)
}

pub(crate) fn records<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let text = text(path)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| parsed(path, line)).collect()
}

fn parsed<T: DeserializeOwned>(path: &Path, record: &str) -> Result<T> {
    let wrong = |cause| {
        format!(
            "{}: a record is not what it should be: {cause}",
            path.display()
        )
    };
    Ok(serde_json::from_str(record).map_err(|cause: serde_json::Error| wrong(cause))?)
}
