//! Marks behind notes, the comments that say what they stand for, and both formats side by side.

use base::test_kit::Words;
use base::{EntryId, Origin, Tz};
use proptest::prelude::*;

use super::*;
use crate::candidates::kit::{line_ids, new_line};
use crate::curated::{Edit, LineOwner, edited, memory_lines};
use crate::daily_log::{BlockKind, BlockState, FlushBlock, kit, parse, render, without_comments};
use crate::{Note, prepared_line};

fn note(text: &str, evidence: &[String], origin: Origin) -> Note {
    Note {
        text: text.to_owned(),
        evidence: evidence.iter().map(EntryId::new).collect(),
        origin,
    }
}

/// A log of one block of these notes, all below `User Preferences`.
fn log(notes: Vec<Note>) -> String {
    let block = FlushBlock {
        kind: BlockKind::SessionNotes,
        sections: vec![("User Preferences".to_owned(), notes)],
        ..kit::block(&[])
    };
    format!("# 2026-04-20\n\n{}", render(&block, Tz::UTC))
}

fn two_notes() -> String {
    let evidence = ["e2".to_owned(), "e3".to_owned()];
    log(vec![
        note("Wants short answers", &evidence, Origin::Owner),
        note("The page says never", &[], Origin::Untrusted),
    ])
}

fn add(id: &str, text: &str) -> Edit {
    Edit::Add {
        section: "Facts".to_owned(),
        line: new_line(id, text),
    }
}

/// What a person would read, and where a mark could hide.
fn check_readable(text: &str, expected: &str) {
    assert_eq!(without_comments(text), expected);
}

#[test]
fn a_log_is_a_page() {
    let text = two_notes();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[7], "- The page says never ^d946f529");
    check_readable(
        &text,
        "# 2026-04-20\n\n## 14:23 \u{2014} Session Notes\n\n**User Preferences:**\n\
         - Wants short answers\n- The page says never\n",
    );
    let block = &parse(&text).blocks[0];
    assert_eq!(block.state, BlockState::Closed);
    let read: Vec<_> = block
        .notes
        .iter()
        .map(|note| (note.text.as_str(), note.evidence.len(), note.origin))
        .collect();
    assert_eq!(
        read,
        [
            ("Wants short answers", 2, Origin::Owner),
            ("The page says never", 0, Origin::Untrusted)
        ]
    );
}

#[test]
fn a_line_takes_its_record_along() {
    let text = two_notes();
    let ours = text.lines().nth(7).unwrap().to_owned();
    // Out of its block and above it, below a heading of the owner's.
    let rest = text.replacen(&format!("{ours}\n"), "", 1);
    let moved = rest.replacen(
        "# 2026-04-20\n",
        &format!("# 2026-04-20\n\n## Mine\n{ours}\n"),
        1,
    );
    let spelled = spelled_out(&moved);
    let found = spelled.lines().find_map(note::parse).unwrap();
    assert_eq!(found.origin, Origin::Untrusted);
    assert!(found.is_as_written());
    assert!(!without_comments(&moved).contains('^'), "{moved}");
    // Into another log, in a block there: its record stayed behind.
    let other = log(vec![note("Tea", &[], Origin::Owner)]);
    let moved = other.replacen("- Tea", &format!("{ours}\n- Tea"), 1);
    let block = &parse(&moved).blocks[0];
    assert_eq!(block.notes[0].origin, Origin::Agent);
    assert_eq!(block.state, BlockState::Edited);
    // And below no block of ours: it is the owner's text there.
    let text = format!("# Mine\n\n{ours}\n");
    check_readable(&text, &text);
}

#[test]
fn an_edited_line_is_the_owners() {
    let text = two_notes().replace("Wants short answers", "Wants long answers");
    let found = &parse(&text).blocks[0].notes[0];
    assert!(!found.is_as_written);
    assert_eq!(found.text, "Wants long answers");
    let text = two_notes().replace("Wants short answers ", "");
    assert!(!parse(&text).blocks[0].notes[0].is_as_written);
}

