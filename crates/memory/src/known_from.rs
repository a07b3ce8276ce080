//! From which sessions the lines of notes are known.
//!
//! Names sessions as the notes do, by id or by name; never looks into one.

use base::LineRange;

use crate::candidates::EvidenceRef;
use crate::curated::{LineOwner, memory_lines};
use crate::daily_log::{ParsedBlock, parse};
use crate::file_lines::read;
use crate::{FileLinesError, Workspace, WorkspacePath};

/// Lines of a note, each with a session that they are known from: those of blocks, and those that name evidence.
pub fn lines_known_from(
    workspace: &Workspace,
    path: &WorkspacePath,
) -> Result<Vec<(LineRange, String)>, FileLinesError> {
    let text = read(workspace, path)?;
    let blocks = parse(&text).blocks.into_iter();
    let mut known: Vec<_> = blocks
        .map(|block| (block.lines, block.session.to_string()))
        .collect();
    for line in memory_lines(&text) {
        if let LineOwner::Ours { evidence, .. } = &line.owner {
            let lines = LineRange {
                start: line.number,
                end: line.number,
            };
            let sessions = sessions_of(workspace, evidence).into_iter();
            known.extend(sessions.map(|session| (lines, session)));
        }
    }
    Ok(known)
}

/// The sessions that this evidence stands in, or from which the notes are that it stands in.
pub fn sessions_of(workspace: &Workspace, evidence: &[EvidenceRef]) -> Vec<String> {
    let mut sessions = Vec::new();
    for own in evidence {
        if let Some(file) = own.path.strip_prefix("sessions/") {
            sessions.extend(file.strip_suffix(".jsonl").map(str::to_owned));
        } else if let Ok(path) = own.path.parse::<WorkspacePath>()
            && let Ok(text) = read(workspace, &path)
        {
            let blocks = parse(&text).blocks.into_iter();
            let mut blocks = blocks.filter(|block| holds(block, own));
            sessions.extend(blocks.next().map(|block| block.session.to_string()));
        }
    }
    sessions
}

/// Whether the evidence stands in the block: by its id, or by its line where it was changed by hand.
fn holds(block: &ParsedBlock, own: &EvidenceRef) -> bool {
    let by_hand = own.key.starts_with('~');
    let mut notes = block.notes.iter();
    notes.any(|note| note.id.to_string() == own.key)
        || by_hand && (block.lines.start..=block.lines.end).contains(&own.line)
}
