//! Sentences that contain full stops.

use super::*;

/// Checks a paragraph in which `|` marks each sentence boundary.
#[track_caller]
fn check(marked: &str) {
    let expected: Vec<&str> = marked.split('|').map(str::trim).collect();
    assert_eq!(sentences(&marked.replace('|', "")), expected);
}

#[test]
fn abbreviations_initials_and_ordinals_do_not_end_sentences() {
    check("I live on St. Marks Place.| It is near Dr. Weber.");
    check("J. Frei moved on 3. Mai.| He left No. 4 behind.");
    check("It is v2.3.1.| See e.g. Main!");
    check("It was I.| He left.");
    check("I use SSH.| It works.");
}

#[test]
fn sentences_skip_marks_alone_and_split_chinese() {
    assert_eq!(sentences(""), [""; 0]);
    assert_eq!(sentences("... !"), [""; 0]);
    check("\u{6211}\u{4f4f}\u{5728}\u{676d}\u{5dde}\u{3002}|\u{597d}\u{3002}");
}

#[test]
fn lowercase_prose_splits_into_sentences() {
    check("i live in graz.| my dog is rex.| he is three, e.g. the vet says so.| it is long");
    check("see main.rs. and app.py, the rest is fine");
}

#[test]
fn marks_inside_words_and_addresses_do_not_end_sentences() {
    check("See https://example.com/a?b=c&d=1 for the taxes.| It is Yahoo!Mail now!");
    check("\u{4f60}\u{597d}!|\u{6211}\u{5728}");
}
