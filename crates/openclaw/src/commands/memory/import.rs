//! `openclaw memory import`: imports the memories of other programs as notes in the daily logs.
//!
//! Never changes its sources; repeating an import changes nothing.

use agent::{ImportKind, ImportRun, MemoryImport, TakenMemories, import_memories};
use base::Origin;
use clap::builder::PossibleValuesParser;
use cli::output::without_empty;
use import::{MemoryFormat, find_memories};
use memory::graph::GraphStore;

use super::known::MemoryContext;
use super::unreadable_warning;
use crate::commands::undo_import;
use crate::prelude::*;
use crate::repository;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw memory import ~/.claude --dry-run")]
pub(crate) struct Arguments {
    /// Files, or directories to search, such as ~/.claude, ~/.codex or a vault
    #[arg(value_name = "PATH", required_unless_present = "undo")]
    paths: Vec<PathBuf>,
    /// Format of the files [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(MemoryFormat::ALL.map(MemoryFormat::as_str)))]
    from: Option<String>,
    /// Treat everything in them as untrusted
    #[arg(long)]
    untrusted: bool,
    /// Show what would be imported; write nothing
    #[arg(long)]
    dry_run: bool,
    /// Undo an earlier import, except for what was changed since
    #[arg(long, value_name = "ID", conflicts_with_all = ["paths", "from", "untrusted", "dry_run"])]
    undo: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    if let Some(id) = &arguments.undo {
        return undo_import::undo(id, context);
    }
    context.refuse_in_sandbox("an import")?;
    if arguments.dry_run {
        context.on_overlay(|context| import(arguments, context))
    } else {
        import(arguments, context)
    }
}

fn import(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let format = arguments.from.as_deref().and_then(MemoryFormat::parse);
    let disk = Arc::clone(&context.host.disk);
    let mut files = Vec::new();
    let mut n_left_out = 0;
    for path in &arguments.paths {
        let path = absolute(path)?;
        if disk.stat(&path)?.is_none() {
            let failure = format!("{} does not exist", path.display());
            return Err(CliError::new(ErrorKind::NotFound, failure)
                .hint("pass a file or a directory, such as ~/.claude"));
        }
        let (found, outside) = find_memories(&*disk, &path, format)?;
        files.extend(found);
        n_left_out += outside.len();
        for link in outside {
            context.output.warn(&format!(
                "{} is a link out of {} and was left out; to import it, pass the link itself",
                printable(&link.display().to_string()),
                printable(&path.display().to_string())
            ));
        }
    }
    if files.is_empty() {
        return nothing_found(arguments, n_left_out, context);
    }
    let known = MemoryContext::find_or_make(context)?;
    let workspace = Arc::new(context.host.workspace(&known.home));
    let graph = GraphStore::new(Arc::clone(&workspace));
    let record = known.home.state().join(undo_import::MEMORIES);
    let at_most = if arguments.untrusted {
        Origin::Untrusted
    } else {
        Origin::Owner
    };
    let import = MemoryImport {
        disk: Arc::clone(&disk),
        workspace: &workspace,
        graph: &graph,
        record: &record,
        now: context.host.clock.now(),
        timezone: known.timezone,
        at_most,
        repository_at: &repository::named,
    };
    let (files, unreadable) = import_memories(&import, &files)?;
    if !unreadable.is_empty() {
        context.output.warn(&unreadable_warning(&unreadable));
    }
    let undo = if arguments.dry_run {
        None
    } else {
        let run = ImportRun {
            kind: ImportKind::Memories,
            at: context.host.clock.now(),
            notes: files.iter().flat_map(|file| file.written.clone()).collect(),
            sources: undo_import::sources(&arguments.paths)?,
            ..ImportRun::default()
        };
        undo_import::keep(run, (context, &known.home))?
    };
    let report = MemoryImportReport {
        files,
        undo,
        is_detected: format.is_none(),
        dry_run: arguments.dry_run,
    };
    context.emit(&report)?;
    undo_import::tell(report.undo.as_deref(), context);
    let is_done = report.files.iter().all(|file| file.failure.is_none());
    Ok(if is_done { Exit::Done } else { Exit::Failure })
}

