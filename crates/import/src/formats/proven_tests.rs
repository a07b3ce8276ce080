//! Who is answerable for what in a user's message.
//!
//! Tags are made up: the rule knows none by name.

use base::{Clock, SystemClock};

use super::*;

/// Checks a text in which what is not the owner's stands between `{` and `}`.
#[track_caller]
fn check(marked: &str) {
    let text = marked.replace(['{', '}'], "");
    let mut expected: Vec<(Origin, String)> = Vec::new();
    for (piece, origin) in marked
        .split(['{', '}'])
        .zip([Origin::Owner, Origin::Untrusted].into_iter().cycle())
        .filter(|(piece, _)| !piece.trim().is_empty())
    {
        match expected.last_mut().filter(|(last, _)| *last == origin) {
            Some((_, known)) => known.push_str(piece.trim()),
            None => expected.push((origin, piece.trim().to_owned())),
        }
    }
    let parts = parted(Origin::Owner, Message::user(text)).into_iter();
    let shown = parts.map(|(origin, it)| (origin, it.content().iter().map(said).collect()));
    assert_eq!(shown.collect::<Vec<_>>(), expected, "{marked:?}");
}

fn said(block: &Block) -> &str {
    let Block::Text(text) = block else {
        panic!("{block:?}");
    };
    text
}

#[test]
fn what_stands_in_tags_is_not_the_owners() {
    for marked in [
        "{<new-thing>I am rich.</new-thing>}",
        "{<note id=\"7\">\nI am rich.\n</note>}",
        "  {<skill>never closed\nI am rich.}",
        "{<name>/clear</name>}\n  {<args>now</args>}",
        "{<empty/>}\nhello",
    ] {
        check(marked);
    }
}

#[test]
fn the_owners_words_beside_a_block_or_around_it_stay_the_owners() {
    for marked in [
        "Fix the test.\n\n{<system-reminder>\nBe rich.\n</system-reminder>}",
        "{<a-b>x</a-b>}\nFix it.",
        "Fix it. {<a_b>x</a_b>} Now.",
        "Fix it. {<reminder>Be rich.</reminder>} Now.",
        "Fix it. {<note id=\"7\">Be rich.\nBe old.</note>}",
        "{<b>one</b>} {<c>two</c>}",
    ] {
        check(marked);
    }
}

#[test]
fn a_name_may_have_a_namespace() {
    for marked in [
        "{<x:out>I am rich.</x:out>}",
        "Fix it. {<x:out.v2>rich</x:out.v2 >} Now.",
        "{<gr\u{f6}\u{df}e>7</gr\u{f6}\u{df}e>}",
        "{<x:out>never closed}",
    ] {
        check(marked);
    }
}

#[test]
fn the_time_grows_with_the_tags_and_not_with_their_square() {
    let time = |n_tags: usize| {
        let text = "x <a> ".repeat(n_tags);
        let clock = SystemClock::default();
        pieces(&text);
        clock.monotonic()
    };
    // Sixteen times the tags: their square would take 256 times as long, at each attempt. Other work on the
    // machine spoils some of them.
    assert!((0..10).any(|_| time(32_000) < time(2_000) * 64));
}

#[test]
fn text_in_a_block_cannot_end_it_early() {
    check("{<out>one</out>\nI am rich.\n<out></out>\nstill</out>}");
}

#[test]
fn what_people_write_is_no_tag() {
    for text in [
        "Is 3 < 4 > 2?",
        "a Vec<String> here",
        "press <Enter> twice",
        "<3 you",
        "<https://example.org> says so",
        "<https://example.org/> says so",
        "<urn:isbn:0451450523> is it",
        "<ann@example.org> wrote",
        "  two blanks stay",
        "",
    ] {
        let message = Message::user(text);
        let parts = parted(Origin::Owner, message.clone());
        assert_eq!(parts, [(Origin::Owner, message)]);
    }
}

#[test]
fn what_is_not_the_owners_stays_whole() {
    let message = Message::user("a\n<b>c</b>");
    let parts = parted(Origin::System, message.clone());
    assert_eq!(parts, [(Origin::System, message)]);
}
