//! The lines that a flush removes from a log and adds to it.

use super::super::block::render;
use super::super::kit::block;
use super::*;

const LOG: &str = "memory/2026-04-20.md";

/// The block that is written in these tests.
fn new_block() -> FlushBlock {
    block(&[("Task Progress", "one"), ("Issues Found", "two")])
}

fn new_text() -> String {
    render(&new_block(), Tz::UTC)
}

/// The block that an earlier attempt of the same flush, with other notes, would have written.
fn earlier() -> FlushBlock {
    FlushBlock {
        epoch: 1,
        ..block(&[
            ("Task Progress", "first é|second"),
            ("User Preferences", "third"),
        ])
    }
}

/// The records of these blocks, as their flushes committed them.
fn ledger_of(blocks: &[&FlushBlock]) -> Ledger {
    let records = blocks.iter().flat_map(|block| {
        let rendered = rendered(block, LOG, Tz::UTC, |_, _, _| true);
        rendered.records
    });
    let lines: String = records.map(|own| own.line()).collect();
    Ledger::of(lines.into_bytes())
}

/// The log after the plan was carried out.
fn applied(ledger: &Ledger, found: &[u8], block: &FlushBlock) -> Vec<u8> {
    match plan(ledger, (LOG, found), block, Tz::UTC) {
        BlockPlan::AlreadyThere => found.to_vec(),
        BlockPlan::Change(change) => {
            let before = change.mended.unwrap_or(found.to_vec());
            [before, change.addition.into_bytes()].concat()
        }
    }
}

#[track_caller]
fn check_after(ledger: &Ledger, found: &str, expected: &str) {
    let applied = applied(ledger, found.as_bytes(), &new_block());
    assert_eq!(String::from_utf8_lossy(&applied), expected, "{found:?}");
}

#[track_caller]
fn check(found: &str, expected: &str) {
    check_after(&Ledger::default(), found, expected);
}

#[test]
fn block_is_appended_after_existing_text() {
    let block = new_text();
    check("", &format!("# 2026-04-20\n\n{block}"));
    check("# 2026-0", &format!("# 2026-04-20\n\n{block}"));
    check("mine", &format!("mine\n\n{block}"));
    check("mine\n", &format!("mine\n\n{block}"));
    check("mine\n\n", &format!("mine\n\n{block}"));
    check("mine\n\n\n", &format!("mine\n\n\n{block}"));
    check("mine\n\n##", &format!("mine\n\n{block}"));
}

#[test]
fn block_uses_line_endings_of_log() {
    let block = new_text().replace('\n', "\r\n");
    check("mine\r\n", &format!("mine\r\n\r\n{block}"));
    check("mine\r\n\r", &format!("mine\r\n\r\n{block}"));
    check("mine\r\nyes\r", &format!("mine\r\nyes\r\n\r\n{block}"));
}

#[test]
fn complete_block_is_not_written_again() {
    let ledger = ledger_of(&[&earlier()]);
    let log = format!("mine\n\n{}", render(&earlier(), Tz::UTC));
    let edited = log.replace("first", "1st");
    for found in [log.as_str(), &edited, &log.replace("- second", "- 2nd")] {
        let planned = plan(&ledger, (LOG, found.as_bytes()), &new_block(), Tz::UTC);
        assert_eq!(planned, BlockPlan::AlreadyThere, "{found}");
    }
}

#[test]
fn i4_unfinished_block_is_replaced_for_any_cut() {
    let before = "# 2026-04-20\n\nmine\n\n";
    let earlier_text = render(&earlier(), Tz::UTC);
    for (block, text) in [(earlier(), earlier_text), (new_block(), new_text())] {
        let ledger = ledger_of(&[&block]);
        for line_end in ["\n", "\r\n"] {
            let before = before.replace('\n', line_end);
            let expected = format!("{before}{}", new_text().replace('\n', line_end));
            for n_bytes in 0..text.len() {
                let torn = text.as_bytes()[..n_bytes].to_vec();
                let torn = String::from_utf8_lossy(&torn).replace('\n', line_end);
                // The first half of a character is found as it is, not as its replacement.
                let mut found =
                    format!("{before}{}", torn.trim_end_matches('\u{fffd}')).into_bytes();
                if torn.ends_with('\u{fffd}') {
                    found.push(text.as_bytes()[n_bytes - 1]);
                }
                let applied = applied(&ledger, &found, &new_block());
                let applied = String::from_utf8_lossy(&applied);
                assert_eq!(
                    applied.trim_end(),
                    expected.trim_end(),
                    "{n_bytes}: {torn:?}"
                );
            }
        }
    }
}

