//! Takes notes that were added out of a log again.
//!
//! Removes only lines that are unchanged, under the heading that they were added under.

use std::collections::BTreeSet;

use base::{content_hash, short_hash};

use super::lines::same_length_text;
use super::write::{LogError, OpenLog};
use crate::note_text::NoteLine;
use crate::{Workspace, WorkspacePath};

/// Notes that one call added to a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotesAdded {
    /// The log.
    pub log: WorkspacePath,
    /// The title that they were added under.
    pub title: String,
    /// The keys that identify their texts, see [`added_keys`].
    pub keys: BTreeSet<String>,
}

/// The key that identifies the note on each of these lines of a log, as it is now; an empty key for a line that is gone.
pub fn added_keys(
    workspace: &Workspace,
    log: &WorkspacePath,
    lines: &[usize],
) -> Result<Vec<String>, LogError> {
    let open = OpenLog::open(workspace, log)?;
    let found = same_length_text(open.found());
    let text = workspace.read_note(log.as_str(), &found);
    let lines = lines.iter();
    let keys = lines.map(|number| text.line(*number).map(key).unwrap_or_default());
    Ok(keys.collect())
}

/// Removes these notes from their log, and the headings that are left without one; returns the keys of those that were
/// still there.
///
/// Durability: the log changes atomically.
///
/// # Errors
///
/// [`LogError`]; nothing was removed.
pub fn take_back_notes(
    workspace: &Workspace,
    added: &NotesAdded,
) -> Result<BTreeSet<String>, LogError> {
    let open = OpenLog::open(workspace, &added.log)?;
    let found = same_length_text(open.found());
    let text = workspace.read_note(added.log.as_str(), &found);
    let end = format!(" \u{2014} {}", added.title);
    let mut gone = BTreeSet::new();
    let mut taken = BTreeSet::new();
    // The lines of the current section: its heading, the blank ones, and those to remove.
    let mut section = Section::default();
    for (number, line) in text.numbered() {
        let shown = line.text().trim_end();
        if shown.starts_with('#') {
            gone.extend(std::mem::take(&mut section).gone());
            section.is_ours = shown.ends_with(&end);
            section.empty.push(number);
        } else if shown.is_empty() {
            section.empty.push(number);
        } else if section.is_ours && added.keys.contains(&key(line)) {
            section.taken.push(number);
            taken.insert(key(line));
        } else {
            section.has_more = true;
        }
    }
    gone.extend(section.gone());
    if gone.is_empty() {
        return Ok(taken);
    }
    let lines = open.found().split_inclusive(|byte| *byte == b'\n');
    let kept = lines.zip(1..).filter(|(_, number)| !gone.contains(number));
    let kept: Vec<&[u8]> = kept.map(|(line, _)| line).collect();
    open.put(&kept.concat())?;
    Ok(taken)
}

/// A section of a log while it is read.
#[derive(Debug, Default)]
struct Section {
    is_ours: bool,
    /// The heading and blank lines.
    empty: Vec<usize>,
    taken: Vec<usize>,
    has_more: bool,
}

impl Section {
    /// The lines to remove.
    fn gone(mut self) -> Vec<usize> {
        if !self.has_more && !self.taken.is_empty() {
            self.taken.append(&mut self.empty);
        }
        self.taken
    }
}

fn key(line: &NoteLine<'_>) -> String {
    short_hash(&content_hash(line.text().trim().as_bytes()))
}

#[cfg(test)]
mod tests {
    use base::Origin;

    use super::*;
    use crate::workspace_kit::{ROOT, text_at, workspace_with};
    use crate::{AddOutcome, AddedUnder, Note, add_notes};

    const LOG: &str = "memory/2026-03-02.md";

    fn add(workspace: &Workspace, title: &str, texts: &[&str]) -> NotesAdded {
        let at = "2026-03-02T09:00:00Z".parse().unwrap();
        let notes = texts.iter().map(|text| Note {
            text: (*text).to_owned(),
            evidence: Vec::new(),
            origin: Origin::Agent,
        });
        let notes: Vec<Note> = notes.collect();
        let under = AddedUnder {
            title: title.to_owned(),
            known_from: None,
        };
        let outcomes = add_notes(workspace, (&notes, &under), at, base::Tz::UTC).unwrap();
        let lines = outcomes.iter().filter_map(|outcome| {
            if let AddOutcome::Added(line) = outcome {
                Some(*line)
            } else {
                None
            }
        });
        let log: WorkspacePath = LOG.parse().unwrap();
        let lines: Vec<usize> = lines.collect();
        let keys = added_keys(workspace, &log, &lines).unwrap();
        let keys: BTreeSet<String> = keys.into_iter().collect();
        assert_eq!(keys.len(), texts.len());
        NotesAdded {
            log,
            title: title.to_owned(),
            keys,
        }
    }

    fn log(workspace: &Workspace) -> String {
        text_at(workspace.disk(), format!("{ROOT}/{LOG}"))
    }

    #[test]
    fn undone_notes_leave_log_as_before() {
        let before = "# 2026-03-02\n\n## 08:00 \u{2014} Note\n\n- caf\u{e9} \n";
        let workspace = workspace_with(&[(LOG, before.as_bytes())]);
        let added = add(
            &workspace,
            "Imported from Codex",
            &["likes tea", "owns a boat"],
        );
        assert_ne!(log(&workspace), before);
        assert_eq!(take_back_notes(&workspace, &added).unwrap(), added.keys);
        assert_eq!(log(&workspace).trim_end(), before.trim_end());
        assert!(take_back_notes(&workspace, &added).unwrap().is_empty());
    }

    #[test]
    fn changed_notes_and_notes_of_others_are_kept() {
        let workspace = workspace_with(&[]);
        let added = add(
            &workspace,
            "Imported from Codex",
            &["likes tea", "owns a boat"],
        );
        let edited = log(&workspace).replace("owns a boat", "owns a red boat");
        let edited = format!("{edited}\n## 10:00 \u{2014} Note\n\n- likes tea\n");
        base::disk::replace(
            workspace.disk(),
            format!("{ROOT}/{LOG}").as_ref(),
            edited.as_bytes(),
        )
        .unwrap();
        assert_eq!(take_back_notes(&workspace, &added).unwrap().len(), 1);
        let after = log(&workspace);
        assert!(after.contains("owns a red boat"), "{after}");
        assert!(after.contains("Imported from Codex"), "{after}");
        assert!(
            after.ends_with("## 10:00 \u{2014} Note\n\n- likes tea\n"),
            "{after}"
        );
        assert_eq!(after.matches("likes tea").count(), 1, "{after}");
    }
}
