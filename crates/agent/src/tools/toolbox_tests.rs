//! The tools: their answers, and their errors.

use std::sync::Arc;

use base::test_kit::Words;
use base::{Message, Origin, TokenCount, estimate_text};
use session::StoredMessage;

use super::*;
use crate::test_kit::{Home, Script, home, main, rows};

fn test_home() -> Home {
    let home = home(Arc::new(Script::new()));
    home.write(
        "memory/2026-01-05.md",
        "# 2026-01-05\n\n- The bicycle lock code is 4711\n- Ann is my sister\n",
    );
    home
}

fn call(home: &Home, tool: &str, arguments: &str) -> String {
    home.call("main", tool, arguments)
}

#[test]
fn tool_specs_of_main_session() {
    let home = test_home();
    let names: Vec<String> = specs(&home.runtime, &main())
        .into_iter()
        .map(|spec| spec.name)
        .collect();
    assert_eq!(
        names.join(" "),
        "memory_search memory_get remember correct forget undo promise session_expand"
    );
    let described = specs(&home.runtime, &main()).into_iter();
    let shown = described.map(|it| format!("{}: {}\n{}", it.name, it.description, it.parameters));
    insta::assert_snapshot!(shown.collect::<Vec<_>>().join("\n\n"));
}

#[test]
fn secondary_session_lacks_memory_tools() {
    let home = test_home();
    let other: SessionName = "other".parse().unwrap();
    let specs = specs(&home.runtime, &other);
    let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
    assert_eq!(names, ["session_expand"]);
    let text = home.call("other", "memory_search", r#"{"query":"lock"}"#);
    let expected = "failed: There is no tool named \"memory_search\".";
    assert_eq!(text, expected);
}

/// A tool, its arguments, and its answer.
const UNREADABLE: &str = r#"
    memory_search | { | EOF while parsing
    memory_search | [] | invalid length 0
    memory_get | {"path": 5} | invalid type: integer
    memory_get | {"path": "../a.md"} | is not a path inside the workspace
    memory_get | {"path": "a.txt"} | a.txt is not searched
    memory_get | {"path": "sessions/none.jsonl"} | there is no session none
    remember | {} | missing field `text`
    remember | {"text": " "} | There is nothing to note
    session_expand | {} | there is no session main.
    session_expand | {"epoch": -1} | invalid value
    session_expand | {"epoch": 1, "entry": "e"} | not both
    nonsense | {} | There is no tool named "nonsense".
"#;

#[test]
fn i16_tools_report_unreadable_arguments() {
    let home = test_home();
    let empty = ["memory_search", "", "missing field `query`"];
    for [tool, arguments, expected] in rows(UNREADABLE).into_iter().chain([empty]) {
        let said = call(&home, tool, arguments);
        assert!(
            said.starts_with("failed: ") && said.contains(expected),
            "{tool} {arguments}: {said}"
        );
    }
}

#[test]
fn memory_search_fences_passages_or_reports_none() {
    let home = test_home();
    let search = |arguments| call(&home, "memory_search", arguments);
    assert_eq!(
        search(r#"{"query": "bicycle lock", "limit": 1}"#),
        "<recalled source=\"memory/2026-01-05.md:3\" day=\"2026-01-05\" origin=\"owner\">\n\
         - The bicycle lock code is 4711\n</recalled>"
    );
    let none = "Nothing was found: nothing contains any of these words.";
    assert_eq!(search(r#"{"query": "zeppelin"}"#), none);
}

#[test]
fn memory_get_returns_lines_of_notes_and_sessions() {
    let home = test_home();
    let get = |arguments| call(&home, "memory_get", arguments);
    assert_eq!(
        get(r#"{"path": "memory/2026-01-05.md", "startLine": 3, "endLine": 3}"#),
        "<recalled source=\"memory/2026-01-05.md:3\">\n- The bicycle lock code is 4711\n</recalled>\n\
         It continues to line 4."
    );
    let mut turn = home.turn();
    let at = "2026-03-02T08:00:00Z".parse().unwrap();
    for text in ["one", "two"] {
        let message = StoredMessage::new(Message::user(text), Origin::Owner);
        turn.append_message(at, message).unwrap();
    }
    assert_eq!(
        get(r#"{"path": "sessions/main.jsonl", "startLine": 2, "endLine": 2}"#),
        "<recalled source=\"sessions/main.jsonl:2\" day=\"2026-03-02\" origin=\"owner\">\nuser: one\n</recalled>\n\
         It continues after line 2."
    );
    assert_eq!(
        get(r#"{"path": "sessions/main.jsonl", "startLine": 9}"#),
        "failed: there is no message to show at sessions/main.jsonl:9; the last one is on line 3."
    );
}

#[test]
fn memory_tool_answers_are_bounded() {
    let home = test_home();
    let line = "the bicycle lock and many more words about it\n";
    home.write("memory/long.md", &line.repeat(3_000));
    home.write("memory/wide.md", &line.replace('\n', " ").repeat(3_000));
    for (tool, arguments) in [
        ("memory_get", r#"{"path": "memory/long.md"}"#),
        ("memory_get", r#"{"path": "memory/wide.md"}"#),
        (
            "memory_search",
            r#"{"query": "bicycle lock", "limit": 1000}"#,
        ),
    ] {
        let said = call(&home, tool, arguments);
        let tokens = estimate_text(&said);
        assert!(tokens <= TokenCount(4_100), "{tool}: {tokens}");
        assert!(said.contains("bicycle"));
    }
}

#[test]
fn remember_without_quote_has_agent_origin_and_adds_note_once() {
    let home = test_home();
    let arguments = r#"{"text": "The owner rents the small hall."}"#;
    let noted = call(&home, "remember", arguments);
    assert_eq!(noted, "Noted in memory/2026-03-02.md:5 for 2026-03-02.");
    let log = home.read("workspace/memory/2026-03-02.md");
    assert!(log.contains("- The owner rents the small hall. ^"), "{log}");
    let records = home.read("state/notes.jsonl");
    records.holds(r#""evidence":["e-1"]"#);
    records.holds(r#""origin":"agent""#);
    let again = call(&home, "remember", arguments);
    assert_eq!(again, "memory/2026-03-02.md already says it.");
    let echo = r#"{"text": "<recalled source=\"MEMORY.md:1\">\nan old plan\n</recalled>"}"#;
    assert!(call(&home, "remember", echo).starts_with("failed: There is nothing to note"));
    assert_eq!(home.read("workspace/memory/2026-03-02.md"), log);
}
