//! Sizes in refusals, as providers were seen to write them.

use super::super::said::said;
use super::*;

#[track_caller]
fn check_sizes(message: &str, window: Option<u64>, request: Option<u64>) {
    let expected = SaidSizes {
        window: window.map(TokenCount),
        request: request.map(TokenCount),
    };
    assert_eq!(sizes(&said(message)), expected, "{message}");
}

/// In each message the size of the window is between `[` and `]`, and that of the request between `{` and `}`.
#[test]
fn i6_overflow_sizes_are_read_from_words_of_each_provider() {
    for marked in [
        "prompt is too long: {214251} tokens > [200000] maximum",
        "This model's maximum context length is [8192] tokens. However, your messages resulted in {9000} tokens.",
        "This model's maximum context length is [512] tokens. However, you requested 811 tokens ({611} in the messages, 200 in the completion).",
        "The input token count ({1200000}) exceeds the maximum number of tokens allowed ([1,048,576]).",
        "This model's maximum prompt length is [131072] but the request contains {537812} tokens.",
        "the request ({5000} tokens) exceeds the available context size ([4096] tokens), try increasing it",
        "Requested tokens ({5114}) exceed context window of [4096]",
        "input length and `max_tokens` exceed context limit: {190000} + 21333 > [200000], decrease it",
    ] {
        let between = |opening, closing| {
            let (_, rest) = marked.split_once(opening)?;
            let (digits, _) = rest.split_once(closing)?;
            digits.replace(',', "").parse().ok()
        };
        let message = marked.replace(['[', ']', '{', '}'], "");
        check_sizes(&message, between('[', ']'), between('{', '}'));
    }
}

#[test]
fn numbers_that_are_not_sizes_are_ignored() {
    for message in [
        "Your input exceeds the context window of this model.",
        "the request exceeds the available context size, try increasing it",
        "Trying to keep the first 6000 tokens when the context overflows.",
        "input length exceeds the context length",
        "maximum context length is 0 tokens",
        "maximum context length is unknown (code 40012)",
        "maximum context length is 99999999999999999999999 tokens",
        "request (id 12345) is too large",
        "too many requests: 9 > 5 a minute; input is too long",
        "prompt is too long, and waiting took 30 s > 20 s",
        "input is too long -> 400",
        "",
    ] {
        check_sizes(message, None, None);
    }
    // What is counted with the reply is no size of the request.
    let with_reply = "maximum context length is 512 tokens. However, you requested 811 tokens";
    check_sizes(with_reply, Some(512), None);
    // Nor is a number behind a sign that compares something else.
    let of_retries = "prompt is too long: 214251 tokens, after 9 retries > 5";
    check_sizes(of_retries, None, Some(214_251));
}
