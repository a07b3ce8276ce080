//! The files of the workspace and the latest logs as shown in a prompt, within size limits.
//!
//! Never truncates without saying so in the text.

use base::disk::{DiskError, ReadAt};
use base::{Day, EntryId, Origin, TokenCount, estimate_text, head};

use crate::FileError;
use crate::WorkspacePath;
use crate::candidates::Evidence;
use crate::misread::readable;
use crate::note_text::{NoteLine, NoteText};
use crate::owner_files::{Audience, prompt_files};
use crate::tombstone::{Tombstones, hidden_lines, load_tombstones};
use crate::workspace::{MEMORY_FILE, Workspace, is_template_line};

/// A file of the workspace, as shown in a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptFile {
    pub name: WorkspacePath,
    /// The shown text, including the line that reports a truncation.
    pub text: String,
    /// The lines of `MEMORY.md` that the owner neither said nor approved; they are not in `text`.
    pub unapproved: String,
    /// Size of the whole file in bytes.
    pub n_bytes: u64,
    /// Whether it was truncated.
    pub is_cut: bool,
    /// Who may see it.
    pub audience: Audience,
}

impl PromptFile {
    /// Whether it is long-term memory.
    pub fn is_long_term(&self) -> bool {
        self.name.as_str() == MEMORY_FILE
    }
}

/// A daily log, as shown in a prompt of the primary session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentLog {
    pub day: Day,
    pub name: WorkspacePath,
    /// The shown text without our comments, including the line that reports a truncation.
    pub text: String,
    /// What is known about each line of the text.
    pub lines: Vec<RecentLine>,
    /// Whether it was truncated.
    pub is_cut: bool,
}

/// What is known about a line of a daily log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentLine {
    /// Who answers for it.
    pub origin: Origin,
    /// What lines of `MEMORY.md` that are based on it name it by: the id of a note of ours, the hash of a line by hand.
    pub key: String,
    /// The entries that it is based on.
    pub entries: Vec<EntryId>,
    /// The day on which a newer value replaced what it says. Left to the caller.
    pub replaced_on: Option<Day>,
}

/// Length limit of one file in a prompt, in characters, including the line that reports a truncation.
pub const PROMPT_FILE_CHARS_MAX: usize = 20_000;

/// Reserved for the line that reports a truncation.
const CUT_LINE_CHARS_MAX: usize = 120;
const CUT_LINE_MAX: TokenCount = TokenCount(30);

/// Bytes read beyond the limit, so that the last passage is whole and tombstones can match it.
const MARGIN_BYTES: usize = 16 * 1024;

/// Maximum size of a character in UTF-8.
const CHAR_BYTES_MAX: usize = 4;

/// Bytes of a log to read per shown character: four per character, and comments of earlier versions may take half.
const LOG_BYTES_PER_CHAR: usize = 8;

impl Workspace {
    /// The files for the stable part of a prompt, in order, without missing and empty ones. A form about the owner
    /// contributes only the lines that are filled in.
    ///
    /// Invalid UTF-8 is shown as replacement characters, so that one bad byte does not hide a file.
    pub fn prompt_files(&self) -> Result<Vec<PromptFile>, FileError> {
        let tombstones = load_tombstones(self)?;
        let files =
            prompt_files().map(|(name, audience)| self.prompt_file(name, audience, &tombstones));
        let files: Result<Vec<_>, DiskError> = files.filter_map(Result::transpose).collect();
        Ok(files?)
    }

    fn prompt_file(
        &self,
        name: &str,
        audience: Audience,
        tombstones: &Tombstones,
    ) -> Result<Option<PromptFile>, DiskError> {
        let name = WorkspacePath::known(name);
        let path = name.under(self.root());
        if self.disk().stat(&path)?.is_none() {
            return Ok(None);
        }
        let file = self.disk().open(&path)?;
        let n_bytes = file.len()?;
        let bytes = read_at_most(
            &*file,
            0,
            PROMPT_FILE_CHARS_MAX * CHAR_BYTES_MAX + MARGIN_BYTES,
        )?;
        let is_whole = bytes.len() as u64 >= n_bytes;
        let text = readable(&bytes);
        let text = self.read_note(name.as_str(), &text);
        let hidden = hidden_lines(&text, tombstones);
        let text = text.without(&hidden);
        let (text, unapproved) = match (name.as_str(), audience) {
            (MEMORY_FILE, _) => by_approval(&text),
            (_, Audience::EverySession | Audience::PrimarySession) => {
                (text.readable(), String::new())
            }
        };
        let text = match audience {
            Audience::EverySession => text,
            Audience::PrimarySession => filled_in(name.as_str(), &text),
        };
        let text = text.as_str();
        let is_cut = !is_whole || text.chars().count() > PROMPT_FILE_CHARS_MAX;
        let text = if is_cut {
            let shown = head(text, PROMPT_FILE_CHARS_MAX - CUT_LINE_CHARS_MAX);
            let n_hidden = n_bytes.saturating_sub(shown.len() as u64);
            format!("{shown}\n[{n_hidden} of {n_bytes} bytes of {name} are not shown]\n")
        } else {
            text.trim_start_matches('\u{feff}').to_owned()
        };
        Ok(Some(PromptFile {
            name,
            text,
            unapproved,
            n_bytes,
            is_cut,
            audience,
        })
        .filter(|file| !file.text.trim().is_empty() || !file.unapproved.is_empty()))
    }

