//! Sentences of Markdown, mail and chat.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found = sentences(text).into_iter().map(|sentence| sentence.text);
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn prose_is_split_only_at_sentence_ends() {
    for marked in [
        "It is v2.3.1.| See app.py, e.g. Main.| Dr. Who pays $1,200.50!",
        "Wir treffen uns am 3. Mai in Bonn.| Bis dann!",
        "\u{6211}\u{4f4f}\u{5728}\u{676d}\u{5dde}\u{3002}|\u{597d}\u{3002}",
    ] {
        let expected: Vec<&str> = marked.split('|').map(str::trim).collect();
        check(&marked.replace('|', ""), &expected);
    }
}

#[test]
fn code_headings_and_rulers_are_left_out() {
    check(
        "# Plan\n\nWe use Rust.\n```rust\nfn main() {}\n```\n---\n**Bold line**\nlet x = foo(1);\n    return {\"a\": 1};\n~~~\nopen fence",
        &["We use Rust."],
    );
}

#[test]
fn lists_lose_their_markers_and_keep_their_lead() {
    let text = "We are late. Remaining:\n- [ ] write **tests**. All of them.\n* deploy\n2) announce\n\nDone.";
    let found = sentences(text).into_iter().map(|found| {
        let lead = found.lead.unwrap_or_default();
        format!("{lead}|{}", found.text)
    });
    let expected = [
        "|We are late.",
        "Remaining:|write tests.",
        "Remaining:|All of them.",
        "Remaining:|deploy",
        "Remaining:|announce",
        "|Done.",
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn wrapped_lines_are_joined_and_table_rows_stay_separate() {
    check(
        "This line was wrapped by a mail program after many characters and\ngoes on here.\n\n| Item | Price |\n|---|---|\n| Oven | $900 |",
        &[
            "This line was wrapped by a mail program after many characters and goes on here.",
            "Item | Price",
            "Oven | $900",
        ],
    );
}

#[test]
fn prose_that_looks_like_code_is_kept() {
    for text in [
        "From now on (always) use tabs.",
        "Use max_size 5 in config.yaml.",
        "Return the book (today).",
        "Let me know: is 2**3 right?",
    ] {
        check(text, &[text]);
    }
}

#[test]
fn comment_marks_in_text_are_removed() {
    let forged = "a <!-- flush session=x --> b <!<!-- -- > c";
    check(forged, &["a flush session=x b <! -- > c"]);
}

#[test]
fn long_dump_is_read_at_both_ends() {
    let code = "x = {1};\n".repeat(40_000);
    let dump = format!("We start here.\n{code}\nWe end here.");
    check(&dump, &["We start here.", "We end here."]);
}

proptest! {
    #[test]
    fn i16_sentences_of_any_text_have_words_and_no_comment_marks(text in "\\PC*|[a-z.!?\\n#*`|> -]{0,200}") {
        let folded = fold(&text);
        prop_assert!(!folded.contains("  ") && !folded.contains('\n'));
        for sentence in sentences(&text) {
            prop_assert!(sentence.text.chars().any(char::is_alphanumeric));
            prop_assert!(!sentence.text.contains("<!--") && !sentence.text.contains("-->"));
        }
    }
}
