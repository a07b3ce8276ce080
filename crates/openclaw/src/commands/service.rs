//! `openclaw service`: installs `openclaw serve` as a login service, and removes it.
//!
//! Writes a single file; `--dry-run` shows it instead.

use std::process::{Command as Process, Stdio};

use base::disk::{create_parent, remove, replace};
use clap::Subcommand;

use super::dream::DryRun;
use crate::prelude::*;
use crate::service_unit::ServiceManager;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Start `openclaw serve` now and at every login
    Install(DryRun),
    /// Show whether the service is installed and running
    Status,
    /// Stop the service and remove it
    Uninstall(DryRun),
}

/// The state of the service, and the commands that failed.
#[derive(Debug)]
struct ServiceReport {
    path: PathBuf,
    is_installed: bool,
    /// `None` if the service manager was not asked.
    is_running: Option<bool>,
    /// The text of the file, in a dry run.
    shown: Option<String>,
    /// Commands that failed, as one would type them.
    failed: Vec<String>,
}

pub(crate) fn run(command: &Command, context: &mut Context) -> Result<Exit> {
    let manager = ServiceManager::of_this_system();
    let path = path(manager, context)?;
    let disk = Arc::clone(&context.host.disk);
    let mut report = ServiceReport {
        is_installed: disk.stat(&path)?.is_some(),
        path,
        is_running: None,
        shown: None,
        failed: Vec::new(),
    };
    match command {
        Command::Install(DryRun { dry_run }) => {
            context.refuse_in_sandbox("installing the service")?;
            let home = context.home()?;
            let root = disk
                .resolve(home.root())
                .unwrap_or_else(|_| home.root().to_owned());
            let program = std::env::current_exe()?;
            for path in [&program, &root] {
                check_one_line(path)?;
            }
            let description = manager.description(&program, &root);
            if *dry_run {
                report.shown = Some(description);
                return context.emit(&report);
            }
            create_parent(disk.as_ref(), &report.path)?;
            replace(disk.as_ref(), &report.path, description.as_bytes())?;
            report.is_installed = true;
            report.failed = failed(&manager.start(&report.path));
        }
        Command::Uninstall(DryRun { dry_run }) => {
            if *dry_run || !report.is_installed {
                return context.emit(&report);
            }
            report.failed = failed(&manager.stop(&report.path));
            remove(disk.as_ref(), &report.path)?;
            report.is_installed = false;
        }
        Command::Status => {}
    }
    report.is_running = Some(succeeds(&manager.ask()));
    let is_done = report.failed.is_empty();
    context.emit(&report)?;
    Ok(if is_done { Exit::Done } else { Exit::Failure })
}

fn path(manager: ServiceManager, context: &Context) -> Result<PathBuf> {
    let environment = &context.host.environment;
    let user_home = environment.user_home_with("the service directory")?;
    let config_home = environment.others.get("XDG_CONFIG_HOME").map(Path::new);
    Ok(manager.path(user_home, config_home))
}

/// Runs the commands in order and returns those that failed.
fn failed(commands: &[Vec<String>]) -> Vec<String> {
    let failed = commands.iter().filter(|command| !succeeds(command));
    failed.map(|command| command.join(" ")).collect()
}

fn succeeds(command: &[String]) -> bool {
    let Some((program, arguments)) = command.split_first() else {
        return false;
    };
    let status = Process::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

impl Report for ServiceReport {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        json!({
            "path": self.path.display().to_string(),
            "installed": self.is_installed,
            "running": self.is_running,
            "shown": self.shown,
            "failed": self.failed,
        })
    }

    fn human(&self, _: Stream) -> String {
        if let Some(shown) = &self.shown {
            return format!("{}:\n\n{shown}", self.path.display());
        }
        let installed = if self.is_installed {
            "installed as"
        } else {
            "not installed: no file"
        };
        let mut text = format!("{installed} {}\n", self.path.display());
        if let Some(is_running) = self.is_running {
            let not = if is_running { "" } else { "not " };
            add_line!(text, "{not}running");
        }
        for command in &self.failed {
            add_line!(text, "failed: {command}");
        }
        text
    }
}

/// Refuses a path with a control character: a line break in it would add a line to the description of the service.
fn check_one_line(path: &Path) -> Result<()> {
    if !path.to_string_lossy().contains(char::is_control) {
        return Ok(());
    }
    let shown = path.display().to_string();
    let message = format!("the path {shown:?} has a line break or another control character");
    Err(CliError::new(ErrorKind::Usage, message)
        .hint("move the home to a path without it, then run `openclaw service install`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_with_a_line_break_is_refused_for_a_service() {
        let home = Path::new("/home/anna/x\nExecStart=/bin/touch ran");
        let refused = check_one_line(home).unwrap_err();
        assert!(refused.message.contains("\\nExecStart"), "{refused:?}");
        assert!(check_one_line(Path::new("/home/änna/my claw/100%")).is_ok());
    }
}
