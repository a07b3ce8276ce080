//! Room in long-term memory: the lines that leave, those that stay, and those for which there is no room.
//!
//! Counts characters as a prompt shows them.

use base::test_kit::Words;

use super::*;
use crate::NoteText;
use crate::candidates::kit::{line_ids, new_line};
use crate::curated::NewLine;

fn line(id: &str, text: &str, day: &str) -> NewLine {
    NewLine {
        day: day.parse().unwrap(),
        ..new_line(id, text)
    }
}

/// A `MEMORY.md` slightly over its limit, mostly with lines of the owner.
fn full() -> MemoryText {
    let own = format!("- {}\n", "mine ".repeat(39));
    let text = format!("# M\n\n{}", own.repeat(49));
    let mut text = NoteText::alone(&text).into_owned();
    for (section, id, day) in [
        ("Facts", "aa11", "2026-01-01"),
        ("Facts", "bb22", "2026-03-01"),
        ("Standing Instructions", "cc33", "2025-01-01"),
    ] {
        let line = line(id, &format!("{id} {}", "word ".repeat(40)), day);
        text = edited(
            &text,
            &[Edit::Add {
                section: section.into(),
                line,
            }],
        );
    }
    text
}

#[test]
fn archive_takes_least_useful_own_lines_and_no_line_of_owner() {
    let text = full();
    assert!(n_chars(&text) > MEMORY_CHARS_MAX);
    let made = fitted(text.clone(), &NotedLines::default());
    assert!(n_chars(&made.text) <= MEMORY_CHARS_MAX);
    assert_eq!(line_ids(&made.text), ["cc33"]);
    assert_eq!(made.archived.len(), 2, "{:?}", made.archived);
    assert!(
        made.archived[0].text().starts_with("- aa11 "),
        "the oldest fact first"
    );
    let n_mine = |text: &MemoryText| text.readable().matches("mine").count();
    assert_eq!(n_mine(&made.text), n_mine(&text));
}

#[test]
fn new_line_of_low_use_has_no_room_unless_owner_accepted_it() {
    let own = BTreeSet::from(["aa11".to_owned()]);
    let noted = NotedLines {
        new: own.clone(),
        ..NotedLines::default()
    };
    let made = fitted(full(), &noted);
    assert_eq!(made.homeless, own);
    assert_eq!(made.archived.len(), 1);
    let noted = NotedLines {
        kept: own,
        ..NotedLines::default()
    };
    let made = fitted(full(), &noted);
    assert!(line_ids(&made.text).contains(&"aa11".to_owned()));
}

#[test]
fn archive_takes_line_that_earned_nothing_before_older_line_but_no_instruction() {
    let noted = NotedLines {
        kept: BTreeSet::from(["bb22".to_owned()]),
        unearned: BTreeSet::from(["cc33".to_owned()]),
        ..NotedLines::default()
    };
    let made = fitted(full(), &noted);
    made.archived[0].text().begins("- aa11 ");
    let noted = NotedLines {
        unearned: BTreeSet::from(["bb22".to_owned(), "cc33".to_owned()]),
        ..NotedLines::default()
    };
    let made = fitted(full(), &noted);
    made.archived[0].text().begins("- bb22 ");
}

#[test]
fn archived_line_is_added_once() {
    let archived = [line("aa11", "old", "2026-01-01").line("\n")];
    let first = archive_with(&MemoryText::default(), &archived).unwrap();
    first.readable().begins("# Archive\n");
    first.readable().holds("\n- old\n");
    assert_eq!(line_ids(&first), ["aa11"]);
    assert_eq!(archive_with(&first, &archived), None);
}
