//! The wall between repositories: a transcript of another program stays in its repository, whichever way it came in.
//!
//! Tests both programs, and the ways round the wall: leaving the directory, a missing git, a misleading environment.

use std::path::{Path, PathBuf};

use base::{scope_of, without_scope};
use serde_json::{Value, json};
use testkit::mcp_client::{Client, call, connect_in};
use testkit::{ProgramRun, TestHome, Words};

use crate::hook::{make_repository, told};

const SECRET: &str = "Remember that the lantern release ships from pier seven.";
const QUESTION: &str = "Where does the lantern release ship from?";
const ID: &str = "0198f3c2-77aa-7000-8000-0123456789ab";

/// A program that writes transcripts.
#[derive(Clone, Copy, PartialEq)]
enum Agent {
    ClaudeCode,
    Codex,
}

use Agent::{ClaudeCode, Codex};

impl Agent {
    fn name(self) -> &'static str {
        match self {
            ClaudeCode => "claude-code",
            Codex => "codex",
        }
    }

    /// The place of its transcript below the user's home directory.
    fn place(self) -> String {
        match self {
            ClaudeCode => format!(".claude/projects/-work/{ID}.jsonl"),
            Codex => format!(".codex/sessions/2026/03/02/rollout-2026-03-02T08-00-00-{ID}.jsonl"),
        }
    }

    /// A transcript that begins in a directory, in which the owner says these, each from a directory.
    fn transcript(self, began: &Path, said: &[(&Path, &str)]) -> String {
        let mut lines: Vec<Value> = Vec::new();
        if self == Codex {
            let meta = json!({ "id": ID, "cwd": began, "originator": "codex_cli_rs" });
            lines.push(json!({ "timestamp": "2026-03-02T08:00:00Z", "type": "session_meta", "payload": meta }));
        }
        for (number, (directory, text)) in said.iter().enumerate() {
            let at = format!("2026-03-02T08:00:{number:02}.000Z");
            let parent = number.checked_sub(1).map(|before| format!("u{before}"));
            match self {
                ClaudeCode => lines.push(json!({
                    "type": "user", "uuid": format!("u{number}"), "parentUuid": parent, "sessionId": ID,
                    "cwd": directory, "timestamp": at, "message": { "role": "user", "content": text },
                })),
                Codex => {
                    let turn = json!({ "cwd": directory });
                    lines.push(json!({ "timestamp": at, "type": "turn_context", "payload": turn }));
                    let content = json!([{ "type": "input_text", "text": text }]);
                    let item = json!({ "type": "message", "role": "user", "content": content });
                    lines.push(json!({ "timestamp": at, "type": "response_item", "payload": item }));
                    let event = json!({ "type": "user_message", "message": text });
                    lines.push(json!({ "timestamp": at, "type": "event_msg", "payload": event }));
                }
            }
        }
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        lines.join("\n") + "\n"
    }
}

/// A home of openclaw and of its user, with clones of two repositories.
struct World {
    home: TestHome,
    ours: PathBuf,
    other: PathBuf,
}

impl World {
    fn new() -> Self {
        let home = TestHome::init();
        let clone = |name: &str| {
            let path = home.folder().join("work").join(name);
            make_repository(&path, &format!("https://example.org/acme/{name}"));
            path
        };
        let (ours, other) = (clone("tools"), clone("site"));
        Self { home, ours, other }
    }

