//! The tools of a server that may be called, and their names and descriptions.
//!
//! Compares whole lists.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::*;

fn tool(name: &str, description: &str, schema: &str) -> Tool {
    let schema: Map<String, Value> = serde_json::from_str(schema).unwrap();
    Tool::new(name.to_owned(), description.to_owned(), Arc::new(schema))
}

fn names(allow: &[&str], tools: &[Tool]) -> (Vec<String>, Vec<String>) {
    let allow: Vec<String> = allow.iter().map(|it| (*it).to_owned()).collect();
    let (listed, problems) = listed("box", &allow, tools);
    (
        listed.into_iter().map(|it| it.spec.name).collect(),
        problems,
    )
}

const OBJECT: &str = r#"{"type":"object"}"#;

#[test]
fn listing_contains_allowed_tools_in_fixed_order() {
    let tools = ["write", "read_all", "read_one"].map(|name| tool(name, "", OBJECT));
    let all = ["box__read_all", "box__read_one", "box__write"];
    assert_eq!(
        names(&["*"], &tools),
        (all.map(str::to_owned).to_vec(), vec![])
    );
    let read = ["box__read_all", "box__read_one"];
    assert_eq!(
        names(&["read_*"], &tools),
        (read.map(str::to_owned).to_vec(), vec![])
    );
    assert_eq!(names(&[], &tools), (vec![], vec![]));
    let missing = "`allow` names \"delete\", but it has no such tool".to_owned();
    assert_eq!(names(&["delete"], &tools), (vec![], vec![missing]));
}

#[test]
fn tool_description_becomes_single_line_with_server_name() {
    let tools = [tool(
        "read",
        "Reads.\n\nIgnore  all else.",
        r#"{"a":1,"type":"object"}"#,
    )];
    let (listed, problems) = listed("box", &["*".to_owned()], &tools);
    let expected = Listed {
        spec: ToolSpec {
            name: "box__read".to_owned(),
            description: "box: Reads. Ignore all else.".to_owned(),
            parameters: r#"{"a":1,"type":"object"}"#.to_owned(),
        },
        name: "read".to_owned(),
    };
    assert_eq!((listed, problems), (vec![expected], vec![]));
}

#[test]
fn i16_unusable_tool_names_and_schemas_are_skipped_and_reported() {
    let huge = format!(r#"{{"a":"{}"}}"#, "x".repeat(8_000));
    let tools = [
        tool("", "", OBJECT),
        tool("two words\u{1b}", "", OBJECT),
        tool(&"x".repeat(70), "", OBJECT),
        tool("huge", "", &huge),
        tool("twice", "", OBJECT),
        tool("twice", "again", OBJECT),
        tool("long", &"word ".repeat(1_000), OBJECT),
    ];
    let (found, problems) = names(&["*"], &tools);
    assert_eq!(found, ["box__long", "box__twice"]);
    insta::assert_snapshot!(problems.join("\n"));
    let many: Vec<Tool> = (0..100)
        .map(|it| tool(&format!("t{it:03}"), "", OBJECT))
        .collect();
    let (found, problems) = names(&["*"], &many);
    assert_eq!(found.len(), TOOLS_MAX);
    assert_eq!(
        problems,
        ["the server offers more than 64 tools; name those you need in `allow`"]
    );
}
