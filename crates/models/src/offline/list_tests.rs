//! Lists under their lead.

use proptest::prelude::*;

use super::*;

#[test]
fn items_that_fit_stand_whole_and_once_under_their_lead() {
    assert_eq!(
        joined(
            "The two largest:",
            &["`a/b.mp4`: 818 MB", "`a/c.mp4`: 626 MB."]
        ),
        Some("The two largest: `a/b.mp4`: 818 MB; `a/c.mp4`: 626 MB".to_owned())
    );
}

#[test]
fn long_items_keep_their_first_clauses() {
    let rest = "and ".to_owned() + &"more of the same ".repeat(20);
    let first = format!("The pump runs dry after an hour, {rest}");
    let second = format!("One file a month: every question {rest}");
    assert_eq!(
        joined("To do, most important first:", &[&first, &second, "No tests."]),
        Some(
            "To do, most important first: The pump runs dry after an hour; One file a month; No tests"
                .to_owned()
        )
    );
    let endless = "word ".repeat(100);
    assert_eq!(joined("To do:", &[&endless, "No tests."]), None);
}

proptest! {
    #[test]
    fn a_list_is_no_longer_than_a_note(items in prop::collection::vec("\\PC{0,200}", 0..8)) {
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        if let Some(text) = joined("Lead:", &items) {
            prop_assert!(text.chars().count() <= NOTE_CHARS_MAX);
        }
    }
}
