//! What is known by the name of who makes or gives it, and what has its name in another sense.
//!
//! Clauses alone.

use super::super::{About, Lasts, Reading, read};

#[track_caller]
fn check(expected: Reading, clauses: &[&str]) {
    for clause in clauses {
        assert_eq!(read(clause), expected, "{clause}");
    }
}

#[test]
fn a_make_a_medicine_and_a_service_are_known_by_their_names() {
    check(
        Reading::Fact(About::Speaker, Lasts::Long),
        &[
            "I have a Skoda",
            "We have a blue Skoda Octavia",
            "We own an old Volvo.",
            "I take warfarin",
            "I take insulin twice a day",
        ],
    );
    check(
        Reading::Fact(About::Speaker, Lasts::Over),
        &[
            "I cancelled Netflix",
            "I cancelled my Spotify account last month",
            "I stopped the Netflix subscription.",
            "I ended the Meyer membership",
        ],
    );
    for clause in [
        "I have a Skoda dealer next door",
        "I have a Volvo today",
        "I have a Monday deadline",
        "I have a Zoom call",
        "I cancelled Anna",
        "I cancelled Netflix stock orders",
        "I stopped the Netflix video",
        "I stopped the car",
        "I ended the call",
    ] {
        let found = read(clause);
        let is_kept = matches!(found, Reading::Fact(_, Lasts::Long | Lasts::Over));
        assert!(!is_kept, "{clause}: {found:?}");
    }
}
