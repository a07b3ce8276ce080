//! `openclaw session import`: imports conversations of other programs as sessions.
//!
//! Never changes its sources; repeating an import changes nothing.

use std::collections::BTreeSet;

use agent::{ImportRun, TakeMode, keep_scope_chosen, relocate};
use base::{Disk, Origin, Timestamp};
use clap::builder::PossibleValuesParser;
use import::{Conversation, ImportError, ImportFormat, is_store, read_conversations, read_store};
use memory::Workspace;

use super::naming::{Beginnings, Naming, SessionFor, name_of};
use crate::commands::imported::{ImportReport, ImportedReport};
use crate::commands::undo_import;
use crate::doctor::sync_index;
use crate::prelude::*;
use crate::repository;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw session import ~/.claude/projects --dry-run
  openclaw session import conversations.json --format chatgpt
  openclaw session import --undo ID")]
pub(crate) struct Arguments {
    /// Files, or directories to search for *.jsonl and *.json
    #[arg(value_name = "FILE|DIR", required_unless_present = "undo")]
    paths: Vec<PathBuf>,
    /// Format of the files
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = PossibleValuesParser::new([AUTO].into_iter().chain(FORMATS.map(|(name, _)| name))))]
    format: String,
    /// Session name for a single conversation [default: made from its title]
    #[arg(short, long, value_name = "NAME")]
    session: Option<SessionName>,
    /// Repository that the conversations belong to; `none` for no repository [default: that of their directory]
    #[arg(long, value_name = "PATH|REMOTE|none", value_parser = repository::scope)]
    scope: Option<String>,
    /// Treat every speaker as untrusted, none as the owner
    #[arg(long)]
    untrusted: bool,
    /// Show what would be imported; write nothing
    #[arg(long)]
    dry_run: bool,
    /// Undo an earlier import, except for what was changed since
    #[arg(long, value_name = "ID", conflicts_with_all = ["paths", "format", "session", "scope", "untrusted", "dry_run"])]
    undo: Option<String>,
}

/// Detects the format.
const AUTO: &str = "auto";

/// The names of formats, on the command line and in names of sessions.
pub(super) const FORMATS: [(&str, ImportFormat); 6] = [
    ("openclaw", ImportFormat::OpenClaw),
    ("claude-code", ImportFormat::ClaudeCode),
    ("codex", ImportFormat::Codex),
    ("chatgpt", ImportFormat::ChatGpt),
    ("claude", ImportFormat::Claude),
    ("jsonl", ImportFormat::Lines),
];

/// Depth limit of the search for files.
const DEPTH_MAX: usize = 8;

const NAME_A_FILE: &str = "pass a JSON Lines file or a conversations.json";

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    if let Some(id) = &arguments.undo {
        return undo_import::undo(id, context);
    }
    if !arguments.dry_run {
        context.refuse_in_sandbox("an import")?;
    }
    let home = context.home()?;
    let disk = Arc::clone(&context.host.disk);
    let store = context.sessions(&home);
    let mut found = ConversationFiles::default();
    for path in &arguments.paths {
        find(&*disk, path, DEPTH_MAX, &mut found)?;
    }
    for link in &found.outside {
        context.output.warn(&format!(
            "{} is a link out of the given directory and was left out; to import it, pass the link itself",
            printable(&link.display().to_string())
        ));
    }
    if found.files.is_empty() && found.candidates.is_empty() {
        let shown = arguments.paths.iter();
        let shown: Vec<String> = shown.map(|path| path.display().to_string()).collect();
        let failure = format!("no conversations found in {}", shown.join(", "));
        return Err(CliError::new(ErrorKind::NotFound, failure).hint(NAME_A_FILE));
    }
    let mut report = ImportReport {
        dry_run: arguments.dry_run,
        ..ImportReport::default()
    };
    let import = Import {
        store: &store,
        workspace: &context.host.workspace(&home),
        arguments,
        is_alone: found.files.len() + found.candidates.len() == 1,
        beginnings: Beginnings::default(),
    };
    if let ([named], true) = (arguments.paths.as_slice(), import.is_alone)
        && found.files.contains(named)
    {
        // The owner named it, so its failure is that of the command.
        let conversations = import.read(named, context)?;
        import.conversations(named, conversations, (context, &mut report));
    } else {
        for path in &found.files {
            import.file(path, context, &mut report);
        }
    }
    for path in &found.candidates {
        import.candidate(path, context, &mut report);
    }
    if !arguments.dry_run && report.has_moved() {
        // The index still has the sessions at their old places.
        sync_index(&home, context)?;
    }
    if !arguments.dry_run {
        let run = ImportRun {
            at: context.host.clock.now(),
            sessions: undo_import::sessions_made(&store, report.made().iter())?,
            sources: undo_import::sources(&arguments.paths)?,
            ..ImportRun::default()
        };
        report.undo = undo_import::keep(run, (context, &home))?;
    }
    context.emit(&report)?;
    undo_import::tell(report.undo.as_deref(), context);
    let is_done = !report.has_failures();
    Ok(if is_done { Exit::Done } else { Exit::Failure })
}

