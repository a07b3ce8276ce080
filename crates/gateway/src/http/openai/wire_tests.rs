//! A request with a parameter that is not supported is rejected, and the error names the parameter.

use super::*;

#[track_caller]
fn check(content: &str, expected: &str) {
    let body = format!(r#"{{"model":"m","messages":[{{"role":"user","content":{content}}}]}}"#);
    let told = match serde_json::from_str::<ChatRequest>(&body) {
        Ok(request) => request.to_conversation().unwrap_err().sentence(),
        Err(error) => error.to_string(),
    };
    assert!(told.starts_with(expected), "{content}: {told}");
}

#[test]
fn content_other_than_text_is_rejected_by_kind() {
    let wrong = "content: must be a text or a list of parts with a type";
    check("5", wrong);
    check(r#"["a"]"#, wrong);
    let empty = "messages[0]: a part of type text needs a text";
    check(r#"[{"type":"text"}]"#, empty);
    let image = "messages[0]: content of type image_url is not supported, only text";
    check(
        r#"[{"type":"image_url","image_url":{"url":"data:,"}}]"#,
        image,
    );
}
