//! Finds the sessions that the lines of notes come from.
//!
//! Names sessions as the notes do, by id or by name; never opens one.

use base::LineRange;
use base::layout::session_of_path;

use crate::candidates::{Evidence, EvidenceRef};
use crate::curated::{CuratedLine, LineOwner, memory_lines};
use crate::daily_log::lines::without_bullet;
use crate::daily_log::{ParsedBlock, parse, without_comments};
use crate::file_lines::read;
use crate::marks::spelled_out;
use crate::{FileLinesError, Workspace, WorkspacePath};

/// The start of a comment.
const COMMENT: &str = "<!--";

/// Lines of a note with a session they come from: lines of blocks, and lines of ours with evidence.
pub fn lines_known_from(
    workspace: &Workspace,
    path: &WorkspacePath,
) -> Result<Vec<(LineRange, String)>, FileLinesError> {
    let text = read(workspace, path)?;
    // Blocks and evidence are both marked by comments.
    if !text.contains(COMMENT) {
        return Ok(Vec::new());
    }
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

/// The lines of `MEMORY.md` as in the file, including forgotten ones.
pub fn curated_lines(workspace: &Workspace) -> Result<Vec<CuratedLine>, FileLinesError> {
    Ok(memory_lines(&read(workspace, &workspace.memory_path())?))
}

/// The sessions of this evidence: the session that it points into, or the session of the block it points into. If the
/// evidence has a scope, returns the scope instead.
pub fn sessions_of(workspace: &Workspace, evidence: &[EvidenceRef]) -> Vec<String> {
    let mut sessions = Vec::new();
    for own in evidence {
        let named = own.scope.as_deref().or(session_of_path(&own.path));
        if let Some(session) = named {
            sessions.push(session.to_owned());
        } else if let Ok(path) = own.path.parse::<WorkspacePath>()
            && let Ok(text) = read(workspace, &path)
        {
            let blocks = parse(&text).blocks.into_iter();
            let spelled = spelled_out(&text);
            let mut blocks = blocks.filter(|block| holds(block, &spelled, own));
            sessions.extend(blocks.next().map(|block| block.session.to_string()));
        }
    }
    sessions
}

/// Whether the evidence is in this block of `text`. Compares the id, or the hash of the line if it was written by hand,
/// because line numbers change.
fn holds(block: &ParsedBlock, text: &str, own: &EvidenceRef) -> bool {
    let mut notes = block.notes.iter();
    if notes.any(|note| note.id.to_string() == own.key) {
        return true;
    }
    let inside = text.lines().zip(1..);
    let mut inside =
        inside.filter(|(_, line)| (block.lines.start..=block.lines.end).contains(line));
    inside.any(|(line, _)| {
        let said = without_comments(line);
        Evidence::key_by_hand(without_bullet(said.trim())) == own.key
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use base::disk::{MemoryDisk, read_all, replace};
    use base::{Disk, HomeLayout, Origin, SessionId, Tz};

    use super::*;
    use crate::{AddedUnder, Note, add_notes};

    #[test]
    fn what_was_written_by_hand_is_known_again_after_lines_came_above_it() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
        let workspace = Workspace::new(Arc::clone(&disk), HomeLayout::of_workspace("/w"));
        let note = Note {
            text: "The gate is blue".to_owned(),
            evidence: Vec::new(),
            origin: Origin::Owner,
        };
        let session = "repo-0a0a0a0a-notes";
        let under = AddedUnder {
            known_from: Some(SessionId::new(session)),
            ..AddedUnder::default()
        };
        let at = "2026-04-20T12:05:00Z".parse().unwrap();
        add_notes(&workspace, (&[note], &under), at, Tz::UTC).unwrap();
        let evidence = EvidenceRef {
            path: "memory/2026-04-20.md".to_owned(),
            key: Evidence::key_by_hand("The gate is blue"),
            line: 6,
            hash: "81ab03ff".to_owned(),
            scope: None,
        };
        let known = || sessions_of(&workspace, std::slice::from_ref(&evidence));
        assert_eq!(known(), [session]);
        let log = Path::new("/w/memory/2026-04-20.md");
        let text = String::from_utf8(read_all(&*disk, log, 10_000).unwrap()).unwrap();
        let grown = text.replace(
            "# 2026-04-20\n",
            &format!("# 2026-04-20\n{}", "\n- x\n".repeat(9)),
        );
        replace(&*disk, log, grown.as_bytes()).unwrap();
        assert_eq!(known(), [session]);
    }
}
