//! Where a memory lies while it is measured: in a directory that vanishes, or in one that is asked again.
//!
//! A kept memory is its index and the questions about it; the notes are not needed again.

use std::path::{Path, PathBuf};

use base::disk::{DiskError, OsDisk, read_some, replace};
use tempfile::TempDir;

#[derive(Debug)]
pub(crate) struct Place {
    root: PathBuf,
    /// Keeps the directory that vanishes.
    _vanishing: Option<TempDir>,
}

/// Most bytes of questions that are read back.
const QUESTIONS_BYTES_MAX: u64 = 64 * 1024 * 1024;

impl Place {
    /// The place of a memory of so many passages below `kept`, or one that vanishes.
    pub(crate) fn of(kept: Option<&Path>, n_passages: usize) -> Result<Self, std::io::Error> {
        if let Some(directory) = kept {
            return Ok(Self {
                root: directory.join(n_passages.to_string()),
                _vanishing: None,
            });
        }
        let directory = tempfile::tempdir()?;
        Ok(Self {
            root: directory.path().to_owned(),
            _vanishing: Some(directory),
        })
    }

    pub(crate) fn index(&self) -> PathBuf {
        self.root.join("index")
    }

    /// The questions about a memory that was kept, at most `n_max`; `None` where it has to be built.
    pub(crate) fn questions(&self, n_max: usize) -> Result<Option<Vec<String>>, DiskError> {
        let bytes = read_some(&OsDisk, &self.root.join(QUESTIONS), QUESTIONS_BYTES_MAX)?;
        Ok(bytes.map(|bytes| {
            let text = String::from_utf8_lossy(&bytes);
            text.lines().take(n_max).map(str::to_owned).collect()
        }))
    }

    /// Says that the memory is whole, and what is asked about it.
    pub(crate) fn keep(&self, questions: &[String]) -> Result<(), DiskError> {
        let mut text = questions.join("\n");
        text.push('\n');
        replace(&OsDisk, &self.root.join(QUESTIONS), text.as_bytes())
    }
}

const QUESTIONS: &str = "questions.txt";
