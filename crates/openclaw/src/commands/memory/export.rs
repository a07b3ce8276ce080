//! `openclaw memory export`: exports memories to one file for other programs.
//!
//! Never changes the home; exports no secret, and nothing that was forgotten.

use agent::exported_memories;
use base::Disk;
use base::disk::{DiskError, replace};
use clap::ValueEnum;
use import::{
    Holds, Memory, MemoryFile, MemoryFormat, read_memory_file, to_json_lines, to_markdown,
};
use memory::graph::GraphStore;

use super::known::MemoryContext;
use super::unreadable_warning;
use crate::backup::would_pack;
use crate::prelude::*;
use crate::repository;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw memory export memories.md")]
pub(crate) struct Arguments {
    /// File to write, or - for stdout [default: stdout]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Markdown, JSON Lines, or the reference memory server's JSON Lines
    #[arg(long, value_enum, default_value_t)]
    format: MemoryExportFormat,
    /// Export only what programs in this repository see; `none`: programs outside any repository
    #[arg(long, value_name = "PATH|REMOTE|none", value_parser = repository::scope)]
    scope: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum MemoryExportFormat {
    /// Notes and long-term memory by day, for people
    #[default]
    Markdown,
    /// The same, one object per line
    Jsonl,
    /// The graph that programs maintain
    Graph,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let known = MemoryContext::find(context)?;
    let workspace = Arc::new(context.host.workspace(&known.home));
    let disk = Arc::clone(&context.host.disk);
    let (text, n_memories, is_whole) = if arguments.format == MemoryExportFormat::Graph {
        let lines: Vec<String> = GraphStore::new(workspace).export()?.collect();
        (lines.concat(), lines.len(), true)
    } else {
        let viewer = repository::viewer(arguments.scope.as_deref());
        let (found, unreadable) = exported_memories(&workspace, &viewer, known.timezone)?;
        if !unreadable.is_empty() {
            context.output.warn(&unreadable_warning(&unreadable));
        }
        let text = rendered(arguments.format, &found)?;
        (text, found.len(), unreadable.is_empty())
    };
    let exit = if is_whole { Exit::Done } else { Exit::Failure };
    let file = arguments.file.as_ref();
    let Some(file) = file.filter(|file| file.as_os_str() != "-") else {
        context.output.text(&text)?;
        return Ok(exit);
    };
    check_target(&*disk, &known.home, (file, arguments.format))?;
    if !is_whole && disk.stat(file)?.is_some() {
        let message = format!(
            "{} was not replaced: this export is incomplete",
            file.display()
        );
        return Err(CliError::new(ErrorKind::Input, message).hint("choose another file"));
    }
    replace(&*disk, file, text.as_bytes())?;
    context.emit(&ExportReport {
        file: file.clone(),
        n_memories,
    })?;
    Ok(exit)
}

/// Refuses a file inside the home, and an existing file that no export in this format can have written.
fn check_target(
    disk: &dyn Disk,
    home: &Home,
    (file, format): (&Path, MemoryExportFormat),
) -> Result<()> {
    let refused = |why: &str, hint: &str| {
        let message = format!("{} {why}", printable(&file.display().to_string()));
        Err(CliError::new(ErrorKind::Usage, message).hint(hint.to_owned()))
    };
    let whole = std::path::absolute(file).map_err(DiskError::on("find", file))?;
    if would_pack(disk, home.root(), &disk.resolve(&whole)?)? {
        return refused(
            "is inside the home, which an export never changes",
            "choose a file outside the home",
        );
    }
    let is_empty = disk.stat(file)?.is_none_or(|stat| stat.len == 0);
    let there = MemoryFile {
        path: file.to_owned(),
        format: None,
        holds: Holds::Everywhere,
        modified_at: None,
    };
    let is_own = || {
        let own = match format {
            MemoryExportFormat::Markdown | MemoryExportFormat::Jsonl => MemoryFormat::Export,
            MemoryExportFormat::Graph => MemoryFormat::Graph,
        };
        read_memory_file(disk, &there).is_ok_and(|(found, _)| found == own)
    };
    if !is_empty && !is_own() {
        return refused("exists and is not an export", "choose another file");
    }
    Ok(())
}

fn rendered(format: MemoryExportFormat, memories: &[Memory]) -> Result<String> {
    match format {
        MemoryExportFormat::Markdown | MemoryExportFormat::Graph => Ok(to_markdown(memories)),
        MemoryExportFormat::Jsonl => {
            to_json_lines(memories).map_err(|error| CliError::internal(&error))
        }
    }
}

struct ExportReport {
    file: PathBuf,
    n_memories: usize,
}

impl Report for ExportReport {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        json!({ "file": self.file, "memories": self.n_memories })
    }

    fn human(&self, _: Stream) -> String {
        let file = printable(&self.file.display().to_string());
        let n_memories = counted(self.n_memories as u64, "memory", "memories");
        format!("{n_memories} written to {file}\n")
    }
}
