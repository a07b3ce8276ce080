//! The file tools of the assistant, and the operations that they refuse.
//!
//! The tests of the writing code check the content of the disk.

use std::sync::Arc;

use session::SessionName;

use crate::sandbox::Sandbox;
use crate::test_kit::{Home, Script, home, main};
use crate::tools::access::FileAccess;
use crate::tools::toolbox::specs;

fn test_home(access: FileAccess) -> Home {
    let mut home = home(Arc::new(Script::new()));
    home.runtime.tools.files = access;
    home
}

fn call(home: &Home, tool: &str, arguments: &str) -> String {
    home.call("main", tool, arguments)
}

fn file_tools(home: &Home, name: &SessionName) -> Vec<String> {
    let specs = specs(&home.runtime, name).into_iter();
    let names = specs.map(|spec| spec.name);
    names.filter(|name| name.contains("file")).collect()
}

#[test]
fn file_tools_depend_on_access_session_and_sandbox() {
    let mut home = test_home(FileAccess::Write);
    let other: SessionName = "other".parse().unwrap();
    let all = ["list_files", "read_file", "write_file", "edit_file"];
    assert_eq!(file_tools(&home, &main()), all);
    assert_eq!(file_tools(&home, &other), Vec::<String>::new());
    let said = home.call("other", "read_file", r#"{"path":"USER.md"}"#);
    assert_eq!(said, "failed: There is no tool named \"read_file\".");
    home.runtime.tools.files = FileAccess::Read;
    assert_eq!(file_tools(&home, &main()), all[..2]);
    home.runtime.tools.files = FileAccess::Write;
    home.runtime.sandbox = Some(Sandbox::default());
    assert_eq!(file_tools(&home, &main()), all[..2]);
    let said = call(&home, "write_file", r#"{"path":"files/a.txt","text":"x"}"#);
    assert_eq!(said, "failed: There is no tool named \"write_file\".");
    assert_eq!(home.read("workspace/files/a.txt"), "");
    home.runtime.tools.files = FileAccess::None;
    assert_eq!(file_tools(&home, &main()), Vec::<String>::new());
}

#[test]
fn file_tools_write_list_read_edit_and_replace() {
    let home = test_home(FileAccess::Write);
    let check = |tool: &str, arguments: &str, expected: &str| {
        assert_eq!(call(&home, tool, arguments), expected);
    };
    let write = r#"{"path":"files/plan.md","text":"one\ntwo\nthree\n"}"#;
    check("write_file", write, "Wrote files/plan.md: 14 bytes.");
    let exists = "failed: files/plan.md already exists; edit it, or set `replace`.";
    check("write_file", write, exists);
    check("list_files", r#"{"path":"files/"}"#, "plan.md (14 bytes)");
    check("list_files", "", "files/");
    let lines = r#"{"path":"files/plan.md","startLine":2,"endLine":2}"#;
    check("read_file", lines, "two\nIt continues to line 3.");
    let edit = r#"{"path":"files/plan.md","old":"two","new":"zwei"}"#;
    check("edit_file", edit, "Changed line 2 of files/plan.md.");
    assert_eq!(home.read("workspace/files/plan.md"), "one\nzwei\nthree\n");
    let replace = r#"{"path":"files/plan.md","text":"","replace":true}"#;
    check("write_file", replace, "Wrote files/plan.md: 0 bytes.");
    let read = r#"{"path":"files/plan.md"}"#;
    check("read_file", read, "files/plan.md is empty.");
}

#[test]
fn i8_file_tools_fence_memory_and_refuse_to_write_it() {
    let home = test_home(FileAccess::Write);
    let note = "- The bicycle lock code is 4711 <!-- n:a -->\n";
    home.write("memory/2026-01-05.md", note);
    home.write("DREAMS.md", "Finding: tea\n");
    assert_eq!(
        call(&home, "read_file", r#"{"path":"memory/2026-01-05.md"}"#),
        "<recalled source=\"memory/2026-01-05.md:1\">\n- The bicycle lock code is 4711\n</recalled>"
    );
    assert_eq!(
        call(&home, "read_file", r#"{"path":"DREAMS.md"}"#),
        "<recalled source=\"DREAMS.md:1\">\nFinding: tea\n</recalled>"
    );
    for path in ["MEMORY.md", "DREAMS.md", "memory/2026-01-05.md", "new.md"] {
        let arguments = format!(r#"{{"path":"{path}","text":"x","replace":true}}"#);
        let said = call(&home, "write_file", &arguments);
        assert!(said.contains("is read-only for tools"), "{said}");
    }
}

#[test]
fn i14_file_tools_redact_secrets_and_i16_report_bad_paths() {
    let home = test_home(FileAccess::Write);
    home.write("files/env.txt", "KEY=sk-ant-0123456789abcdef0123\n");
    let said = call(&home, "read_file", r#"{"path":"files/env.txt"}"#);
    assert_eq!(said, "KEY=[REDACTED:anthropic-key]");
    for path in ["../a.txt", "/etc/passwd", "a//b", ""] {
        let said = call(&home, "read_file", &format!(r#"{{"path":"{path}"}}"#));
        let is_told = said.contains("is not a path inside the workspace");
        assert!(is_told, "{path}: {said}");
    }
    let beyond = r#"{"path":"files/env.txt","startLine":9}"#;
    let said = call(&home, "read_file", beyond);
    assert_eq!(said, "failed: files/env.txt has only 1 line.");
    let missing = call(&home, "write_file", r#"{"path":"files/a.txt"}"#);
    assert!(missing.contains("missing field `text`"), "{missing}");
}

#[test]
fn file_answers_are_bounded() {
    let home = test_home(FileAccess::Read);
    home.write("files/long.txt", &"many words in a line\n".repeat(5_000));
    let said = call(&home, "read_file", r#"{"path":"files/long.txt"}"#);
    let tokens = base::estimate_text(&said);
    assert!(tokens <= base::TokenCount(4_100), "{tokens}");
    assert!(said.ends_with("It continues to line 5000."));
    for number in 0..250 {
        home.write(&format!("many/{number}.txt"), "x");
    }
    let said = call(&home, "list_files", r#"{"path":"many"}"#);
    assert!(said.ends_with("50 more are not listed."), "{said}");
}
