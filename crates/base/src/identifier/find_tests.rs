//! What counts as an identifier, and what does not.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, expected: &[(&str, Kind)]) {
    let found: Vec<(&str, Kind)> = identifiers(text)
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
            ("https://a.io/x?q=1&r=2", Kind::Address),
            ("ana@b.org", Kind::Address),
        ],
    );
    check(
        "src/lib.rs ./run.sh ~/notes /etc/hosts C:\\temp app.py",
        &[
            ("src/lib.rs", Kind::Path),
            ("./run.sh", Kind::Path),
            ("~/notes", Kind::Path),
            ("/etc/hosts", Kind::Path),
            ("C:\\temp", Kind::Path),
            ("app.py", Kind::Path),
        ],
    );
    check(
        "$1,200.50, 40 EUR, 12.5%",
        &[
            ("$1,200.50", Kind::Sum),
            ("40 EUR", Kind::Sum),
            ("12.5%", Kind::Share),
        ],
    );
    check(
        "v2 2.3.1 ^5.0.0 serde@1.0.2",
        &[
            ("v2", Kind::Version),
            ("2.3.1", Kind::Version),
            ("^5.0.0", Kind::Version),
            ("serde@1.0.2", Kind::Version),
        ],
    );
    check(
        "TypeError E0382 ENOENT",
        &[
            ("TypeError", Kind::Failure),
            ("E0382", Kind::Failure),
            ("ENOENT", Kind::Failure),
        ],
    );
    check(
        "4f2a91c #12 ABC-9 HAT136 deadbeef",
        &[
            ("4f2a91c", Kind::Code),
            ("#12", Kind::Code),
            ("ABC-9", Kind::Code),
            ("HAT136", Kind::Code),
        ],
    );
    check(
        "max_size getName localhost:5000 150ms",
        &[
            ("max_size", Kind::Name),
            ("getName", Kind::Name),
            ("localhost:5000", Kind::Name),
            ("150ms", Kind::Number),
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
        check(date, &[(date, Kind::Date)]);
    }
    check("I may go. March on!", &[]);
}

#[test]
fn code_yields_what_a_person_would_recognise() {
    check(
        "<link href=\"https://cdn.io/b@5.3.0/b.min.css\">",
        &[("https://cdn.io/b@5.3.0/b.min.css", Kind::Address)],
    );
    check(
        "fetch(`https://api.io/${city}`)",
        &[
            ("https://api.io/", Kind::Address),
            ("https://api.io/${city}", Kind::Name),
        ],
    );
    check(
        "pip install flask==2.3.1 </div>",
        &[("2.3.1", Kind::Version)],
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
        &[("cargo test -p base", Kind::Name)],
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