#[test]
fn a_damaged_closing_comment_loses_records_and_nothing_else() {
    let text = two_notes();
    let closing = text.lines().last().unwrap();
    let (start, _) = closing.split_once(" ^").unwrap();
    let bare = format!("{start} -->");
    let garbled = closing
        .replace("o:untrusted", "o:king")
        .replace("o:owner", "");
    for closing_now in [&bare, &garbled] {
        let text = text.replace(closing, closing_now);
        let block = &parse(&text).blocks[0];
        assert_eq!(block.state, BlockState::Closed, "{text}");
        let origins: Vec<Origin> = block.notes.iter().map(|note| note.origin).collect();
        assert_eq!(origins, [Origin::Agent; 2], "{text}");
        assert!(!without_comments(&text).contains('^'), "{text}");
    }
    // Cut anywhere, it never panics and shows no mark of a line that was written whole.
    for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
        let torn = text.get(..end).unwrap();
        parse(torn);
        let shown = without_comments(torn);
        let whole: Vec<&str> = shown
            .split_inclusive('\n')
            .filter(|it| it.ends_with('\n'))
            .collect();
        assert!(!whole.concat().contains('^'), "{shown}");
    }
}

#[test]
fn marks_of_the_owner_are_the_owners_text() {
    let own = "- see there ^abc123\n- dead beef ^deadbeef\nwords ^0123abcd\n- mine ^my-block\n<!-- notes to self -->\n";
    check_readable(own, own);
    assert_eq!(spelled_out(own), own);
    let after = edited(own, &[add("c7f3", "I prefer tea")]);
    assert!(after.starts_with(own), "{after}");
    let owners = memory_lines(&after).into_iter();
    let owners: Vec<_> = owners.filter(|line| line.id().is_none()).collect();
    assert_eq!(owners.len(), 5);
    assert_eq!(owners[1].text, "dead beef ^deadbeef");
}

#[test]
fn memory_keeps_records_in_one_comment_at_its_end() {
    let text = edited(
        "# Mine\n- by hand",
        &[add("c7f3", "I prefer tea"), add("ab12", "I live in Graz")],
    );
    let hash = |text: &str| short_hash(text);
    let (tea, graz) = (hash("I prefer tea"), hash("I live in Graz"));
    assert_eq!(
        text,
        format!(
            "# Mine\n- by hand\n\n## Facts\n\n- I prefer tea ^{tea}\n- I live in Graz ^{graz}\n\n\
             <!-- notes ^{tea} n:c7f3 e: h:{tea} o:agent d:2026-04-20 ^{graz} n:ab12 e: h:{graz} o:agent d:2026-04-20 -->\n"
        )
        .replace("o:agent", "o:owner")
    );
    // Owner's lines below it stay; the comment goes to the end.
    let below = format!("{text}- new by hand\n");
    let after = edited(&below, &[Edit::Remove("c7f3".into())]);
    let (body, comment) = after.split_once("<!-- notes").unwrap();
    assert_eq!(
        body,
        format!("# Mine\n- by hand\n\n## Facts\n\n- I live in Graz ^{graz}\n- new by hand\n\n")
    );
    assert!(!comment.contains(&tea), "{comment}");
    assert_eq!(edited(&after, &[Edit::Remove("none".into())]), after);
    let none = edited(&after, &[Edit::Remove("ab12".into())]);
    assert_eq!(none, "# Mine\n- by hand\n\n## Facts\n\n- new by hand\n");
}

#[test]
fn a_memory_file_of_format_1_gets_marks_when_it_changes() {
    let old = |text: &str, of: &str| {
        format!(
            "- {text} <!-- n:aa11 e:sessions/a.jsonl#e1@4:81ab03ff h:{} o:owner d:2026-01-05 -->\n",
            short_hash(of)
        )
    };
    let kept = format!("* mine\r\n{}", old("I like cats now", "I like dogs"));
    let before = format!("{kept}{}", old("I prefer tea", "I prefer tea"));
    let day = memory_lines(&before)[2].day();
    let after = edited(&before, &[add("c7f3", "I live in Graz")]);
    // What the owner changed stays as it stands, comment and all.
    assert!(after.starts_with(&kept), "{after}");
    assert!(after.contains(&format!("- I prefer tea ^{}\n", short_hash("I prefer tea"))));
    let found = memory_lines(&after);
    assert_eq!((found[2].id(), found[2].day()), (Some("aa11"), day));
    assert_eq!(found[1].owner, LineOwner::Owner);
    let LineOwner::Ours { evidence, .. } = &found[2].owner else {
        panic!("{found:?}");
    };
    assert_eq!(evidence[0].key, "e1");
}

