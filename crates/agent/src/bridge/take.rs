//! Imports memories of other programs into the daily logs, and graphs into the graph.
//!
//! Never trusts a text more than its format proves, and never imports text that the owner asked to forget.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use base::{Day, Disk, HomeLayout, Origin, Timestamp, Tz, day, redact};
use import::{Holds, Memory, MemoryFile, MemoryFormat, memories_in, read_memory_file};
use memory::graph::GraphStore;
use memory::{
    AddOutcome, AddedUnder, Note, TombstoneId, Tombstones, Workspace, add_notes, added_keys,
    load_tombstones,
};

use super::known::{ImportRecord, KnownTexts};
use super::model::{BridgeError, RefusedMemory, TakenMemories};
use super::own::{memories_in_note, memories_of, statements};
use super::runs::{NoteWritten, NotesWritten};
use crate::knowledge::scope::Repository;

/// The target and settings of an import.
pub struct MemoryImport<'a> {
    /// The disk of all files.
    pub disk: Arc<dyn Disk>,
    pub workspace: &'a Workspace,
    pub graph: &'a GraphStore,
    /// The import record.
    pub record: &'a Path,
    /// The current time.
    pub now: Timestamp,
    /// The owner's time zone.
    pub timezone: Tz,
    /// Origins are capped at this one's trust.
    pub at_most: Origin,
    /// The repository at a path or with a remote; `None` if there is none.
    pub repository_at: &'a dyn Fn(&str) -> Option<Repository>,
}

/// Imports memory files, and returns the paths of our own notes that cannot be read; importing the same files again
/// changes nothing.
///
/// # Errors
///
/// [`BridgeError`] if our own memory cannot be read; the failure of a single file is part of its result.
pub fn import_memories(
    import: &MemoryImport<'_>,
    files: &[MemoryFile],
) -> Result<(Vec<TakenMemories>, Vec<String>), BridgeError> {
    let mut known = KnownTexts::default();
    let (own, unreadable) = memories_of(import.workspace, import.timezone)?;
    for memory in own {
        known.add(&memory);
    }
    let mut taking = Taking {
        import,
        tombstones: load_tombstones(import.workspace)?,
        known,
        record: ImportRecord::read(&*import.disk, import.record)?,
    };
    let taken = files.iter().map(|file| taking.file(file));
    Ok((taken.collect(), unreadable))
}

struct Taking<'a> {
    import: &'a MemoryImport<'a>,
    tombstones: Tombstones,
    known: KnownTexts,
    record: ImportRecord<'a>,
}

/// Memories grouped by scope and day: each group goes under one heading of one log.
type Groups = BTreeMap<(Option<String>, Day), Vec<Memory>>;

