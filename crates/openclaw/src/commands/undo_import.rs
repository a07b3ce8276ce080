//! Undoes an import as a whole, and names the command for that after each import.
//!
//! Does not change anything that was edited since then.

use std::collections::BTreeMap;

use agent::{FileCopied, ImportKind, ImportRun, ImportRuns, SessionImported, UndoneImport};
use base::Timestamp;

use crate::commands::dream::take_in_dreams;
use crate::commands::imported::ImportReport;
use crate::doctor::sync_index;
use crate::prelude::*;

/// The name of the record of imports, in the state directory.
const RUNS: &str = "imports.jsonl";

/// The name of the record of imported memories, in the state directory.
pub(crate) const MEMORIES: &str = "imported-memories";

/// The command that undoes an import.
fn command(run: &ImportRun, output: &Output) -> String {
    let noun = match run.kind {
        ImportKind::Conversations => "session",
        ImportKind::Memories => "memory",
    };
    output.at_home(&format!("openclaw {noun} import --undo {}", run.id))
}

fn runs(context: &Context, home: &Home) -> ImportRuns {
    ImportRuns::at(Arc::clone(&context.host.disk), home.state().join(RUNS))
}

/// Keeps what an import read and brought; returns the command that undoes it, if it brought anything.
pub(crate) fn keep(run: ImportRun, (context, home): (&Context, &Home)) -> Result<Option<String>> {
    let id = runs(context, home)
        .keep(run.clone())
        .map_err(|error| failed(&error))?;
    Ok(id.map(|id| command(&ImportRun { id, ..run }, context.output)))
}

/// Records what `init --from` copied from another home; returns the command that undoes it.
pub(crate) fn keep_migrated(
    (taken, from): (&ImportReport, &Path),
    (context, home): (&Context, &Home),
) -> Result<Option<String>> {
    let disk = context.host.disk.as_ref();
    let copied = taken.copied.iter();
    let files =
        copied.filter_map(|path| FileCopied::found(disk, home.workspace(), path).transpose());
    let run = ImportRun {
        at: context.host.clock.now(),
        sessions: sessions_made(&context.sessions(home), taken.made().iter())?,
        files: files.collect::<std::result::Result<_, _>>()?,
        sources: sources(&[from.to_owned()])?,
        ..ImportRun::default()
    };
    keep(run, (context, home))
}

/// The paths of an import, as its record has them.
pub(crate) fn sources(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let paths = paths.iter();
    let paths = paths.map(|path| Ok(std::path::absolute(path)?.components().collect()));
    paths.collect()
}

/// When each path was last read by an import of this kind that was not undone.
pub(crate) fn read_at(
    kind: ImportKind,
    (context, home): (&Context, &Home),
) -> BTreeMap<PathBuf, Timestamp> {
    // Without the record, everything counts as new.
    let known = runs(context, home).all().unwrap_or_default().into_iter();
    let known = known.filter(|run| run.undone.is_none() && run.kind == kind);
    let read = known.flat_map(|run| run.sources.into_iter().map(move |path| (path, run.at)));
    read.collect()
}

/// Names the command that undoes an import.
pub(crate) fn tell(command: Option<&str>, context: &mut Context) {
    if let Some(command) = command {
        let told = format!("`{command}` undoes this import");
        context.output.tell_aside(&told);
    }
}

/// Reports on these new sessions of an import.
pub(crate) fn sessions_made<'n>(
    store: &SessionStore,
    names: impl Iterator<Item = &'n SessionName>,
) -> Result<Vec<SessionImported>> {
    let made = names.filter_map(|name| SessionImported::found(store, name).transpose());
    made.collect::<std::result::Result<_, _>>()
        .map_err(|error| CliError::from_error(ErrorKind::Input, &error))
}

