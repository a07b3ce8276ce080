//! Finds the sessions that the lines of notes come from.
//!
//! Names sessions as the notes do, by id or by name; never opens one.

use std::collections::BTreeSet;

use base::layout::session_of_path;
use base::{EntryId, LineRange, Locator};

use crate::candidates::{Evidence, EvidenceRef};
use crate::curated::{CuratedLine, LineOwner, memory_lines};
use crate::file_lines::read;
use crate::note_text::{NoteLine, NoteText};
use crate::{FileLinesError, Workspace, WorkspacePath};

/// Lines of a note with a session they come from: notes of that session, and lines of ours with evidence in it.
pub fn lines_known_from(
    workspace: &Workspace,
    path: &WorkspacePath,
) -> Result<Vec<(LineRange, String)>, FileLinesError> {
    let text = read(workspace, path)?;
    Ok(known_in(
        workspace,
        &workspace.read_note(path.as_str(), &text),
    ))
}

/// A line of a note as it is in the file, with the sessions it comes from; `None` if there is no such line.
///
/// Looks at no other line, so that it costs the same in a log of any length.
pub fn line_known_from(
    workspace: &Workspace,
    path: &WorkspacePath,
    number: usize,
) -> Result<Option<(String, Vec<String>)>, FileLinesError> {
    let text = read(workspace, path)?;
    let Some(own) = text.lines().nth(number.saturating_sub(1)) else {
        return Ok(None);
    };
    // A comment of earlier versions is about other lines, too.
    let is_alone = workspace.folder_of(path.as_str()).is_none() && !text.contains("<!--");
    let known = if is_alone {
        known_in(workspace, &workspace.read_note(path.as_str(), own))
    } else {
        let mut known = known_in(workspace, &workspace.read_note(path.as_str(), &text));
        known.retain(|(lines, _)| lines.contains(number));
        known
    };
    let sessions = known.into_iter().map(|(_, session)| session);
    Ok(Some((own.to_owned(), sessions.collect())))
}

fn known_in(workspace: &Workspace, text: &NoteText<'_>) -> Vec<(LineRange, String)> {
    let mut known: Vec<_> = text
        .numbered()
        .filter_map(|(number, line)| {
            let session = line.record()?.session.clone()?;
            Some((LineRange::line(number), session))
        })
        .collect();
    for line in memory_lines(text) {
        if let LineOwner::Ours { evidence, .. } = &line.owner {
            let lines = LineRange::line(line.number);
            let sessions = sessions_of(workspace, evidence).into_iter();
            known.extend(sessions.map(|session| (lines, session)));
        }
    }
    known
}

/// Lines of a note that were made from messages of a session, each with its number and the id of that session.
pub fn noted_sessions(
    workspace: &Workspace,
    path: &WorkspacePath,
) -> Result<Vec<(usize, String)>, FileLinesError> {
    let text = read(workspace, path)?;
    let text = workspace.read_note(path.as_str(), &text);
    let noted = text.numbered().filter_map(|(number, line)| {
        let record = line.ours().filter(|own| !own.evidence.is_empty())?;
        Some((number, record.session.clone()?))
    });
    Ok(noted.collect())
}

/// The lines of `MEMORY.md` as in the file, including forgotten ones.
pub fn curated_lines(workspace: &Workspace) -> Result<Vec<CuratedLine>, FileLinesError> {
    let path = workspace.memory_path();
    let text = read(workspace, &path)?;
    Ok(memory_lines(&workspace.read_note(path.as_str(), &text)))
}

/// The sessions of this evidence: the session that it points into, or the session of the note it points at. If the
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
            let text = workspace.read_note(&own.path, &text);
            let mut meant = text.lines().iter().filter(|line| is_meant(line, own));
            sessions.extend(meant.find_map(|line| line.record()?.session.clone()));
        }
    }
    sessions
}

/// Whether one of two passages was made from the other, or both were made from the same message. Places are those of
/// search: a note's path is relative to the workspace, a transcript's to the home.
pub fn have_one_source(workspace: &Workspace, one: &Locator, other: &Locator) -> bool {
    let (one, other) = (sources_at(workspace, one), sources_at(workspace, other));
    !one.is_disjoint(&other)
}

