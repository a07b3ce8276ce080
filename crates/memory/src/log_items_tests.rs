//! The notes of a log, by all authors.
//!
//! Compares whole lists.

use super::*;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let workspace = crate::workspace_kit::workspace_with(&[]);
    let read = workspace.read_note("memory/2026-04-20.md", text);
    let found: Vec<String> = items(&read)
        .iter()
        .map(|item| {
            let session = item.session.as_ref().map_or("-", SessionId::as_str);
            let n_evidence = item.evidence.len();
            format!(
                "{} {} {session} {n_evidence} {}",
                item.line, item.origin, item.text
            )
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn log_items_name_session_of_block_and_origin_of_line() {
    let hash = base::short_hash("SQLite, because of crash safety");
    check(
        &format!(
            "# 2026-04-20

- My own note

<!-- flush session=s1 epoch=0 span=a1..a9 -->
## 14:23 \u{2014} Compaction Pre-flush

**Important Decisions:**
- SQLite, because of crash safety <!-- n:4c1d22e0 e:a3,a4 h:{hash} o:owner -->
- Postgres after all <!-- n:4c1d22e1 e:a3 h:00000000 o:agent -->
<!-- /flush 5e0c9d12 -->

## 15:00 \u{2014} Note

- The assistant noted this <!-- n:77777777 e:a7 h:{} o:agent -->
",
            base::short_hash("The assistant noted this")
        ),
        &[
            "3 owner - 0 My own note",
            "9 owner s1 2 SQLite, because of crash safety",
            "10 owner s1 0 Postgres after all",
            "15 agent - 1 The assistant noted this",
        ],
    );
}

#[test]
fn notes_of_a_block_that_an_earlier_version_never_finished_are_read() {
    let hash = base::short_hash("half");
    let text = format!(
        "<!-- flush session=s1 epoch=0 span=a1..a9 -->\n## 14:23 \u{2014} Session Notes\n\n\
         **Task Progress:**\n- half <!-- n:4c1d22e0 e:a3 h:{hash} o:owner -->\n- torn ^0a0a0a0a\n"
    );
    check(&text, &["5 owner s1 1 half", "6 agent s1 0 torn"]);
}
