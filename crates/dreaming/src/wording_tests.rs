//! Wordings in several languages.

use super::*;

#[test]
fn wording_ignores_case_but_not_names_or_figures() {
    let is_same = |left, right| Wording::of(left).is_same(&Wording::of(right));
    assert!(is_same("I live in Graz.", "i live in graz"));
    assert!(!is_same("I live in Graz", "I live in Szeged"));
    assert!(!is_same(
        "The rent is 500 euros a month for the flat",
        "The rent is 600 euros a month for the flat"
    ));
}

#[test]
fn holds_word_accepts_other_endings() {
    let text = tokens("Anna's appointments were moved to Budapest, with the Steuerunterlagen");
    for word in [
        "anna",
        "appointment",
        "budapest",
        "moved",
        "move",
        "unterlagen",
    ] {
        assert!(holds_word(&text, word), "{word}");
    }
    for word in ["buda", "mallory", "ann", "tower"] {
        assert!(!holds_word(&text, word), "{word}");
    }
}

#[test]
fn near_finds_texts_on_same_subject() {
    let others = [
        "I live in Leeds",
        "I collect old maps",
        "My sister Elin lives in Oslo",
    ];
    assert_eq!(near("I live in Graz", &others), [0, 2]);
    assert_eq!(near("My sister Elin moved to Bergen", &others), [2]);
    assert_eq!(near("We have a dog", &others), Vec::<usize>::new());
}

#[test]
fn as_said_returns_quote_in_wording_of_message() {
    for (message, quote, said) in [
        (
            "Clara moved to York last week. She likes it.",
            "Clara moved to York last week .",
            "Clara moved to York last week.",
        ),
        (
            "I **prefer** tea, mostly",
            "i prefer TEA",
            "I **prefer** tea",
        ),
        ("On 2026-03-10 we met!", "2026-03-10", "2026-03-10"),
        ("See ![[clara.jpg]] there", "![[ clara.jpg]]", "clara.jpg"),
        ("\u{130}stanbul is home", "home", "home"),
        ("we left", "we stayed", "we stayed"),
        ("we left", "", ""),
    ] {
        assert_eq!(as_said(message, quote), said, "{quote}");
    }
}

#[test]
fn shared_figures_and_units_are_not_shared_subject() {
    let common: BTreeSet<String> = ["the", "is", "my"].map(str::to_owned).into();
    for (claim, text, is_shared) in [
        ("My rent is 4000 euros", "The boat costs 4000 euros", false),
        ("My rent is 4000 euros", "The rent was 4000 euros", true),
        (
            "The gym is 480 pesos (before 420)",
            "420 pesos for the gym",
            true,
        ),
        ("The gym is 480 pesos", "The taxi is 480 pesos", false),
        (
            "\u{5bb6}\u{8cc3}\u{306f}9\u{4e07}\u{5186}",
            "\u{8239}\u{306f}9\u{4e07}\u{5186}\u{3059}\u{308b}",
            false,
        ),
        (
            "\u{5bb6}\u{8cc3}\u{306f}9\u{4e07}\u{5186}",
            "\u{5bb6}\u{8cc3}\u{306f}8\u{4e07}\u{5186}",
            true,
        ),
    ] {
        assert_eq!(
            shares_subject(claim, text, &common),
            is_shared,
            "{claim} | {text}"
        );
    }
}