#[test]
fn a_line_of_memory_that_lost_its_record_is_the_assistants() {
    let text = edited("", &[add("c7f3", "I prefer tea")]);
    let (bare, comment) = text.split_once("<!--").unwrap();
    let of = |text: &str| match memory_lines(text).remove(0).owner {
        LineOwner::Ours { id, origin, .. } => Some((id, origin)),
        LineOwner::Owner => None,
    };
    assert_eq!(of(bare), Some((short_hash("I prefer tea"), Origin::Agent)));
    // The copy knows it, and what the owner changed is the owner's.
    let copy = format!("<!--{comment}");
    let whole = completed(bare.to_owned(), &copy);
    assert_eq!(of(&whole), Some(("c7f3".to_owned(), Origin::Owner)));
    assert_eq!(of(&bare.replace("tea", "coffee")), None);
    assert_eq!(completed(text.clone(), &copy), text);
}

#[test]
fn two_lines_that_say_the_same_have_marks_of_their_own() {
    let text = edited(
        "",
        &[add("aa11", "I prefer tea"), add("bb22", "I prefer tea")],
    );
    assert_eq!(line_ids(&text), ["aa11", "bb22"]);
}

#[test]
fn a_block_of_format_1_gets_marks_when_it_loses_a_line() {
    let golden = include_str!("../../../tests/fixtures/v1/daily_log.md");
    let extra = "- Wants tests <!-- n:0a0a0a0a e:e5 h:";
    let hash = short_hash("Wants tests");
    let body = golden.replacen(
        "- Wants short answers",
        &format!("{extra}{hash} o:owner -->\n- Wants short answers"),
        1,
    );
    // Sealed anew, as a flush would have.
    let content = body.split_once("span=e1..e9 -->\n").unwrap().1;
    let content = content.split_once("<!-- /flush").unwrap().0;
    let text = body.replacen("80f50157", &short_hash(content), 1);
    let number = text
        .lines()
        .position(|line| line.starts_with(extra))
        .unwrap()
        + 1;
    let gone = BTreeSet::from([number]);
    let after = without_lines(text.as_bytes(), &gone);
    let after = String::from_utf8(crate::daily_log::sealed_again(text.as_bytes(), after)).unwrap();
    after.holds("- Wants short answers ^6e8593f2\n");
    after.holds(" ^6e8593f2 e:e2 h:e4b84e74 o:owner -->\n");
    // The other block stands as it stood.
    let second = golden
        .split_once("\n\n<!-- flush session=s epoch=3")
        .unwrap()
        .1;
    assert!(after.ends_with(second), "{after}");
    let states: Vec<BlockState> = parse(&after).blocks.iter().map(|it| it.state).collect();
    assert_eq!(states, [BlockState::Closed; 2]);
}

