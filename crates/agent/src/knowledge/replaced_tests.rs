//! What is known about replaced values, and when it is read again.

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

/// Whether a note of an earlier day says what was replaced.
fn is_replaced(values: &ReplacedValues, text: &str) -> bool {
    let place = Locator::new("memory/2026-01-05.md".to_owned(), LineRange::line(3));
    let passage = ComparedPassage {
        text,
        day: Some("2026-01-05".parse().unwrap()),
        place: &place,
        entries: &[],
    };
    values.replaced_on(&passage).is_some()
}

#[test]
fn values_are_read_again_only_after_a_change() {
    let home = offline_home();
    let workspace = &home.runtime.home.workspace;
    let cache = ReplacedCache::default();
    said(&home, "We live in Connewitz", None);
    let before = cache.values(workspace);
    assert!(Arc::ptr_eq(&before, &cache.values(workspace)));
    assert!(!is_replaced(&before, "- We live in Connewitz now"));
    said(&home, "We live in Markkleeberg", Some("Connewitz"));
    let since = cache.values(workspace);
    assert!(is_replaced(&since, "- We live in Connewitz now"));
    assert!(Arc::ptr_eq(&since, &cache.values(workspace)));
}
