//! The port through which notes are indexed: files of Markdown in folders that somebody else knows.
//!
//! Knows no file by its name.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::Debug;
use std::path::PathBuf;

use base::disk::{DiskError, FileStat};
use base::{Disk, Origin};

/// A line of a note without what is no text of anybody's, and who is answerable for it.
pub type LineReader = fn(&str) -> (Cow<'_, str>, Origin);

/// The notes, and what may not be found of all that is searched.
pub trait NoteSource: Send + Sync + Debug {
    /// The disk on which they lie.
    fn disk(&self) -> &dyn Disk;

    /// The notes as they are now, and what cannot be looked at.
    fn notes(&self) -> (Vec<NoteFile>, Vec<(String, DiskError)>);

    /// Where a note lies; an error where that is a place that is none of the source's.
    fn locate(&self, path: &str) -> Result<PathBuf, DiskError>;

    /// A note as it is to be cut: line by line as it stands in the file.
    fn prepare(&self, path: &str, text: String) -> String;

    /// How a line of a prepared note is read.
    fn line_reader(&self) -> LineReader;

    /// Whether a passage is one that every such note holds, so that it says nothing.
    fn is_boilerplate(&self, path: &str, passage: &str) -> bool;

    /// What may not be found, as it is now.
    fn forgotten(&self) -> Result<Box<dyn Forgotten>, Box<dyn Error + Send + Sync>>;
}

/// A note as it lies on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteFile {
    /// Its path as search shows it.
    pub path: String,
    /// What the disk tells of it.
    pub stat: FileStat,
}

/// What may not be found.
pub trait Forgotten: Send + Sync + Debug {
    /// Whether that is nothing at all.
    fn is_empty(&self) -> bool;

    /// Whether a passage or a heading was forgotten.
    fn hides_text(&self, text: &str) -> bool;

    /// Whether what stands in a line of a document was forgotten.
    fn hides_line(&self, path: &str, line: usize) -> bool;

    /// Changes whenever other texts are hidden; 0 while there are none.
    fn text_version(&self) -> u64;
}
