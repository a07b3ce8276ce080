//! What lines say of things of which a person has one.
//!
//! Sentences, and pairs of them.

use super::*;
use crate::words::words;

#[track_caller]
fn check(new: &str, old: &str, expected: Option<Turn>) {
    let (new_words, old_words) = (words(new), words(old));
    let pair = (new_words.slot.as_ref(), old_words.slot.as_ref());
    let found = pair.0.zip(pair.1).and_then(|pair| {
        let whose = new_words.whose.as_ref().zip(old_words.whose.as_ref());
        whose.filter(|(left, right)| may_be_same(left, right))?;
        turn(pair, &new_words.plain)
    });
    assert_eq!(found, expected, "{new:?} after {old:?}: {pair:?}");
}

#[test]
fn a_newer_home_or_job_replaces_the_older() {
    for (new, old) in [
        ("I moved to Szeged last month (2026-03).", "I live in Graz."),
        (
            "We live in a small village near Pecs",
            "I live in Graz with my sister",
        ),
        ("I've just moved to Szeged", "I moved to Graz in 2019"),
        ("I quit my job at Bosch.", "I work at Bosch."),
        ("I quit my job", "I work at Bosch."),
        (
            "I no longer work at Bosch",
            "I work for Bosch as an engineer",
        ),
        ("I don't work at Bosch any more", "I work at Bosch"),
        ("I work at Siemens", "I quit my job at Bosch. "),
        ("I started at Siemens on Monday", "I work at Bosch"),
        ("I'm retired", "I work at Bosch"),
        ("I work as a teacher", "I work as a nurse"),
        ("User moved to Szeged", "User lives in Graz"),
        (
            "My sister Anna moved to Vienna",
            "My sister Anna lives in Graz",
        ),
        ("My sister moved to Vienna", "My sister Anna lives in Graz."),
        ("My favourite editor is Helix", "My favourite editor is Vim"),
        ("My phone number is 0664 12", "My phone number is 0699 77"),
    ] {
        check(new, old, Some(Turn::Replaces));
    }
}

#[test]
fn another_name_of_an_animal_is_doubtful() {
    check(
        "My dog is called Max now",
        "My dog is Rex.",
        Some(Turn::Doubtful),
    );
    check(
        "My dog's name is Max",
        "My dog is called Rex",
        Some(Turn::Doubtful),
    );
}

#[test]
fn others_and_one_more_replace_nothing() {
    for (new, old) in [
        ("My sister Anna lives in Graz", "I live in Vienna"),
        ("I live in Vienna", "My sister Anna lives in Graz"),
        (
            "My sister Eva lives in Vienna",
            "My sister Anna lives in Graz",
        ),
        ("My brother lives in Vienna", "My sister lives in Graz"),
        ("I also work at the library", "I work at Bosch"),
        ("I live in Graz now", "I live in Graz"),
        ("I quit my job at Siemens", "I work at Bosch"),
        ("My dog is hungry", "My dog is Rex"),
        ("My dog is 3 years old", "My dog is Rex"),
        ("My favourite tea is oolong", "My favourite editor is Vim"),
        ("Always use tabs", "I live in Graz"),
    ] {
        check(new, old, None);
    }
}
