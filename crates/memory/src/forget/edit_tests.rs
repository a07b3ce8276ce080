//! Only the lines that were forgotten go, to the byte.

use super::*;
use crate::daily_log::{BlockState, parse};
use crate::note::{self, NoteId};

fn ours(text: &str) -> String {
    let id = NoteId::new("0a0a0a0a");
    note::render(&id, text, &[base::EntryId::new("e1")], base::Origin::Agent)
}

fn saying(texts: &[&str]) -> RemovedText {
    RemovedText {
        texts: texts.iter().filter_map(|text| TextHash::of(text)).collect(),
        ..RemovedText::default()
    }
}

#[track_caller]
fn check(before: &str, owner_lines: OwnerLines, expected: Option<&str>) {
    let texts = ["Anna lives in Lisbon", "code\nwords"];
    let goes = saying(&texts);
    let after = without(before.as_bytes(), &goes, owner_lines);
    let after = after.map(|after| String::from_utf8(after).unwrap());
    assert_eq!(after.as_deref(), expected);
}

#[test]
fn i9_an_owners_line_goes_only_when_the_owner_gave_it_up() {
    let ours = ours("Anna lives in Lisbon");
    let theirs = "* anna  lives in Lisbon";
    let edited = ours.replace("Anna", "anna");
    let text = format!("# Day\r\n{ours}\r\n{theirs}\n{edited}\n- Anna lives\n");
    let kept = format!("# Day\r\n{theirs}\n{edited}\n- Anna lives\n");
    check(&text, OwnerLines::Leave, Some(&kept));
    check(&text, OwnerLines::Remove, Some("# Day\r\n- Anna lives\n"));
    check(&kept, OwnerLines::Leave, None);
    check("", OwnerLines::Remove, None);
    check("- other", OwnerLines::Remove, None);
    check(
        "a\n\nCode\nwords\n\nb",
        OwnerLines::Remove,
        Some("a\n\n\nb"),
    );
    // A line that the owner put below our note belongs to both.
    let both = format!("{ours}\n  and to Porto\n");
    check(&both, OwnerLines::Leave, None);
}

#[test]
fn a_block_that_loses_a_note_is_still_closed() {
    let inside = format!(
        "## 14:23 \u{2014} Session Notes\n\n{}\n{}\n",
        ours("Anna lives in Lisbon"),
        ours("Tea")
    );
    let sealed = |inside: &str| {
        let hash = base::short_hash(inside);
        format!("<!-- flush session=s epoch=0 span=a..b -->\n{inside}<!-- /flush {hash} -->\n")
    };
    let text = format!("mine\n{}more\n", sealed(&inside));
    let left = inside.split_inclusive('\n');
    let left: String = left.filter(|line| !line.contains("Lisbon")).collect();
    // What stays gets marks, and the closing mark the records.
    let (said, comment) = left.split_once(" <!-- n:0a0a0a0a ").unwrap();
    let record = comment.trim_end().trim_end_matches(" -->");
    let left = sealed(&format!("{said} ^0a0a0a0a\n"));
    let left = left.replace(" -->\n<!--", "\n<!--");
    let left = format!(
        "mine\n{} ^0a0a0a0a {record} -->\nmore\n",
        left.strip_suffix(" -->\n").unwrap()
    );
    check(&text, OwnerLines::Leave, Some(&left));
    // Of a block with marks the record goes with its line.
    let hash = base::short_hash("Anna lives in Lisbon");
    let marked = left
        .replace("- Tea", "- Anna lives in Lisbon ^0b0b0b0b\n- Tea")
        .replace(
            " ^0a0a0a0a e:",
            &format!(" ^0b0b0b0b e:e1 h:{hash} o:agent ^0a0a0a0a e:"),
        );
    let found = marked.split_once("-->\n").unwrap().1;
    let content = found.split_once("<!-- /flush ").unwrap().0;
    let seal = |text: &str, of: &str| {
        let (start, end) = text.split_once("<!-- /flush ").unwrap();
        format!(
            "{start}<!-- /flush {}{}",
            base::short_hash(of),
            end.get(8..).unwrap()
        )
    };
    check(&seal(&marked, content), OwnerLines::Leave, Some(&left));
    // A block that the owner edited stays one.
    let edited = text.replace("Session Notes", "My Notes");
    let goes = saying(&["Anna lives in Lisbon"]);
    let after = without(edited.as_bytes(), &goes, OwnerLines::Leave).unwrap();
    let log = parse(std::str::from_utf8(&after).unwrap());
    assert_eq!(log.blocks[0].state, BlockState::Edited);
    assert_eq!(log.blocks[0].notes.len(), 1);
}

#[test]
fn a_heading_of_ours_goes_with_its_last_line() {
    let note = |time: &str, text: &str| format!("## {time} \u{2014} Note\n\n{text}\n\n");
    let ours = ours("Anna lives in Lisbon");
    let day = "# 2026-04-20\n\n";
    let text = format!("{day}{}{}", note("10:00", &ours), note("11:00", "- Tea"));
    let kept = format!("{day}{}", note("11:00", "- Tea"));
    check(&text, OwnerLines::Leave, Some(&kept));
    // Where something else stands below it, or the owner wrote it, it stays.
    let shared = format!("{day}{}", note("10:00", &format!("{ours}\n- Tea")));
    check(
        &shared,
        OwnerLines::Leave,
        Some(&format!("{day}{}", note("10:00", "- Tea"))),
    );
    let by_hand = format!("## Anna\n\n{ours}\n**More:**\n{ours}\n");
    check(&by_hand, OwnerLines::Leave, Some("## Anna\n\n**More:**\n"));
    let sealed = |inside: &str| {
        let hash = base::short_hash(inside);
        format!("<!-- flush session=s epoch=0 span=a..b -->\n{inside}<!-- /flush {hash} -->\n")
    };
    let heading = "## 14:23 \u{2014} Session Notes\n\n";
    let tea = "**User Preferences:**\n- Tea\n";
    let block = format!("{heading}**Issues Found:**\n{ours}\n\n{tea}");
    check(
        &sealed(&block),
        OwnerLines::Leave,
        Some(&sealed(&format!("{heading}{tea}"))),
    );
    // Of a block that loses all its notes the marks stay: what was flushed is not flushed again.
    let emptied = format!("{heading}**Issues Found:**\n{ours}\n\n");
    check(&sealed(&emptied), OwnerLines::Leave, Some(&sealed("")));
    let by_hand = format!("{heading}{ours}\n\nmine\n");
    check(
        &sealed(&by_hand),
        OwnerLines::Leave,
        Some(&sealed(&format!("{heading}\nmine\n"))),
    );
}

#[test]
fn bytes_that_are_not_utf8_stay_as_they_are() {
    let goes = saying(&["gone"]);
    let after = without(b"caf\xe9\n- gone\n\n\xff\xfe", &goes, OwnerLines::Remove);
    assert_eq!(after.as_deref(), Some(&b"caf\xe9\n\n\xff\xfe"[..]));
}
