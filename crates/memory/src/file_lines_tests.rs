//! Lines of notes: the files that may be read, and the form in which lines are shown.

use std::path::Path;
use std::sync::Arc;

use base::disk::MemoryDisk;
use base::{Disk, HomeLayout};

use super::*;

fn check(path: &str, lines: Option<(usize, usize)>) -> String {
    let disk = MemoryDisk::new();
    for (name, text) in [
        (
            "MEMORY.md",
            "# Long-term\n\n- one <!-- n:1 e: h:abcdef12 o:agent -->\n- two",
        ),
        ("DREAMS.md", "# Dreams\n"),
        (
            "memory/people/ann.md",
            "key sk-ant-api03-a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8a1B2c3D4\n",
        ),
        ("notes.txt", "no note\n"),
        ("memory/.hidden.md", "hidden\n"),
        ("other/a.md", "elsewhere\n"),
    ] {
        let path = Path::new("/w").join(name);
        disk.create_dir(path.parent().unwrap()).unwrap();
        disk.append(&path, text.as_bytes()).unwrap();
    }
    let workspace = Workspace::new(Arc::new(disk), HomeLayout::of_workspace("/w"));
    let lines = lines.map(|(start, end)| LineRange { start, end });
    match file_lines(&workspace, &path.parse().unwrap(), lines) {
        Ok(found) => format!(
            "{}-{} of {}: {}",
            found.lines.start, found.lines.end, found.n_lines, found.text
        ),
        Err(error) => error.to_string(),
    }
}

#[test]
fn file_lines_are_numbered_and_shown_without_comments() {
    assert_eq!(check("MEMORY.md", Some((3, 3))), "3-3 of 4: - one");
    assert_eq!(check("MEMORY.md", Some((3, 90))), "3-4 of 4: - one\n- two");
    assert_eq!(
        check("MEMORY.md", None),
        "1-4 of 4: # Long-term\n\n- one\n- two"
    );
    let missing = "MEMORY.md has 4 lines; line 5 is out of range";
    assert_eq!(check("MEMORY.md", Some((5, 6))), missing);
    assert_eq!(
        check("MEMORY.md", Some((4, 2))),
        "MEMORY.md has 4 lines; line 4 is out of range"
    );
    assert_eq!(
        check("memory/people/ann.md", Some((2, 2))),
        "memory/people/ann.md has 1 line; line 2 is out of range"
    );
}

#[test]
fn i14_file_lines_hide_secrets() {
    assert!(!check("memory/people/ann.md", None).contains("sk-ant"));
}

#[test]
fn file_lines_accept_only_notes() {
    let no_note = |path| {
        format!(
            "{path} is not searched; notes are *.md in the workspace, except AGENTS.md, SOUL.md, HEARTBEAT.md, DREAMS.md and files/"
        )
    };
    for path in ["DREAMS.md", "notes.txt", "memory/.hidden.md", "files/a.md"] {
        assert_eq!(check(path, None), no_note(path));
    }
    assert_eq!(check("other/a.md", None), "1-1 of 1: elsewhere");
    assert_eq!(
        check("memory/none.md", None),
        "there is no memory/none.md in the workspace"
    );
    assert_eq!(
        check("memory/people.md", None),
        "there is no memory/people.md in the workspace"
    );
}
