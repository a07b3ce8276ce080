//! Tests of `analyse`.

use super::*;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let mut found = Vec::new();
    Analyser::new().each(text, &mut |kind, term| found.push(key(kind, term)));
    assert_eq!(found, expected, "{text}");
}

#[test]
fn a_word_gives_its_form_and_its_stem() {
    check(
        "The hikers were HIKING",
        &[
            "ethe", "sthe", "ehikers", "shiker", "ewere", "swere", "ehiking", "shike",
        ],
    );
    check(
        "Anna's caf\u{e9}",
        &["eanna", "sanna", "ecaf\u{e9}", "scafe"],
    );
    check(
        "\u{43a}\u{43d}\u{438}\u{433}\u{438}",
        &[
            "e\u{43a}\u{43d}\u{438}\u{433}\u{438}",
            "s\u{43a}\u{43d}\u{438}\u{433}",
        ],
    );
}

#[test]
fn an_identifier_stands_beside_its_parts() {
    check(
        "see a/login.html:",
        &[
            "esee",
            "ssee",
            "ia/login.html",
            "ilogin.html",
            "ea",
            "sa",
            "elogin",
            "slogin",
            "ehtml",
            "shtml",
        ],
    );
    check("$1,200", &["i$1,200", "e1", "s1", "e200", "s200"]);
}

#[test]
fn a_day_is_one_term_in_every_spelling() {
    for text in ["7 May", "May 7th", "the 7th of May", "2023-05-07"] {
        let mut found = Vec::new();
        Analyser::new().each(text, &mut |kind, term| found.push(key(kind, term)));
        assert!(found.contains(&"i@05-07".to_owned()), "{text}: {found:?}");
    }
}

#[test]
fn scripts_without_spaces_give_pairs() {
    check(
        "\u{65e5}\u{672c}\u{8a9e}",
        &[
            "e\u{65e5}",
            "e\u{672c}",
            "s\u{65e5}\u{672c}",
            "e\u{8a9e}",
            "s\u{672c}\u{8a9e}",
        ],
    );
    check("\u{732b}", &["e\u{732b}", "s\u{732b}"]);
    check(
        "iPhone\u{3092}",
        &["eiphone", "siphon", "e\u{3092}", "s\u{3092}"],
    );
}

#[test]
fn i16_any_text_gives_terms() {
    proptest::proptest!(|(text in ".*")| {
        Analyser::new().each(&text, &mut |_, term| assert!(!term.is_empty()));
    });
}

#[test]
fn what_looks_the_same_gives_the_same_terms() {
    for odd in [
        "\u{ff30}\u{ff4f}\u{ff52}\u{ff54}\u{ff4f}",
        "Por\u{ad}to",
        "Por\u{200b}to",
        "\u{feff}Porto",
    ] {
        check(odd, &["eporto", "sporto"]);
    }
    check("cafe\u{301}", &["ecaf\u{e9}", "scafe"]);
    check("\u{fb01}le", &["efile", "sfile"]);
}
