//! Refusals as providers were seen to write them, and what each status means by itself.

use super::super::said::said;
use super::*;

#[track_caller]
fn check_overflow(body: &str) {
    assert_eq!(Refusal::of(None, &said(body)), Refusal::TooLarge, "{body}");
    assert_eq!(
        Refusal::of(Some(400), &said(body)),
        Refusal::TooLarge,
        "{body}"
    );
}

#[track_caller]
fn check_other(body: &str) {
    assert_ne!(Refusal::of(None, &said(body)), Refusal::TooLarge, "{body}");
}

#[test]
fn i6_overflow_is_recognised_in_words_of_each_provider() {
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
fn errors_of_other_kinds_are_not_overflow() {
    check_other(r#"{"error":{"message":"max_tokens is too large: 99999","code":"invalid_value"}}"#);
    check_other("Rate limit reached for tokens per minute");
    check_other("");
}

#[test]
fn status_decides_without_known_words() {
    let meant = |statuses: &[u16]| -> Vec<Refusal> {
        let meant = statuses.iter();
        meant
            .map(|status| Refusal::of(Some(*status), &said("no")))
            .collect()
    };
    for (statuses, expected) in [
        (&[413][..], Refusal::TooLarge),
        (&[401, 403], Refusal::WrongKey),
        (&[404], Refusal::NoSuchPath),
        (&[301, 302, 308], Refusal::Redirect),
        (&[429], Refusal::RateLimit),
        (&[408, 409, 425, 500, 502, 503, 529], Refusal::Overloaded),
        (&[400, 422], Refusal::Form),
        (&[402, 405, 410, 418], Refusal::Other),
    ] {
        assert_eq!(meant(statuses), vec![expected; statuses.len()]);
    }
    assert_eq!(Refusal::of(None, &said("no")), Refusal::Other);
}

#[test]
fn words_and_codes_refine_the_status() {
    let check = |status: Option<u16>, body: &str, expected: Refusal| {
        assert_eq!(Refusal::of(status, &said(body)), expected, "{body}");
    };
    let quota = r#"{"error":{"message":"no","code":"insufficient_quota"}}"#;
    check(Some(429), quota, Refusal::EmptyAccount);
    // A limit of tokens per minute is no window, whatever its words.
    check(Some(429), "maximum context length", Refusal::RateLimit);
    check(
        Some(400),
        "API key not valid. Please pass a valid key.",
        Refusal::WrongKey,
    );
    check(Some(500), "unknown field responseJsonSchema", Refusal::Form);
    let busy = r#"{"error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    check(None, busy, Refusal::Overloaded);
    let limited = r#"{"error":{"message":"slow down","status":"RESOURCE_EXHAUSTED"}}"#;
    check(None, limited, Refusal::RateLimit);
}
