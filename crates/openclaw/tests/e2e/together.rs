//! Many programs on one home at once: chats, a service, servers of tools, hooks, an editor and dreams.
//!
//! Checks that nothing acknowledged is lost and nothing is refused; prints how long each had to wait, and asserts no
//! time.

use std::fmt::Write as _;
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use base::disk::OsDisk;
use base::{Clock, Disk, SystemClock};
use futures_util::future::join_all;
use serde_json::json;
use testkit::mcp_client::{Client, call, connect};
use testkit::{TestHome, Transcript, Words};

/// Waits until this many messages wait for a turn.
fn until_waiting(home: &TestHome, n_waiting: usize) {
    loop {
        let locks = home.list("state/locks");
        let waiting = locks.iter().filter(|name| name.starts_with("@wait-"));
        if waiting.count() == n_waiting {
            return;
        }
        OsDisk.wait(Duration::from_millis(5));
    }
}

#[test]
fn queued_messages_on_one_session_are_answered_in_order() {
    let home = TestHome::new();
    home.ok("chat -m 'The lock code is 4711.'");
    let lock = home.hold("main.lock");
    let questions: Vec<String> = (1..=6)
        .map(|n| format!("What is the lock code, question {n}?"))
        .collect();
    let mut waiting: Vec<Child> = Vec::new();
    for question in &questions {
        let child = home
            .command(&["chat", "-m", question])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        waiting.push(child.unwrap());
        until_waiting(&home, waiting.len());
    }
    let refused = home.run("chat -m Now? --no-wait");
    assert_eq!(refused.with_code(4).stdout, "");
    drop(lock);
    for child in waiting {
        let output = child.wait_with_output().unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success() && stdout.contains("4711"),
            "{stdout}"
        );
    }
    let stored = Transcript::read(&home, "main").messages();
    let roles: Vec<&str> = stored.iter().map(|it| it.role.as_str()).collect();
    assert_eq!(roles, ["user", "assistant"].repeat(7));
    let asked = stored.iter().filter(|it| it.role == "user").skip(1);
    let asked: Vec<&str> = asked.map(|it| it.text.as_str()).collect();
    assert_eq!(asked, questions);
}

/// How long each kind of call took.
#[derive(Default)]
struct Durations {
    clock: SystemClock,
    took: Mutex<Vec<(&'static str, Duration)>>,
}

impl Durations {
    fn time<T>(&self, what: &'static str, act: impl FnOnce() -> T) -> T {
        let began_at = self.clock.monotonic();
        let done = act();
        self.add(what, began_at);
        done
    }

    fn add(&self, what: &'static str, began_at: Duration) {
        let took = self.clock.monotonic().saturating_sub(began_at);
        self.took.lock().unwrap().push((what, took));
    }

