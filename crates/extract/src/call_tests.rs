//! Calls of tools as a summary names them.

use base::ToolCallId;

use super::*;

#[test]
fn tool_call_is_named_by_its_first_text_argument() {
    let long = format!(r#"{{"command": "find {}"}}"#, "src/a.rs ".repeat(20));
    let endless = format!(r#"{{"content": "{}"}}"#, "x".repeat(200));
    for (arguments, expected) in [
        (r#"{"command":"cargo test -p a"}"#, "run cargo test -p a"),
        (r#"{"n": 3, "path": "src/a.rs"}"#, "run src/a.rs"),
        (r#"{"command":"grep \"x\" a"}"#, "run grep"),
        (r#"{"n":3}"#, "run"),
        ("{}", "run"),
        (r#"{"a": "#, "run"),
        (&endless, "run"),
    ] {
        let given = ToolCall {
            id: ToolCallId::new("1"),
            name: "run".into(),
            arguments: arguments.into(),
        };
        assert_eq!(call(&given), expected, "{arguments}");
    }
    let shown = given(&long).unwrap_or_default();
    let is_cut = shown.ends_with("src/a.rs") && shown.len() <= GIVEN_CHARS_MAX;
    assert!(is_cut, "{shown}");
}
