//! The port for indexing notes: Markdown files in folders that the caller chooses.
//!
//! Hard-codes no file name.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Debug;
use std::path::PathBuf;

use base::disk::{DiskError, FileStat};
use base::{Day, Disk, Origin};

/// A note as search reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PreparedNote {
    /// Its text, without the source's own markup; line numbers are those of the file.
    pub text: String,
    /// The origins of lines that are not the owner's, by number, from 1.
    pub origins: LineOrigins,
    /// How its owner names and files it; `None` for a note that has only a file name.
    pub label: Option<NoteLabel>,
}

/// How the owner of a note names and files it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NoteLabel {
    /// Its title, and then its other names. A question with one of them finds the note first.
    pub names: Vec<String>,
    /// Its folders and tags: they are searched and not shown.
    pub topics: Vec<String>,
    pub day: Option<Day>,
}

/// The origins of lines by number, from 1; other lines are the owner's.
pub type LineOrigins = BTreeMap<usize, Origin>;

/// The notes to index, and the texts that search must hide.
pub trait NoteSource: Send + Sync + Debug {
    /// The disk that holds the notes.
    fn disk(&self) -> &dyn Disk;

    /// The current notes, and the paths that cannot be read.
    fn notes(&self) -> (Vec<NoteFile>, Vec<(String, DiskError)>);

    /// The note's path on disk; an error if it is outside the source.
    fn locate(&self, path: &str) -> Result<PathBuf, DiskError>;

    /// The note's text, ready for cutting, and whose its lines are; without text if search must not read these bytes.
    fn prepare(&self, path: &str, bytes: Vec<u8>) -> PreparedNote;

    /// Whether every note of this kind has this passage, so that it carries no information.
    fn is_boilerplate(&self, path: &str, passage: &str) -> bool;

    /// A number that changes whenever the source has new information about the lines of its notes, such as their
    /// origin.
    fn known_version(&self) -> u64;

    /// The notes about which the source has newer information than at this version; `None` if these may be any notes.
    fn known_since(&self, version: u64) -> Option<Vec<String>>;

    /// The forgotten texts as of now.
    fn forgotten(&self) -> Result<Box<dyn ForgottenFilter>, Box<dyn Error + Send + Sync>>;
}

/// A note on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteFile {
    /// Its path as search shows it.
    pub path: String,
    /// Its file metadata.
    pub stat: FileStat,
    /// Who answers for a line about which nothing else is known.
    pub origin: Origin,
}

/// Texts that the owner has forgotten and search must hide.
pub trait ForgottenFilter: Send + Sync + Debug {
    /// Whether nothing is hidden.
    fn is_empty(&self) -> bool;

    /// Whether this passage or heading was forgotten.
    fn hides_text(&self, text: &str) -> bool;

    /// Whether this line of a document was forgotten, or a sentence of it that this text holds.
    fn hides_line(&self, path: &str, line: usize, text: &str) -> bool;

    /// Changes whenever the set of hidden texts changes; 0 while it is empty.
    fn text_version(&self) -> u64;
}
