//! Values as YAML.
//!
//! Whole listings are pinned by the runs of the program.

use serde_json::json;

use super::*;

#[test]
fn scalar_round_trips_through_yaml() {
    for (value, expected) in [
        (json!(5), "5"),
        (json!("Europe/Berlin"), "Europe/Berlin"),
        (json!("true"), "\"true\""),
        (json!("Null"), "\"Null\""),
        (json!("5"), "\"5\""),
        (json!(""), "\"\""),
        (json!("a: b"), "\"a: b\""),
        (json!("line\nbreak"), "\"line\\nbreak\""),
        (json!([1, {"a": null}]), "[1,{\"a\":null}]"),
    ] {
        let shown = scalar(&value);
        assert_eq!(shown, expected);
        let read: Value = serde_saphyr::from_str(&shown).unwrap();
        assert_eq!(read, value, "{shown}");
    }
}
