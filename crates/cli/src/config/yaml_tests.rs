//! YAML that is accepted, and YAML that is rejected.
//!
//! Pins lines, columns and the limits against hostile files.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::config::ValueOrigin;
use crate::config::values::values_of;

#[track_caller]
fn check(text: &str, expected: &[(&str, Value, u64)]) {
    let origin = |line| ValueOrigin::User {
        path: "config.yaml".into(),
        line,
    };
    let found = values_of(parse_file(text).unwrap(), &|_| true, &origin);
    let found: Vec<_> = found
        .into_iter()
        .map(|(key, setting)| (key, setting.value, setting.origin))
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|(key, value, line)| ((*key).to_owned(), value.clone(), origin(*line)))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn yaml_values_carry_line_of_their_key() {
    check(
        "# first\na:\n  b: 1\n\n  c: [x, {y: -2}]\nd: 1.5\ne: \"5\"\nf: yes\ng: true\nh:\ni:\n  - 1\nj:\n  k\n",
        &[
            ("a.b", json!(1), 3),
            ("a.c", json!(["x", {"y": -2}]), 5),
            ("d", json!(1.5), 6),
            ("e", json!("5"), 7),
            ("f", json!("yes"), 8),
            ("g", json!(true), 9),
            ("h", json!(null), 10),
            ("i", json!([1]), 11),
            ("j", json!("k"), 13),
        ],
    );
}

#[test]
fn yaml_without_settings_is_empty() {
    for text in ["", "\n", "# nothing\n", "---\n", "\u{feff}", "{}"] {
        check(text, &[]);
    }
}

#[track_caller]
fn check_refused(text: &str, line: u64, problem: &str) {
    let error = parse_file(text).unwrap_err();
    assert!(error.problem.contains(problem), "{error:?}");
    assert_eq!(error.line, line, "{error:?}");
}

#[test]
fn invalid_yaml_is_rejected_with_line() {
    check_refused("a: 1\nb: 2\na: 3\n", 3, "duplicate");
    check_refused("a: 1\n b: 2\n", 2, "");
    check_refused("a: &x {b: 1}\nc:\n  <<: *x\n", 3, "merge");
    check_refused("- a\n- b\n", 1, "expected settings");
    check_refused("a: 1\n---\nb: 2\n", 3, "");
    check_refused("a: !!python/object 1\n", 1, "tag");
    check_refused("a: .inf\n", 1, "");
}

#[test]
fn i16_alias_bombs_and_deep_nesting_are_rejected() {
    let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (name, before) in ["b", "c", "d", "e", "f", "g", "h"]
        .iter()
        .zip(["a", "b", "c", "d", "e", "f", "g"])
    {
        let repeated = format!("*{before}, ").repeat(10);
        bomb += &[name, ": &", name, " [", &repeated, "]\n"].concat();
    }
    assert!(parse_file(&bomb).is_err());
    assert!(parse_file(&"[".repeat(100_000)).is_err());
    assert!(parse_file(&"a: {".repeat(1_000)).is_err());
}

proptest! {
    #[test]
    fn i16_parse_file_never_panics_and_is_deterministic(text in "\\PC{0,80}|[-a: \\n\\[\\]{}&*!|>'\"%@`#,?0-9.]{0,80}") {
        let read = parse_file(&text);
        prop_assert_eq!(&read, &parse_file(&text));
    }
}
