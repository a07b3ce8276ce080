//! The shapes in which errors arrive, and the fields that are read from them.
//!
//! Looks at no status.

use super::*;

#[track_caller]
fn check(body: &str, message: &str, codes: &[&str]) {
    let expected = ServerMessage {
        message: message.to_owned(),
        codes: codes.iter().map(|code| (*code).to_owned()).collect(),
    };
    assert_eq!(said(body), expected, "{body}");
}

#[test]
fn error_body_is_parsed_in_every_known_shape() {
    check(
        r#"{"error":{"message":"No\n such  model","type":"Invalid","code":"NOT_FOUND"}}"#,
        "No such model",
        &["not_found", "invalid"],
    );
    check(
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        "Overloaded",
        &["overloaded_error"],
    );
    check(
        r#"[{"error":{"code":400,"message":"too much","status":"INVALID_ARGUMENT"}}]"#,
        "too much",
        &["invalid_argument"],
    );
    check(r#"{"error":"no model \"x\""}"#, "no model \"x\"", &[]);
    check(r#"{"object":"error","message":"m","code":400}"#, "m", &[]);
    check(r#"{"detail":"Not Found"}"#, "Not Found", &[]);
    check("<html>\n502\n</html>", "<html> 502 </html>", &[]);
    check("", "", &[]);
}

#[test]
fn i16_unknown_error_body_is_shown_shortened_between_characters() {
    check(r#"{"error":{"odd":[1]}}"#, r#"{"odd":[1]}"#, &[]);
    check("[]", "[]", &[]);
    check("null", "null", &[]);
    let long = "\u{1f375}".repeat(500);
    let short = format!("{}...", "\u{1f375}".repeat(300));
    check(&long, &short, &[]);
}
