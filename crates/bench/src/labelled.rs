//! Reads labelled sentences: one file a language, `[class]` on a line of its own, below it one sentence a line.
//!
//! Judges nothing.

use std::path::{Path, PathBuf};

use base::disk::{Disk, DiskError, OsDisk, read_all};
use extract::Class;

/// Largest file of sentences in bytes that is read.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// A folder of sentences that cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LabelledError {
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error("{path} is not UTF-8")]
    Text { path: PathBuf },
    #[error("{path} names {name}, which is no class of sentences")]
    Class { path: PathBuf, name: String },
}

/// A sentence and what it is.
#[derive(Debug)]
pub(crate) struct Labelled {
    /// The language, as the file is named.
    pub(crate) language: String,
    /// The sentence.
    pub(crate) text: String,
    /// What it is.
    pub(crate) class: Class,
}

/// The sentences of all files in a folder, in the order of their names.
pub(crate) fn labelled(folder: &Path) -> Result<Vec<Labelled>, LabelledError> {
    let mut found = Vec::new();
    for name in OsDisk.list(folder)? {
        let path = folder.join(name);
        let language = path.file_stem().unwrap_or_default().to_string_lossy();
        let bytes = read_all(&OsDisk, &path, FILE_BYTES_MAX)?;
        let text =
            String::from_utf8(bytes).map_err(|_| LabelledError::Text { path: path.clone() })?;
        let mut class = Class::Fact;
        for line in text.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
                class = name.parse().map_err(|_| LabelledError::Class {
                    path: path.clone(),
                    name: name.to_owned(),
                })?;
            } else if !line.is_empty() && !line.starts_with('#') {
                found.push(Labelled {
                    language: language.to_string(),
                    text: line.to_owned(),
                    class,
                });
            }
        }
    }
    Ok(found)
}
