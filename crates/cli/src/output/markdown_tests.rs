//! Markdown that is styled, and Markdown that is printed as written.
//!
//! Marks are shown as letters in brackets.

use proptest::prelude::*;

use super::*;

/// Replaces marks with readable names.
fn shown(text: &str) -> String {
    let shown = text.chars().map(|character| match Mark::of(character) {
        Some(Mark::BoldOn) => "[b]".to_owned(),
        Some(Mark::BoldOff) => "[/b]".to_owned(),
        Some(Mark::CodeOn) => "[c]".to_owned(),
        Some(Mark::CodeOff) => "[/c]".to_owned(),
        Some(Mark::Verbatim) => "[v]".to_owned(),
        None => character.to_string(),
    });
    shown.collect()
}

fn printed(mut printer: MarkdownPrinter, text: &str) -> String {
    printer.push(text) + &printer.finish()
}

/// Checks the text as a whole, and character by character.
#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(
        shown(&printed(MarkdownPrinter::styled(), text)),
        expected,
        "{text:?}"
    );
    let mut printer = MarkdownPrinter::styled();
    let mut by_one: String = text
        .chars()
        .map(|character| printer.push(&character.to_string()))
        .collect();
    by_one.push_str(&printer.finish());
    assert_eq!(shown(&by_one), expected, "{text:?}");
}

#[test]
fn bold_text_headings_and_code_are_styled() {
    check("a **bold word** here", "a [b]bold word[/b] here");
    check("run `cargo test` now", "run [c]cargo test[/c] now");
    check("``a ` b``", "[c]a ` b[/c]");
    check("**see `x`**.", "[b]see [c]x[/c][/b].");
    check("# Title\ntext", "[b]Title[/b]\ntext");
    check("### A **b** `c` d", "[b]A b [c]c[/c] d[/b]");
    check("- **one**\n- two", "- [b]one[/b]\n- two");
    check("**bold and *more***", "[b]bold and *more*[/b]");
    check("in**side**word", "in[b]side[/b]word");
}

#[test]
fn italics_links_and_tables_stay_as_written() {
    for plain in [
        "a *light* word, and _another_.",
        "***both***",
        "see [the docs](https://a.example/x_(y)) now",
        "a | b",
    ] {
        check(plain, plain);
    }
    check(
        "| **a** | b |\n|---|---|\nend",
        "[v]| **a** | b |\n[v]|---|---|\nend",
    );
}

#[test]
fn unpaired_or_escaped_marks_stay_as_written() {
    for plain in [
        "2 * 3 * 4",
        "f(*args, **kwargs)",
        "**open",
        "** not bold **",
        "`open",
        "a `` b",
        "#hashtag",
        "####### seven",
        "#",
        "  #",
        "*",
        "**",
        "***",
        "`",
        "a*b**c",
        "\\**no**",
        "__init__",
        "**a\nb**",
        "",
        "\n\n",
        "  \n",
    ] {
        check(plain, plain);
    }
}

#[test]
fn fenced_code_is_coloured_and_not_wrapped() {
    check(
        "```rust\nlet a = **b; // `x`\n\n# no heading\n```\n**b**",
        "[v]```rust\n[v][c]let a = **b; // `x`[/c]\n\n[v][c]# no heading[/c]\n[v]```\n[b]b[/b]",
    );
    check(
        "```\na\n``` b\n**c**",
        "[v]```\n[v][c]a[/c]\n[v]``` b\n[b]c[/b]",
    );
    check("  ```\n**a**", "[v]  ```\n[v][c]**a**[/c]");
    check("````\n| a |\n````", "[v]````\n[v][c]| a |[/c]\n[v]````");
}

#[test]
fn inline_code_in_three_ticks_does_not_open_block() {
    check(
        "```npm i``` and go\n**b**",
        "[v]```npm i``` and go\n[b]b[/b]",
    );
}

#[test]
fn unstyled_text_is_marked_only_if_it_must_not_wrap() {
    let text = "# a **b** `c`\n```\nd\n```\n| e |\nf\n";
    let expected = "# a **b** `c`\n[v]```\n[v]d\n[v]```\n[v]| e |\nf\n";
    assert_eq!(shown(&printed(MarkdownPrinter::default(), text)), expected);
}

#[test]
fn i16_printer_escapes_foreign_marks_and_releases_long_open_mark() {
    check("a\u{1}b\u{1b}[2J", "a\\u{1}b\\u{1b}[2J");
    for start in ["**", "`", "  ", "```"] {
        let mut printer = MarkdownPrinter::styled();
        let text = start.to_owned() + &"x".repeat(HELD_CHARS_MAX + 1);
        assert_eq!(printer.push(&text).trim_start_matches('\u{e}'), text);
    }
}

proptest! {
    #[test]
    fn i16_printer_keeps_every_letter(text in "[ab*_`|\\[\\]() \\n#:-]{0,80}") {
        let marked = printed(MarkdownPrinter::styled(), &text);
        let letters = |text: &str| text.chars().filter(|it| it.is_alphabetic()).count();
        prop_assert_eq!(letters(&marked), letters(&text), "{:?}", shown(&marked));
    }
}
