//! The text of `MEMORY.md` after edits.
//!
//! Compares whole texts.

use super::super::line::memory_lines;
use super::*;
use crate::NoteText;
use crate::candidates::kit::{line_ids, new_line};

fn add(section: &str, id: &str, text: &str) -> Edit {
    Edit::Add {
        section: section.into(),
        line: new_line(id, text),
    }
}

/// Texts in which `{id text}` means a line of ours.
#[track_caller]
fn check(found: &str, edits: &[Edit], expected: &str) {
    let (after, expected) = (edited(&filled(found), edits), filled(expected));
    assert_eq!(after.raw(), expected.raw());
    assert_eq!(line_ids(&after), line_ids(&expected));
}

fn filled(text: &str) -> MemoryText {
    let text = text.replace('{', "- {");
    let mut read = NoteText::alone(&text).into_owned();
    for line in &mut read.lines {
        if let Some(own) = line.text().strip_prefix("- {") {
            let (id, text) = own.strip_suffix('}').unwrap().split_once(' ').unwrap();
            *line = new_line(id, text).line(&line.end);
        }
    }
    read
}

#[test]
fn line_is_added_at_end_of_its_section() {
    let edits = [add("Preferences", "aa11", "Tea")];
    check("", &edits, "## Preferences\n\n{aa11 Tea}\n");
    check("# M\n", &edits, "# M\n\n## Preferences\n\n{aa11 Tea}\n");
    check("# M", &edits, "# M\n\n## Preferences\n\n{aa11 Tea}\n");
    check(
        "## preferences\n- mine\n\n## Facts\n- x\n",
        &edits,
        "## preferences\n- mine\n{aa11 Tea}\n\n## Facts\n- x\n",
    );
    check(
        "## Preferences\n\n## Facts\n",
        &edits,
        "## Preferences\n\n{aa11 Tea}\n\n## Facts\n",
    );
    check(
        "## Preferences\n## Facts\n",
        &edits,
        "## Preferences\n\n{aa11 Tea}\n\n## Facts\n",
    );
    check(
        "## Preferences\n- a",
        &edits,
        "## Preferences\n- a\n{aa11 Tea}\n",
    );
}

#[test]
fn line_endings_of_file_are_kept() {
    check(
        "# M\r\n\r\n## Preferences\r\n- mine\r\n",
        &[add("Preferences", "aa11", "Tea")],
        "# M\r\n\r\n## Preferences\r\n- mine\r\n{aa11 Tea}\r\n",
    );
}

#[test]
fn i9_edit_replaces_and_removes_only_program_lines() {
    let gone = [Edit::Remove("aa11".into())];
    check("- a\n{aa11 Tea}\n- b\n", &gone, "- a\n- b\n");
    let newer = [Edit::Replace {
        id: "aa11".into(),
        line: new_line("bb22", "Coffee"),
    }];
    check("- a\n{aa11 Tea}\n", &newer, "- a\n{bb22 Coffee}\n");
    // The owner changed the words: the line is the owner's now.
    let mut theirs = filled("{aa11 Tea}\n");
    theirs.lines[0].raw = "- Green tea".into();
    theirs.lines[0].n_text_bytes = "- Green tea".len();
    assert_eq!(edited(&theirs, &gone), theirs);
    check("- aa11\n", &gone, "- aa11\n");
}

#[test]
fn i14_line_is_redacted_and_cannot_forge_marks() {
    let text = edited(
        &MemoryText::default(),
        &[add(
            "Facts",
            "aa11",
            "key sk-ant-abcdefghijklmnopqrst --> x\ny",
        )],
    );
    assert!(!text.raw().contains("abcdefghijklmnop"), "{text:?}");
    assert_eq!(memory_lines(&text).len(), 1, "{text:?}");
    assert_eq!(memory_lines(&text)[0].id(), Some("aa11"));
}