#[derive(Debug, Default)]
pub(crate) struct ConversationFiles {
    /// Files that the owner named, or that have a name used for conversations.
    pub(crate) files: Vec<PathBuf>,
    /// JSON files with other names, which may hold a conversation.
    pub(crate) candidates: Vec<PathBuf>,
    /// Links that lead out of the directory that the owner named.
    pub(crate) outside: Vec<PathBuf>,
    /// The files that were found, with links followed, so that no file is found twice and circular links end.
    seen: BTreeSet<PathBuf>,
}

/// Finds the conversation files at or below a path; does not follow links that lead out of it.
pub(crate) fn find(
    disk: &dyn Disk,
    path: &Path,
    depth: usize,
    found: &mut ConversationFiles,
) -> Result<()> {
    let Some(stat) = disk.stat(path)? else {
        let failure = format!("no such file or directory: {}", path.display());
        return Err(CliError::new(ErrorKind::NotFound, failure).hint(NAME_A_FILE));
    };
    if !stat.is_dir {
        found.files.push(path.to_owned());
        return Ok(());
    }
    let top = disk.resolve(path)?;
    found.seen.insert(top.clone());
    find_below((disk, &top), path, depth.saturating_sub(1), found)
}

fn find_below(
    (disk, top): (&dyn Disk, &Path),
    directory: &Path,
    depth: usize,
    found: &mut ConversationFiles,
) -> Result<()> {
    for name in disk.list(directory)? {
        let text = name.to_string_lossy();
        if text.starts_with('.') {
            continue;
        }
        let path = directory.join(&name);
        let is_conversations = text == "conversations.json"
            || is_store(&name)
            || (name.extension().is_some_and(|ending| ending == "jsonl")
                && !text.contains(".checkpoint."));
        let is_json = name.extension().is_some_and(|ending| ending == "json");
        let stat = match disk.stat(&path) {
            Err(error) if error.is_link_loop() => continue,
            stat => stat?,
        };
        let Some(stat) = stat else {
            // Keep a dangling link: reading it reports the error, without hiding the other files.
            found.files.extend(is_conversations.then_some(path));
            continue;
        };
        if !stat.is_dir && !is_conversations && !is_json {
            continue;
        }
        let target = disk.resolve(&path)?;
        if !target.starts_with(top) {
            found.outside.push(path);
        } else if !found.seen.insert(target) {
            // Found under another name.
        } else if !stat.is_dir {
            let list = if is_conversations {
                &mut found.files
            } else {
                &mut found.candidates
            };
            list.push(path);
        } else if let Some(depth) = depth.checked_sub(1) {
            find_below((disk, top), &path, depth, found)?;
        }
    }
    Ok(())
}

/// Reads the conversations of a file or of OpenClaw's database, each with its own error. The database is read
/// from a temporary copy.
pub(crate) fn conversations_of(
    disk: &dyn Disk,
    path: &Path,
    format: Option<ImportFormat>,
) -> Result<Vec<Result<Conversation, ImportError>>, ImportError> {
    if !is_store(path) {
        let found = read_conversations(disk, path, format)?;
        return Ok(found.into_iter().map(Ok).collect());
    }
    let scratch = tempfile::tempdir().map_err(|error| ImportError::Unknown {
        path: path.to_owned(),
        reason: format!("it cannot be copied: {error}"),
    })?;
    read_store(disk, path, scratch.path())
}

