//! The service: dreams that it starts by the clock and after a silence, and its end.
//!
//! Waits for its output, never for a time to pass.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use base::{Clock, SystemClock};
use insta::assert_snapshot;
use testkit::{TestHome, Words};

use crate::dream::said;

pub(crate) struct Service {
    child: Child,
    lines: Receiver<String>,
}

/// The time in which a service must print the expected output.
const PATIENCE: Duration = Duration::from_mins(2);

impl Service {
    pub(crate) fn begin(home: &TestHome, triggers: &str) -> Self {
        let triggers = format!("dreaming.triggers=[{triggers}]");
        let mut child = home
            .command(&["--set", &triggers, "serve", "--listen", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let told = BufReader::new(child.stderr.take().unwrap()).lines();
        let (tell, lines) = channel();
        // Ends with the pipe, or when nobody listens.
        thread::spawn(move || {
            told.map_while(Result::ok)
                .try_for_each(|line| tell.send(line))
        });
        Self { child, lines }
    }

    /// The first line of its output that contains these words.
    pub(crate) fn until(&mut self, words: &str) -> String {
        let mut all = Vec::new();
        let clock = SystemClock::new();
        let until = clock.monotonic() + PATIENCE;
        let left = || until.saturating_sub(clock.monotonic());
        while let Ok(line) = self.lines.recv_timeout(left()) {
            if line.contains(words) {
                return line;
            }
            all.push(line);
        }
        panic!("never told: {words}: {all:#?}");
    }

    /// Sends a signal, as the system or a terminal does; the service reports its end without errors.
    pub(crate) fn end(mut self, signal: &str) {
        testkit::signal(&self.child, signal);
        self.until("Stopped.");
        let status = self.child.wait().unwrap();
        assert_eq!(status.code(), Some(0), "{signal}");
    }
}

impl Drop for Service {
    /// A service that a failed test leaves would hold its home and its pipe.
    fn drop(&mut self) {
        // One that has ended cannot be killed.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// A home with this message of yesterday, which a chat has not noted: only a dream reads it.
fn said_yesterday(words: &str) -> TestHome {
    let home = TestHome::new();
    let yesterday = SystemClock::new().now() - Duration::from_hours(24);
    let said = serde_json::json!({
        "role": "user",
        "content": words,
        "timestamp": yesterday.to_rfc3339(),
    });
    home.replay("main", format!("{said}\n"));
    home
}

#[test]
fn service_catches_up_on_missed_dream_and_ends_on_signal() {
    for signal in ["-TERM", "-INT"] {
        let home = said_yesterday("Remember that I live in Graz.");
        let mut service = Service::begin(&home, "{type: schedule, cron: \"0 * * * *\"}");
        service.until("dream triggers: schedule");
        let undo = format!("openclaw --home {} dream undo", home.path().display());
        service.until("A dream: changed 1 line of MEMORY.md");
        service.until(&format!("(`{undo} "));
        service.end(signal);
        let memory = home.memory();
        memory.holds("- I live in Graz. ^");
        // What was caught up once is not due again.
        let again =
            home.run("--set 'dreaming.triggers=[{type: schedule, cron: \"0 * * * *\"}]' dream");
        again.with_code(0).stdout.lacks("promoted");
    }
}

#[test]
fn service_dreams_of_idle_session() {
    let home = said_yesterday("Remember that I work at Bosch.");
    let mut service = Service::begin(&home, "{type: session_idle, idle_minutes: 30}");
    service.until("dream triggers: session_idle");
    service.until("A dream: changed 1 line of MEMORY.md");
    service.end("-TERM");
    let memory = home.memory();
    memory.holds("- I work at Bosch. ^");
}

/// A home whose index is up to date after these words, said long enough ago that no file may have changed unseen.
fn indexed(words: &str) -> TestHome {
    let home = said(words);
    let before = SystemClock::new().now() - Duration::from_mins(1);
    for (path, _) in home.files() {
        let file = File::options().append(true).open(path).unwrap();
        file.set_modified(before.into()).unwrap();
    }
    home.ok("memory index");
    home
}

/// Names the files that differ, which say more than their bytes.
#[track_caller]
fn check_same(now: &[(PathBuf, Vec<u8>)], before: &[(PathBuf, Vec<u8>)]) {
    let differ = |these: &[(PathBuf, Vec<u8>)], those: &[(PathBuf, Vec<u8>)]| -> Vec<PathBuf> {
        let gone = these.iter().filter(|file| !those.contains(file));
        gone.map(|(path, _)| path.clone()).collect()
    };
    let expected: [Vec<PathBuf>; 2] = Default::default();
    assert_eq!([differ(now, before), differ(before, now)], expected);
}

#[test]
fn service_writes_notes_of_idle_session() {
    let home = TestHome::new();
    let yesterday = SystemClock::new().now() - Duration::from_hours(24);
    let at = yesterday.to_rfc3339();
    let header = serde_json::json!({"type": "session", "version": 3, "id": "s1", "timestamp": at});
    let said = serde_json::json!({
        "type": "message", "id": "m1", "parentId": null, "timestamp": at, "origin": "owner",
        "message": {"role": "user", "content": "Remember that I work at Bosch."},
    });
    home.write("sessions/main.jsonl", format!("{header}\n{said}\n"));
    let mut service = Service::begin(&home, "{type: daily_log_size, threshold_kb: 900}");
    assert_eq!(
        service.until("idle: "),
        "Session main is idle: wrote 1 note."
    );
    let search = "memory search Bosch --source memory --json";
    service.end("-TERM");
    let found = home.ok(search).stdout;
    assert!(found.contains("I work at Bosch"), "{found}");
}

#[test]
fn i11_service_with_nothing_due_changes_no_file() {
    let home = indexed("I live in Graz.\n");
    // What the first service of a home makes.
    home.write("state/token", "0123456789abcdef\n");
    let before = home.files();
    for signal in ["-INT", "-TERM"] {
        let mut service = Service::begin(&home, "{type: daily_log_size, threshold_kb: 900}");
        service.until("dream triggers: daily_log_size");
        service.end(signal);
        check_same(&home.files(), &before);
    }
}

#[test]
fn second_service_names_first_and_exits_4() {
    const TRIGGER: &str = "{type: daily_log_size, threshold_kb: 900}";
    let home = indexed("I live in Graz.\n");
    // What the first service of a home makes; the files of its open index come and go while it serves.
    home.write("state/token", "0123456789abcdef\n");
    let before = home.files();
    let mut service = Service::begin(&home, TRIGGER);
    service.until("dream triggers: daily_log_size");
    let pid = service.child.id().to_string();
    let mut second = Service::begin(&home, TRIGGER);
    let mut told = second.until("");
    // One that served would tell nothing more, and never end.
    assert!(told.starts_with("error: "), "{told}");
    while let Ok(line) = second.lines.recv_timeout(PATIENCE) {
        told = format!("{told}\n{line}");
    }
    assert_eq!(second.child.wait().unwrap().code(), Some(4));
    let told = told.replace(&pid, "[PID]") + "\n";
    assert_snapshot!(told.replace(home.path().to_str().unwrap(), "[HOME]"));
    service.end("-TERM");
    check_same(&home.files(), &before);
    // Who served before and was killed holds nothing.
    let mut killed = Service::begin(&home, TRIGGER);
    killed.until("dream triggers: daily_log_size");
    killed.child.kill().unwrap();
    killed.child.wait().unwrap();
    let mut again = Service::begin(&home, TRIGGER);
    assert!(again.until("").starts_with("Serving "));
    again.end("-INT");
}

#[test]
fn service_install_dry_run_prints_unit_without_installing() {
    let home = TestHome::new();
    let run = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        command.env("HOME", home.folder());
        home.finish(command).with_code(0)
    };
    let shown = run(&["service", "install", "--dry-run"]);
    let start = format!("--home \"{}\" serve\n", home.path().display());
    if cfg!(target_os = "linux") {
        shown.stdout.holds(&start);
    }
    let status = run(&["service", "status", "--json"]);
    status.stdout.holds("\"installed\":false");
    let removed = run(&["service", "uninstall"]);
    removed.stdout.begins("not installed");
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(
    clippy::disallowed_methods,
    reason = "a file of the system has no length"
)]
fn service_sets_malloc_limits_in_its_environment() {
    let home = TestHome::new();
    let mut service = Service::begin(&home, "");
    service.until("Serving ");
    let mut variables = Vec::new();
    File::open(format!("/proc/{}/environ", service.child.id()))
        .and_then(|mut file| file.read_to_end(&mut variables))
        .unwrap();
    let variables = String::from_utf8_lossy(&variables);
    let asked = variables
        .split('\0')
        .filter(|one| one.starts_with("MALLOC_"));
    let expected = [
        "MALLOC_ARENA_MAX=2",
        "MALLOC_MMAP_THRESHOLD_=131072",
        "MALLOC_TRIM_THRESHOLD_=131072",
    ];
    assert_eq!(asked.collect::<BTreeSet<_>>(), expected.into());
    service.end("-TERM");
}
