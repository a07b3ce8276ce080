//! Words of overflow as providers were seen to write them.
//!
//! Looks at words alone; statuses are looked at elsewhere.

use super::super::said::said;
use super::*;

#[track_caller]
fn check(body: &str, expected: bool) {
    assert_eq!(is_overflow(&said(body)), expected, "{body}");
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
        check(&format!(r#"{{"error":{{"message":"{message}"}}}}"#), true);
        check(message, true);
    }
    check(
        r#"{"error":{"code":"context_length_exceeded","message":""}}"#,
        true,
    );
    check(
        r#"{"type":"error","error":{"type":"request_too_large"}}"#,
        true,
    );
}

#[test]
fn other_errors_are_no_overflow() {
    check(
        r#"{"error":{"message":"max_tokens is too large: 99999","code":"invalid_value"}}"#,
        false,
    );
    check("Rate limit reached for tokens per minute", false);
    check("", false);
}
