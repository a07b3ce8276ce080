//! `openclaw connect`: adds this memory to another program's settings, and removes it again.
//!
//! Shows each change before making it, and keeps a copy of the original file next to it.

use base::disk::{ReplaceOutcome, create_parent, read_some, remove_unchanged, replace_foreign};
use similar::TextDiff;

use super::init::FoundHere;
use super::memory::is_yes;
use crate::connect::{ByHand, Program, SettingsFile, UserFolders, by_hand, removal};
use crate::prelude::*;

#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw connect claude-code
  openclaw connect claude-code --import    # and what it remembers
  openclaw connect codex --undo
  openclaw connect obsidian Notes    # a vault, by its name or its folder
  openclaw connect mcp               # any other program: prints what to paste")]
pub(crate) struct Arguments {
    /// Program to connect
    program: Program,
    /// Vaults to connect, by name or folder; all that Obsidian lists if omitted. For `obsidian` only
    #[arg(value_name = "VAULT")]
    vaults: Vec<String>,
    /// Also import the conversations and memories that the program keeps; for claude-code, codex and openclaw
    #[arg(long, conflicts_with_all = ["undo", "dry_run"])]
    import: bool,
    /// Remove the connection
    #[arg(long)]
    undo: bool,
    /// Show the change without making it
    #[arg(long)]
    dry_run: bool,
    /// Do not ask for confirmation
    #[arg(short, long)]
    yes: bool,
}

const SETTINGS_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// The programs that keep conversations or memories that can be imported.
const WITH_MEMORIES: [(Program, &str); 3] = [
    (Program::ClaudeCode, "Claude Code"),
    (Program::Codex, "Codex"),
    (Program::Openclaw, "OpenClaw"),
];

/// Suffix of the copy of a file as it was before the first connection.
const KEPT: &str = ".before-openclaw";

/// A file before and after the change; `None` means that the file does not exist.
struct FileChange {
    path: PathBuf,
    before: Option<Vec<u8>>,
    after: Option<Vec<u8>>,
    /// Whether `connect` wrote the file as it is: then it is no original to keep.
    is_connected: bool,
}

struct ConnectReport {
    files: Vec<(PathBuf, String)>,
    is_done: bool,
    /// What is left for the owner to do in the program.
    trust: Option<&'static str>,
    /// What to print once it is done.
    next: &'static str,
}

/// What the owner enters in a program whose settings are not written.
struct ByHandReport(String);

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    if !arguments.import {
        return connect(arguments, context);
    }
    let known = WITH_MEMORIES
        .iter()
        .find(|(program, _)| *program == arguments.program);
    let Some((_, kept_by)) = known else {
        let failure = "`--import` reads conversations of claude-code, codex and openclaw only";
        return Err(CliError::new(ErrorKind::Usage, failure)
            .hint("for another program, see `openclaw session import --help`"));
    };
    connect(arguments, context)?;
    let home = context.existing_home()?;
    let found = FoundHere::of_program(kept_by, (&home, context));
    if found.is_empty() {
        let told = format!("{kept_by} keeps nothing on this machine that is not here already");
        context.output.tell_aside(&told);
    }
    found.iter().try_fold(Exit::Done, |exit, it| {
        let taken = it.take(context)?;
        Ok(if taken == Exit::Done { exit } else { taken })
    })
}

fn connect(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let environment = &context.host.environment;
    let user_home = environment.user_home_with("the program's settings")?;
    if arguments.program == Program::Obsidian {
        let change = vaults_change(arguments, (user_home, context))?;
        return carry_out(arguments, change.as_slice(), context);
    }
    if !arguments.vaults.is_empty() {
        let failure = "only `openclaw connect obsidian` takes vaults";
        return Err(CliError::new(ErrorKind::Usage, failure));
    }
    let invocation = invocation(context)?;
    let home = context.home()?;
    let state = std::path::absolute(home.state())?;
    let token = state.join(gateway::http::TOKEN_FILE);
    let steps = ByHand {
        server: &invocation,
        invocation: &context.invocation_elsewhere(&home)?,
        token: &token,
    };
    if let Some(steps) = by_hand(arguments.program, &steps) {
        if arguments.undo {
            let failure = "nothing to undo: `openclaw connect` changes no settings of this program";
            return Err(CliError::new(ErrorKind::Input, failure).hint(removal(arguments.program)));
        }
        return context.emit(&ByHandReport(steps));
    }
    let mut changes = Vec::new();
    for file in arguments.program.files(user_home) {
        let change = planned(&file, arguments, (&invocation, context))
            .map_err(|error| error.doing(format!("settings in {}", file.path.display())));
        let change = change.map_err(|error| {
            if arguments.undo && error.kind == ErrorKind::Input {
                let hint = "fix the file, or remove the block of openclaw by hand";
                let hints = vec![hint.to_owned()];
                CliError { hints, ..error }
            } else {
                error
            }
        })?;
        changes.extend(change);
    }
    carry_out(arguments, &changes, context)
}

