//! The generated content of Google.
//!
//! Answers follow the public reference of the API: whole parts, counts with every piece.

use models::{Connection, Dialect};
use testkit::{ChatServer, ServerAnswer};

use super::faults::Faulty;
use super::talk::{asked_of, connection, conversation, request, talk};

fn piece(parts: &str, rest: &str) -> String {
    format!(
        r#"data: {{"candidates":[{{"content":{{"parts":[{parts}],"role":"model"}},"index":0{rest}}}],"usageMetadata":{{"promptTokenCount":30,"candidatesTokenCount":4,"totalTokenCount":34,"cachedContentTokenCount":20}},"modelVersion":"some-model"}}"#
    )
}

fn said(text: &str) -> String {
    let text = serde_json::Value::from(text);
    piece(&format!(r#"{{"text":{text}}}"#), "")
}

fn ended(text: &str, reason: &str) -> String {
    piece(
        &format!(r#"{{"text":"{text}"}}"#),
        &format!(r#","finishReason":"{reason}""#),
    )
}

fn stream(events: &[String]) -> ServerAnswer {
    ServerAnswer::events(events)
}

fn gemini(server: &ChatServer) -> Connection {
    connection(Dialect::Gemini, server, "/v1beta")
}

/// How faults are reported here.
pub(super) fn faulty() -> Faulty {
    let wrong = piece(r#"{"functionCall":{"name":"remember","args":"oops"}}"#, "");
    Faulty {
        name: "gemini",
        connect: gemini,
        begun: stream(&[said("Good ")]),
        no_json: stream(&[said("Good "), "data: {\"candidates\":[".to_owned()]),
        wrong_call: stream(&[wrong, ended("", "STOP")]),
        refusal: |status| {
            format!(r#"{{"error":{{"code":{status},"message":"no {status}","status":"NO"}}}}"#)
        },
        overflow: r#"{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}"#.to_owned(),
    }
}

fn came_of(answer: ServerAnswer) -> String {
    let server = ChatServer::start([answer]);
    talk(gemini(&server), &request())
}

#[test]
fn reply_streams_and_ends_with_usage() {
    let answer = stream(&[said("Good "), ended("morning", "STOP")]);
    insta::assert_snapshot!(came_of(answer));
}

#[test]
fn parallel_calls_have_unique_ids() {
    let calls = piece(
        r#"{"functionCall":{"name":"memory_search","args":{"query":"Ada"}}},{"functionCall":{"name":"memory_search","args":{"query":"Bo"}}},{"functionCall":{"name":"now"}}"#,
        "",
    );
    let answer = stream(&[said("Looking."), calls, ended("", "STOP")]);
    insta::assert_snapshot!(came_of(answer));
}

#[test]
fn thoughts_are_separate_and_cut_length_is_reported() {
    let thought = piece(r#"{"text":"hm","thought":true}"#, "");
    insta::assert_snapshot!(came_of(stream(&[thought, ended("Yes", "MAX_TOKENS")])));
}

#[test]
fn broken_stream_returns_error() {
    let error = r#"data: {"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}"#;
    let all = [
        came_of(stream(&[said("Good ")]).cut()),
        came_of(stream(&[said("Good ")])),
        came_of(stream(&[said("Good ")]).then_silence()),
        came_of(stream(&[
            said("Good "),
            "data: {\"candidates\":[".to_owned(),
        ])),
        came_of(stream(&[said("Good "), error.to_owned()])),
        came_of(stream(&[ended("", "MALFORMED_FUNCTION_CALL")])),
        came_of(stream(&[
            r#"data: {"candidates":[{"finishReason":"SAFETY","index":0}]}"#.to_owned(),
        ])),
    ];
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn refusals_are_reported_by_kind() {
    let error = |status: u16, kind: &str, message: &str| {
        let body =
            format!(r#"{{"error":{{"code":{status},"message":"{message}","status":"{kind}"}}}}"#);
        came_of(ServerAnswer::json(status, &body))
    };
    let all = [
        error(
            400,
            "INVALID_ARGUMENT",
            "API key not valid. Please pass a valid API key.",
        ),
        error(
            403,
            "PERMISSION_DENIED",
            "Your API key was reported as leaked.",
        ),
        error(404, "NOT_FOUND", "models/some-model is not found"),
        error(
            400,
            "INVALID_ARGUMENT",
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        ),
        error(413, "INVALID_ARGUMENT", "too large"),
        error(429, "RESOURCE_EXHAUSTED", "Quota exceeded"),
        error(500, "INTERNAL", "An internal error has occurred"),
        error(503, "UNAVAILABLE", "The model is overloaded."),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn conversation_is_sent_in_gemini_format() {
    let server = ChatServer::start([stream(&[ended("Tea.", "STOP")])]);
    talk(gemini(&server), &conversation());
    insta::assert_snapshot!(asked_of(&server, "x-goog-api-key"));
}
