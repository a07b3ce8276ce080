//! Edits of settings in files as owners write them.
//!
//! For any file, the new text has exactly the intended settings, or the edit fails.

use proptest::prelude::*;

use super::*;

fn set(text: &str, key: &str, value: &str) -> Result<String, String> {
    let assignment = Assignment {
        key: key.to_owned(),
        value: value.to_owned(),
    };
    with_setting(Path::new("config.yaml"), text, &assignment).map_err(|error| error.message)
}

#[track_caller]
fn check(text: &str, (key, value): (&str, &str), expected: &str) {
    assert_eq!(set(text, key, value).as_deref(), Ok(expected));
}

#[test]
fn set_replaces_value_and_keeps_rest_of_file() {
    check(
        "# mine\ncompaction:\n  # inside\n  contextWindow: 5 # tokens\n  keep: 3\n\n# end\ntimezone:   UTC # tz\n",
        ("compaction.contextWindow", "1000"),
        "# mine\ncompaction:\n  # inside\n  contextWindow: 1000 # tokens\n  keep: 3\n\n# end\ntimezone:   UTC # tz\n",
    );
    check("a: 5\r\nb: 6 # x\r\n", ("b", "7"), "a: 5\r\nb: 7 # x\r\n");
    check("a: {b: 5} # x\n", ("a.b", "7"), "a: {b: 7} # x\n");
    check("a: |\n  two\n  lines\nb: 1\n", ("a", "x"), "a: x\nb: 1\n");
    check("\u{feff}a: 5\n", ("a", "7"), "\u{feff}a: 7\n");
}

#[test]
fn set_adds_missing_setting_in_its_group() {
    check(
        "a:\n  b: 1 # one\n\n# end\nc: 2\n",
        ("a.d", "7"),
        "a:\n  b: 1 # one\n  d: 7\n\n# end\nc: 2\n",
    );
    check(
        "a:\n    b: 1\n",
        ("a.d.e", "7"),
        "a:\n    b: 1\n    d:\n      e: 7\n",
    );
    check(
        "a:\n  # b: 5\nc: 1\n",
        ("a.b", "7"),
        "a:\n  b: 7\n  # b: 5\nc: 1\n",
    );
    check("a: 1", ("b", "7"), "a: 1\nb: 7");
}

#[track_caller]
fn check_without(text: &str, key: &str, expected: &str) {
    let found = without_setting(Path::new("config.yaml"), text, key);
    assert_eq!(
        found.map_err(|error| error.message).as_deref(),
        Ok(expected)
    );
}

#[test]
fn unset_removes_setting_and_emptied_groups() {
    check_without("# mine\na: 1\nb: 2 # two\n", "a", "# mine\nb: 2 # two\n");
    check_without("a:\n  b: 1\n  c: 2\n", "a.b", "a:\n  c: 2\n");
    check_without("a:\n  b:\n    c: 2\nd: 1\n", "a.b.c", "d: 1\n");
    check_without("a:\n  b: 1\n  c: 2\nd: 1\n", "a", "d: 1\n");
    check_without("a: {b: 1, c: 2}\n", "a.b", "a: {c: 2}\n");
    for absent in ["b", "a.b", "a.c.d"] {
        check_without("a:\n  c: 1\n", absent, "a:\n  c: 1\n");
    }
    check_without("", "a", "");
    check_without("# only words\n", "a.b", "# only words\n");
}

#[test]
fn set_adds_setting_to_file_with_only_comments() {
    check("", ("a.b", "7"), "a:\n  b: 7\n");
    check("# mine\n# too", ("a", "7"), "# mine\n# too\na: 7\n");
    check("---\n# mine\n", ("a", "7"), "---\n# mine\na: 7\n");
    check("{}\n", ("a", "7"), "a: 7\n");
}

#[test]
fn set_keeps_typed_value_if_it_fits_one_line() {
    check("a: 1\n", ("a", "[x, 'y z'] # two"), "a: [x, 'y z']\n");
    check("a: 1\n", ("a", "Europe/Berlin"), "a: Europe/Berlin\n");
    check("a: 1\n", ("a", "null"), "a: null\n");
    check(
        "a: 1\n",
        ("a", "\"\u{65e5}\u{672c}: x\""),
        "a: \"\u{65e5}\u{672c}: x\"\n",
    );
    check("a: 1\n", ("a", "- x\n- y"), "a: [\"x\",\"y\"]\n");
    check("a: 1\n", ("a", "x: 5"), "a: {\"x\":5}\n");
}

#[test]
fn set_after_removing_all_settings_keeps_comments() {
    let taken_out = |text: &str, key| without_setting(Path::new("config.yaml"), text, key).unwrap();
    let start = "# mine\n\n# and this\n";
    let mut text = start.to_owned();
    for (key, value) in [("a.b", "1"), ("a.c", "2"), ("d", "x")] {
        text = set(&text, key, value).unwrap();
    }
    assert_eq!(text, format!("{start}a:\n  b: 1\n  c: 2\nd: x\n"));
    for key in ["d", "a.b", "a.c"] {
        text = taken_out(&text, key);
    }
    assert_eq!(text, start);
    // The text that an earlier version wrote.
    let left = format!("{start}{{}}\n");
    assert_eq!(
        set(&left, "a.b", "1").unwrap(),
        format!("{start}a:\n  b: 1\n")
    );
}

#[test]
fn set_rejects_aliased_place_and_invalid_yaml() {
    let refused = |text, key, value| set(text, key, value).unwrap_err();
    assert_eq!(
        refused("a: &x {b: 1}\nc: *x\n", "c.b", "2"),
        "c.b cannot be set in config.yaml without changing other settings"
    );
    assert!(refused("a: [1\n", "b", "2").starts_with("config.yaml is not valid YAML at line"));
    assert!(refused("a: 1\n", "b", "[2").starts_with("the value of"));
}

proptest! {
    #[test]
    fn unset_removes_only_value_that_was_set(
        text in prop_oneof![
            Just(""), Just("# words\n"), Just("x: 1\n"), Just("a:\n  c: 1 # c\nx: 1\n"), Just("---\nx: [1, 2]\n"),
        ],
        key in "[ab](\\.[bc]){0,2}",
        value in "[a-z]{1,5}|[0-9]{1,3}",
    ) {
        if let Ok(with) = set(text, &key, &value)
            && let Ok(without) = without_setting(Path::new("config.yaml"), &with, &key)
        {
            let says = |text: &str| yaml::parse_file(text).unwrap().node.into_value();
            let mut meant = says(&with);
            if let Some(place) = outermost(&meant, &key) {
                meant = without_value(meant.clone(), place);
            }
            prop_assert_eq!(says(&without), meant);
        }
    }

    #[test]
    fn i16_set_keeps_comments_and_is_idempotent(
        text in "\\PC{0,60}|([a-c]:( [1-9x]| \\{[a-c]: 1\\}|\n  [a-c]: 1)?( # y)?\n|# z\n|\n){0,8}",
        key in "[a-c](\\.[a-c]){0,2}",
        value in "[0-9]{1,3}|[a-z]{1,4}|\\PC{0,12}",
    ) {
        if let Ok(edited) = set(&text, &key, &value) {
            let comments = |text: &str| {
                let lines = text.lines().map(str::trim);
                lines.filter(|line| *line == "# z").count()
            };
            prop_assert!(comments(&edited) >= comments(&text), "{edited:?}");
            let again = set(&edited, &key, &value);
            prop_assert_eq!(again.as_deref(), Ok(edited.as_str()));
        }
    }
}