/// Shows the changes, asks, and makes them.
fn carry_out(arguments: &Arguments, changes: &[FileChange], context: &mut Context) -> Result<Exit> {
    let shown = changes
        .iter()
        .map(|change| (change.path.clone(), change.diff()));
    let mut report = ConnectReport {
        files: shown.collect(),
        is_done: false,
        trust: arguments.program.trust().filter(|_| !arguments.undo),
        next: match (arguments.program == Program::Obsidian, arguments.undo) {
            (true, true) => "done",
            (true, false) => {
                "done; the next chat indexes the notes, and `openclaw memory index` does so now"
            }
            (false, true) => "done; restart the program to end the connection",
            (false, false) => "done; restart the program to use it",
        },
    };
    if arguments.dry_run {
        return context.emit(&report);
    }
    if !arguments.yes && !changes.is_empty() {
        confirm(&report, context)?;
    }
    if !arguments.undo {
        make_home(context)?;
    }
    if changes.is_empty() {
        return context.emit(&report);
    }
    for change in changes {
        change.make(context)?;
    }
    report.is_done = true;
    context.emit(&report)
}

/// Creates the home unless it exists: the program will start its hooks and its server in it.
fn make_home(context: &mut Context) -> Result<()> {
    let home = context.home()?;
    if context.settings_of(&home)?.sandbox.read_only {
        return Ok(());
    }
    let workspace = context.host.workspace(&home);
    wiring::make_workspace(&workspace, context)
}

/// Fails if the owner does not agree, or if there is no terminal to ask at.
fn confirm(report: &ConnectReport, context: &mut Context) -> Result<()> {
    if context.host.environment.stdin.is_terminal() {
        let text = report.human(context.host.environment.stdout());
        context.output.tell_aside(&text);
        if is_yes("Make this change? [y/N] ", context)? {
            return Ok(());
        }
        let failure = "nothing was changed: you did not confirm";
        return Err(CliError::new(ErrorKind::Input, failure));
    }
    // A program gets one object, the error; `--dry-run` gives it the change.
    if context.output.format() == OutputFormat::Human {
        context.emit(report)?;
    }
    let failure = "nothing was changed: there is no terminal to confirm at, and no `--yes`";
    Err(CliError::new(ErrorKind::Input, failure).hint("make it with the same command and `--yes`"))
}

/// The command line that starts this program; names the home if it is not the default one.
fn invocation(context: &mut Context) -> Result<Vec<String>> {
    let program = std::env::current_exe()?;
    let home = context.home()?;
    let mut invocation = vec![program.display().to_string()];
    // The other program may start this one in any directory.
    if let Some(home) = context.invocation_elsewhere(&home)?.home() {
        invocation.extend(["--home".to_owned(), home.display().to_string()]);
    }
    Ok(invocation)
}

/// The change to a file; `None` if nothing would change.
fn planned(
    file: &SettingsFile,
    arguments: &Arguments,
    (invocation, context): (&[String], &Context),
) -> Result<Option<FileChange>> {
    let disk = context.host.disk.as_ref();
    // Settings files are often symbolic links into a dotfiles directory.
    let path = disk.resolve(&file.path)?;
    let before = read_some(disk, &path, SETTINGS_BYTES_MAX)?;
    let text = match &before {
        None => String::new(),
        Some(bytes) => String::from_utf8(bytes.clone()).map_err(|_| unusable("it is not UTF-8"))?,
    };
    let after = if arguments.undo {
        undone(file, &path, (&text, invocation, context))?
    } else {
        Some(
            file.connected(&text, invocation)
                .map_err(unusable)?
                .into_bytes(),
        )
    };
    let is_connected = file.is_connected(&text, invocation).map_err(unusable)?;
    let change = FileChange {
        path,
        before,
        after,
        is_connected,
    };
    Ok((change.before != change.after).then_some(change))
}

/// The original file byte for byte, or, if it was edited since, the current file without our entries.
fn undone(
    file: &SettingsFile,
    path: &Path,
    (text, invocation, context): (&str, &[String], &Context),
) -> Result<Option<Vec<u8>>> {
    let disk = context.host.disk.as_ref();
    let kept = read_some(disk, &kept_path(path), SETTINGS_BYTES_MAX)?;
    let original = kept.clone().unwrap_or_default();
    let original =
        String::from_utf8(original).map_err(|_| unusable("the saved copy is not UTF-8"))?;
    let connected = file.connected(&original, invocation).map_err(unusable)?;
    if connected == text {
        return Ok(kept);
    }
    if text.is_empty() {
        return Ok(None);
    }
    let disconnected = file.disconnected(text, &original, invocation);
    let disconnected = disconnected.map_err(unusable)?;
    Ok(Some(disconnected.into_bytes()))
}

