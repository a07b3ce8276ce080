//! The visibility of text that belongs to a repository, even if the files that record the repository change.

use std::sync::Arc;

use base::Origin;
use memory::{AddedUnder, Note, add_note};

use super::*;
use crate::history::fork;
use crate::jobs::owner_compaction::compact_now;
use crate::jobs::session_flush::{FlushReason, flush};
use crate::test_kit::{Script, adds, offline_home};

const LOG: &str = "workspace/memory/2026-03-02.md";

#[test]
fn repository_of_remote_ignores_protocol_user_and_case() {
    let same = [
        "https://github.com/acme/Tools.git",
        "https://anna:secret@github.com/acme/tools/",
        "git@github.com:acme/tools.git",
        "ssh://git@github.com:22/acme/tools",
    ];
    for url in same {
        assert_eq!(normalised(url), "github.com/acme/tools", "{url}");
    }
    assert_ne!(
        Repository::of_remote("git@github.com:acme/tools"),
        Repository::of_remote("git@github.com:acme/tool")
    );
}

#[test]
fn repository_session_is_visible_to_its_repository_and_owner() {
    let [own, other] = ["a", "b"].map(Repository::of_path);
    let name = own.session_name("claude-code-0198f3aa").unwrap();
    let path = SessionSource::path_of(&name);
    assert_eq!(Repository::of_session(name.as_str()), Some(own.clone()));
    for (viewer, is_seen) in [
        (Viewer::Owner, true),
        (Viewer::Program(Some(own)), true),
        (Viewer::Program(Some(other)), false),
        (Viewer::Program(None), false),
    ] {
        assert_eq!(viewer.sees(&path), is_seen, "{viewer:?}");
        for free in [
            "MEMORY.md",
            "memory/2026-03-02.md",
            "sessions/main.jsonl",
            "sessions/repo-x.jsonl",
        ] {
            assert!(viewer.sees(free), "{free}");
        }
    }
}

#[tokio::test]
async fn notes_of_compaction_and_fork_carry_repository_scope() {
    let home = offline_home();
    let repository = Repository::of_path("/src/tools");
    let name = repository.session_name("work").unwrap();
    home.talk_long_in(name.as_str()).await;
    let compacted = compact_now(&home.runtime, &name, None, &mut |_| {}).await;
    compacted.unwrap();
    let copy = "copy".parse().unwrap();
    let forked = fork(&home.runtime, &name, None, &copy, &mut |_| {}).await;
    let copy = forked.unwrap().name;
    let (now, text) = (
        "2026-03-02T09:00:00Z",
        "I decided to paint the gate turquoise.",
    );
    home.say_in(copy.as_str(), now, text).await;
    let flushed = flush(&home.runtime, &copy, FlushReason::Dream, &mut |_| {}).await;
    flushed.unwrap();
    let log = home.read(LOG);
    assert!(log.contains("hall 0") && log.contains("turquoise"), "{log}");
    let workspace = &home.runtime.home.workspace;
    let items = workspace.log_items("2026-03-02".parse().unwrap()).unwrap();
    assert!(items.len() >= 2, "{log}");
    for item in items {
        let session = item.session.unwrap();
        let found = Repository::of_session(session.as_str());
        assert_eq!(found.as_ref(), Some(&repository), "{log}");
    }
}

#[tokio::test]
async fn promoted_line_keeps_its_repository_after_log_is_deleted() {
    let mut home = offline_home();
    let text = "I prefer the gate turquoise";
    let operation = adds("Preferences", text, &["e1"], text).to_string();
    home.ask(Arc::new(Script::new().says(&operation)));
    let repository = Repository::of_path("/src/tools");
    let note = Note {
        text: text.to_owned(),
        evidence: Vec::new(),
        origin: Origin::Owner,
    };
    let under = AddedUnder {
        known_from: Some(repository.notes()),
        ..AddedUnder::default()
    };
    let access = &home.runtime.home;
    let (now, timezone) = (access.clock.now(), access.timezone);
    add_note(&access.workspace, (&note, &under), now, timezone).unwrap();
    home.dreamt().await;
    let memory = home.memory();
    assert!(memory.contains(text), "{memory}");
    for is_deleted in [false, true] {
        if is_deleted {
            let log = std::path::Path::new("/home").join(LOG);
            home.disk.remove(&log).unwrap();
        }
        let hidden = |viewer: Viewer| viewer.hidden_lines(&access.workspace, "MEMORY.md").len();
        assert_eq!(hidden(Viewer::Program(Some(repository.clone()))), 0);
        assert_eq!(hidden(Viewer::Program(None)), 1, "deleted: {is_deleted}");
    }
}
