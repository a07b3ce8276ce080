//! `openclaw connect`: adds this memory to another program's settings, and removes it again.
//!
//! Shows each change before making it, and keeps a copy of the original file beside it.

use base::disk::{ReplaceOutcome, create_parent, read_some, remove_unchanged, replace_foreign};
use similar::TextDiff;

use super::memory::is_yes;
use crate::connect::{Program, SettingsFile, by_hand};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw connect claude-code
  openclaw connect codex --undo
  openclaw connect mcp               # any other program: prints what to paste")]
pub(crate) struct Arguments {
    /// Program to connect
    program: Program,
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
}

/// What the owner enters in a program whose settings are not written.
struct ByHandReport(String);

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let environment = &context.host.environment;
    let user_home = environment.user_home_with("the program's settings")?;
    let invocation = invocation(context, user_home)?;
    let state = std::path::absolute(context.home()?.state())?;
    let token = state.join(gateway::http::TOKEN_FILE);
    if let Some(steps) = by_hand(arguments.program, &invocation, &token) {
        if arguments.undo {
            let failure = "nothing to undo: `openclaw connect` changes no settings of this program";
            return Err(CliError::new(ErrorKind::Input, failure)
                .hint("remove the connection there, as you entered it"));
        }
        return context.emit(&ByHandReport(steps));
    }
    let mut changes = Vec::new();
    for file in arguments.program.files(user_home) {
        let change = planned(&file, arguments, (&invocation, context))
            .map_err(|error| error.doing(format!("settings in {}", file.path.display())))?;
        changes.extend(change);
    }
    let shown = changes
        .iter()
        .map(|change| (change.path.clone(), change.diff()));
    let mut report = ConnectReport {
        files: shown.collect(),
        is_done: false,
        trust: arguments.program.trust().filter(|_| !arguments.undo),
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
    for change in &changes {
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
fn invocation(context: &mut Context, user_home: &Path) -> Result<Vec<String>> {
    let program = std::env::current_exe()?;
    // The other program may start this one in any directory.
    let home = Home::new(std::path::absolute(context.home()?.root())?);
    let mut invocation = vec![program.display().to_string()];
    if home != Home::of_user(user_home) {
        invocation.extend(["--home".to_owned(), home.root().display().to_string()]);
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
            (_, true) => "done; restart the program to use it",
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
