//! Which files of the workspace hold bytes that are not UTF-8 or zeros, and what of them can be read.
//!
//! Changes no file.

use std::borrow::Cow;

use base::Day;
use base::disk::{DiskError, ReadAt};

use crate::WorkspacePath;
use crate::sync::note_paths;
use crate::workspace::{Audience, DREAMS_FILE, PROMPT_FILES, Workspace};

/// A file of which some bytes are not UTF-8, or zeros.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misread {
    /// The file.
    pub path: WorkspacePath,
    /// The first line with such bytes.
    pub line: usize,
}

/// Files are looked through in parts of this size.
const PART_BYTES: usize = 64 * 1024;

impl Workspace {
    /// What is misread of the files and logs that prompts show to an audience on this day.
    pub fn misread_in_prompts(
        &self,
        audience: Audience,
        today: Day,
    ) -> Result<Vec<Misread>, DiskError> {
        let is_for = |found: Audience| found == Audience::EverySession || found == audience;
        let files = PROMPT_FILES.into_iter().filter(|(_, own)| is_for(*own));
        let files = files.map(|(name, _)| WorkspacePath::known(name));
        let logs = [today.previous(), today].map(|day| self.log_path(day));
        let logs = logs
            .into_iter()
            .filter(|_| audience == Audience::PrimarySession);
        self.misread(files.chain(logs))
    }

    /// What is misread of all files that the program reads.
    pub fn misread_files(&self) -> Result<Vec<Misread>, DiskError> {
        let notes = note_paths(self);
        let steering = PROMPT_FILES.into_iter().map(|(name, _)| name);
        let steering = steering.chain([DREAMS_FILE]).map(WorkspacePath::known);
        let steering = steering.filter(|path| !notes.contains(path));
        let steering: Vec<_> = steering.collect();
        self.misread(steering.into_iter().chain(notes))
    }

    fn misread(
        &self,
        paths: impl Iterator<Item = WorkspacePath>,
    ) -> Result<Vec<Misread>, DiskError> {
        let mut found = Vec::new();
        for path in paths {
            let full = path.under(self.root());
            if self.disk().stat(&full)?.is_none_or(|stat| stat.is_dir) {
                continue;
            }
            // What cannot be opened at all is named by the index.
            let Ok(file) = self.disk().open(&full) else {
                continue;
            };
            if let Some(line) = misread_line_of(&*file, PART_BYTES)? {
                found.push(Misread { path, line });
            }
        }
        Ok(found)
    }
}

/// What can be read: a replacement character stands for what cannot, and nothing for zeros, which no text
/// holds and half of the bytes of UTF-16 are.
pub(crate) fn readable(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if text.contains('\0') {
        Cow::Owned(text.replace('\0', ""))
    } else {
        text
    }
}

/// The first line of which [`readable`] leaves something out: with bytes that are not UTF-8, or with a zero.
pub(crate) fn misread_line(bytes: &[u8]) -> Option<usize> {
    let (n_read, _) = beginning(bytes);
    let read = bytes.get(..n_read).unwrap_or_default();
    (n_read < bytes.len()).then(|| 1 + n_lines(read))
}

/// How many bytes are read as they are, and whether they end before the first half of a character.
fn beginning(bytes: &[u8]) -> (usize, bool) {
    let (n_valid, is_half) = match std::str::from_utf8(bytes) {
        Ok(text) => (text.len(), false),
        Err(error) => (error.valid_up_to(), error.error_len().is_none()),
    };
    let zero = bytes.iter().take(n_valid).position(|byte| *byte == 0);
    zero.map_or((n_valid, is_half), |place| (place, false))
}

/// The same for a file of any length.
fn misread_line_of(file: &dyn ReadAt, part_bytes: usize) -> Result<Option<usize>, DiskError> {
    let mut part = vec![0; part_bytes];
    let (mut offset, mut line) = (0, 1);
    loop {
        let n_read = file.read_at(offset, &mut part)?;
        let read = part.get(..n_read).unwrap_or_default();
        let (n_valid, is_half) = beginning(read);
        line += n_lines(read.get(..n_valid).unwrap_or_default());
        // A character may go on in the next part; one that no part completes is none.
        let goes_on = is_half && n_valid > 0;
        if n_valid < n_read && !goes_on {
            return Ok(Some(line));
        }
        if n_read == 0 {
            return Ok(None);
        }
        offset += n_valid as u64;
    }
}

fn n_lines(bytes: &[u8]) -> usize {
    bytes.split(|byte| *byte == b'\n').count().saturating_sub(1)
}

#[cfg(test)]
#[path = "misread_tests.rs"]
mod tests;
