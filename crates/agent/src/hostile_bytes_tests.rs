//! Every file of a home that people and other programs write is replaced by damaged bytes, and everything that reads it
//! is asked: an answer or an error, never a panic.

use std::path::Path;
use std::sync::Arc;

use base::disk::replace;
use base::{HomeLayout, Origin};
use memory::{NoteFolder, Workspace};

use crate::knowledge::scope::Viewer;
use crate::ops::{
    About, Agenda, DreamLog, Get, ListCandidates, ListForgotten, OpContext, Operation, PlanForget,
    ReadSession, SessionTimeline, SessionWindow, Why,
};
use crate::test_kit::{Home, home};

/// Each file, with a content that its reader takes.
const FILES: [(&str, &str); 11] = [
    (
        "workspace/PROMISES.md",
        "# Promises\n\n## Reminders\n\n- 2026-12-04 09:00 Call the plumber ^3f2a1b2c\n- [x] every Monday 09:00 bins\n",
    ),
    (
        "workspace/DREAMS.md",
        "## Candidate Memory Items (Pending Review)\n\n### [2026-04-20 Session Replay] c7f3\nFinding: tea\nSuggested action: x\nEvidence: sessions/main.jsonl#e1 \"tea\"\nStatus: pending\n",
    ),
    (
        "workspace/MEMORY.md",
        "# Long-term memory\n\n## Preferences\n\n- I prefer tea (until 2026-01-02: coffee) ^0123abcd\n- by hand\n",
    ),
    (
        "workspace/memory/2026-03-02.md",
        "# 2026-03-02\n\n## 08:00 \u{2014} Session Notes\n\n**Notes:**\n- tea ^0123abcd\n<!-- flush session=s epoch=0 span=a..b -->\n",
    ),
    (
        "state/notes.jsonl",
        "{\"id\":\"0123abcd\",\"file\":\"memory/2026-03-02.md\",\"hash\":\"0123abcd\",\"origin\":\"owner\",\"evidence\":[\"e1\"],\"session\":\"s\",\"epoch\":0,\"span\":[\"a\",\"b\"]}\n",
    ),
    (
        "state/tombstones.jsonl",
        "{\"type\":\"tombstones\",\"version\":1}\n{\"id\":\"0123abcd\",\"at\":\"2026-03-02T08:00:00Z\",\"why\":\"forgotten\",\"texts\":[],\"ownerLines\":\"left\",\"progress\":\"done\"}\n",
    ),
    (
        "state/dreams/state.json",
        "{\"version\":1,\"sequence\":3,\"pending\":[],\"history\":[],\"log\":[[\"2026-03-02T08:00:00Z\",\"a dream\"]]}",
    ),
    (
        "state/graph.jsonl",
        "{\"type\":\"entity\",\"name\":\"Paula\",\"entityType\":\"person\",\"observations\":[\"plays chess\"]}\n",
    ),
    (
        "state/ledger.json",
        "{\"version\":1,\"days\":{\"2026-03-02\":{\"dream\":12}}}",
    ),
    (
        "sessions/main.jsonl",
        "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2026-03-02T08:00:00Z\",\"cwd\":\".\"}\n{\"type\":\"message\",\"id\":\"e1\",\"parentId\":null,\"timestamp\":\"2026-03-02T08:00:01Z\",\"origin\":\"owner\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"I prefer tea\"}]}}\n{\"type\":\"rewind\",\"id\":\"r\",\"parentId\":\"e1\",\"timestamp\":\"2026-03-02T08:00:02Z\",\"targetId\":\"e1\",\"targetOffset\":100,\"state\":{\"compactionCount\":0,\"flushFailures\":0}}\n",
    ),
    (
        "vault/People/Clara.md",
        "---\ntitle: Clara\ntags: [friend]\ndate: 2026-03-02\n---\n# Clara\n\n| a | b |\n|---|---|\n| [[x|y]] | %% c %% |\n\n```\ncode\n```\n",
    ),
];

/// What is done to the bytes of a file.
const PIECES: [&[u8]; 10] = [
    b"\0",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\n\n\n",
    b"}{][\",:",
    b"99999999999999999999999999",
    b"-1e400",
    "\u{202e}\u{feff}\u{1f469}\u{200d}".as_bytes(),
    b"<!-- n: -->^0123abcd",
    b"\\ud800\\u0000",
];

const N_ROUNDS: u64 = 60;

