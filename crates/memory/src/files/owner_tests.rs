//! Edits of the owner: the copies that they keep, their undo, and the files that they never overwrite.

use base::HomeLayout;
use std::sync::Arc;

use base::disk::{MemoryDisk, replace};
use base::test_kit::Words;

use super::*;
use crate::candidates::{Access, MemoryTxn};
use crate::curated::LineOwner;

const AT: &str = "2026-04-20T10:00:00Z";

fn workspace() -> Workspace {
    let workspace = Workspace::new(Arc::new(MemoryDisk::new()), HomeLayout::new("/home"));
    workspace.init().unwrap();
    workspace
}

fn path(name: &str) -> WorkspacePath {
    name.parse().unwrap()
}

#[test]
fn owner_file_edit_is_restored_exactly() {
    let (workspace, page, now) = (workspace(), path("USER.md"), AT.parse().unwrap());
    let before = read_owner_file(&workspace, &page).unwrap();
    let edit = save_owner_file(&workspace, &page, (&before.hash, "I live in Graz.\n"), now);
    let OwnerEdit::Kept(kept) = edit.unwrap() else {
        panic!("USER.md is no memory of the program");
    };
    let after = read_owner_file(&workspace, &page).unwrap();
    assert_eq!(after.text, "I live in Graz.\n");
    restore_owner_file(&workspace, &page, (&kept, &after.hash), now).unwrap();
    assert_eq!(read_owner_file(&workspace, &page).unwrap(), before);
    // Nothing else that is kept is given out under another name.
    for wrong in ["../../config.yaml", "USER.md", ""] {
        let refused = restore_owner_file(&workspace, &page, (wrong, &before.hash), now);
        assert_eq!(
            refused.unwrap_err().to_string(),
            "the earlier content of USER.md is no longer kept"
        );
    }
}

#[test]
fn i9_owner_edit_of_memory_is_undone_like_decision() {
    let (workspace, page, now) = (workspace(), path("MEMORY.md"), AT.parse().unwrap());
    let before = read_owner_file(&workspace, &page).unwrap();
    let edit = save_owner_file(
        &workspace,
        &page,
        (&before.hash, "# Mine\n\n- One line\n"),
        now,
    );
    assert_eq!(edit.unwrap(), OwnerEdit::Undoable);
    let mut desk = MemoryTxn::open(&workspace, now, Access::Write).unwrap();
    let told = "you edited MEMORY.md";
    assert_eq!(desk.last_decision().as_deref(), Some(told));
    assert_eq!(desk.undo().unwrap(), told);
    drop(desk);
    assert_eq!(read_owner_file(&workspace, &page).unwrap(), before);
}

#[test]
fn save_owner_file_rejects_file_changed_meanwhile() {
    let (workspace, now) = (workspace(), AT.parse().unwrap());
    for name in ["MEMORY.md", "USER.md"] {
        let page = path(name);
        let before = read_owner_file(&workspace, &page).unwrap();
        let full = page.under(workspace.root());
        replace(workspace.disk(), &full, b"saved by an editor\n").unwrap();
        let refused = save_owner_file(&workspace, &page, (&before.hash, "mine\n"), now);
        let expected = format!("another program saved {name} in the meantime; nothing was written");
        assert_eq!(refused.unwrap_err().to_string(), expected);
        assert_eq!(
            read_owner_file(&workspace, &page).unwrap().text,
            "saved by an editor\n"
        );
    }
}

#[test]
fn save_owner_file_rejects_settings_and_generated_pages() {
    let (workspace, now) = (workspace(), AT.parse().unwrap());
    for name in ["config.yaml", ".obsidian/app.json"] {
        let refused = save_owner_file(&workspace, &path(name), ("", "x"), now);
        refused
            .unwrap_err()
            .to_string()
            .holds("is hidden from tools");
    }
    let refused = save_owner_file(&workspace, &path("DREAMS.md"), ("", "x"), now);
    let expected = "DREAMS.md is generated; review its candidates instead";
    assert_eq!(refused.unwrap_err().to_string(), expected);
}

#[test]
fn only_line_that_was_shown_is_reworded() {
    let line = |number, text: &str| CuratedLine {
        number,
        section: None,
        text: text.to_owned(),
        owner: LineOwner::Owner,
    };
    let file = "# Memory\r\n\r\n- I like tea\r\n  * I like tea\r\nI like tea and cake";
    let with = |number, words| reworded(file, &line(number, "I like tea"), words);
    assert_eq!(
        with(3, " I like\ncoffee ").as_deref(),
        Some("# Memory\r\n\r\n- I like coffee\r\n  * I like tea\r\nI like tea and cake")
    );
    assert!(with(4, "x").unwrap().contains("  * x\r\n"));
    for (number, words) in [(1, "x"), (5, "x"), (9, "x"), (3, " \n ")] {
        assert_eq!(with(number, words), None, "{number} {words:?}");
    }
}
