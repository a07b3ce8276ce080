//! What a flush takes out of a log and what it adds.

use super::super::block::render;
use super::super::kit::block;
use super::*;

/// The block that is written in these tests.
fn new_block() -> FlushBlock {
    block(&[("Task Progress", "one"), ("Issues Found", "two")])
}

fn rendered() -> String {
    render(&new_block(), Tz::UTC)
}

/// What an earlier try of the same flush, with other notes, would have written.
fn earlier() -> String {
    earlier_of("s", "e1")
}

/// The same from another session or another place.
fn earlier_of(session: &str, first: &str) -> String {
    let earlier = FlushBlock {
        session: SessionId::new(session),
        epoch: 1,
        span: (EntryId::new(first), EntryId::new("e9")),
        ..block(&[
            ("Task Progress", "first é|second"),
            ("User Preferences", "third"),
        ])
    };
    render(&earlier, Tz::UTC)
}

/// The log after the plan was carried out.
fn applied(found: &[u8], block: &FlushBlock) -> Vec<u8> {
    match plan(found, block, Tz::UTC) {
        BlockPlan::AlreadyThere => found.to_vec(),
        BlockPlan::Change {
            mended, addition, ..
        } => [mended.unwrap_or(found.to_vec()), addition.into_bytes()].concat(),
    }
}

#[track_caller]
fn check(found: &str, expected: &str) {
    let applied = applied(found.as_bytes(), &new_block());
    assert_eq!(String::from_utf8_lossy(&applied), expected);
}

#[test]
fn a_block_stands_below_the_rest() {
    let block = rendered();
    check("", &format!("# 2026-04-20\n\n{block}"));
    check("# 2026-0", &format!("# 2026-04-20\n\n{block}"));
    check("mine", &format!("mine\n\n{block}"));
    check("mine\n", &format!("mine\n\n{block}"));
    check("mine\n\n", &format!("mine\n\n{block}"));
    check("mine\n\n\n", &format!("mine\n\n\n{block}"));
    check("mine\n\n<!", &format!("mine\n\n{block}"));
}

#[test]
fn a_log_with_other_line_ends_keeps_them() {
    let block = rendered().replace('\n', "\r\n");
    check("mine\r\nyes\r\n", &format!("mine\r\nyes\r\n\r\n{block}"));
    check("mine\r\nyes", &format!("mine\r\nyes\r\n\r\n{block}"));
    check("mine\r\n\r", &format!("mine\r\n\r\n{block}"));
    check("mine\r\n\r\n<!-", &format!("mine\r\n\r\n{block}"));
    check(
        &format!("mine\r\n\r\n{block}"),
        &format!("mine\r\n\r\n{block}"),
    );
}

#[test]
fn i4_a_finished_block_is_not_written_again() {
    let log = format!("mine\n\n{}", earlier());
    assert_eq!(
        plan(log.as_bytes(), &new_block(), Tz::UTC),
        BlockPlan::AlreadyThere
    );
    let edited = log.replace("first", "1st");
    assert_eq!(
        plan(edited.as_bytes(), &new_block(), Tz::UTC),
        BlockPlan::AlreadyThere
    );
    let unended = log.trim_end();
    assert_eq!(
        plan(unended.as_bytes(), &new_block(), Tz::UTC),
        BlockPlan::AlreadyThere
    );
}

#[test]
fn i4_whatever_was_left_unfinished_gives_way() {
    let before = "# 2026-04-20\n\nmine\n\n";
    let torn = earlier();
    let closing = torn.rfind("<!-- /flush").unwrap() + "<!-- /flush 00000000 -->".len();
    for line_end in ["\n", "\r\n"] {
        let before = before.replace('\n', line_end);
        let expected = format!("{before}{}", rendered().replace('\n', line_end));
        for n_bytes in 0..closing {
            let torn = torn.as_bytes()[..n_bytes].to_vec();
            let torn = String::from_utf8_lossy(&torn).replace('\n', line_end);
            // The first half of a character is found as it is, not as its replacement.
            let mut found = format!("{before}{}", torn.trim_end_matches('\u{fffd}')).into_bytes();
            if torn.ends_with('\u{fffd}') {
                found.push(earlier().as_bytes()[n_bytes - 1]);
            }
            let applied = applied(&found, &new_block());
            assert_eq!(
                String::from_utf8_lossy(&applied),
                expected,
                "after {n_bytes} bytes: {torn:?}"
            );
        }
    }
}

