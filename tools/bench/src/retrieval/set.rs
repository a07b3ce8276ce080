//! The data model of an evaluation set, and functions that read its files.
//!
//! Independent of any particular set.

use std::io::Read;
use std::path::Path;

use base::disk::{OsDisk, read_all};
use flate2::read::GzDecoder;
use search::{Source, SourceMessage};
use serde::de::DeserializeOwned;

use crate::Result;

/// An evaluation set; each corpus is searched separately.
#[derive(Debug)]
pub(crate) struct Set {
    pub(crate) name: &'static str,
    pub(crate) corpora: Vec<BenchCorpus>,
    /// The source that results must come from.
    pub(crate) source: Source,
}

#[derive(Debug, Default)]
pub(crate) struct BenchCorpus {
    /// The text of each note, by its path in the workspace.
    pub(crate) notes: Vec<(String, String)>,
    /// The messages of each document, by its path.
    pub(crate) documents: Vec<(String, Vec<SourceMessage>)>,
    pub(crate) questions: Vec<SetQuestion>,
}

/// A question with the places of its answer.
#[derive(Debug, Default)]
pub(crate) struct SetQuestion {
    pub(crate) text: String,
    /// The kind of question, as the set names it.
    pub(crate) kind: String,
    /// The right places, each with its relevance grade.
    pub(crate) gold: Vec<(GoldPlace, u32)>,
    /// The places of the older and of the newer value, if the question is about an updated fact.
    pub(crate) pair: Option<(Vec<GoldPlace>, Vec<GoldPlace>)>,
}

/// A path and a line; line 0 means the whole file.
pub(crate) type GoldPlace = (String, usize);

/// The size of the largest file, in bytes. Files are read into memory.
const FILE_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// The text of a file, decompressed if its name ends in `.gz`.
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

/// The lines of a file, decompressed if its name ends in `.gz`.
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
    let wrong = |cause| format!("{}: invalid record: {cause}", path.display());
    Ok(serde_json::from_str(record).map_err(|cause: serde_json::Error| wrong(cause))?)
}
