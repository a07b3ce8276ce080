//! Parses `DREAMS.md` into blocks with their fields, and keeps all other text unchanged.
//!
//! Accepts any text; does not make decisions.

use base::LineRange;

use crate::candidates::{CandidateId, Status};
use crate::daily_log::lines::{LogLine, lines};

/// The heading above the candidates.
pub(super) const HEADING: &str = "## Candidate Memory Items (Pending Review)";

/// The parsed file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ParsedDreams {
    /// Blocks and the text between them, in order.
    pub(super) parts: Vec<DreamsFilePart>,
    /// Whether the file has the heading and every block has a finding and a valid status.
    pub is_whole: bool,
    /// Whether the file has the heading.
    pub has_heading: bool,
    /// Whether the file ends inside its last block.
    pub is_cut: bool,
}

/// A part of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DreamsFilePart {
    /// Text that is not ours, unchanged.
    Text(String),
    /// A candidate.
    Block(DreamBlock),
}

/// A candidate, as shown in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DreamBlock {
    pub id: CandidateId,
    /// The text after `Finding:`.
    pub finding: Option<String>,
    /// The status after `Status:`; `None` if it is unknown or two lines contradict each other.
    pub status: Option<Status>,
    /// Whether the block has a `Status:` line, valid or not.
    pub(super) has_status: bool,
    /// The source text of the block.
    pub(super) raw: String,
    /// Lines inside that are not ours.
    pub(super) foreign: String,
}

impl ParsedDreams {
    /// The blocks, in order.
    pub fn blocks(&self) -> impl Iterator<Item = &DreamBlock> {
        self.parts.iter().filter_map(|part| match part {
            DreamsFilePart::Block(block) => Some(block),
            DreamsFilePart::Text(_) => None,
        })
    }

    /// The lines of a candidate's block, if it has one.
    pub(crate) fn lines_of(&self, id: &CandidateId) -> Option<LineRange> {
        let n_lines = |text: &str| text.matches('\n').count();
        let mut n_before = 0;
        for part in &self.parts {
            match part {
                DreamsFilePart::Block(block) if block.id == *id => {
                    let n_own = lines(block.raw.trim_end()).len();
                    return Some(LineRange {
                        start: n_before + 1,
                        end: n_before + n_own,
                    });
                }
                DreamsFilePart::Block(block) => n_before += n_lines(&block.raw),
                DreamsFilePart::Text(text) => n_before += n_lines(text),
            }
        }
        None
    }
}

/// Parses the file.
pub fn parse(text: &str) -> ParsedDreams {
    let mut parsed = ParsedDreams {
        has_heading: lines(text).iter().any(|line| is_heading(line.text)),
        ..ParsedDreams::default()
    };
    let mut open: Option<DreamBlock> = None;
    for line in lines(text) {
        let whole = text.get(line.bytes.clone()).unwrap_or_default();
        if let Some(id) = block_id(line.text) {
            parsed.parts.extend(open.take().map(DreamsFilePart::Block));
            open = Some(DreamBlock {
                id,
                finding: None,
                status: None,
                has_status: false,
                raw: whole.to_owned(),
                foreign: String::new(),
            });
        } else if line.text.starts_with('#') {
            parsed.parts.extend(open.take().map(DreamsFilePart::Block));
            push_text(&mut parsed.parts, whole);
        } else if let Some(block) = &mut open {
            block.take(&line, whole);
        } else {
            push_text(&mut parsed.parts, whole);
        }
    }
    parsed.parts.extend(open.map(DreamsFilePart::Block));
    // The status is the last line of a block. If the last block has none, the file was truncated.
    parsed.is_cut =
        matches!(parsed.parts.last(), Some(DreamsFilePart::Block(block)) if !block.has_status);
    let is_readable = |block: &DreamBlock| block.finding.is_some() && block.status.is_some();
    parsed.is_whole = parsed.has_heading && parsed.blocks().all(is_readable);
    parsed
}

impl DreamBlock {
    fn take(&mut self, line: &LogLine<'_>, whole: &str) {
        self.raw.push_str(whole);
        let text = line.text.trim();
        if let Some(rest) = field(text, "Finding") {
            self.finding = Some(rest.to_owned()).filter(|text| !text.is_empty());
        } else if let Some(rest) = field(text, "Status") {
            let status = Status::parse(&rest.to_lowercase());
            // Two contradicting lines cancel each other.
            let agrees = !self.has_status || self.status == status;
            self.status = status.filter(|_| agrees);
            self.has_status = true;
        } else if !is_generated(text) && !text.is_empty() {
            self.foreign.push_str(whole);
        }
    }

    /// Whether all generated lines of the block also appear in `written`, the block as rendered now.
    pub(super) fn says_no_more_than(&self, written: &str) -> bool {
        let mut lines = self
            .raw
            .lines()
            .map(str::trim)
            .filter(|line| is_generated(line));
        lines.all(|line| written.lines().any(|known| known.trim() == line))
    }
}

/// Whether a line is generated and not meant to be edited.
fn is_generated(line: &str) -> bool {
    let mut names = ["Suggested action", "Evidence", "Waiting because"].into_iter();
    names.any(|name| field(line, name).is_some())
}

fn field<'t>(line: &'t str, name: &str) -> Option<&'t str> {
    Some(line.strip_prefix(name)?.strip_prefix(':')?.trim())
}

pub(super) fn is_heading(line: &str) -> bool {
    line.trim_end() == HEADING
}

/// The id in `### [2026-04-20 Session Replay] c7f3`.
fn block_id(line: &str) -> Option<CandidateId> {
    let rest = line.strip_prefix("### [")?;
    let (_, id) = rest.split_once("] ")?;
    let id = id.trim();
    let is_id = (4..=16).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then(|| CandidateId::new(id.to_lowercase()))
}

fn push_text(parts: &mut Vec<DreamsFilePart>, more: &str) {
    match parts.last_mut() {
        Some(DreamsFilePart::Text(text)) => text.push_str(more),
        Some(DreamsFilePart::Block(_)) | None => parts.push(DreamsFilePart::Text(more.to_owned())),
    }
}