/// The first lines of the earlier try, then what the owner wrote below.
#[track_caller]
fn check_mended(n_lines: usize, owner: &str, expected: &str) {
    let torn: Vec<_> = earlier().lines().take(n_lines).map(str::to_owned).collect();
    let found = format!("top\n\n{}\n{owner}", torn.join("\n"));
    let BlockPlan::Change {
        mended: Some(mended),
        ..
    } = plan(found.as_bytes(), &new_block(), Tz::UTC)
    else {
        panic!("nothing to mend in {found}");
    };
    assert_eq!(
        String::from_utf8(mended).unwrap(),
        format!("top\n\n{expected}")
    );
}

#[test]
fn what_the_owner_wrote_below_stays() {
    for n_lines in [1, 5, 6, 9] {
        check_mended(n_lines, "mine\n", "mine\n");
        check_mended(n_lines, "\n\nmine\n\n", "\n\nmine\n\n");
        check_mended(
            n_lines,
            "## 09:00 \u{2014} Dentist\n",
            "## 09:00 \u{2014} Dentist\n",
        );
        check_mended(
            n_lines,
            "mine\n**Issues Found:**\n",
            "mine\n**Issues Found:**\n",
        );
        check_mended(n_lines, "mine\n- call mum", "mine\n- call mum");
        check_mended(n_lines, "- call mum\n", "- call mum\n");
    }
}

#[test]
fn what_has_the_owners_words_below_heads_them() {
    check_mended(4, "- mine\n", "\n**Task Progress:**\n- mine\n");
    check_mended(4, "", "");
    let heading = "## 14:23 \u{2014} Compaction Pre-flush\n";
    check_mended(2, "mine\n", &format!("{heading}mine\n"));
    check_mended(2, "\nmine\n", &format!("{heading}\nmine\n"));
    // It may be the owner's, above words of theirs.
    let by_hand = "## 10:00 \u{2014} Session Notes\n\n## 09:00 \u{2014} Dentist\n";
    check_mended(1, by_hand, by_hand);
}

#[test]
fn a_note_that_the_owner_changed_is_the_owners() {
    let found = format!("top\n\n{}", earlier().replace("- second", "- 2nd"));
    let found = found.split("<!-- /flush").next().unwrap();
    let applied = String::from_utf8(applied(found.as_bytes(), &new_block())).unwrap();
    assert!(applied.starts_with("top\n\n- 2nd ^"), "{applied}");
    assert!(!applied.contains("third"), "{applied}");
}

#[test]
fn what_another_session_left_waits_for_it_but_its_half_line_does_not() {
    let other = earlier_of("t", "e1");
    let lines: Vec<&str> = other.lines().collect();
    let found = format!("{}\n{}", lines[..5].join("\n"), "- sec");
    let expected = format!("{}\n\n{}", lines[..5].join("\n"), rendered());
    check(&found, &expected);
    check(
        "top\n\n<!-- flush session=t epo",
        &format!("top\n\n{}", rendered()),
    );
}

#[test]
fn a_block_that_lost_its_closing_mark_later_is_kept() {
    let finished = earlier_of("s", "e0");
    let found = finished.split("<!-- /flush").next().unwrap();
    check(found, &format!("{found}\n{}", rendered()));
}

#[test]
fn what_the_log_says_is_left_out() {
    let block = new_block();
    let only_two = render(
        &super::super::kit::block(&[("Issues Found", "two")]),
        Tz::UTC,
    );
    check("ONE.\n", &format!("ONE.\n\n{only_two}"));
    let nothing = BlockPlan::Change {
        mended: None,
        addition: String::new(),
        n_notes: 0,
    };
    assert_eq!(plan(b"- one\n- two\n", &block, Tz::UTC), nothing);
    // What was never finished says nothing.
    let other = FlushBlock {
        session: SessionId::new("t"),
        ..new_block()
    };
    let unfinished = render(&other, Tz::UTC);
    let unfinished = unfinished.split("<!-- /flush").next().unwrap();
    check(unfinished, &format!("{unfinished}\n{}", rendered()));
}

#[test]
fn bytes_that_are_not_text_stay() {
    let expected = [b"caf\xe9 \xff\n\n", rendered().as_bytes()].concat();
    assert_eq!(applied(b"caf\xe9 \xff\n", &new_block()), expected);
}
