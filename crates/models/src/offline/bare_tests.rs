//! What can stand alone and what hangs on the words before it.

use super::*;

#[test]
fn what_only_answers_greets_or_points_back_is_bare() {
    for clause in [
        "commit.",
        "Good night.",
        "Tak, In\u{ea}s.",
        "Agreed with all five. 3 first.",
        "Done with that one.",
        "Yes, go ahead with both of these.",
        "I'll check it on Thursday.",
        "See https://example.org/a",
    ] {
        assert!(is_bare(clause), "{clause}");
    }
}

#[test]
fn what_names_something_stands_alone() {
    for clause in [
        "I prefer mornings.",
        "It runs on Debian",
        "Done in 4f2a91c, on time",
        "I hate these slides with bullets",
        "J'habite \u{e0} Lyon.",
        "\u{6211}\u{4f4f}\u{5728}\u{676d}\u{5dde}\u{3002}",
        "\u{642}\u{631}\u{631}\u{646}\u{627} \u{627}\u{644}\u{62a}\u{623}\u{62c}\u{64a}\u{644}",
        "Actually it's 30 minutes, not 15.",
    ] {
        assert!(!is_bare(clause), "{clause}");
    }
}
