//! The messages of Anthropic.
//!
//! Answers follow the public reference of the API: its event stream, its usage, its errors.

use models::{Connection, Dialect};
use testkit::{ChatServer, ServerAnswer};

use super::faults::Faulty;
use super::talk::{asked_of, connection, conversation, request, talk};

const START: &str = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"model\":\"some-model\",\"stop_reason\":null,\"usage\":{\"input_tokens\":25,\"cache_creation_input_tokens\":1000,\"cache_read_input_tokens\":4000,\"output_tokens\":1}}}";
const PING: &str = "event: ping\ndata: {\"type\":\"ping\"}";
const STOP: &str = "event: message_stop\ndata: {\"type\":\"message_stop\"}";

fn block(index: u32, start: &str, deltas: &[String]) -> Vec<String> {
    let mut events = vec![format!(
        "event: content_block_start\ndata: {{\"type\":\"content_block_start\",\"index\":{index},\"content_block\":{start}}}"
    )];
    events.extend(deltas.iter().map(|delta| {
        format!(
            "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":{index},\"delta\":{delta}}}"
        )
    }));
    events.push(format!(
        "event: content_block_stop\ndata: {{\"type\":\"content_block_stop\",\"index\":{index}}}"
    ));
    events
}

fn text(index: u32, words: &[&str]) -> Vec<String> {
    let delta = |word: &&str| {
        let word = serde_json::Value::from(*word);
        format!(r#"{{"type":"text_delta","text":{word}}}"#)
    };
    let deltas: Vec<String> = words.iter().map(delta).collect();
    block(index, r#"{"type":"text","text":""}"#, &deltas)
}

fn call(index: u32, id: &str, name: &str, arguments: &[&str]) -> Vec<String> {
    let delta = |piece: &&str| {
        let piece = serde_json::Value::from(*piece);
        format!(r#"{{"type":"input_json_delta","partial_json":{piece}}}"#)
    };
    let deltas: Vec<String> = arguments.iter().map(delta).collect();
    let start = format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{{}}}}"#);
    block(index, &start, &deltas)
}

fn ended(reason: &str) -> Vec<String> {
    vec![
        format!(
            "event: message_delta\ndata: {{\"type\":\"message_delta\",\"delta\":{{\"stop_reason\":\"{reason}\",\"stop_sequence\":null}},\"usage\":{{\"output_tokens\":15}}}}"
        ),
        STOP.to_owned(),
    ]
}

fn stream(parts: &[Vec<String>]) -> ServerAnswer {
    let opening = [START, PING].into_iter();
    ServerAnswer::events(opening.chain(parts.iter().flatten().map(String::as_str)))
}

fn anthropic(server: &ChatServer) -> Connection {
    connection(Dialect::Anthropic, server, "/v1")
}

/// How faults are reported here.
pub(super) fn faulty() -> Faulty {
    let no_json = "event: content_block_delta\ndata: {\"type\":".to_owned();
    let refusal =
        |kind: &str| format!(r#"{{"type":"error","error":{{"type":"error","message":"{kind}"}}}}"#);
    Faulty {
        name: "anthropic",
        connect: anthropic,
        begun: stream(&[text(0, &["Good "])]),
        no_json: stream(&[text(0, &["Good "]), vec![no_json]]),
        wrong_call: stream(&[
            call(0, "toolu_1", "remember", &["{\"text\": ", "oops"]),
            ended("tool_use"),
        ]),
        refusal: |status| {
            format!(r#"{{"type":"error","error":{{"type":"error","message":"no {status}"}}}}"#)
        },
        overflow: refusal("prompt is too long: 214251 tokens > 200000 maximum"),
    }
}

fn came_of(answer: ServerAnswer) -> String {
    let server = ChatServer::start([answer]);
    talk(anthropic(&server), &request())
}

#[test]
fn reply_streams_with_cache_usage() {
    let answer = stream(&[text(0, &["Good ", "\u{1f375}"]), ended("end_turn")]);
    insta::assert_snapshot!(came_of(answer));
}

#[test]
fn parallel_calls_arrive_whole_and_keep_malformed_arguments() {
    let answer = stream(&[
        text(0, &["Looking."]),
        call(
            1,
            "toolu_1",
            "memory_search",
            &["", "{\"query\": \"A", "da\"}"],
        ),
        call(2, "toolu_2", "remember", &["{\"text\": ", "oops"]),
        call(3, "toolu_3", "now", &[]),
        ended("tool_use"),
    ]);
    insta::assert_snapshot!(came_of(answer));
}

#[test]
fn thoughts_are_separate_and_cut_length_is_reported() {
    let thought = r#"{"type":"thinking_delta","thinking":"hm"}"#.to_owned();
    let signed = r#"{"type":"signature_delta","signature":"c2ln"}"#.to_owned();
    let start = r#"{"type":"thinking","thinking":"","signature":""}"#;
    let answer = stream(&[
        block(0, start, &[thought, signed]),
        text(1, &["Yes"]),
        ended("max_tokens"),
    ]);
    insta::assert_snapshot!(came_of(answer));
}

#[test]
fn broken_stream_returns_error() {
    let error = |kind: &str| {
        let event = format!(
            "event: error\ndata: {{\"type\":\"error\",\"error\":{{\"type\":\"{kind}\",\"message\":\"{kind}!\"}}}}"
        );
        came_of(stream(&[text(0, &["Good "]), vec![event]]))
    };
    let no_json = "event: content_block_delta\ndata: {\"type\":".to_owned();
    let all = [
        came_of(stream(&[text(0, &["Good "])]).cut()),
        came_of(stream(&[text(0, &["Good "])])),
        came_of(stream(&[text(0, &["Good "])]).then_silence()),
        came_of(stream(&[text(0, &["Good "]), vec![no_json]])),
        error("overloaded_error"),
        error("rate_limit_error"),
        error("api_error"),
        came_of(stream(&[ended("refusal")])),
    ];
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn refusals_are_reported_by_kind() {
    let error = |status: u16, kind: &str, message: &str| {
        let body = format!(
            r#"{{"type":"error","error":{{"type":"{kind}","message":"{message}"}},"request_id":"req_1"}}"#
        );
        came_of(ServerAnswer::json(status, &body).with_header("retry-after", "11"))
    };
    let all = [
        error(401, "authentication_error", "invalid x-api-key"),
        error(403, "permission_error", "not for you"),
        error(404, "not_found_error", "model: some-model"),
        error(
            400,
            "invalid_request_error",
            "messages: at least one message is required",
        ),
        error(
            400,
            "invalid_request_error",
            "prompt is too long: 214251 tokens > 200000 maximum",
        ),
        error(413, "request_too_large", "Request exceeds the maximum size"),
        error(429, "rate_limit_error", "too many"),
        error(500, "api_error", "Internal server error"),
        error(529, "overloaded_error", "Overloaded"),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn conversation_is_sent_in_anthropic_format() {
    let server = ChatServer::start([stream(&[text(0, &["Tea."]), ended("end_turn")])]);
    talk(anthropic(&server), &conversation());
    insta::assert_snapshot!(asked_of(&server, "x-api-key"));
}
