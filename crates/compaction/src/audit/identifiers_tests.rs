//! The weights of identifiers, and which of them are audited.

use super::*;

fn said(text: &str, by: Origin, at: usize) -> MessageText<'_> {
    let own = match by {
        Origin::Owner | Origin::Agent => text,
        Origin::Untrusted | Origin::System => "",
    };
    MessageText {
        text,
        own,
        by,
        at,
        of: 10,
    }
}

fn pasted(text: &str, at: usize) -> MessageText<'_> {
    MessageText {
        own: "",
        ..said(text, Origin::Owner, at)
    }
}

fn ranked(mentions: &[MessageText<'_>]) -> Vec<(String, bool)> {
    let mut tallies = Tallies::default();
    for (number, message) in mentions.iter().enumerate() {
        tallies.count(*message, &EntryId::new(format!("m{number}")));
    }
    with_audited(tallies)
}

fn with_audited(tallies: Tallies) -> Vec<(String, bool)> {
    let found = tallies.ranked().into_iter();
    found
        .map(|(found, standing)| (found.text, standing == Standing::Audited))
        .collect()
}

fn expected(texts: &[(&str, bool)]) -> Vec<(String, bool)> {
    texts
        .iter()
        .map(|(text, is_audited)| ((*text).to_owned(), *is_audited))
        .collect()
}

#[test]
fn weight_comes_from_speaker_frequency_and_recency() {
    let mentions = [
        said("old.rs", Origin::Owner, 0),
        said("new.rs", Origin::Owner, 9),
        said("twice.rs", Origin::Agent, 1),
        said("twice.rs", Origin::Agent, 2),
        said("once.rs", Origin::Agent, 9),
        said("output.rs", Origin::Untrusted, 3),
        said("output.rs", Origin::Untrusted, 4),
        pasted("pasted.rs", 1),
        pasted("pasted.rs", 1),
    ];
    assert_eq!(
        ranked(&mentions),
        expected(&[
            ("new.rs", true),
            ("old.rs", true),
            ("twice.rs", true),
            ("once.rs", false),
            ("output.rs", false),
            ("pasted.rs", false),
        ])
    );
}

#[test]
fn pasted_identifier_is_audited_once_owner_typed_it() {
    let mail = [pasted("pay INV-7", 1), pasted("pay INV-7 now", 2)];
    assert_eq!(ranked(&mail), expected(&[("INV-7", false)]));
    let warned = [mail[0], said("INV-7 is due.", Origin::Agent, 2)];
    assert_eq!(ranked(&warned), expected(&[("INV-7", false)]));
    // However often the assistant warns of it.
    let warned = [
        warned[0],
        warned[1],
        said("I did not pay INV-7.", Origin::Agent, 3),
    ];
    assert_eq!(ranked(&warned), expected(&[("INV-7", false)]));
    let used = [mail[0], said("Pay INV-7.", Origin::Owner, 2)];
    assert_eq!(ranked(&used), expected(&[("INV-7", true)]));
}

#[test]
fn identifier_of_long_listing_or_escaped_page_is_not_audited_for_warnings() {
    let url = "https://depot.example/pay?id=7&step=2";
    let rows = (0..90).map(|row| format!("PN-{row:04} https://depot.example/p/{row}\n"));
    let listing = rows.collect::<String>() + "pay at " + url;
    let html = "pay at https:\\/\\/depot.example\\/pay?id=7&amp;step=2 now";
    let json = "{\"a\":\"https://DEPOT.example/pay?id=7\\u0026step=2\"}";
    let warning = format!("I did not open {url}.");
    for page in [&listing, html, json] {
        let mentions = [
            said(page, Origin::Untrusted, 1),
            said(&warning, Origin::Agent, 2),
            said(&warning, Origin::Agent, 3),
        ];
        let found = ranked(&mentions);
        assert!(found.contains(&(url.to_owned(), false)), "{found:?}");
    }
    let own = [
        said(&warning, Origin::Agent, 2),
        said(&warning, Origin::Agent, 3),
    ];
    assert!(ranked(&own).contains(&(url.to_owned(), true)));
}

#[test]
fn measures_are_identifiers_but_numbers_and_secrets_are_not() {
    let text = "I have 12 apples, 12 kg and 150ms, key [REDACTED:aws-key]";
    assert_eq!(
        ranked(&[said(text, Origin::Owner, 0)]),
        expected(&[("12 kg", true), ("150ms", true)])
    );
}

#[test]
fn carried_identifiers_keep_their_order() {
    let listed = listed("a.rs; b.rs; a.rs; c.rs", "; ");
    assert_eq!(listed, ["a.rs", "b.rs", "c.rs"]);
    let mut tallies = Tallies::default();
    tallies.carry(&listed, &EntryId::new("m1"));
    let all = [("a.rs", true), ("b.rs", true), ("c.rs", true)];
    assert_eq!(with_audited(tallies), expected(&all));
}

#[test]
fn identifier_keeps_its_first_entry_and_its_last_three() {
    let mut tallies = Tallies::default();
    for number in 0..9 {
        let entry = EntryId::new(format!("m{number}"));
        tallies.count(said("a.rs a.rs", Origin::Owner, number), &entry);
    }
    let entries = &tallies.ranked()[0].0.entries;
    assert_eq!(*entries, ["m0", "m6", "m7", "m8"].map(EntryId::new));
}