pub(crate) fn undo(id: &str, context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("undoing an import")?;
    let home = context.existing_home()?;
    let runs = runs(context, &home);
    let known = runs.all().map_err(|error| failed(&error))?;
    let run = known.iter().find(|run| run.id == id);
    let not_there = |failure: String| {
        let failure = CliError::new(ErrorKind::NotFound, failure);
        let last = known.iter().rfind(|run| run.undone.is_none());
        match last {
            Some(last) => failure.hint(format!(
                "`{}` undoes the last import",
                command(last, context.output)
            )),
            None => failure.hint("no import is left to undo; an import prints its id"),
        }
    };
    let Some(run) = run else {
        return Err(not_there(format!("no import has the id {}", printable(id))));
    };
    if let Some(at) = run.undone {
        let at = at.format("%Y-%m-%d %H:%M UTC");
        return Err(not_there(format!(
            "the import {id} was already undone at {at}"
        )));
    }
    let store = context.sessions(&home);
    let knowledge = context.knowledge(&home)?;
    let record = home.state().join(MEMORIES);
    take_in_dreams(context)?;
    let undone = runs
        .undo(run, (&store, &knowledge), &record)
        .map_err(|error| failed(&error))?;
    sync_index(&home, context)?;
    let forget = context.output.at_home("openclaw memory forget");
    context.emit(&UndoImportReport { id, undone, forget })
}

fn names(names: &[SessionName]) -> Vec<&str> {
    names.iter().map(SessionName::as_str).collect()
}

fn failed(error: &agent::BridgeError) -> CliError {
    CliError::from_error(ErrorKind::Input, error)
}

struct UndoImportReport<'a> {
    id: &'a str,
    undone: UndoneImport,
    /// The `openclaw memory forget` to type.
    forget: String,
}

impl Report for UndoImportReport<'_> {
    fn json(&self) -> Value {
        let undone = &self.undone;
        let left = undone.left.iter();
        let left = left.map(|(place, text)| json!({ "place": place.to_string(), "text": text }));
        json!({
            "id": self.id,
            "deletedSessions": names(&undone.sessions),
            "keptSessions": names(&undone.kept),
            "removedNotes": undone.n_notes,
            "keptNotes": undone.n_notes_kept,
            "removedFiles": undone.n_files,
            "keptFiles": undone.n_files_kept,
            "removedNotesMade": undone.n_notes_made,
            "removedCandidates": undone.n_candidates,
            "left": left.collect::<Vec<_>>(),
        })
    }

    fn human(&self, _: Stream) -> String {
        let undone = &self.undone;
        let mut text = String::new();
        for name in &undone.sessions {
            add_line!(text, "{}  deleted", heading(name.as_str()));
        }
        for name in &undone.kept {
            add_line!(
                text,
                "{}  kept: it was continued or changed since the import",
                heading(name.as_str())
            );
        }
        if undone.n_notes > 0 {
            let notes = counted(undone.n_notes as u64, "note", "notes");
            add_line!(text, "{notes} removed from the daily logs");
        }
        if undone.n_notes_kept > 0 {
            let notes = counted(undone.n_notes_kept as u64, "note was", "notes were");
            add_line!(text, "{notes} edited or removed since, and left alone");
        }
        if undone.n_files > 0 {
            let files = counted(undone.n_files as u64, "file", "files");
            add_line!(text, "{files} removed from the workspace");
        }
        if undone.n_files_kept > 0 {
            let files = counted(undone.n_files_kept as u64, "file was", "files were");
            add_line!(text, "{files} changed or removed since, and left alone");
        }
        if undone.n_notes_made > 0 {
            let notes = counted(undone.n_notes_made as u64, "note", "notes");
            add_line!(
                text,
                "{notes} that were made from them removed from the daily logs"
            );
        }
        if undone.n_candidates > 0 {
            let waiting = counted(undone.n_candidates as u64, "candidate", "candidates");
            add_line!(text, "{waiting} made from them removed from the review");
        }
        for (place, text_left) in &undone.left {
            let said = printable(text_left.trim_start_matches("- "));
            add_line!(text, "{place}  kept: {said}");
            add_line!(
                text,
                "  it was made from them; `{} {place}` removes it",
                self.forget
            );
        }
        if text.is_empty() {
            text.push_str("nothing of this import was left\n");
        }
        text
    }
}
