//! What counts as an identifier, and what does not.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, expected: &[(&str, IdentifierKind)]) {
    let found: Vec<(&str, IdentifierKind)> = identifiers(text)
        .into_iter()
        .map(|found| (found.text, found.kind))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn each_kind_is_found_to_the_letter() {
    check(
        "See https://a.io/x?q=1&r=2, or mail ana@b.org.",
        &[
            ("https://a.io/x?q=1&r=2", IdentifierKind::Address),
            ("ana@b.org", IdentifierKind::Address),
        ],
    );
    check(
        "src/lib.rs ./run.sh ~/notes /etc/hosts C:\\temp app.py",
        &[
            ("src/lib.rs", IdentifierKind::Path),
            ("./run.sh", IdentifierKind::Path),
            ("~/notes", IdentifierKind::Path),
            ("/etc/hosts", IdentifierKind::Path),
            ("C:\\temp", IdentifierKind::Path),
            ("app.py", IdentifierKind::Path),
        ],
    );
    check(
        "$1,200.50, 40 EUR, 12.5%",
        &[
            ("$1,200.50", IdentifierKind::Sum),
            ("40 EUR", IdentifierKind::Sum),
            ("12.5%", IdentifierKind::Share),
        ],
    );
    check(
        "v2 2.3.1 ^5.0.0 serde@1.0.2",
        &[
            ("v2", IdentifierKind::Version),
            ("2.3.1", IdentifierKind::Version),
            ("^5.0.0", IdentifierKind::Version),
            ("serde@1.0.2", IdentifierKind::Version),
        ],
    );
    check(
        "TypeError E0382 ENOENT",
        &[
            ("TypeError", IdentifierKind::Failure),
            ("E0382", IdentifierKind::Failure),
            ("ENOENT", IdentifierKind::Failure),
        ],
    );
    check(
        "4f2a91c #12 ABC-9 HAT136 deadbeef",
        &[
            ("4f2a91c", IdentifierKind::Code),
            ("#12", IdentifierKind::Code),
            ("ABC-9", IdentifierKind::Code),
            ("HAT136", IdentifierKind::Code),
        ],
    );
    check(
        "max_size getName localhost:5000 150ms",
        &[
            ("max_size", IdentifierKind::Name),
            ("getName", IdentifierKind::Name),
            ("localhost:5000", IdentifierKind::Name),
            ("150ms", IdentifierKind::Number),
        ],
    );
}

#[test]
fn dates_are_found_in_many_forms() {
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
fn code_yields_what_a_person_would_recognise() {
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
fn ordinary_words_are_none() {
    check(
        "he/she and/or e.g. well-known U.S. don't it's - -- / ... 'quoted' (x)",
        &[],
    );
}

#[test]
fn names_between_backticks_are_kept_whole() {
    check(
        "Use `cargo test -p base` now",
        &[("cargo test -p base", IdentifierKind::Name)],
    );
}

proptest! {
    #[test]
    fn i16_identifiers_stand_in_their_text(text in "\\PC*|[a-z0-9 .,/:@$%#='`()-]{0,200}") {
        for found in identifiers(&text) {
            prop_assert!(!found.text.is_empty() && text.contains(found.text));
        }
    }
}
