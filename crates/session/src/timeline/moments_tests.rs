//! The size of the view over time, in bounded memory.

use std::cell::Cell;

use super::*;
use crate::test_kit::{header_line, home_with, main, store, user_line};

#[test]
fn view_moments_hold_long_session_only_in_part() {
    let mut text = header_line();
    let mut parent = "null".to_owned();
    for number in 0..2_000 {
        let id = format!("e{number}");
        text.push_str(&user_line(&id, &parent));
        parent = id;
    }
    let sessions = store(home_with(&text));
    let measured = |limit: u64| {
        let largest = Cell::new(0);
        let count = |view: &View, _| {
            largest.set(largest.get().max(view.items.len()));
            view.items.iter().map(|item| item.tokens).sum()
        };
        let limit = ResumeLimit {
            tokens: TokenCount(limit),
        };
        let moments = view_moments(&sessions, &main(), (2_000, limit), &count).unwrap();
        (moments, largest.get())
    };
    let (all, n_all) = measured(u64::MAX / 4);
    assert_eq!(n_all, 2_000);
    let one = all.last().unwrap().tokens.0 / 2_000;
    let (held, n_held) = measured(100 * one);
    assert!(n_held <= 201, "{n_held} messages were held");
    // The limit does not change the moments or the size at the newest messages.
    let told = |moments: &[ViewMoment]| -> Vec<u64> {
        moments.iter().map(|moment| moment.n_messages).collect()
    };
    assert_eq!(told(&held), told(&all));
    assert!(held.iter().all(|moment| moment.tokens.0 <= 201 * one));
}
