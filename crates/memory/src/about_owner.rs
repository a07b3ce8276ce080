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
    /// The files that hold older passages, for which there is no room among them, and how many each holds.
    pub left_out: Vec<(String, usize)>,
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
            let own = passages(self, &path, &tombstones)?;
            left_out.extend(give_last((&path, None), own, OF_FILE_MAX, &mut found));
        }
        let mut left = OF_LOGS_MAX;
        let days = self.log_days()?.into_iter().rev();
        for (n_before, day) in days.take(LOGS_MAX + OLDER_LOGS_MAX).enumerate() {
            let path = self.log_path(day);
            if n_before >= LOGS_MAX {
                left_out.extend(count(self, &path)?);
                continue;
            }
            let own = passages(self, &path, &tombstones)?;
            let n_before = found.len();
            left_out.extend(give_last((&path, Some(day)), own, left, &mut found));
            left -= found.len() - n_before;
        }
        Ok(AboutOwner { found, left_out })
    }
}

/// Gives the last passages of a file, where what was added last stands; the others are counted.
fn give_last(
    (path, day): (&WorkspacePath, Option<Day>),
    mut own: Vec<Passage>,
    n_max: usize,
    found: &mut Vec<SearchResult>,
) -> Option<(String, usize)> {
    let last = own.split_off(own.len().saturating_sub(n_max));
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
    found.extend(last.into_iter().map(result));
    (!own.is_empty()).then(|| (path.to_string(), own.len()))
}

/// How many items a log holds, as its lines tell.
fn count(
    workspace: &Workspace,
    path: &WorkspacePath,
) -> Result<Option<(String, usize)>, FileLinesError> {
    let text = text_of(workspace, path)?;
    let is_item = |line: &&str| line.starts_with("- ") || line.starts_with("* ");
    let n_items = text.lines().filter(is_item).count();
    Ok((n_items > 0).then(|| (path.to_string(), n_items)))
}

/// What a file says, nothing where there is none.
fn text_of(workspace: &Workspace, path: &WorkspacePath) -> Result<String, FileLinesError> {
    match read(workspace, path) {
        Err(FileLinesError::NotFound { .. }) => Ok(String::new()),
        read => read,
    }
}

fn passages(
    workspace: &Workspace,
    path: &WorkspacePath,
    tombstones: &Tombstones,
) -> Result<Vec<Passage>, FileLinesError> {
    let text = text_of(workspace, path)?;
    let mut found = Vec::new();
    let mut put = |mut stretch: Stretch| {
        stretch.hide(tombstones);
        let own = stretch.passages.into_iter();
        found.extend(own.filter(|passage| says_something(path, passage)));
    };
    // Of which day it is, is told where it is given.
    cut_markdown(&text, "", None, &mut put);
    Ok(found)
}

fn says_something(path: &WorkspacePath, passage: &Passage) -> bool {
    let is_empty = passage.text.trim().is_empty();
    let is_heading = passage.kind == PassageKind::Heading;
    !is_empty && !is_heading && !is_of_template(path.as_str(), &passage.text)
}

#[cfg(test)]
#[path = "about_owner_tests.rs"]
mod tests;
