//! Only the lines that were forgotten go, byte for byte.

use super::*;
use crate::ledger::earlier_line;

fn ours(text: &str) -> String {
    earlier_line("0a0a0a0a", text, &["e1"], base::Origin::Agent)
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
    let ledger = Ledger::default();
    let after = without(
        &ledger,
        ("memory/x.md", before.as_bytes()),
        &goes,
        owner_lines,
    );
    let after = after.map(|after| String::from_utf8(after.bytes).unwrap());
    assert_eq!(after.as_deref(), expected);
}

#[test]
fn i9_owners_line_is_removed_only_with_permission() {
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
fn earlier_format_block_is_migrated_when_it_loses_note() {
    let inside = |lines: &str| format!("## 14:23 \u{2014} Session Notes\n\n{lines}\n");
    let [gone, tea] = ["Anna lives in Lisbon", "Tea"].map(ours);
    let block = |inside: &str| {
        format!("<!-- flush session=s epoch=0 span=a..b -->\n{inside}<!-- /flush 00000000 -->\n")
    };
    let text = format!("mine\n{}more\n", block(&inside(&format!("{gone}\n{tea}"))));
    let left = format!("mine\n{}more\n", inside("- Tea ^0a0a0a0a"));
    check(&text, OwnerLines::Leave, Some(&left));
    let goes = saying(&["Anna lives in Lisbon"]);
    let file = ("memory/x.md", text.as_bytes());
    let after = without(&Ledger::default(), file, &goes, OwnerLines::Leave).unwrap();
    let [record] = after.records.as_slice() else {
        panic!("{:?}", after.records);
    };
    assert_eq!(record.session.as_deref(), Some("s"));
    assert_eq!(
        (record.id.as_str(), record.evidence.as_slice()),
        ("0a0a0a0a", &["e1".to_owned()][..])
    );
}

#[test]
fn own_heading_is_removed_with_its_last_line() {
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
    let heading = "## 14:23 \u{2014} Session Notes\n\n";
    let tea = "**User Preferences:**\n- Tea\n";
    let block = format!("{heading}**Issues Found:**\n{ours}\n\n{tea}");
    check(&block, OwnerLines::Leave, Some(&format!("{heading}{tea}")));
    let emptied = format!("{heading}**Issues Found:**\n{ours}\n\n");
    check(
        &format!("mine\n\n{emptied}"),
        OwnerLines::Leave,
        Some("mine\n\n"),
    );
    let by_hand = format!("{heading}{ours}\n\nmine\n");
    check(
        &by_hand,
        OwnerLines::Leave,
        Some(&format!("{heading}\nmine\n")),
    );
}

#[test]
fn bytes_that_are_not_utf8_survive_line_removal() {
    let goes = saying(&["gone"]);
    let file = ("memory/x.md", &b"caf\xe9\n- gone\n\n\xff\xfe"[..]);
    let after = without(&Ledger::default(), file, &goes, OwnerLines::Remove).unwrap();
    assert_eq!(after.bytes, b"caf\xe9\n\n\xff\xfe");
}
