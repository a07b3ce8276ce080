//! What is dressed, what stays as it was written, and what becomes of tables.
//!
//! Shows marks as letters in brackets.

use proptest::prelude::*;

use super::*;

/// Marks as they can be read.
fn shown(text: &str) -> String {
    let shown = text.chars().map(|character| match Mark::of(character) {
        Some(Mark::BoldOn) => "[b]".to_owned(),
        Some(Mark::BoldOff) => "[/b]".to_owned(),
        Some(Mark::CodeOn) => "[c]".to_owned(),
        Some(Mark::CodeOff) => "[/c]".to_owned(),
        Some(Mark::ItalicOn) => "[i]".to_owned(),
        Some(Mark::ItalicOff) => "[/i]".to_owned(),
        Some(Mark::LinkOn) => "[u]".to_owned(),
        Some(Mark::LinkOff) => "[/u]".to_owned(),
        Some(Mark::LaidOut) => String::new(),
        None => character.to_string(),
    });
    shown.collect()
}

/// However the text is cut into pieces, the same comes out.
#[track_caller]
fn check(text: &str, expected: &str) {
    let mut whole = MarkdownPrinter::new(40);
    let at_once = whole.push(text) + &whole.finish();
    assert_eq!(shown(&at_once), expected, "{text:?}");
    let mut parts = MarkdownPrinter::new(40);
    let mut by_one: String = text
        .chars()
        .map(|character| parts.push(&character.to_string()))
        .collect();
    by_one.push_str(&parts.finish());
    assert_eq!(by_one, at_once, "{text:?}");
}

#[test]
fn emphasis_headings_and_code_are_styled() {
    check("a **bold word** here", "a [b]bold word[/b] here");
    check("run `cargo test` now", "run [c]cargo test[/c] now");
    check("``a ` b``", "[c]a ` b[/c]");
    check("**see `x`**.", "[b]see [c]x[/c][/b].");
    check("# Title\ntext", "[b]Title[/b]\ntext");
    check("### A **b** c", "[b]A [b]b[/b][b] c[/b]");
    check("- **one**\n- two", "- [b]one[/b]\n- two");
    check(
        "a *light* word, and _another_.",
        "a [i]light[/i] word, and [i]another[/i].",
    );
    check("***both***", "[b][i]both[/i][/b]");
    check("**bold and *more***", "[b]bold and [i]more[/i][/b]");
    check(
        "*one* `two` **three**",
        "[i]one[/i] [c]two[/c] [b]three[/b]",
    );
    check("# *a* **b** c", "[b][i]a[/i] [b]b[/b][b] c[/b]");
}

#[test]
fn link_shows_text_and_address() {
    check(
        "see [the docs](https://a.example/x_(y)) now",
        "see [u]the docs[/u] (https://a.example/x_(y)) now",
    );
    check(
        "[https://a.example](https://a.example)",
        "[u]https://a.example[/u]",
    );
    check(
        "[a **b**](c.md \"title\")",
        "[u]a [b]b[/b][/u] (c.md \"title\")",
    );
}

#[test]
fn table_is_laid_out_in_columns() {
    check(
        "Prices:\n\n| hall | price |\n|:--|--:|\n| **small** | 300 |\n| \u{65e5}\u{8a18} \u{1f375} | 1,200 |\n\nAll.",
        "Prices:\n\n[b]hall[/b]     [b]price[/b]\n-------  -----\n[b]small[/b]      300\n\u{65e5}\u{8a18} \u{1f375}  1,200\n\nAll.",
    );
    check("| a |\n|---|", "[b]a[/b]\n---".replace("---", "-").as_str());
    check(
        "  | a |\n  |---|\n  | b |\nend",
        "  [b]a[/b]\n  -\n  b\nend",
    );
}

#[test]
fn bars_outside_table_stay() {
    for plain in [
        "| a | b |",
        "| a |\nb",
        "| a |\n| b |\n| c |",
        "|\n",
        "a | b",
    ] {
        check(plain, plain);
    }
    check("| **a** |\nb", "| [b]a[/b] |\nb");
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
        "*",
        "**",
        "***",
        "`",
        "a*b**c",
        "_open",
        "snake_case_name",
        "_private_var",
        "__init__",
        "5 *x * 3",
        "\\*no*",
        "[1] and [2]",
        "[x](see below)",
        "[x]()",
        "[open",
        "[a](b",
        "  #",
    ] {
        check(plain, plain);
    }
    check("**a\nb**", "**a\nb**");
    check("", "");
    check("\n\n", "\n\n");
}

#[test]
fn fenced_code_is_indented_without_fence() {
    check(
        "```rust\nlet a = **b; // `x`\n\n# no heading\n```\n**b**",
        "    [c]let a = **b; // `x`[/c]\n\n    [c]# no heading[/c]\n[b]b[/b]",
    );
    check("```npm i``` and **go**\nb", "[c]npm i[/c] and [b]go[/b]\nb");
    check("```\na\n``` b\n**c**", "    [c]a[/c]\n``` b\n[b]c[/b]");
    check("  ```\n**a**", "    [c]**a**[/c]");
    check("```\n| a |\n```", "    [c]| a |[/c]\n");
}

#[test]
fn i16_printer_escapes_foreign_marks_and_gives_up_long_open_mark() {
    check("a\u{1}b\u{1b}[2J", "a\\u{1}b\\u{1b}[2J");
    let mut long = MarkdownPrinter::new(40);
    let text = format!("**{}", "x".repeat(START_CHARS_MAX + 1));
    assert_eq!(long.push(&text), text);
}

proptest! {
    #[test]
    fn i16_printer_keeps_every_letter(text in "[ab*_`|\\[\\]() \\n#:-]{0,80}") {
        let mut markdown = MarkdownPrinter::new(30);
        let dressed = markdown.push(&text) + &markdown.finish();
        let letters = |text: &str| text.chars().filter(|it| it.is_alphabetic()).count();
        prop_assert_eq!(letters(&dressed), letters(&text), "{:?}", shown(&dressed));
    }
}