impl Taking<'_> {
    fn file(&mut self, file: &MemoryFile) -> TakenMemories {
        let mut taken = TakenMemories {
            path: file.path.clone(),
            format: file.format,
            ..TakenMemories::default()
        };
        let done = self.try_file(file, &mut taken);
        taken.failure = done.err();
        taken
    }

    fn try_file(
        &mut self,
        file: &MemoryFile,
        taken: &mut TakenMemories,
    ) -> Result<(), BridgeError> {
        let (format, text) = read_memory_file(&*self.import.disk, file)?;
        taken.format = Some(format);
        if format == MemoryFormat::Graph {
            let graph = self.import.graph.import(&text)?;
            taken.n_taken = graph.n_entities + graph.n_observations + graph.n_relations;
            taken.refused = unreadable(&graph.unreadable);
            taken.graph = Some(graph);
            return Ok(());
        }
        let unmarked = (Origin::Agent, self.import.timezone);
        let (memories, unread) = match (format, self.workspace_of(file)) {
            (MemoryFormat::OpenClaw, Some((theirs, path))) => {
                let path = path.parse().ok();
                let found = path.map(|path| memories_in_note(&theirs, &path, unmarked));
                (found.transpose()?.unwrap_or_default(), Vec::new())
            }
            _ => memories_in((format, &text), file, unmarked)?,
        };
        taken.refused = unreadable(&unread);
        let groups = self.groups(memories, file, taken);
        for ((scope, day), group) in groups {
            self.note((format, scope, day), &group, taken)?;
        }
        Ok(())
    }

    /// The workspace that contains an OpenClaw note, and the note's path in it.
    fn workspace_of(&self, file: &MemoryFile) -> Option<(Workspace, String)> {
        let directory = file.path.parent()?;
        let logs = directory
            .ancestors()
            .find(|it| it.file_name().is_some_and(|name| name == "memory"));
        let root = logs.map_or(Some(directory), Path::parent)?;
        let path = file.path.strip_prefix(root).ok()?.to_str()?.to_owned();
        let disk = Arc::clone(&self.import.disk);
        Some((Workspace::new(disk, HomeLayout::of_workspace(root)), path))
    }

    /// The new memories, grouped by target.
    fn groups(
        &mut self,
        memories: Vec<Memory>,
        file: &MemoryFile,
        taken: &mut TakenMemories,
    ) -> Groups {
        let import = self.import;
        let today = day(import.now, import.timezone);
        let of_file = file
            .modified_at
            .map_or(today, |at| day(at, import.timezone));
        let mut groups = Groups::new();
        for memory in memories {
            let scope = self.scope(&memory.holds);
            let is_within = memory.origin.trust() <= import.at_most.trust();
            let origin = if is_within {
                memory.origin
            } else {
                import.at_most
            };
            let is_redacted = redact(&memory.text) != memory.text;
            for text in statements(&memory.text) {
                let part = Memory {
                    text,
                    origin,
                    holds: scope.clone().map_or(Holds::Everywhere, Holds::In),
                    ..memory.clone()
                };
                if let Some(id) = self.tombstones.forgotten_by(&part.text) {
                    taken.refused.push(forgotten(part.line, id));
                } else if self.known.add(&part) || self.record.holds(&part) {
                    taken.n_known += 1;
                } else {
                    taken.n_redacted += usize::from(is_redacted);
                    let day = part.day.unwrap_or(of_file).min(today);
                    groups.entry((scope.clone(), day)).or_default().push(part);
                }
            }
        }
        groups
    }

    fn scope(&self, holds: &Holds) -> Option<String> {
        match holds {
            Holds::Everywhere => None,
            Holds::In(scope) => Some(scope.clone()),
            Holds::At(place) => {
                let repository = (self.import.repository_at)(place)?;
                Some(repository.scope().to_owned())
            }
        }
    }

    fn note(
        &mut self,
        (format, scope, on): (MemoryFormat, Option<String>, Day),
        group: &[Memory],
        taken: &mut TakenMemories,
    ) -> Result<(), BridgeError> {
        let import = self.import;
        let at = if on == day(import.now, import.timezone) {
            import.now
        } else {
            on.noon(import.timezone)
        };
        let notes = group.iter().map(|memory| Note {
            text: memory.text.clone(),
            evidence: Vec::new(),
            origin: memory.origin,
        });
        let notes: Vec<Note> = notes.collect();
        let under = AddedUnder {
            title: format!("Imported from {}", format.title()),
            known_from: scope.map(|scope| Repository::of_scope(scope).notes()),
        };
        let outcomes = add_notes(import.workspace, (&notes, &under), at, import.timezone)?;
        let mut written = Vec::new();
        let mut lines = Vec::new();
        for (outcome, memory) in outcomes.into_iter().zip(group) {
            match outcome {
                AddOutcome::Added(line) => {
                    written.push(memory.clone());
                    lines.push(line);
                }
                AddOutcome::AlreadyThere | AddOutcome::Empty => taken.n_known += 1,
                AddOutcome::Forgotten(id) => taken.refused.push(forgotten(memory.line, &id)),
            }
        }
        taken.n_taken += written.len();
        let memories = self.record.add(&written)?;
        if !lines.is_empty() {
            let log = import.workspace.log_path(on);
            let keys = added_keys(import.workspace, &log, &lines)?.into_iter();
            let notes = keys.zip(memories);
            let notes = notes.map(|(line, memory)| NoteWritten { line, memory });
            taken.written.push(NotesWritten {
                log: log.to_string(),
                title: under.title,
                notes: notes.collect(),
            });
        }
        Ok(())
    }
}

fn forgotten(line: usize, id: &TombstoneId) -> RefusedMemory {
    RefusedMemory {
        line,
        reason: format!("the owner wanted it forgotten ({id})"),
    }
}

fn unreadable(lines: &[usize]) -> Vec<RefusedMemory> {
    let refused = lines.iter().map(|line| RefusedMemory {
        line: *line,
        reason: "the line cannot be read".to_owned(),
    });
    refused.collect()
}