    /// The median and the maximum of each kind, in milliseconds.
    fn told(&self) -> String {
        let mut all = self.took.lock().unwrap().clone();
        all.sort();
        let mut text = String::new();
        for of_kind in all.chunk_by(|left, right| left.0 == right.0) {
            let [middle, longest] =
                [of_kind.len() / 2, of_kind.len() - 1].map(|at| of_kind[at].1.as_millis());
            writeln!(
                text,
                "{}: {} calls, p50 {middle} ms, max {longest} ms",
                of_kind[0].0,
                of_kind.len()
            )
            .unwrap();
        }
        text
    }
}

const N_CHATS: usize = 6;
const N_NOTES: usize = 12;
const N_STOPS: usize = 6;
const N_SAVES: usize = 12;
const N_DREAMS: usize = 3;

/// A hook of Claude Code in a conversation that grows; returns whether it reported a problem.
fn stops(home: &TestHome, durations: &Durations) {
    let mut lines = String::new();
    for n in 0..N_STOPS {
        for (role, kind) in [("user", "u"), ("assistant", "a")] {
            let parent = if kind == "a" {
                Some(format!("u{n}"))
            } else {
                n.checked_sub(1).map(|it| format!("a{it}"))
            };
            let content = json!([{ "type": "text", "text": format!("Crate {n} of the {role}.") }]);
            let line = json!({
                "type": role, "uuid": format!("{kind}{n}"), "parentUuid": parent, "sessionId": "s",
                "timestamp": "2026-03-02T08:00:00.000Z", "message": { "role": role, "content": content },
            });
            writeln!(lines, "{line}").unwrap();
        }
        let file = home.input("growing.jsonl", &lines);
        let told =
            json!({ "cwd": home.folder(), "transcript_path": file, "prompt": "Which shelf?" })
                .to_string();
        for event in ["UserPromptSubmit", "Stop"] {
            let run = durations.time("hook", || {
                home.run_with_input(&["hook", "claude-code", event], &told)
            });
            assert_eq!(run.with_code(0).stderr, "");
        }
    }
}

/// An editor that saves long-term memory line by line, each time in one step.
fn saves(home: &TestHome) {
    for n in 0..N_SAVES {
        let text = format!("{}- Saved line {n}.\n", home.memory());
        home.write("workspace/next.tmp", text);
        let at = |name: &str| home.path().join("workspace").join(name);
        OsDisk.rename(&at("next.tmp"), &at("MEMORY.md")).unwrap();
    }
}

fn chats(home: &TestHome, durations: &Durations) {
    for n in 0..N_CHATS {
        let said = format!("Barrel {n} is green.");
        let run = durations.time("chat", || home.run(&["chat", "-m", &said]));
        assert_eq!(run.with_code(0).code, Some(0));
    }
}

fn dreams(home: &TestHome, durations: &Durations) {
    for _ in 0..N_DREAMS {
        let run = durations.time("dream", || home.run("dream --now"));
        // The service may be dreaming of the same notes at this moment.
        let is_under_way = run.stderr.contains("another dream is running");
        assert!(run.code == Some(0) || is_under_way, "{}", run.stderr);
    }
}

async fn notes(home: &TestHome, durations: &Durations) {
    let servers = [
        connect(home, &[], Client::default()).await,
        connect(home, &[], Client::default()).await,
    ];
    let writes = servers
        .iter()
        .enumerate()
        .map(|(server_idx, server)| async move {
            for n in 0..N_NOTES {
                let began_at = durations.clock.monotonic();
                let text = format!("Shelf {server_idx} holds box number {n}.");
                let noted = call(server, "remember", json!({ "text": text })).await;
                durations.add("remember", began_at);
                assert!(noted.starts_with("Noted in memory/"), "{noted}");
            }
        });
    let _written = join_all(writes).await;
}

#[test]
fn i1_concurrent_programs_are_all_served_without_lost_writes() {
    let home = TestHome::init();
    home.ok("memory index");
    let mut service = home
        .command("serve")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (durations, is_over) = (Durations::default(), AtomicBool::new(false));
    thread::scope(|scope| {
        let (home, durations, is_over) = (&home, &durations, &is_over);
        let at_work = [
            scope.spawn(move || chats(home, durations)),
            scope.spawn(move || stops(home, durations)),
            scope.spawn(move || saves(home)),
            scope.spawn(move || dreams(home, durations)),
            scope.spawn(move || {
                let executor = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build();
                executor.unwrap().block_on(notes(home, durations));
            }),
        ];
        scope.spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                let run = durations.time("search", || home.run("memory search barrel --json"));
                assert_eq!(run.with_code(0).code, Some(0));
            }
        });
        let ended = at_work.into_iter().map(thread::ScopedJoinHandle::join);
        let ended: Vec<_> = ended.collect();
        is_over.store(true, Ordering::Relaxed);
        for done in ended {
            done.unwrap();
        }
    });
    service.kill().unwrap();
    let _ended = service.wait().unwrap();
    println!("{}", durations.told());
    held_after(&home);
}

/// Checks that everything acknowledged is there exactly once.
fn held_after(home: &TestHome) {
    let logs: String = home
        .list("workspace/memory")
        .iter()
        .filter(|name| *name != "graph.md")
        .map(|name| home.read(&format!("workspace/memory/{name}")))
        .collect();
    for server_idx in 0..2 {
        for n in 0..N_NOTES {
            let note = format!("- Shelf {server_idx} holds box number {n}.");
            assert_eq!(logs.matches(&note).count(), 1, "{note}: {logs}");
        }
    }
    let memory = home.memory();
    for n in 0..N_SAVES {
        memory.holds_times(1, &format!("- Saved line {n}.\n"));
    }
    let said = |session: &str, role: &str| -> Vec<String> { Transcript::said(home, session, role) };
    let barrels: Vec<String> = (0..N_CHATS)
        .map(|n| format!("Barrel {n} is green."))
        .collect();
    assert_eq!(said("main", "user"), barrels);
    assert_eq!(said("main", "assistant").len(), N_CHATS);
    let sessions = home.list("sessions");
    let taken = sessions.iter().find_map(|name| {
        name.strip_suffix(".jsonl")
            .filter(|name| name.contains("claude-code"))
    });
    let crates: Vec<String> = (0..N_STOPS)
        .map(|n| format!("Crate {n} of the user."))
        .collect();
    assert_eq!(said(taken.unwrap(), "user"), crates);
    for session in ["main", taken.unwrap()] {
        let verified = home.ok(&["session", "verify", session, "--json"]).json();
        assert!(verified.is_object(), "{verified}");
    }
}
