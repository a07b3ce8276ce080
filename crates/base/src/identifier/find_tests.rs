//! Texts that count as identifiers, and texts that do not.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, expected: &[(&str, IdentifierKind)]) {
    let found = identifiers(text).into_iter();
    let found: Vec<_> = found.map(|found| (found.text, found.kind)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn identifiers_of_every_kind_are_found_verbatim() {
    let paths = "src/lib.rs ./run.sh ~/notes /etc/hosts C:\\temp app.py";
    for (text, kind) in [
        ("https://a.io/x?q=1&r=2 ana@b.org", IdentifierKind::Address),
        (paths, IdentifierKind::Path),
        ("v2 2.3.1 ^5.0.0 serde@1.0.2", IdentifierKind::Version),
        ("TypeError E0382 ENOENT", IdentifierKind::Failure),
        ("4f2a91c #12 ABC-9 HAT136", IdentifierKind::Code),
        ("max_size getName localhost:5000", IdentifierKind::Name),
        ("150ms", IdentifierKind::Number),
    ] {
        let expected: Vec<_> = text.split(' ').map(|it| (it, kind)).collect();
        check(text, &expected);
    }
    check(
        "See https://a.io/x?q=1, or pay $1,200.50, 40 EUR, 12.5%.",
        &[
            ("https://a.io/x?q=1", IdentifierKind::Address),
            ("$1,200.50", IdentifierKind::Sum),
            ("40 EUR", IdentifierKind::Sum),
            ("12.5%", IdentifierKind::Share),
        ],
    );
}

#[test]
fn date_identifiers_are_found_in_many_forms() {
    for date in [
        "March 15, 2024",
        "march 3rd",
        "15 March 2024",
        "15. M\u{e4}rz 2024",
        "1er mai 2025",
        "3 de mayo de 2025",
        "July 13-14",
        "March 2024",
        "2024-03-15",
        "15.3.2024",
        "3/15/2024",
        "2024\u{5e74}3\u{6708}15\u{65e5}",
    ] {
        check(date, &[(date, IdentifierKind::Date)]);
    }
    check("I may go. March on!", &[]);
}

#[test]
fn identifiers_in_code_are_addresses_and_versions() {
    check(
        "<link href=\"https://cdn.io/b@5.3.0/b.min.css\">",
        &[("https://cdn.io/b@5.3.0/b.min.css", IdentifierKind::Address)],
    );
    check(
        "fetch(`https://api.io/${city}`)",
        &[
            ("https://api.io/", IdentifierKind::Address),
            ("https://api.io/${city}", IdentifierKind::Name),
        ],
    );
    check(
        "pip install flask==2.3.1 </div>",
        &[("2.3.1", IdentifierKind::Version)],
    );
}

#[test]
fn ordinary_words_are_not_identifiers() {
    check(
        "he/she and/or e.g. well-known U.S. don't it's - -- / ... 'quoted' (x) deadbeef",
        &[],
    );
}

#[test]
fn backticked_name_is_kept_whole() {
    check(
        "Use `cargo test -p base` now",
        &[("cargo test -p base", IdentifierKind::Name)],
    );
}

proptest! {
    #[test]
    fn i16_identifiers_are_non_empty_parts_of_text(text in "\\PC*|[a-z0-9 .,/:@$%#='`()-]{0,200}") {
        for found in identifiers(&text) {
            prop_assert!(!found.text.is_empty() && text.contains(found.text));
        }
    }
}
