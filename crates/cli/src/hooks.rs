//! Runs the owner's commands before and after a compaction.
//!
//! Never waits longer than the timeout, and never gives a command our stdin.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use agent::{HookMoment, Hooks};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::config::HookSettings;

/// Timeout after which a command is killed.
const LONGEST: Duration = Duration::from_secs(10);

/// Polling interval for the command's exit.
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

fn run(command: &str, told: &str, longest: Duration) -> Result<(), String> {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // A group of its own, so that a timeout also ends what the command has started.
        .process_group(0)
        .spawn()
        .map_err(|error| format!("cannot be started: {error}"))?;
    let line = format!("{told}\n");
    if let Some(mut input) = child.stdin.take() {
        // Write on a separate thread: a command that never reads its stdin must not block us.
        thread::spawn(move || input.write_all(line.as_bytes()));
    }
    match wait(&mut child, longest)? {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(status.to_string()),
        None => Err(format!("timed out after {} s", longest.as_secs())),
    }
}

/// Waits for the exit; `None` if the command timed out and was killed.
fn wait(child: &mut Child, longest: Duration) -> Result<Option<ExitStatus>, String> {
    let told = |error: std::io::Error| format!("its exit status cannot be read: {error}");
    // Nothing is ever sent; the channel only serves as a timer.
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
        // Opens once the grandchild writes, and ends once nobody can.
        let (tell, read) = channel();
        thread::spawn(move || {
            let opened = rustix::fs::open(&pipe, OFlags::RDONLY, Mode::empty()).unwrap();
            tell.send(std::io::read_to_string(File::from(opened)).unwrap())
        });
        run(&command, "{}", 400 * STEP).unwrap_err();
        assert_eq!(read.recv_timeout(LONGEST), Ok(String::new()));
    }
}
