//! Any text comes back from a page as it was, and the owner's lines stay.

use proptest::prelude::*;

use super::file_name::{folded, stem_of};
use super::page::{GraphPage, LinkedTo};

const ODD: [&str; 14] = [
    "",
    " ",
    "# a",
    "two\nlines\r\n",
    "a ^5c3dfe72",
    "<br>&#10;&#38;",
    "[[a|b]] ]] [[",
    "<!-- n -->",
    "- x",
    "```",
    "\u{feff}\u{2028}\0",
    "c:\\new|",
    "&#1114112;",
    "## Relations",
];

fn check(name: &str, of_type: &str, texts: &[String]) {
    let mut page = GraphPage::named(name);
    page.set_type(of_type);
    for text in texts {
        page.add_relation(text, name, &stem_of(name));
        page.add_observation(text);
    }
    let read = GraphPage::parse(&page.text());
    assert_eq!(read, page, "{}", page.text());
    assert_eq!((read.name(), read.of_type()), (Some(name), Some(of_type)));
    assert!(read.observations().eq(texts.iter().map(String::as_str)));
    let link = LinkedTo::Name(name.to_owned());
    assert!(
        read.relations()
            .eq(texts.iter().map(|text| (text.as_str(), &link)))
    );
}

#[test]
fn graph_page_reads_back_odd_texts() {
    let texts = ODD.map(str::to_owned);
    for name in ODD {
        check(name, name, &texts);
    }
}

proptest! {
    #[test]
    fn graph_page_reads_back_any_text(
        name in any::<String>(),
        of_type in any::<String>(),
        texts in prop::collection::vec(any::<String>(), 0..4),
    ) {
        check(&name, &of_type, &texts);
    }

    #[test]
    fn graph_page_renders_parsed_text_byte_for_byte(text in "([ #a:*^|\\[\\]\r\n-]|Type:|## Relations\n){0,40}") {
        prop_assert_eq!(GraphPage::parse(&text).text(), text);
    }
}

#[test]
fn graph_page_renders_as_markdown() {
    let mut page = GraphPage::named("Ann");
    page.set_type("person");
    page.add_observation("likes tea");
    page.add_observation("two\nlines");
    page.add_relation("works at", "Acme", "Acme");
    page.add_relation("knows", "C#", "C-1");
    let expected = "# Ann\n\nType: person\n\n- likes tea ^X\n- two<br>lines ^X\n\n## Relations\n\n\
                    - works at [[Acme]] ^X\n- knows [[C-1|C#]] ^X\n";
    let plain: Vec<String> = page.text().lines().map(without_mark).collect();
    assert_eq!(plain.join("\n") + "\n", expected);
}

fn without_mark(line: &str) -> String {
    match line.rsplit_once(" ^") {
        Some((said, _)) => format!("{said} ^X"),
        None => line.to_owned(),
    }
}

#[test]
fn graph_page_reads_and_keeps_owners_lines() {
    let text = "---\ntags:\n  - x\n---\n# Ann\r\n\nShe rang.\n\n* by hand\n  and more\n\n```\n- code\n```\n\n\
                ## Relations\n- aunt of [[people/Bob#Now|him]]\nlast";
    let mut page = GraphPage::parse(text);
    assert_eq!(
        page.observations().collect::<Vec<_>>(),
        ["by hand\nand more"]
    );
    let bob = LinkedTo::Stem("Bob".to_owned());
    assert_eq!(page.relations().collect::<Vec<_>>(), [("aunt of", &bob)]);
    page.set_type("person");
    page.add_observation("new");
    page.add_relation("knows", "Eve", "Eve");
    assert!(page.remove(|_| true), "the owner's lines stay");
    page.remove_type();
    let said = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    };
    assert_eq!(said(&page.text()), said(text));
}

#[test]
fn stem_of_makes_file_names_safe_on_every_system() {
    for fit in ["Acme", "Ann Smith", "caf\u{e9}", "\u{65e5}\u{672c}", "a.b"] {
        assert_eq!(stem_of(fit), fit);
    }
    for unfit in [
        "",
        "..",
        "a/b",
        "con",
        "LPT1.txt",
        "a.",
        " a",
        "C#",
        "e\u{301}",
        "x\n",
        &"y".repeat(300),
    ] {
        let stem = stem_of(unfit);
        assert_ne!(stem, unfit);
        assert!(stem.len() < 130 && stem_of(&stem) == stem, "{stem}");
    }
    assert_eq!(folded("\u{c9}a"), folded("e\u{301}A"));
}
