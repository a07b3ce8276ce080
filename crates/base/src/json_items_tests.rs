//! Replies as models actually write them.

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// Checks the texts of the items of a reply, separated by blanks, and the number of broken pieces.
#[track_caller]
fn check(reply: &str, texts: &str, n_broken: usize) {
    let found = json_items(reply, "t");
    let read = found.items.iter().map(|item| item["t"].as_str().unwrap());
    assert_eq!(read.collect::<Vec<_>>().join(" "), texts, "{reply}");
    assert_eq!(found.broken.len(), n_broken, "{reply}: {:?}", found.broken);
}

#[test]
fn json_items_finds_objects_in_every_wrapping() {
    let fenced = "Sure! Here they are:\n```json\n[{\"t\":\"a\"}]\n```\nAnything else?";
    let spread = "{\n  \"t\": \"a\"\n}\n\n{\n  \"t\": \"b\"\n}";
    check(r#"{"t":"a"}"#, "a", 0);
    check("{\"t\":\"a\"}\n{\"t\":\"b\"}\n", "a b", 0);
    check(r#"[{"t":"a"},{"t":"b"}]"#, "a b", 0);
    check(r#"{"notes":[{"t":"a"},{"t":"b"}]}"#, "a b", 0);
    check(fenced, "a", 0);
    check(spread, "a b", 0);
    check("1. {\"t\":\"a\"}, 2. {\"t\":\"b\"}", "a b", 0);
    check("nothing to keep", "", 0);
    check("", "", 0);
}

#[test]
fn json_items_opens_wrappers_with_other_keys() {
    let noted = r#"{"notes":[{"t":"a"},{"t":"b"}],"summary":"two"}"#;
    let counted = r#"{"result":{"notes":[{"t":"a"}]},"usage":{"n":3}}"#;
    check(noted, "a b", 0);
    check(r#"{"reasoning":"so","operations":[{"t":"a"}]}"#, "a", 0);
    check(counted, "a", 0);
    check(r#"{"operations":{"t":"a"}}"#, "a", 0);
    check(r#"{"a":{"b":{"c":{"d":[{"t":"deep"}]}}}}"#, "deep", 0);
    check(r#"{"first":{"t":"a"},"second":{"t":"b"}}"#, "a b", 0);
    check(r#"{"t":"a","evidence":[{"t":"not by itself"}]}"#, "a", 0);
    check(r#"{"reasoning":"nothing new","notes":[]}"#, "", 0);
}

#[test]
fn json_items_keeps_objects_without_key_for_report() {
    let whole = json!({"text": "a", "evidence": ["e1"], "meta": {"n": 3}});
    let found = json_items(&whole.to_string(), "op");
    assert_eq!(found.items, [whole]);
    let found = json_items(r#"{"notes":[{"t":"a"},{"x":"b"}],"n":2}"#, "t");
    assert_eq!(found.items, [json!({"t": "a"}), json!({"x": "b"})]);
}

#[test]
fn json_items_keeps_valid_objects_among_broken_ones() {
    let between = "{\"t\":\"a\"}\n{\"t\": oops}\n{\"t\":\"b\"}";
    check(r#"{"notes":[{"t":"a"},{"t":"b"},{"t":"c"#, "a b", 1);
    check(between, "a b", 1);
    check(r#"[{"t":"a"},{"t":"b",},{"t":"c"}]"#, "a c", 1);
    check(r#"[{'t':'a'},{"t":"b"}]"#, "b", 1);
    check("[[[[[[{\"t\":\"deep\"}", "deep", 0);
}

#[test]
fn json_items_of_empty_list_is_empty_and_not_broken() {
    assert_eq!(json_items(r#"{"notes":[]}"#, "t"), JsonItems::default());
    assert_eq!(json_items("[]", "t"), JsonItems::default());
}

proptest! {
    #[test]
    fn i16_json_items_never_panics(reply in ".{0,200}") {
        json_items(&reply, "t");
    }

    #[test]
    fn json_items_finds_all_objects_between_prose(
        prose in prop::collection::vec("[a-z .,!?0-9\n]{0,20}", 1..6),
    ) {
        let reply: String = prose
            .iter()
            .flat_map(|prose| [prose.clone(), json!({"t": prose}).to_string()])
            .collect();
        let found = json_items(&reply, "t");
        prop_assert_eq!(found.items.len(), prose.len());
        prop_assert!(found.broken.is_empty());
    }
}
