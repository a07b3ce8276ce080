//! `openclaw memory sync`: writes long-term memory as a block into another program's memory file.
//!
//! Changes nothing outside that block, and no file that changed since it was read.

use agent::block_content;
use base::disk::{ReplaceOutcome, create_parent, read_some, replace_foreign};
use clap::ValueEnum;
use import::with_block;
use serde::Serialize;

use super::known::MemoryContext;
use crate::commands::connect::{diff, printable_lines};
use crate::prelude::*;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Program to sync to
    program: SyncProgram,
    /// Show the change; write nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SyncProgram {
    /// ~/.claude/CLAUDE.md
    ClaudeCode,
    /// ~/.codex/AGENTS.md
    Codex,
    /// ~/.hermes/memories/MEMORY.md
    Hermes,
    /// ~/.openclaw/workspace/MEMORY.md of the TypeScript OpenClaw
    Openclaw,
}

/// Size limit of the other program's file, in bytes.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// How often the change is tried while the program writes at the same time.
const TRIES_MAX: usize = 5;

impl SyncProgram {
    fn file(self) -> &'static str {
        match self {
            Self::ClaudeCode => ".claude/CLAUDE.md",
            Self::Codex => ".codex/AGENTS.md",
            Self::Hermes => ".hermes/memories/MEMORY.md",
            Self::Openclaw => ".openclaw/workspace/MEMORY.md",
        }
    }

    /// The folder that the program itself creates.
    fn folder(self) -> &'static str {
        self.file().split('/').next().unwrap_or_default()
    }

    /// The separator between existing text and the block: the one that the program puts between entries.
    fn gap(self) -> &'static str {
        match self {
            Self::Hermes => "\n\u{a7}\n",
            Self::ClaudeCode | Self::Codex | Self::Openclaw => "\n\n",
        }
    }

    /// Size limit of the block; Hermes accepts 2,200 characters in all.
    fn budget(self) -> TokenCount {
        match self {
            Self::Hermes => TokenCount(250),
            Self::ClaudeCode | Self::Codex | Self::Openclaw => TokenCount(1_000),
        }
    }
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let known = MemoryContext::find(context)?;
    let environment = &context.host.environment;
    let user_home = environment.user_home_with("the program's memory file")?;
    let program = arguments.program;
    let disk = Arc::clone(&context.host.disk);
    let workspace = context.host.workspace(&known.home);
    let folder = user_home.join(program.folder());
    if disk.stat(&folder)?.is_none() {
        let failure = format!(
            "{} does not exist; the program keeps its memory there",
            folder.display()
        );
        return Err(CliError::new(ErrorKind::NotFound, failure)
            .hint("install the program, or choose another one"));
    }
    // Such files are often symbolic links into a dotfiles directory.
    let path = disk.resolve(&user_home.join(program.file()))?;
    if path == disk.resolve(&workspace.root().join(workspace.memory_path().as_str()))? {
        let failure = format!("{} is the memory file of this home", path.display());
        return Err(CliError::new(ErrorKind::Input, failure)
            .hint("choose another home with `--home DIR`, or another program"));
    }
    let held = block_content(&workspace, program.budget())?;
    for _ in 0..TRIES_MAX {
        let before = read_some(&*disk, &path, FILE_BYTES_MAX)?;
        let text = String::from_utf8(before.clone().unwrap_or_default());
        let text = text.map_err(|_| left(&path, "it is not UTF-8"))?;
        let after = with_block(&text, &held, program.gap());
        let after = after.map_err(|error| left(&path, &error.to_string()))?;
        let is_same = text == after;
        let report = BlockSyncReport {
            path: path.clone(),
            state: if is_same { "unchanged" } else { "updated" },
            diff: diff(&text, &after),
            dry_run: arguments.dry_run,
        };
        if is_same || arguments.dry_run {
            return context.emit(&report);
        }
        context.refuse_in_sandbox("changing another program's file")?;
        create_parent(&*disk, &path)?;
        if replace_foreign(&*disk, &path, before.as_deref(), after.as_bytes())?
            == ReplaceOutcome::Done
        {
            return context.emit(&report);
        }
    }
    Err(left(&path, "it keeps changing"))
}

fn left(path: &Path, reason: &str) -> CliError {
    let failure = format!("{} was not changed: {reason}", path.display());
    CliError::new(ErrorKind::Input, failure).hint("fix the file, then run the command again")
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BlockSyncReport {
    path: PathBuf,
    state: &'static str,
    diff: String,
    dry_run: bool,
}

impl Report for BlockSyncReport {
    fn json(&self) -> Value {
        json!(self)
    }

    fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    fn human(&self, _: Stream) -> String {
        let path = printable(&self.path.display().to_string());
        let state = match self.state {
            "updated" => "updated",
            _ => "is already up to date",
        };
        let diff = if self.dry_run { self.diff.as_str() } else { "" };
        format!("{}{path} {state}\n", printable_lines(diff))
    }
}