/// The entries that the line at a place is based on; none if the file cannot be read.
pub fn entries_at(workspace: &Workspace, place: &Locator) -> Vec<EntryId> {
    let path = place.path.parse::<WorkspacePath>().ok();
    let Some(text) = path.and_then(|path| read(workspace, &path).ok()) else {
        return Vec::new();
    };
    let text = workspace.read_note(&place.path, &text);
    let line = text.line(place.start_line);
    let record = line.and_then(NoteLine::ours);
    record.map_or_else(Vec::new, |own| own.entries().collect())
}

/// The place itself, the ids of its notes, and their evidence by id and by place.
pub fn sources_at(workspace: &Workspace, place: &Locator) -> BTreeSet<String> {
    let line = |path: &str, line: usize| format!("{path}:{line}");
    let mut sources = BTreeSet::from([line(&place.path, place.start_line)]);
    let path = place.path.parse::<WorkspacePath>().ok();
    let Some(text) = path.and_then(|path| read(workspace, &path).ok()) else {
        return sources;
    };
    let text = workspace.read_note(&place.path, &text);
    let lines = text.lines().iter();
    let lines = lines.skip(place.start_line.saturating_sub(1));
    let n_lines = place.end_line.saturating_sub(place.start_line) + 1;
    for record in lines.take(n_lines).filter_map(NoteLine::record) {
        sources.insert(record.own_id().to_owned());
        for evidence in record.references() {
            match EvidenceRef::parse(&evidence) {
                Some(own) => sources.extend([line(&own.path, own.line), own.key]),
                None => drop(sources.insert(evidence)),
            }
        }
    }
    sources
}

/// Whether the evidence is this note. Compares the id, or the hash of the text if it was written by hand, because line
/// numbers change.
fn is_meant(line: &NoteLine<'_>, own: &EvidenceRef) -> bool {
    line.record().is_some_and(|record| {
        record.own_id() == own.key || Evidence::key_by_hand(line.item()) == own.key
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use base::disk::{MemoryDisk, replace};
    use base::{Disk, HomeLayout, Origin, SessionId, Tz};

    use super::*;
    use crate::workspace_kit::text_at;
    use crate::{AddedUnder, Note, add_notes};

    #[test]
    fn note_memory_line_and_message_have_one_source() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
        let workspace = Workspace::new(Arc::clone(&disk), HomeLayout::of_workspace("/w"));
        for (path, text) in [
            (
                "MEMORY.md",
                "- Dr. Huber is the dentist <!-- n:f95e e:sessions/main.jsonl#e1@2:0a0a0a0a h:0a0a0a0a o:owner -->\n",
            ),
            (
                "memory/2026-03-02.md",
                "- Dentist: Dr. Huber <!-- n:0b0b0b0b e:e1 h:0a0a0a0a o:owner -->\n- Tea at four\n",
            ),
        ] {
            let path = Path::new("/w").join(path);
            base::disk::create_parent(&*disk, &path).unwrap();
            replace(&*disk, &path, text.as_bytes()).unwrap();
        }
        let place = |path: &str, line| Locator::new(path, LineRange::line(line));
        let line = place("MEMORY.md", 1);
        for (other, expected) in [
            (place("sessions/main.jsonl", 2), true),
            (place("sessions/main.jsonl", 3), false),
            (place("memory/2026-03-02.md", 1), true),
            (place("memory/2026-03-02.md", 2), false),
        ] {
            for (one, two) in [(&line, &other), (&other, &line)] {
                let found = have_one_source(&workspace, one, two);
                assert_eq!(found, expected, "{other}");
            }
        }
    }

    #[test]
    fn handwritten_evidence_keeps_its_session_when_lines_move() {
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
        let grown = text_at(&*disk, log).replace(
            "# 2026-04-20\n",
            &format!("# 2026-04-20\n{}", "\n- x\n".repeat(9)),
        );
        replace(&*disk, log, grown.as_bytes()).unwrap();
        assert_eq!(known(), [session]);
    }
}