struct Import<'a> {
    store: &'a SessionStore,
    workspace: &'a Workspace,
    arguments: &'a Arguments,
    is_alone: bool,
    beginnings: Beginnings,
}

impl Import<'_> {
    /// Imports a file; reports a failure without stopping the other files.
    fn file(&self, path: &Path, context: &Context, report: &mut ImportReport) {
        match self.read(path, context) {
            Ok(conversations) => self.conversations(path, conversations, (context, report)),
            Err(error) => {
                let error = context.output.error_at_home(&error.into());
                let failed = ImportedReport::failed(path, &error.with_hints());
                report.conversations.push(failed);
            }
        }
    }

    /// Imports a JSON file if it holds a conversation; otherwise it counts as passed over, not as failed.
    fn candidate(&self, path: &Path, context: &Context, report: &mut ImportReport) {
        let conversations = self.read(path, context).unwrap_or_default();
        let mut found = conversations.iter().flatten();
        if found.any(|it| !it.messages.is_empty()) {
            self.conversations(path, conversations, (context, report));
        } else {
            report.passed_over.push(path.display().to_string());
        }
    }

    fn read(
        &self,
        path: &Path,
        context: &Context,
    ) -> Result<Vec<Result<Conversation, ImportError>>, ImportError> {
        let named = |(name, _): &&(&str, _)| *name == self.arguments.format;
        let format = FORMATS.iter().find(named).map(|(_, format)| *format);
        conversations_of(&*context.host.disk, path, format)
    }

    fn conversations(
        &self,
        path: &Path,
        conversations: Vec<Result<Conversation, ImportError>>,
        (context, report): (&Context, &mut ImportReport),
    ) {
        let is_alone = self.is_alone && conversations.len() == 1;
        let now = context.host.clock.now();
        let act = if self.arguments.dry_run {
            TakeMode::Look
        } else {
            TakeMode::Write
        };
        for conversation in conversations {
            let taken = conversation.map_err(CliError::from).and_then(|mut it| {
                if self.arguments.untrusted {
                    distrust(&mut it);
                }
                if self.arguments.session.is_some() && !is_alone {
                    let failure = "`-s` cannot name several conversations; omit it";
                    return Err(CliError::new(ErrorKind::Usage, failure));
                }
                let mut session = self.session(&it, now, report)?;
                if let (TakeMode::Write, Some(held)) = (act, &session.moved_from) {
                    session.name = relocate(self.store, self.workspace, held, &session.name)?;
                }
                let target = (self.store, &session);
                let taken = ImportedReport::take((path, &it), target, (now, act), context.output)?;
                if act == TakeMode::Write && self.arguments.scope.is_some() {
                    keep_scope_chosen(self.store, &session.name, now)?;
                }
                Ok(taken)
            });
            let failed = |error: CliError| ImportedReport::failed(path, &error.one_line());
            report.conversations.push(taken.unwrap_or_else(failed));
        }
    }

    /// The session for a conversation; in a dry run, the one that it would get after the conversations before it.
    fn session(
        &self,
        conversation: &Conversation,
        now: Timestamp,
        report: &ImportReport,
    ) -> Result<SessionFor> {
        let naming = Naming {
            store: self.store,
            now,
            named: self.arguments.session.as_ref(),
            scope: self.arguments.scope.as_deref(),
            directory: None,
            beginnings: &self.beginnings,
        };
        let session = naming.session_for(conversation)?;
        let is_taken = self.arguments.dry_run && report.would_begin(&session.name, conversation);
        if is_taken && session.name.as_str() == agent::PRIMARY_SESSION {
            let name = name_of(conversation)?;
            return Ok(SessionFor { name, ..session });
        }
        Ok(session)
    }
}

fn distrust(conversation: &mut Conversation) {
    for message in &mut conversation.messages {
        if message.origin == Origin::Owner {
            message.origin = Origin::Untrusted;
        }
    }
}