    /// Yesterday's and today's log, together at most `max` tokens; keeps the newest lines.
    ///
    /// Invalid UTF-8 is shown as replacement characters: a crash may leave half a character, which must not block the
    /// prompt.
    pub fn recent_logs(&self, today: Day, max: TokenCount) -> Result<Vec<RecentLog>, FileError> {
        let tombstones = load_tombstones(self)?;
        let mut logs = Vec::new();
        let mut left = max;
        for day in [today, today.previous()] {
            if let Some(log) = self.recent_log(day, left, &tombstones)? {
                left = left.saturating_sub(estimate_text(&log.text));
                logs.push(log);
            }
        }
        logs.reverse();
        Ok(logs)
    }

    fn recent_log(
        &self,
        day: Day,
        max: TokenCount,
        tombstones: &Tombstones,
    ) -> Result<Option<RecentLog>, DiskError> {
        let name = self.log_path(day);
        let path = name.under(self.root());
        if max <= CUT_LINE_MAX || self.disk().stat(&path)?.is_none() {
            return Ok(None);
        }
        let file = self.disk().open(&path)?;
        let n_bytes = file.len()?;
        let n_wanted = max.to_chars().saturating_mul(LOG_BYTES_PER_CHAR);
        let start = n_bytes.saturating_sub(n_wanted as u64);
        let bytes = read_at_most(&*file, start, n_wanted)?;
        let text = readable(&bytes);
        let text = self.read_note(name.as_str(), &text);
        let hidden = hidden_lines(&text, tombstones);
        let text = text.without(&hidden);
        let known: Vec<RecentLine> = text.lines().iter().map(RecentLine::of).collect();
        let readable = text.readable();
        let is_cut = start > 0 || estimate_text(&readable) > max;
        let text = if is_cut {
            let shown = last_lines(&readable, max.saturating_sub(CUT_LINE_MAX));
            format!("[the earlier part of {name} is not shown]\n{shown}")
        } else {
            readable
        };
        // A truncated log begins with a line of ours, before the last lines of the whole.
        let n_shown = text.lines().count() - usize::from(is_cut);
        let shown = known.get(known.len().saturating_sub(n_shown)..);
        let before = is_cut.then(|| RecentLine::alone(Origin::System));
        let lines = before.into_iter().chain(shown.unwrap_or_default().to_vec());
        Ok(Some(RecentLog {
            day,
            name,
            lines: lines.collect(),
            text,
            is_cut,
        })
        .filter(|log| !log.text.trim().is_empty()))
    }
}

impl RecentLog {
    /// Whether it holds more than headings.
    pub fn has_text(&self) -> bool {
        let mut lines = self.text.lines();
        lines.any(|line| !line.trim().is_empty() && !line.starts_with('#'))
    }
}

impl RecentLine {
    fn alone(origin: Origin) -> Self {
        Self {
            origin,
            key: String::new(),
            entries: Vec::new(),
            replaced_on: None,
        }
    }

    fn of(line: &NoteLine<'_>) -> Self {
        let record = line.ours();
        Self {
            key: record.map_or_else(
                || Evidence::key_by_hand(line.item()),
                |own| own.own_id().to_owned(),
            ),
            entries: record.map_or_else(Vec::new, |own| own.entries().collect()),
            ..Self::alone(line.origin())
        }
    }
}

/// The readable lines of `MEMORY.md`: those that the owner said, approved or wrote, and the others.
fn by_approval(text: &NoteText<'_>) -> (String, String) {
    let (mut approved, mut others) = (String::new(), String::new());
    for line in text.lines() {
        match line.origin() {
            Origin::Owner => approved.push_str(&line.shown()),
            Origin::Agent | Origin::Untrusted | Origin::System => others.push_str(&line.shown()),
        }
    }
    (approved, others)
}

/// A form without the lines that are still as in its template. Headings stay if anything is filled in.
fn filled_in(name: &str, text: &str) -> String {
    let is_own = |line: &str| !is_template_line(name, line);
    if !text.lines().any(is_own) {
        return String::new();
    }
    let is_kept = |line: &&str| is_own(line) || line.starts_with('#') || line.trim().is_empty();
    text.split_inclusive('\n').filter(is_kept).collect()
}

/// As many whole lines from the end as fit. Skips the first line of `text`, which may be half a line.
fn last_lines(text: &str, max: TokenCount) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').skip(1).collect();
    let mut left = max;
    let fitting = lines.iter().rev().take_while(|line| {
        let tokens = estimate_text(line);
        let fits = tokens <= left;
        left = left.saturating_sub(tokens);
        fits
    });
    let n_shown = fitting.count();
    lines.into_iter().rev().take(n_shown).rev().collect()
}

fn read_at_most(file: &dyn ReadAt, offset: u64, n_bytes_max: usize) -> Result<Vec<u8>, DiskError> {
    let available = file.len()?.saturating_sub(offset);
    let n_bytes = usize::try_from(available).map_or(n_bytes_max, |n| n.min(n_bytes_max));
    let mut bytes = vec![0; n_bytes];
    let n_read = file.read_at(offset, &mut bytes)?;
    bytes.truncate(n_read);
    Ok(bytes)
}

#[cfg(test)]
#[path = "prompt_files_tests.rs"]
mod tests;
