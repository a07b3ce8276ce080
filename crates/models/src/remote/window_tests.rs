//! The places where servers report their windows.
//!
//! Does not send requests.

use super::*;

#[track_caller]
fn check(model: &str, expected: Option<u64>) {
    let model: Value = serde_json::from_str(model).unwrap();
    assert_eq!(window_in(&model), expected.map(TokenCount), "{model}");
}

#[test]
fn loaded_context_length_takes_precedence_over_model_maximum() {
    for (model, window) in [
        (r#"{"id":"m","max_model_len":32768}"#, 32_768),
        (r#"{"meta":{"n_ctx":8192,"n_ctx_train":131072}}"#, 8_192),
        (
            r#"{"max_context_length":131072,"loaded_context_length":4096}"#,
            4_096,
        ),
        (r#"{"default_generation_settings":{"n_ctx":2048}}"#, 2_048),
        (r#"{"inputTokenLimit":1048576}"#, 1_048_576),
    ] {
        check(model, Some(window));
    }
}

#[test]
fn invalid_window_is_ignored() {
    check(r#"{"context_length":0}"#, None);
    check(r#"{"context_length":"large"}"#, None);
    check("[]", None);
}

#[test]
fn same_model_ignores_latest_tag_only() {
    assert!(is_same_model("qwen3:latest", "qwen3"));
    assert!(!is_same_model("qwen3:8b", "qwen3"));
}
