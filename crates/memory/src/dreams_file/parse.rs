//! Reads `DREAMS.md`: blocks with their fields, and everything else as it stands.
//!
//! Takes any text; decides nothing.

use base::LineRange;

use crate::candidates::{CandidateId, Status};
use crate::daily_log::lines::{Line, lines};

/// The heading under which candidates stand.
pub(super) const HEADING: &str = "## Candidate Memory Items (Pending Review)";

/// The file as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ParsedDreams {
    /// Blocks and what stands between them, in order.
    pub(super) parts: Vec<Part>,
    /// Whether the heading is there and every block reads whole.
    pub is_whole: bool,
    /// Whether the heading is there at all.
    pub has_heading: bool,
    /// Whether the file breaks off inside its last block.
    pub is_cut: bool,
}

/// A part of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// Text that is not ours, as it stands.
    Text(String),
    /// A candidate.
    Block(DreamBlock),
}

/// A candidate as the file shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DreamBlock {
    /// Its id.
    pub id: CandidateId,
    /// What stands behind `Finding:`.
    pub finding: Option<String>,
    /// What stands behind `Status:`, where it is one of the words and no other line says otherwise.
    pub status: Option<Status>,
    /// Whether a line for the status is there, whatever it says.
    pub(super) has_status: bool,
    /// The bytes as they stand.
    pub(super) raw: String,
    /// Lines inside that are not ours.
    pub(super) foreign: String,
}

impl ParsedDreams {
    /// The blocks, in order.
    pub fn blocks(&self) -> impl Iterator<Item = &DreamBlock> {
        self.parts.iter().filter_map(|part| match part {
            Part::Block(block) => Some(block),
            Part::Text(_) => None,
        })
    }

    /// In which lines the block of a candidate stands, where there is one.
    pub(crate) fn lines_of(&self, id: &CandidateId) -> Option<LineRange> {
        let n_lines = |text: &str| text.matches('\n').count();
        let mut n_before = 0;
        for part in &self.parts {
            match part {
                Part::Block(block) if block.id == *id => {
                    let n_own = lines(block.raw.trim_end()).len();
                    return Some(LineRange {
                        start: n_before + 1,
                        end: n_before + n_own,
                    });
                }
                Part::Block(block) => n_before += n_lines(&block.raw),
                Part::Text(text) => n_before += n_lines(text),
            }
        }
        None
    }
}

/// Reads the file.
pub fn parse(text: &str) -> ParsedDreams {
    let mut parsed = ParsedDreams {
        has_heading: lines(text).iter().any(|line| is_heading(line.text)),
        ..ParsedDreams::default()
    };
    let mut open: Option<DreamBlock> = None;
    for line in lines(text) {
        let whole = text.get(line.bytes.clone()).unwrap_or_default();
        if let Some(id) = block_id(line.text) {
            parsed.parts.extend(open.take().map(Part::Block));
            open = Some(DreamBlock {
                id,
                finding: None,
                status: None,
                has_status: false,
                raw: whole.to_owned(),
                foreign: String::new(),
            });
        } else if line.text.starts_with('#') {
            parsed.parts.extend(open.take().map(Part::Block));
            push_text(&mut parsed.parts, whole);
        } else if let Some(block) = &mut open {
            block.take(&line, whole);
        } else {
            push_text(&mut parsed.parts, whole);
        }
    }
    parsed.parts.extend(open.map(Part::Block));
    // The status is the last line of a block: who takes it out of the last one did not edit, but lost the rest.
    parsed.is_cut = matches!(parsed.parts.last(), Some(Part::Block(block)) if !block.has_status);
    let is_readable = |block: &DreamBlock| block.finding.is_some() && block.status.is_some();
    parsed.is_whole = parsed.has_heading && parsed.blocks().all(is_readable);
    parsed
}

impl DreamBlock {
    fn take(&mut self, line: &Line<'_>, whole: &str) {
        self.raw.push_str(whole);
        let text = line.text.trim();
        if let Some(rest) = field(text, "Finding") {
            self.finding = Some(rest.to_owned()).filter(|text| !text.is_empty());
        } else if let Some(rest) = field(text, "Status") {
            let status = Status::parse(&rest.to_lowercase());
            // Two that contradict each other say nothing.
            let agrees = !self.has_status || self.status == status;
            self.status = status.filter(|_| agrees);
            self.has_status = true;
        } else if !is_generated(text) && !text.is_empty() {
            self.foreign.push_str(whole);
        }
    }

    /// Whether what it tells of its candidate stands in the block as it would be written now, too.
    pub(super) fn says_no_more_than(&self, written: &str) -> bool {
        let mut lines = self
            .raw
            .lines()
            .map(str::trim)
            .filter(|line| is_generated(line));
        lines.all(|line| written.lines().any(|known| known.trim() == line))
    }
}

/// Whether a line is one of ours that the owner has no need to change.
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

fn push_text(parts: &mut Vec<Part>, more: &str) {
    match parts.last_mut() {
        Some(Part::Text(text)) => text.push_str(more),
        Some(Part::Block(_)) | None => parts.push(Part::Text(more.to_owned())),
    }
}
