//! Words of overflow as providers were seen to write them.
//!
//! Looks at words alone; statuses are looked at elsewhere.

use super::super::said::said;
use super::*;

#[track_caller]
fn check_overflow(body: &str) {
    assert!(is_overflow(&said(body)), "{body}");
}

#[track_caller]
fn check_other(body: &str) {
    assert!(!is_overflow(&said(body)), "{body}");
}

#[test]
fn i6_the_words_of_each_provider_are_known() {
    for message in [
        "prompt is too long: 214251 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000",
        "Your input exceeds the context window of this model.",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        "Please reduce the length of the messages or completion.",
        "Trying to keep the first 6000 tokens when the context overflows.",
        "input length exceeds the context length",
    ] {
        check_overflow(&format!(r#"{{"error":{{"message":"{message}"}}}}"#));
        check_overflow(message);
    }
    check_overflow(r#"{"error":{"code":"context_length_exceeded","message":""}}"#);
    check_overflow(r#"{"type":"error","error":{"type":"request_too_large"}}"#);
}

#[test]
fn other_errors_are_no_overflow() {
    check_other(r#"{"error":{"message":"max_tokens is too large: 99999","code":"invalid_value"}}"#);
    check_other("Rate limit reached for tokens per minute");
    check_other("");
}