/// The change to the settings of this home that adds or removes vaults; `None` if nothing would change.
fn vaults_change(
    arguments: &Arguments,
    (user_home, context): (&Path, &mut Context),
) -> Result<Option<FileChange>> {
    let path = std::path::absolute(context.home()?.user_config())?;
    let environment = &context.host.environment;
    let disk = context.host.disk.as_ref();
    let folders = UserFolders {
        disk,
        user_home,
        config_home: environment.others.get("XDG_CONFIG_HOME"),
    };
    let path = disk.resolve(&path)?;
    let before = read_some(disk, &path, SETTINGS_BYTES_MAX)?;
    let text = String::from_utf8(before.clone().unwrap_or_default());
    let text = text.map_err(|_| unusable("it is not UTF-8"))?;
    let kept = read_some(disk, &kept_path(&path), SETTINGS_BYTES_MAX)?;
    let after = if arguments.undo {
        let original = String::from_utf8_lossy(kept.as_deref().unwrap_or_default());
        let vaults = if arguments.vaults.is_empty() {
            folders.connected_vaults((&path, &text))?
        } else {
            folders.chosen_vaults(&arguments.vaults)?
        };
        let after = folders.without_vaults((&path, &text), &original, &vaults)?;
        // A file that `connect` made goes again.
        (!after.is_empty() || kept.is_some()).then(|| after.into_bytes())
    } else {
        let vaults = folders.chosen_vaults(&arguments.vaults)?;
        let after = folders.with_vaults((&path, &text), &vaults)?;
        Some(after.into_bytes())
    };
    let change = FileChange {
        path,
        is_connected: kept.is_some(),
        before,
        after,
    };
    Ok((change.before != change.after).then_some(change))
}

fn unusable(reason: impl AsRef<str>) -> CliError {
    let message = format!("settings left unchanged: {}", reason.as_ref());
    CliError::new(ErrorKind::Input, message)
        .hint("fix the file, or add the block from docs/connect.md by hand")
}

fn kept_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(KEPT);
    name.into()
}

impl FileChange {
    fn diff(&self) -> String {
        let text = |bytes: &Option<Vec<u8>>| {
            String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned()
        };
        let (before, after) = (text(&self.before), text(&self.after));
        diff(&before, &after)
    }

    /// Writes the change if the file is still as shown, and keeps a copy of the original.
    fn make(&self, context: &Context) -> Result<()> {
        let disk = context.host.disk.as_ref();
        let kept = kept_path(&self.path);
        let replaced = match (&self.before, &self.after) {
            (Some(before), None) => remove_unchanged(disk, &self.path, before)?,
            (before, Some(after)) => {
                create_parent(disk, &self.path)?;
                if let (Some(before), false) = (before, self.is_connected) {
                    // An earlier copy stays, also one that another process has just made.
                    replace_foreign(disk, &kept, None, before)?;
                }
                replace_foreign(disk, &self.path, before.as_deref(), after)?
            }
            (None, None) => ReplaceOutcome::Done,
        };
        match replaced {
            ReplaceOutcome::Changed => {
                let message = format!(
                    "{} changed in the meantime and was not overwritten",
                    self.path.display()
                );
                Err(CliError::new(ErrorKind::Input, message).hint("run the command again"))
            }
            ReplaceOutcome::Done => {
                if self.after == read_some(disk, &kept, SETTINGS_BYTES_MAX)? {
                    base::disk::remove(disk, &kept)?;
                }
                Ok(())
            }
        }
    }
}

impl Report for ByHandReport {
    fn json(&self) -> Value {
        json!({ "files": [], "done": false, "byHand": self.0 })
    }

    fn human(&self, _: Stream) -> String {
        self.0.clone()
    }
}

impl Report for ConnectReport {
    fn json(&self) -> Value {
        let files = self
            .files
            .iter()
            .map(|(path, diff)| json!({ "path": path, "diff": diff }));
        json!({ "files": files.collect::<Vec<_>>(), "done": self.is_done, "trust": self.trust })
    }

    fn human(&self, _: Stream) -> String {
        let mut text = String::new();
        for (path, diff) in &self.files {
            add_line!(text, "{}", path.display());
            if !self.is_done {
                text.push_str(&printable_lines(diff));
            }
        }
        let end = match (self.files.is_empty(), self.is_done) {
            (true, _) => "nothing to change",
            (_, true) => self.next,
            (_, false) => "",
        };
        if !end.is_empty() {
            add_line!(text, "{end}");
        }
        if let Some(trust) = self.trust.filter(|_| self.is_done || self.files.is_empty()) {
            add_line!(text, "{trust}");
        }
        text
    }
}

/// The changed lines with their surroundings.
pub(crate) fn diff(before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    diff.unified_diff().context_radius(2).to_string()
}

pub(crate) fn printable_lines(text: &str) -> String {
    let lines = text.lines().map(|line| format!("{}\n", printable(line)));
    lines.collect()
}
