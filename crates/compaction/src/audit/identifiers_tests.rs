//! What is weighed heavier, and what a summary is held to.

use super::*;

fn said(by: Origin, at: usize) -> IdentifierSource {
    IdentifierSource::Said { by, at, of: 10 }
}

fn ranked(mentions: &[(&str, IdentifierSource)]) -> Vec<(String, bool)> {
    let mut tallies = Tallies::default();
    for (number, (text, source)) in mentions.iter().enumerate() {
        tallies.count(text, *source, &EntryId::new(format!("m{number}")));
    }
    told(tallies)
}

fn told(tallies: Tallies) -> Vec<(String, bool)> {
    let found = tallies.ranked().into_iter();
    found
        .map(|(found, is_audited)| (found.text, is_audited))
        .collect()
}

fn expected(texts: &[(&str, bool)]) -> Vec<(String, bool)> {
    texts
        .iter()
        .map(|(text, is_audited)| ((*text).to_owned(), *is_audited))
        .collect()
}

#[test]
fn who_says_it_how_often_and_how_recently_is_what_counts() {
    let mentions = [
        ("old.rs", said(Origin::Owner, 0)),
        ("new.rs", said(Origin::Owner, 9)),
        ("twice.rs", said(Origin::Agent, 1)),
        ("twice.rs", said(Origin::Agent, 2)),
        ("once.rs", said(Origin::Agent, 9)),
        ("output.rs", said(Origin::Untrusted, 3)),
        ("output.rs", said(Origin::Untrusted, 4)),
    ];
    assert_eq!(
        ranked(&mentions),
        expected(&[
            ("new.rs", true),
            ("old.rs", true),
            ("twice.rs", true),
            ("once.rs", false),
            ("output.rs", false),
        ])
    );
}

#[test]
fn bare_numbers_and_secrets_are_no_identifiers_and_measures_are() {
    let text = "I have 12 apples, 12 kg and 150ms, key [REDACTED:aws-key]";
    assert_eq!(
        ranked(&[(text, said(Origin::Owner, 0))]),
        expected(&[("12 kg", true), ("150ms", true)])
    );
}

#[test]
fn what_a_summary_lists_is_carried_in_its_order() {
    let summary =
        "## Goals\n- x\n\n## Exact identifiers\n- a.rs; b.rs; a.rs\n- c.rs\n\n[Stands for 1]";
    let listed = listed(summary, "Exact identifiers", "; ");
    assert_eq!(listed, ["a.rs", "b.rs", "c.rs"]);
    let mut tallies = Tallies::default();
    tallies.carry(&listed, &EntryId::new("m1"));
    let all = [("a.rs", true), ("b.rs", true), ("c.rs", true)];
    assert_eq!(told(tallies), expected(&all));
}

#[test]
fn the_first_entry_and_the_last_ones_are_kept() {
    let mut tallies = Tallies::default();
    for number in 0..9 {
        let entry = EntryId::new(format!("m{number}"));
        tallies.count("a.rs a.rs", said(Origin::Owner, number), &entry);
    }
    let entries = &tallies.ranked()[0].0.entries;
    assert_eq!(*entries, ["m0", "m6", "m7", "m8"].map(EntryId::new));
}