    #[expect(clippy::disallowed_methods, reason = "writes as another program does")]
    fn put(&self, place: &str, text: &str) -> PathBuf {
        let path = self.home.folder().join("user").join(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    #[expect(clippy::disallowed_methods, reason = "damages a file of git")]
    fn damage_configuration(&self) {
        let damaged = "[remote \"origin\"\n url = ???\0";
        std::fs::write(self.ours.join(".git/config"), damaged).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> ProgramRun {
        let mut command = self.home.command(arguments);
        let _set = command.env("HOME", self.home.folder().join("user"));
        self.home.finish(command)
    }

    fn hook(&self, agent: Agent, transcript: &Path, directory: &Path) -> ProgramRun {
        self.hook_with(agent, transcript, directory, &[])
    }

    fn hook_with(
        &self,
        agent: Agent,
        transcript: &Path,
        directory: &Path,
        environment: &[(&str, &Path)],
    ) -> ProgramRun {
        let mut command = self.home.command(&["hook", agent.name(), "Stop"]);
        let _set = command.envs(environment.iter().copied());
        let told = json!({ "cwd": directory, "transcript_path": transcript }).to_string();
        let mut child = testkit::piped(command);
        testkit::send(&mut child, told);
        let output = child.wait_with_output().unwrap();
        let command = self.home.command(&["hook", agent.name(), "Stop"]);
        ProgramRun::of(&self.home, &command, &output)
    }

    /// Takes the imported transcript out of its repository, as it was before imports recorded repositories.
    fn leak(&self) {
        let name = self.home.list("sessions").remove(0);
        let scope = scope_of(&name).unwrap();
        let text = self.home.read(&format!("sessions/{name}"));
        let plain = format!("sessions/{}", without_scope(&name));
        self.home.write(&plain, text.replace(scope, ""));
        self.remove(&format!("sessions/{name}"));
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "leaves what an earlier version did"
    )]
    fn remove(&self, relative: &str) {
        std::fs::remove_file(self.home.path().join(relative)).unwrap();
    }

    /// Checks that only programs in our repository, and the owner, see what was said; and that it is here once.
    #[track_caller]
    fn check(&self, context: &str) {
        let sessions = self.home.list("sessions");
        assert_eq!(sessions.len(), 1, "{context}: {sessions:?}");
        assert!(sessions[0].starts_with("repo-"), "{context}: {sessions:?}");
        let (ours, nowhere) = (self.ours.as_path(), self.home.folder());
        for (directory, is_seen) in [(ours, true), (&self.other, false), (nowhere, false)] {
            let input = told(directory, QUESTION).to_string();
            for agent in [ClaudeCode, Codex] {
                let hook = ["hook", agent.name(), "UserPromptSubmit"];
                let run = self.home.run_with_input(&hook, &input).with_code(0);
                assert_eq!(
                    run.stdout.contains("pier seven"),
                    is_seen,
                    "{context}: {directory:?}"
                );
            }
            let scope = if directory == nowhere {
                "none"
            } else {
                directory.to_str().unwrap()
            };
            let found = self
                .home
                .run(&["memory", "search", QUESTION, "--scope", scope]);
            assert_eq!(
                found.stdout.contains("pier seven"),
                is_seen,
                "{context}: {scope}"
            );
            let listed = self.home.run(&["session", "list", "--scope", scope]).stdout;
            assert_eq!(listed.contains("lantern"), is_seen, "{context}: {scope}");
        }
        self.home
            .ok(&["memory", "search", QUESTION])
            .stdout
            .holds("pier seven");
        self.home.ok("dream --now --backfill");
        self.home.memory().lacks("pier seven");
    }
}

#[test]
fn transcript_by_hook_import_or_copy_stays_in_repository_once() {
    for agent in [ClaudeCode, Codex] {
        for first in ["hook", "import", "copy"] {
            let world = World::new();
            let text = agent.transcript(&world.ours, &[(&world.ours, SECRET)]);
            let file = world.put(&agent.place(), &text);
            let copy = world.put("backup/copy.jsonl", &text);
            let by = |way: &str| {
                let run = match way {
                    "hook" => world.hook(agent, &file, &world.ours),
                    "import" => world.run(&["session", "import", file.to_str().unwrap()]),
                    _ => world.run(&["session", "import", copy.to_str().unwrap()]),
                };
                says_at_most_undo(&run.with_code(0), &format!("{} {way}", agent.name()));
            };
            by(first);
            world.check(first);
            ["hook", "import", "copy"].into_iter().for_each(by);
            world.check(&format!("{first} and then every other way"));
        }
    }
}

/// Checks that a run warns of nothing: an import that added something prints the command that undoes it.
#[track_caller]
fn says_at_most_undo(run: &ProgramRun, case: &str) {
    let undo = "`openclaw session import --undo ";
    let is_undo = run.stderr.starts_with(undo) && run.stderr.lines().count() == 1;
    assert!(run.stderr.is_empty() || is_undo, "{case}: {}", run.stderr);
}

#[test]
fn resumed_conversation_continues_in_one_session() {
    let resumed = "0198f3c2-88bb-7000-8000-0123456789ab";
    let more = "The pier closes in May.";
    for has_new_ids in [false, true] {
        for way in ["hook", "import"] {
            let world = World::new();
            let ours = world.ours.as_path();
            let began = ClaudeCode.transcript(ours, &[(ours, SECRET), (ours, "Thanks.")]);
            let whole = [(ours, SECRET), (ours, "Thanks."), (ours, more)];
            let whole = ClaudeCode.transcript(ours, &whole);
            let (copied, added) = whole.split_at(began.len());
            let copied = copied.replace(ID, if has_new_ids { resumed } else { ID });
            let text = format!("{copied}{}", added.replace(ID, resumed));
            let first = world.put(&ClaudeCode.place(), &began);
            let second = world.put(&ClaudeCode.place().replace(ID, resumed), &text);
            for file in [&first, &second, &second, &first] {
                let run = match way {
                    "hook" => world.hook(ClaudeCode, file, ours),
                    _ => world.run(&["session", "import", file.to_str().unwrap()]),
                };
                let run = run.with_code(0);
                says_at_most_undo(&run, &format!("{way} {has_new_ids}"));
            }
            let sessions = world.home.list("sessions");
            assert_eq!(sessions.len(), 1, "{way} {has_new_ids}: {sessions:?}");
            let kept = world.home.read(&format!("sessions/{}", sessions[0]));
            for text in [SECRET, more] {
                let n_times = kept.matches(text).count();
                assert_eq!(n_times, 1, "{way} {has_new_ids}: {text}");
            }
        }
    }
}

#[test]
fn forked_conversations_become_two_sessions() {
    let world = World::new();
    let ours = world.ours.as_path();
    let forked = "0198f3c2-88bb-7000-8000-0123456789ab";
    let one = ClaudeCode.transcript(ours, &[(ours, SECRET), (ours, "The pier is open.")]);
    let two = ClaudeCode.transcript(ours, &[(ours, SECRET), (ours, "The pier is closed.")]);
    let files = [
        world.put(&ClaudeCode.place(), &one),
        world.put(
            &ClaudeCode.place().replace(ID, forked),
            &two.replace(ID, forked),
        ),
    ];
    for file in &files {
        let _taken = world
            .run(&["session", "import", file.to_str().unwrap()])
            .with_code(0);
    }
    let sessions = world.home.list("sessions");
    assert_eq!(sessions.len(), 2, "{sessions:?}");
}

#[tokio::test]
async fn mcp_server_of_other_repository_hides_imported_transcript() {
    let world = World::new();
    let text = ClaudeCode.transcript(&world.ours, &[(&world.ours, SECRET)]);
    let file = world.put(&ClaudeCode.place(), &text);
    let _taken = world
        .run(&["session", "import", file.to_str().unwrap()])
        .with_code(0);
    for (directory, is_seen) in [(&world.ours, true), (&world.other, false)] {
        let server = connect_in(&world.home, (directory, &[]), Client::default()).await;
        for tool in ["memory_search", "session_search"] {
            let found = call(&server, tool, json!({ "query": QUESTION })).await;
            assert_eq!(found.contains("pier seven"), is_seen, "{tool}: {found}");
        }
    }
}

#[test]
fn cd_within_session_keeps_repository_and_single_copy() {
    for agent in [ClaudeCode, Codex] {
        let world = World::new();
        let (ours, other) = (&*world.ours, &*world.other);
        let outside = world.home.folder().join("user");
        let steps = [
            (ours, SECRET),
            (&*outside, "Now look here."),
            (other, "And here."),
        ];
        for n_steps in 1..=steps.len() {
            let file = world.put(&agent.place(), &agent.transcript(ours, &steps[..n_steps]));
            let run = world.hook(agent, &file, steps[n_steps - 1].0);
            assert_eq!(run.with_code(0).stderr, "");
        }
        world.check(agent.name());
        let name = world.home.list("sessions").remove(0);
        let said = world.home.read(&format!("sessions/{name}"));
        said.holds_times(1, "pier seven");
        said.holds_times(1, "And here.");
        // The running session is not recalled into itself, wherever its agent stands.
        let input = json!({ "cwd": other, "session_id": ID, "prompt": QUESTION }).to_string();
        let hook = ["hook", agent.name(), "UserPromptSubmit"];
        let run = world.home.run_with_input(&hook, &input).with_code(0);
        run.stdout.lacks("pier seven");
    }
}

#[test]
fn hook_needs_no_git_and_is_not_misled_by_its_environment() {
    for agent in [ClaudeCode, Codex] {
        let world = World::new();
        let file = world.put(
            &agent.place(),
            &agent.transcript(&world.ours, &[(&world.ours, SECRET)]),
        );
        let (nothing, misleading) = (world.home.folder().join("empty"), world.other.join(".git"));
        let environment = [("PATH", &*nothing), ("GIT_DIR", &*misleading)];
        let run = world.hook_with(agent, &file, &world.ours, &environment);
        assert_eq!(run.with_code(0).stderr, "");
        world.check(agent.name());
    }
}

#[test]
fn transcript_of_repository_with_damaged_configuration_is_private_and_hook_says_so_once() {
    for agent in [ClaudeCode, Codex] {
        let world = World::new();
        world.damage_configuration();
        let said = [(&*world.ours, SECRET)];
        let file = world.put(&agent.place(), &agent.transcript(&world.ours, &said));
        let run = world.hook(agent, &file, &world.ours).with_code(0);
        let told = run.stderr.replace("\n  ", " ");
        told.holds("shown only to programs in its directory");
        told.holds("tools/.git/config is damaged in line 1");
        let again = world.hook(agent, &file, &world.ours);
        assert_eq!(again.with_code(0).stderr, "");
        let found = |scope: &str| {
            let found = ["memory", "search", QUESTION, "--scope", scope];
            world.home.run(&found).stdout
        };
        found("none").lacks("pier seven");
        found(world.other.to_str().unwrap()).lacks("pier seven");
        found(world.ours.to_str().unwrap()).holds("pier seven");
    }
}

#[test]
fn transcript_of_vanished_directory_is_private_to_its_path() {
    let world = World::new();
    let gone = world.home.folder().join("gone");
    let file = world.put(
        &ClaudeCode.place(),
        &ClaudeCode.transcript(&gone, &[(&gone, SECRET)]),
    );
    let run = world.hook(ClaudeCode, &file, &gone).with_code(0);
    run.stderr
        .replace("\n  ", " ")
        .holds("shown only to programs in its directory");
    let sessions = world.home.list("sessions");
    assert!(sessions[0].starts_with("repo-"), "{sessions:?}");
    let found = world
        .home
        .run(&["memory", "search", QUESTION, "--scope", "none"]);
    found.stdout.lacks("pier seven");
    // The owner's word decides.
    let path = file.to_str().unwrap();
    let own = world.run(&["session", "import", path, "-s", "mine", "--scope", "none"]);
    own.with_code(0).stdout.holds("mine");
    let found = world
        .home
        .run(&["memory", "search", QUESTION, "--scope", "none"]);
    found.stdout.holds("pier seven");
}

#[test]
fn doctor_fix_moves_leaked_imports_into_their_repository() {
    for (agent, is_doubled) in [
        (ClaudeCode, false),
        (Codex, false),
        (ClaudeCode, true),
        (Codex, true),
    ] {
        let world = World::new();
        let file = world.put(
            &agent.place(),
            &agent.transcript(&world.ours, &[(&world.ours, SECRET)]),
        );
        let path = file.to_str().unwrap();
        let import = ["session", "import", path];
        let _taken = world.run(&import).with_code(0);
        let scoped = format!("sessions/{}", world.home.list("sessions")[0]);
        let copy = world.home.read(&scoped);
        world.leak();
        world.home.ok("dream --now --backfill");
        let notes = world.home.notes();
        if is_doubled {
            world.home.write(&scoped, &copy);
        }
        let found = world.run(&["doctor", "--json"]).with_code(1);
        found.stdout.holds("every program sees it");
        let before = world.home.files();
        let _fixed = world.run(&["doctor", "--fix"]);
        assert_ne!(world.home.files(), before);
        let found = world.run(&["doctor", "--json"]);
        found.stdout.lacks("every program sees it");
        let start = world.home.run_with_input(
            &["hook", agent.name(), "SessionStart"],
            told(&world.other, "").to_string(),
        );
        start.with_code(0).stdout.lacks("pier seven");
        let sessions = world.home.list("sessions");
        assert_eq!(sessions.len(), 1, "{sessions:?}");
        assert!(sessions[0].starts_with("repo-"), "{sessions:?}");
        let found = world
            .home
            .run(&["memory", "search", QUESTION, "--scope", "none"]);
        found.stdout.lacks("pier seven");
        // Nothing is lost: the owner sees it, and a copy is kept.
        world
            .home
            .ok(&["memory", "search", QUESTION])
            .stdout
            .holds("pier seven");
        assert_eq!(
            world.home.list("state/quarantine").len(),
            usize::from(is_doubled)
        );
        assert_eq!(world.home.notes().lines().count(), notes.lines().count());
        world
            .hook(agent, &file, &world.ours)
            .with_code(0)
            .told()
            .lacks("warning");
        assert_eq!(world.home.list("sessions"), sessions);
    }
}

#[test]
fn own_session_with_import_like_name_is_not_moved() {
    let world = World::new();
    world.home.ok(&["chat", "-m", "I keep bees in the garden."]);
    world
        .home
        .ok(&["chat", "-s", "work", "-m", "The boat needs paint."]);
    let file = world.put(
        &ClaudeCode.place(),
        &ClaudeCode.transcript(&world.ours, &[(&world.ours, SECRET)]),
    );
    let path = file.to_str().unwrap();
    for name in ["main", "work"] {
        let _taken = world
            .run(&["session", "import", path, "-s", name])
            .with_code(0);
    }
    let sessions = world.home.list("sessions");
    assert_eq!(sessions.len(), 4, "{sessions:?}");
    let found = world.run(&["doctor", "--json"]);
    found.stdout.lacks("every program sees it");
    let _fixed = world.run(&["doctor", "--fix"]);
    assert_eq!(world.home.list("sessions"), sessions);
    world.home.read("sessions/main.jsonl").holds("bees");
}

#[test]
fn scope_option_moves_session_and_doctor_leaves_it_there() {
    for agent in [ClaudeCode, Codex] {
        let world = World::new();
        let file = world.put(
            &agent.place(),
            &agent.transcript(&world.ours, &[(&world.ours, SECRET)]),
        );
        let path = file.to_str().unwrap();
        let other = world.other.to_str().unwrap();
        let is_seen = |scope: &str| {
            let search = ["memory", "search", QUESTION, "--scope", scope];
            world.home.run(&search).stdout.contains("pier seven")
        };
        let _taken = world.run(&["session", "import", path]).with_code(0);
        let before = world.home.files();
        let dry = ["session", "import", path, "--scope", "none", "--dry-run"];
        let told = world.run(&dry).with_code(0);
        told.stdout.holds("dry run: nothing was written\n");
        told.stdout.holds("moved here from session");
        assert_eq!(world.home.files(), before);
        for (scope, seen) in [
            ("none", [true, true]),
            (other, [false, true]),
            ("none", [true, true]),
        ] {
            let import = ["session", "import", path, "--scope", scope];
            let run = world.run(&import).with_code(0);
            run.stdout.holds("moved here from session");
            run.stdout.holds("already has all of it");
            let sessions = world.home.list("sessions");
            assert_eq!(sessions.len(), 1, "{sessions:?}");
            assert_eq!(["none", other].map(is_seen), seen, "{scope}");
            world
                .hook(agent, &file, &world.ours)
                .with_code(0)
                .told()
                .lacks("warning");
            let found = world.run(&["doctor", "--json"]);
            found.stdout.lacks("every program sees it");
            let _fixed = world.run(&["doctor", "--fix"]);
            assert_eq!(world.home.list("sessions"), sessions);
        }
    }
}

#[tokio::test]
async fn reply_made_from_repository_is_visible_only_there() {
    let mut world = World::new();
    let reply = crate::chat_with_model::reply("The lantern release ships from pier seven.");
    let server = crate::chat_with_model::server([reply]);
    let url = server.url("/v1");
    world.home = crate::chat_with_model::home(&url);
    for (path, name) in [(&mut world.ours, "tools"), (&mut world.other, "site")] {
        *path = world.home.folder().join("work").join(name);
        make_repository(path, &format!("https://example.org/acme/{name}"));
    }
    let file = world.put(
        &ClaudeCode.place(),
        &ClaudeCode.transcript(&world.ours, &[(&world.ours, SECRET)]),
    );
    let _taken = world
        .run(&["session", "import", file.to_str().unwrap()])
        .with_code(0);
    let own = world.home.ok(&["chat", "-m", QUESTION]);
    own.stdout.holds("pier seven");
    // From here on without the model.
    world.home.write("config.yaml", "");
    world.home.ok(&["chat", "-m", "The boat needs paint."]);
    let nowhere = world.home.folder();
    for (directory, is_seen) in [
        (world.ours.as_path(), true),
        (&world.other, false),
        (nowhere, false),
    ] {
        let server = connect_in(&world.home, (directory, &[]), Client::default()).await;
        for (tool, arguments) in [
            ("memory_search", json!({ "query": QUESTION })),
            ("session_search", json!({ "query": QUESTION })),
            ("memory_get", json!({ "path": "sessions/main.jsonl" })),
        ] {
            let found = call(&server, tool, arguments).await;
            assert_eq!(found.contains("pier seven"), is_seen, "{tool}: {found}");
        }
        let input = told(directory, QUESTION).to_string();
        let hook = ["hook", "claude-code", "UserPromptSubmit"];
        let run = world.home.run_with_input(&hook, &input).with_code(0);
        assert_eq!(run.stdout.contains("pier seven"), is_seen, "{directory:?}");
    }
    world
        .home
        .run_with_input("chat", "Good night.\n")
        .with_code(0);
    world.home.ok("dream --now --backfill");
    world.home.notes().lacks("pier seven");
    world.home.memory().lacks("pier seven");
    let main = world.home.read("sessions/main.jsonl");
    main.holds("\"scopes\":[\"repo-");
}
