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
            "I have a Seat",
            "We have a blue Golf.",
            "I own a Ford Fiesta",
            "i have a skoda",
            "I take warfarin 5 mg every evening",
            "I take aspirin tablets every morning",
            "I take metformin with food",
            "I take insulin at night",
            "I take warfarin and metformin",
            "I take warfarin, and I am fine",
            "I take levothyroxine for my thyroid",
            "I take ramipril in the morning",
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
        "I have a seat",
        "I have a seat.",
        "We have a golf on Friday",
        "I have a ford",
        "I have a pixel",
        "I take the morphine bottles to the pharmacy",
        "I take the morphine to the pharmacy",
        "I take the insulin with me",
        "I take the insulin from the fridge",
        "I take insulin pumps apart",
        "I take insulin and syringes to Anna",
        "I take the morphine for my mother",
        "I take the morphine tablets to the pharmacy",
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
