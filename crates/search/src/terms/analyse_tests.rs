//! Tests of `analyse`.

use super::*;

/// The keys of the terms of a text, with blanks between them: no term contains a blank.
fn keys(text: &str) -> String {
    let mut found = Vec::new();
    Analyser::new().each(text, &mut |kind, term| found.push(key(kind, term)));
    found.join(" ")
}

#[test]
fn word_yields_form_and_stem() {
    let hikers = "ethe sthe ehikers shiker ewere swere ehiking shike";
    assert_eq!(keys("The hikers were HIKING"), hikers);
    assert_eq!(keys("Anna's caf\u{e9}"), "eanna sanna ecaf\u{e9} scafe");
    let russian = "\u{43a}\u{43d}\u{438}\u{433}\u{438}";
    let stem = "\u{43a}\u{43d}\u{438}\u{433}";
    assert_eq!(keys(russian), format!("e{russian} s{stem}"));
}

#[test]
fn identifier_yields_itself_and_its_parts() {
    let parts = "ea sa elogin slogin ehtml shtml";
    let expected = format!("esee ssee ia/login.html ilogin.html {parts}");
    assert_eq!(keys("see a/login.html:"), expected);
    assert_eq!(keys("$1,200"), "i$1,200 e1 s1 e200 s200");
}

#[test]
fn day_yields_same_term_in_every_spelling() {
    for text in ["7 May", "May 7th", "the 7th of May", "2023-05-07"] {
        let found = keys(text);
        let is_day = found.split(' ').any(|it| it == "i@05-07");
        assert!(is_day, "{text}: {found}");
    }
}

#[test]
fn scripts_without_spaces_yield_pairs() {
    let pairs = "e\u{65e5} e\u{672c} s\u{65e5}\u{672c} e\u{8a9e} s\u{672c}\u{8a9e}";
    assert_eq!(keys("\u{65e5}\u{672c}\u{8a9e}"), pairs);
    assert_eq!(keys("\u{732b}"), "e\u{732b} s\u{732b}");
    let mixed = "eiphone siphon e\u{3092} s\u{3092}";
    assert_eq!(keys("iPhone\u{3092}"), mixed);
}

#[test]
fn i16_analyser_yields_no_empty_terms() {
    proptest::proptest!(|(text in ".*")| {
        Analyser::new().each(&text, &mut |_, term| assert!(!term.is_empty()));
    });
}

#[test]
fn text_that_looks_alike_yields_same_terms() {
    for odd in [
        "\u{ff30}\u{ff4f}\u{ff52}\u{ff54}\u{ff4f}",
        "Por\u{ad}to",
        "Por\u{200b}to",
        "\u{feff}Porto",
    ] {
        assert_eq!(keys(odd), "eporto sporto");
    }
    assert_eq!(keys("cafe\u{301}"), "ecaf\u{e9} scafe");
    assert_eq!(keys("\u{fb01}le"), "efile sfile");
}
