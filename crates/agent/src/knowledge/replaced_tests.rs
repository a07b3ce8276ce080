//! The values that are known to be replaced, and when this knowledge is read again.

use base::LineRange;
use dreaming::ChangeReason;
use memory::candidates::Access;

use super::*;
use crate::asked::{AskedLine, remember_typed};
use crate::corrected::line_saying;
use crate::test_kit::{Home, offline_home};

fn said(home: &Home, text: &str, older: Option<&str>) {
    let desk = home.runtime.home.desk(Access::Read).unwrap();
    let replaces = older.map(|words| line_saying(desk.memory(), words).unwrap().into());
    drop(desk);
    let asked = AskedLine {
        text: text.to_owned(),
        section: None,
        replaces,
        reason: ChangeReason::Changed,
    };
    remember_typed(&home.runtime.home, &asked).unwrap();
}

/// Whether a note of an earlier day states a replaced value.
fn is_replaced(values: &ReplacedValues, text: &str) -> bool {
    is_replaced_of("2026-01-05", values, text)
}

fn is_replaced_of(day: &str, values: &ReplacedValues, text: &str) -> bool {
    let place = Locator::new("memory/2026-01-05.md".to_owned(), LineRange::line(3));
    let passage = ComparedPassage {
        text,
        day: Some(day.parse().unwrap()),
        place: &place,
        entries: &[],
        is_after: TIME_UNKNOWN,
    };
    values.replaced_on(&passage).is_some()
}

#[test]
fn replaced_values_are_reread_only_after_change() {
    let home = offline_home();
    let workspace = &home.runtime.home.workspace;
    let cache = ReplacedCache::default();
    said(&home, "We live in Connewitz", None);
    let before = cache.values(workspace, home.runtime.home.timezone);
    assert!(Arc::ptr_eq(
        &before,
        &cache.values(workspace, home.runtime.home.timezone)
    ));
    assert!(!is_replaced(&before, "- We live in Connewitz now"));
    said(&home, "We live in Markkleeberg", Some("Connewitz"));
    let since = cache.values(workspace, home.runtime.home.timezone);
    assert!(is_replaced(&since, "- We live in Connewitz now"));
    assert!(Arc::ptr_eq(
        &since,
        &cache.values(workspace, home.runtime.home.timezone)
    ));
}

#[test]
fn value_changed_back_is_in_force_again() {
    let locker = |number: u32| format!("My locker at the pool is number {number}");
    for days in [
        ["2026-03-02"; 3],
        ["2026-03-02", "2026-03-03", "2026-03-04"],
    ] {
        let home = offline_home();
        let steps = [(48, None), (51, Some("number 48")), (48, Some("number 51"))];
        for (hour, (day, (number, older))) in (10..).zip(days.iter().zip(steps)) {
            home.set(&format!("{day}T{hour}:00:00Z"));
            said(&home, &locker(number), older);
        }
        let values = home.runtime.home.replaced();
        for day in days {
            assert!(!is_replaced_of(day, &values, &locker(48)), "{days:?} {day}");
            let archived = format!("{} (until {}: {})", locker(51), days[1], locker(48));
            assert!(is_replaced_of(day, &values, &archived), "{days:?} {day}");
        }
    }
}

#[test]
fn value_with_few_words_of_corrected_value_stays_in_force() {
    let home = offline_home();
    said(&home, "Flat 7 has the blue bike in the yard", None);
    said(
        &home,
        "Flat 9 has the blue bike in the yard",
        Some("Flat 7"),
    );
    let values = home.runtime.home.replaced();
    let old = "In the yard, Flat 7 has the blue bike";
    assert!(is_replaced(&values, old));
    let other = "Remember that Flat 7 has the red bike in the yard";
    assert!(!is_replaced(&values, other));
}