/// Reports that no memory was found: a program that has noted nothing yet has its folder, too.
fn nothing_found(arguments: &Arguments, n_left_out: usize, context: &mut Context) -> Result<Exit> {
    let shown = arguments.paths.iter();
    let shown: Vec<String> = shown.map(|path| path.display().to_string()).collect();
    let message = format!("no known memory format found in {}", shown.join(", "));
    if arguments.from.is_none() && n_left_out == 0 {
        context.output.warn(&message);
        context.emit(&MemoryImportReport {
            files: Vec::new(),
            undo: None,
            is_detected: true,
            dry_run: arguments.dry_run,
        })?;
        return Ok(Exit::Done);
    }
    let mut failure = CliError::new(ErrorKind::NotFound, message)
        .hint("set the format with `--from FORMAT`; docs/connect.md lists the formats");
    if n_left_out > 0 {
        failure = failure.hint("pass the links that were left out");
    }
    Err(failure)
}

/// Makes the path absolute: the names of its folders help to detect the format, even for `.`.
fn absolute(path: &Path) -> Result<PathBuf> {
    let path = std::path::absolute(path)?;
    Ok(path.components().collect())
}

struct MemoryImportReport {
    files: Vec<TakenMemories>,
    /// Whether the formats were detected.
    is_detected: bool,
    dry_run: bool,
    /// The command that undoes this import.
    undo: Option<String>,
}

impl Report for MemoryImportReport {
    const INDENT: Option<&'static str> = Some("    ");

    fn json(&self) -> Value {
        let files = self.files.iter().map(|file| {
            let refused = file.refused.iter();
            let refused = refused.map(|it| json!({ "line": it.line, "reason": it.reason }));
            let object = json!({
                "path": file.path,
                "format": file.format.map(MemoryFormat::as_str),
                "taken": file.n_taken,
                "known": file.n_known,
                "redacted": file.n_redacted,
                "refused": refused.collect::<Vec<_>>(),
                "failure": file.failure.as_ref().map(failure),
            });
            without_empty(object, ["refused", "failure"])
        });
        let report = json!({
            "files": files.collect::<Vec<_>>(),
            "dryRun": self.dry_run,
            "undo": self.undo,
        });
        without_empty(report, ["undo"])
    }

    fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    fn human(&self, _: Stream) -> String {
        let mut text = String::new();
        for file in &self.files {
            let format = file.format.map_or("unknown", MemoryFormat::title);
            let path = printable(&file.path.display().to_string());
            add_line!(text, "{}", heading(&format!("{path} ({format})")));
            let mut parts = vec![if self.dry_run {
                format!("would import {}", file.n_taken)
            } else {
                format!("{} imported", file.n_taken)
            }];
            if file.n_known > 0 {
                parts.push(format!("{} already there", file.n_known));
            }
            if file.n_redacted > 0 {
                parts.push(format!("{} with a secret removed", file.n_redacted));
            }
            add_line!(text, "  {}", parts.join(", "));
            if self.is_detected && file.format == Some(MemoryFormat::Export) {
                let hint =
                    "  as words of unknown authorship; if the export is yours, add `--from export`";
                add_line!(text, "{hint}");
            }
            for refused in &file.refused {
                let reason = printable(&refused.reason);
                add_line!(text, "  line {} refused: {reason}", refused.line);
            }
            if let Some(error) = &file.failure {
                add_line!(text, "  failed: {}", printable(&failure(error)));
            }
        }
        text
    }
}

fn failure(error: &agent::BridgeError) -> String {
    CliError::from_error(ErrorKind::Input, error).one_line()
}