fn damaged(content: &[u8], round: u64) -> Vec<u8> {
    let mut state = round.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
    let mut below = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(11);
        usize::try_from(state >> 33).unwrap() % n.max(1)
    };
    let mut bytes = content.to_vec();
    for _ in 0..=below(4) {
        let at = below(bytes.len() + 1);
        match below(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.splice(at..at, PIECES[below(PIECES.len())].iter().copied())),
            2 => {
                let end = bytes.len().min(at + below(40));
                let cut: Vec<u8> = bytes.drain(at..end).collect();
                let to = below(bytes.len() + 1);
                drop(bytes.splice(to..to, cut));
            }
            3 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << below(8);
                }
            }
            4 => {
                let again = bytes.clone();
                bytes.extend(again);
            }
            _ => {
                let piece = PIECES[below(PIECES.len())].repeat(below(300));
                drop(bytes.splice(at..at, piece));
            }
        }
    }
    bytes
}

fn put(home: &Home, path: &str, bytes: &[u8]) {
    let path = Path::new("/home").join(path);
    home.disk.create_dir(path.parent().unwrap()).unwrap();
    replace(&*home.disk, &path, bytes).unwrap();
}

/// Reads everything; whether each answers does not matter.
fn ask_all(home: &Home) -> Vec<(&'static str, bool)> {
    let (access, engine) = (&home.runtime.home, &home.runtime.engine);
    let knowledge = home.runtime.memory.knowledge.as_deref();
    let at = OpContext::new(access, &engine.settings, knowledge, &Viewer::Owner);
    let name = || "main".to_owned();
    let get = |path: &str| Get {
        path: path.to_owned(),
        ..Get::default()
    };
    let as_of = Some("2026-03-02".to_owned());
    let part = ReadSession {
        name: name(),
        ..ReadSession::default()
    };
    let window = SessionWindow {
        name: name(),
        entry: None,
        as_of: None,
    };
    let timeline = SessionTimeline {
        name: name(),
        as_of: None,
    };
    let why = Why {
        about: "I prefer tea".to_owned(),
    };
    let plan = PlanForget {
        places: vec!["MEMORY.md:5".to_owned()],
        ..PlanForget::default()
    };
    vec![
        ("about", About::default().run(&at).is_ok()),
        ("about as of", About { as_of }.run(&at).is_ok()),
        ("agenda", Agenda::default().run(&at).is_ok()),
        ("log", DreamLog::default().run(&at).is_ok()),
        ("candidates", ListCandidates::default().run(&at).is_ok()),
        ("forgotten", ListForgotten {}.run(&at).is_ok()),
        ("memory", get("MEMORY.md").run(&at).is_ok()),
        ("promises", get("PROMISES.md").run(&at).is_ok()),
        ("page", get("vault/People/Clara.md").run(&at).is_ok()),
        ("messages", get("sessions/main.jsonl").run(&at).is_ok()),
        ("part", part.run(&at).is_ok()),
        ("window", window.run(&at).is_ok()),
        ("timeline", timeline.run(&at).is_ok()),
        ("why", why.run(&at).is_ok()),
        ("plan", plan.run(&at).is_ok()),
        ("prompt", access.workspace.prompt_files().is_ok()),
    ]
}

fn whole_home() -> Home {
    let mut home = home(Arc::new(crate::test_kit::Script::new()));
    let folder = NoteFolder {
        name: "vault".to_owned(),
        root: "/home/vault".into(),
        origin: Origin::Owner,
        ignore: Vec::new(),
    };
    let workspace = Workspace::new(Arc::clone(&home.disk), HomeLayout::new("/home"));
    home.runtime.home = home
        .runtime
        .home
        .with_workspace(workspace.with_folders([folder]));
    home.runtime.home.workspace.init().unwrap();
    for (path, content) in FILES {
        put(&home, path, content.as_bytes());
    }
    home
}

#[test]
fn i16_no_reader_panics_on_damaged_bytes_of_any_file() {
    let home = whole_home();
    let answered = ask_all(&home);
    let silent: Vec<&str> = answered.iter().filter(|it| !it.1).map(|it| it.0).collect();
    assert_eq!(silent, [""; 0]);
    for (path, content) in FILES {
        for round in 0..N_ROUNDS {
            put(&home, path, &damaged(content.as_bytes(), round));
            ask_all(&home);
        }
        put(&home, path, content.as_bytes());
        assert_eq!(ask_all(&home), answered, "{path}");
    }
}