#[test]
fn a_search_sees_no_mark_and_knows_whose_a_line_is() {
    let memory = edited("- by hand ^abc123\n", &[add("c7f3", "I prefer tea")]);
    let mut found = Vec::new();
    for text in [two_notes(), memory] {
        crate::notes::cut_note(&text, &mut |it| found.push((it.text, it.origin)));
    }
    let found: Vec<_> = found
        .iter()
        .map(|(text, by)| (text.as_str(), *by))
        .collect();
    let expected = [
        ("- Wants short answers", Origin::Owner),
        ("- The page says never", Origin::Untrusted),
        ("- by hand ^abc123", Origin::Owner),
        // Without evidence nothing shows that the owner said it, but the owner let it in.
        ("- I prefer tea", Origin::Owner),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_torn_block_is_known_without_its_records() {
    let text = two_notes();
    let (torn, _) = text.split_once("<!-- /flush").unwrap();
    let block = &parse(torn).blocks[0];
    assert_eq!(block.state, BlockState::Torn);
    let origins: Vec<Origin> = block.notes.iter().map(|note| note.origin).collect();
    assert_eq!(origins, [Origin::Agent; 2]);
    let own = format!("{torn}- mine ^deadbeef\n");
    let log = parse(&own);
    assert_eq!((log.blocks[0].notes.len(), log.by_hand.len()), (2, 1));
    check_readable(
        &own,
        &format!("{}- mine ^deadbeef\n", without_comments(torn)),
    );
}

proptest! {
    #[test]
    fn what_is_written_reads_back_in_any_order(
        texts in prop::collection::vec("(?s).{1,40}", 1..6),
        evidence in prop::collection::vec("(?s).{1,12}", 0..3),
        is_crlf in any::<bool>(),
        shift in 0..6_usize,
    ) {
        let notes = texts.iter().map(|text| note(text, &evidence, Origin::Untrusted)).collect();
        let text = log(notes);
        let written: Vec<_> = parse(&text).blocks.into_iter().flat_map(|block| block.notes).collect();
        let mut lines: Vec<&str> = text.lines().collect();
        let is_note = |line: &&str| line.starts_with("- ");
        let first = lines.iter().position(is_note).unwrap_or(lines.len());
        let n_notes = lines.iter().filter(|line| is_note(line)).count();
        prop_assert_eq!(written.len(), n_notes);
        let mut wanted: Vec<String> = texts.iter().map(|text| prepared_line(text)).filter(|it| !it.is_empty()).collect();
        wanted.dedup();
        for found in &written {
            prop_assert!(found.is_as_written);
            prop_assert!(wanted.contains(&found.text), "{:?}", found.text);
            prop_assert_eq!(found.origin, Origin::Untrusted);
            let entries: Vec<EntryId> = evidence.iter().map(EntryId::new).collect();
            prop_assert_eq!(&found.evidence, &entries);
        }
        if n_notes > 0 {
            lines[first..first + n_notes].rotate_left(shift % n_notes);
        }
        let end = if is_crlf { "\r\n" } else { "\n" };
        let moved = lines.join(end) + end;
        let mut again: Vec<_> = parse(&moved).blocks.into_iter().flat_map(|block| block.notes).collect();
        again.rotate_right(shift % n_notes.max(1));
        for (was, is) in written.iter().zip(&again) {
            prop_assert_eq!((&was.id, &was.text, is.is_as_written), (&is.id, &is.text, true));
        }
        prop_assert_eq!(again.len(), written.len());
    }

    #[test]
    fn i9_no_line_of_the_owner_changes_whatever_memory_holds(
        own in prop::collection::vec("(?s)[-* ]{0,3}[a-z ^<>!0-9é日-]{0,30}", 0..6),
        end in prop::sample::select(vec!["\n", "\r\n"]),
        text in "(?s).{1,30}",
    ) {
        let before = own.join(end);
        prop_assume!(!before.lines().any(is_notes_line));
        let after = edited(&before, &[add("c7f3", &text), add("aa11", "x")]);
        let back = edited(&after, &[Edit::Remove("c7f3".into()), Edit::Remove("aa11".into())]);
        let mut left = after.lines();
        for line in before.lines() {
            prop_assert!(left.any(|found| found == line), "{before:?}\n{after:?}");
        }
        prop_assert!(back.starts_with(&before), "{before:?}\n{back:?}");
    }

    #[test]
    fn i16_any_text_is_read(text in "(?s)(- [a-z]{0,3} \\^[0-9a-f]{7,9}|<!-- notes( \\^[0-9a-f]{8} [a-z:]{0,9})?( -->)?|<!-- /flush 0c2394e2 (-->)?|<!-- flush session=s epoch=2 span=a..b -->|\r?\n|.){0,12}") {
        let spelled = spelled_out(&text);
        prop_assert_eq!(lines(&spelled).len(), lines(&text).len());
        parse(&text);
        memory_lines(&text);
        let after = without_lines(text.as_bytes(), &BTreeSet::from([1]));
        prop_assert!(after.len() <= text.len());
    }
}
