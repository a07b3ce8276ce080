//! Gives what the notes say of the owner: what always holds first, then what was noted last.
//!
//! Ranks nothing and reads no index.

use base::{Day, Locator};

use crate::file_lines::{FileLinesError, read};
use crate::passage::{Passage, PassageKind, Stretch, cut_markdown};
use crate::search::SearchResult;
use crate::tombstone::{Tombstones, load_tombstones};
use crate::workspace::{Audience, PROMPT_FILES, is_of_template};
use crate::{Source, Workspace, WorkspacePath};

/// Most passages of a file that always holds.
const OF_FILE_MAX: usize = 40;

/// Most passages of the logs.
const OF_LOGS_MAX: usize = 8;

/// So many logs are looked at for what is given.
const LOGS_MAX: usize = 3;

/// So many more are looked at for what is left out.
const OLDER_LOGS_MAX: usize = 400;

/// What the notes say of the owner.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AboutOwner {
    /// The passages, what always holds first.
    pub found: Vec<SearchResult>,
    /// Older passages, for which there is no room among them.
    pub left_out: Vec<SearchResult>,
}

impl Workspace {
    /// What the files about the owner say, then the last notes of the latest logs, newest day first.
    ///
    /// # Errors
    ///
    /// [`FileLinesError`] where one of them cannot be read.
    pub fn about_owner(&self) -> Result<AboutOwner, FileLinesError> {
        let tombstones = load_tombstones(self)?;
        let mut found = Vec::new();
        let mut left_out = Vec::new();
        let about = PROMPT_FILES.iter();
        for (name, _) in about.filter(|(_, audience)| *audience == Audience::PrimarySession) {
            let path = WorkspacePath::known(*name);
            let mut own = passages(self, &path, None, &tombstones)?;
            // What was added last stands last.
            let newest = own.split_off(own.len().saturating_sub(OF_FILE_MAX));
            found.extend(newest);
            left_out.extend(own);
        }
        let mut left = OF_LOGS_MAX;
        let days = self.log_days()?.into_iter().rev();
        for (n_before, day) in days.take(LOGS_MAX + OLDER_LOGS_MAX).enumerate() {
            let mut own = passages(self, &self.log_path(day), Some(day), &tombstones)?;
            let n_given = if n_before < LOGS_MAX { left } else { 0 };
            let last = own.split_off(own.len().saturating_sub(n_given));
            left -= last.len().min(left);
            found.extend(last);
            left_out.extend(own);
        }
        Ok(AboutOwner { found, left_out })
    }
}

fn passages(
    workspace: &Workspace,
    path: &WorkspacePath,
    day: Option<Day>,
    tombstones: &Tombstones,
) -> Result<Vec<SearchResult>, FileLinesError> {
    let text = match read(workspace, path) {
        Ok(text) => text,
        Err(FileLinesError::NotFound { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    let mut put = |mut stretch: Stretch| {
        stretch.hide(tombstones);
        let own = stretch.passages.into_iter();
        found.extend(own.filter(|passage| says_something(path, passage)));
    };
    cut_markdown(&text, "", day, &mut put);
    let result = |passage: Passage| SearchResult {
        source: Source::Memory,
        path: path.to_string(),
        start_line: passage.lines.start,
        end_line: passage.lines.end,
        text: passage.text,
        score: 0.0,
        kind: passage.kind,
        speaker: passage.speaker,
        origin: passage.origin,
        day,
        renews: None::<Locator>,
        also: Vec::new(),
        explanation: None,
    };
    Ok(found.into_iter().map(result).collect())
}

fn says_something(path: &WorkspacePath, passage: &Passage) -> bool {
    let is_empty = passage.text.trim().is_empty();
    let is_heading = passage.kind == PassageKind::Heading;
    !is_empty && !is_heading && !is_of_template(path.as_str(), &passage.text)
}

#[cfg(test)]
#[path = "about_owner_tests.rs"]
mod tests;