#[test]
fn repeated_attempt_does_not_duplicate_records() {
    let ledger = ledger_of(&[&new_block()]);
    let BlockPlan::Change(change) = plan(&ledger, (LOG, b"mine\n"), &new_block(), Tz::UTC) else {
        panic!("nothing was written yet");
    };
    assert_eq!((change.records.len(), change.n_notes), (0, 2));
}

#[test]
fn missing_notes_are_added_as_one_block_and_existing_notes_stay() {
    let ledger = ledger_of(&[&new_block()]);
    let (first, _) = new_text()
        .split_once("\n\n**Issues")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    let found = format!("{first}\nmine below\n");
    let rest = render(&block(&[("Issues Found", "two")]), Tz::UTC);
    check_after(&ledger, &found, &format!("{found}\n{rest}"));
}

#[test]
fn owners_lines_around_unfinished_block_are_kept() {
    let ledger = ledger_of(&[&earlier()]);
    let earlier = render(&earlier(), Tz::UTC);
    let lines: Vec<&str> = earlier.lines().collect();
    for n_lines in [1, 3, 4, 5, 7, 8] {
        for below in [
            "mine\n",
            "\n\nmine\n\n",
            "## 09:00 \u{2014} Dentist\n",
            "- call mum\n",
            "mine\n- call mum",
        ] {
            let torn = lines
                .get(..n_lines.min(lines.len() - 1))
                .unwrap()
                .join("\n");
            let found = format!("top\n\n{torn}\n{below}");
            let applied = applied(&ledger, found.as_bytes(), &new_block());
            let applied = String::from_utf8(applied).unwrap();
            assert!(applied.starts_with("top\n"), "{applied}");
            assert!(applied.contains(below.trim()), "{applied}");
            for stale in ["first", "second", "third"] {
                assert!(!applied.contains(stale), "{found}\n->\n{applied}");
            }
            assert!(applied.ends_with(&new_text()), "{applied}");
        }
    }
}

#[test]
fn note_edited_by_owner_has_owner_origin() {
    let ledger = ledger_of(&[&earlier()]);
    let text = render(&earlier(), Tz::UTC).replace("- second", "- 2nd");
    let (found, _) = text.split_once("\n\n**User").unwrap();
    let applied = applied(
        &ledger,
        format!("top\n\n{found}\n").as_bytes(),
        &new_block(),
    );
    let applied = String::from_utf8(applied).unwrap();
    assert!(applied.contains("- 2nd ^"), "{applied}");
    assert!(!applied.contains("first"), "{applied}");
}

#[test]
fn unfinished_block_of_other_session_is_kept() {
    let other = FlushBlock {
        session: SessionId::new("t"),
        ..earlier()
    };
    let ledger = ledger_of(&[&other]);
    let text = render(&other, Tz::UTC);
    let found = text.lines().take(4).collect::<Vec<_>>().join("\n");
    check_after(&ledger, &found, &format!("{found}\n\n{}", new_text()));
}

#[test]
fn statement_already_in_log_is_omitted() {
    let block = new_block();
    let only_two = render(
        &super::super::kit::block(&[("Issues Found", "two")]),
        Tz::UTC,
    );
    check("ONE.\n", &format!("ONE.\n\n{only_two}"));
    let nothing = BlockPlan::Change(LogChange::default());
    let found = b"- one\n- two\n";
    let planned = plan(&Ledger::default(), (LOG, found), &block, Tz::UTC);
    assert_eq!(planned, nothing);
}

#[test]
fn non_text_bytes_are_kept() {
    let expected = [b"caf\xe9 \xff\n\n", new_text().as_bytes()].concat();
    let applied = applied(&Ledger::default(), b"caf\xe9 \xff\n", &new_block());
    assert_eq!(applied, expected);
}
