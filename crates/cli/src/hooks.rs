//! Runs the owner's commands: before and after a compaction, and to show a reminder.
//!
//! Never waits longer than the timeout, and never passes the program's own stdin to a command.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use agent::{DueReminder, HookMoment, Hooks};
use models::post_json;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::json;

use crate::config::HookSettings;
use crate::executor::wait_for;

/// The timeout after which a command is killed.
const LONGEST: Duration = Duration::from_secs(10);

/// The polling interval for the command's exit.
const STEP: Duration = Duration::from_millis(5);

impl Hooks for HookSettings {
    fn call(&self, moment: HookMoment, told: &str) -> Vec<String> {
        let commands = match moment {
            HookMoment::BeforeCompaction => &self.before_compaction,
            HookMoment::AfterCompaction => &self.after_compaction,
        };
        let failures = commands.iter().filter_map(|command| {
            let failure = run(command, told, LONGEST).err()?;
            Some(format!("`{command}`: {failure}"))
        });
        failures.collect()
    }
}

/// Runs the program that shows a reminder, without a shell; returns why it failed.
pub fn show_reminder(program: &[String], due: &DueReminder) -> Result<(), String> {
    let [name, arguments @ ..] = program else {
        return Err("promises.notify does not name a program".to_owned());
    };
    let filled = |it: &String| it.replace("{due}", due.when()).replace("{text}", &due.text);
    let mut command = Command::new(name);
    command.args(arguments.iter().map(filled));
    let is_filled = |it: &String| it.contains("{text}") || it.contains("{due}");
    if !arguments.iter().any(is_filled) {
        command.arg(due.to_string());
    }
    let done = run_to_end(command, "", LONGEST);
    done.map_err(|failure| format!("`{name}`: {failure}"))
}

/// Posts a reminder to an address as JSON; returns why it failed.
pub fn post_reminder(to: &str, due: &DueReminder) -> Result<(), String> {
    let body = json!({ "id": due.id, "due": due.when(), "text": due.text });
    let sent = wait_for(post_json(to, &body));
    sent.map_err(|error| error.message)?
}

fn run(command: &str, told: &str, longest: Duration) -> Result<(), String> {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]);
    run_to_end(shell, told, longest)
}

fn run_to_end(mut command: Command, told: &str, longest: Duration) -> Result<(), String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // The command gets its own process group, so that a timeout also ends the processes that it started.
        .process_group(0)
        .spawn()
        .map_err(|error| format!("cannot be started: {error}"))?;
    let line = format!("{told}\n");
    if let Some(mut input) = child.stdin.take() {
        // Stdin is written on a separate thread, so that a command that never reads it does not block the program.
        thread::spawn(move || input.write_all(line.as_bytes()));
    }
    match wait(&mut child, longest)? {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(status.to_string()),
        None => Err(format!("timed out after {} s", longest.as_secs())),
    }
}

/// Waits for the exit; returns `None` if the command timed out and was killed.
fn wait(child: &mut Child, longest: Duration) -> Result<Option<ExitStatus>, String> {
    let told = |error: std::io::Error| format!("its exit status cannot be read: {error}");
    // Nothing is ever sent: the channel only serves as a timer.
    let (_sender, clock) = channel::<()>();
    let mut waited = Duration::ZERO;
    loop {
        if let Some(status) = child.try_wait().map_err(told)? {
            return Ok(Some(status));
        }
        if waited >= longest {
            kill_process_group(Pid::from_child(child), Signal::KILL)
                .map_err(|error| told(error.into()))?;
            child.wait().map_err(told)?;
            return Ok(None);
        }
        if clock.recv_timeout(STEP) == Err(RecvTimeoutError::Timeout) {
            waited += STEP;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use rustix::fs::{Mode, OFlags};

    use super::*;
    use agent::ReminderCue;

    #[test]
    fn hook_receives_line_and_reports_failure() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("told.json");
        let commands = HookSettings {
            before_compaction: vec![format!("cat > '{}'", file.display()), "exit 3".to_owned()],
            after_compaction: vec!["true".to_owned()],
        };
        let told = "{\"event\":\"beforeCompaction\"}";
        let failures = commands.call(HookMoment::BeforeCompaction, told);
        assert_eq!(failures, ["`exit 3`: exit status: 3"]);
        let bytes = base::disk::read_all(&base::disk::OsDisk, &file, 1_000).unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), format!("{told}\n"));
        assert_eq!(
            commands.call(HookMoment::AfterCompaction, told),
            Vec::<String>::new()
        );
    }

    #[test]
    fn reminder_is_passed_as_argument_without_shell() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shown");
        let due = DueReminder {
            id: "3f2a".to_owned(),
            cue: ReminderCue::Time {
                when: "2026-12-04 09:00".to_owned(),
                next: None,
            },
            text: "call $(touch ran) {due}; Ana".to_owned(),
        };
        let program = |arguments: &[&str]| -> Vec<String> {
            let script = format!("printf '%s\\n' \"$@\" > '{}'", file.display());
            let all = ["sh", "-c", &script, "sh"].into_iter();
            all.chain(arguments.iter().copied())
                .map(str::to_owned)
                .collect()
        };
        let shown = || {
            let bytes = base::disk::read_all(&base::disk::OsDisk, &file, 1_000).unwrap();
            String::from_utf8(bytes).unwrap()
        };
        show_reminder(&program(&["at {due}", "{text}"]), &due).unwrap();
        assert_eq!(
            shown(),
            "at 2026-12-04 09:00\ncall $(touch ran) {due}; Ana\n"
        );
        show_reminder(&program(&[]), &due).unwrap();
        assert_eq!(shown(), format!("{due}\n"));
        let missing = show_reminder(&["no-such-program".to_owned()], &due);
        assert!(
            missing
                .unwrap_err()
                .starts_with("`no-such-program`: cannot be started")
        );
    }

    #[test]
    fn hook_that_ignores_input_or_hangs_does_not_block() {
        let long = "x".repeat(1 << 20);
        assert_eq!(run("true", &long, LONGEST), Ok(()));
        let never = run("exec tail -f /dev/null", "{}", STEP);
        assert_eq!(never, Err("timed out after 0 s".to_owned()));
    }

    #[test]
    fn hook_timeout_kills_child_processes() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("held");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
        let command = format!("tail -f /dev/null > '{}' & wait", pipe.display());
        // The pipe opens once the grandchild writes, and ends once no process can write.
        let (tell, read) = channel();
        thread::spawn(move || {
            let opened = rustix::fs::open(&pipe, OFlags::RDONLY, Mode::empty()).unwrap();
            tell.send(std::io::read_to_string(File::from(opened)).unwrap())
        });
        run(&command, "{}", 400 * STEP).unwrap_err();
        assert_eq!(read.recv_timeout(LONGEST), Ok(String::new()));
    }
}
