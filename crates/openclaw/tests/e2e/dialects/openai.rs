//! The chat completions of OpenAI, at OpenAI and at servers with the same protocol.
//!
//! Answers follow the public reference of the API, of vLLM, llama.cpp and llama-cpp-python.

use base::TokenCount;
use models::{Connection, Dialect};
use testkit::{ChatServer, ServerAnswer, Words};

use super::faults::Faulty;
use super::talk::{asked_of, connection, conversation, request, talk};

const DONE: &str = "data: [DONE]";

fn said(text: &str) -> String {
    let text = serde_json::Value::from(text);
    format!(
        r#"data: {{"choices":[{{"index":0,"delta":{{"content":{text}}},"finish_reason":null}}]}}"#
    )
}

fn ended(reason: &str) -> String {
    format!(r#"data: {{"choices":[{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}]}}"#)
}

/// A piece of a call, as `delta.tool_calls` holds it.
fn call(pieces: &str) -> String {
    format!(
        r#"data: {{"choices":[{{"index":0,"delta":{{"tool_calls":[{pieces}]}},"finish_reason":null}}]}}"#
    )
}

fn stream(events: &[String]) -> ServerAnswer {
    ServerAnswer::events(events)
}

fn compatible(server: &ChatServer) -> Connection {
    connection(Dialect::OpenAiCompatible, server, "/v1")
}

/// How faults are reported at OpenAI.
pub(super) fn faulty() -> Faulty {
    Faulty {
        name: "openai",
        connect: |server| connection(Dialect::OpenAi, server, "/v1/"),
        overflow: r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#.to_owned(),
        ..faulty_elsewhere()
    }
}

/// How faults are reported by servers that speak alike.
pub(super) fn faulty_elsewhere() -> Faulty {
    let wrong = call(
        r#"{"index":0,"id":"call_a","function":{"name":"remember","arguments":"{\"text\": oops"}}"#,
    );
    let whole = [wrong, ended("tool_calls"), DONE.to_owned()];
    Faulty {
        name: "openai-compatible",
        connect: compatible,
        begun: stream(&[said("Good ")]),
        no_json: stream(&[said("Good "), "data: {\"choices\":[{".to_owned()]),
        wrong_call: stream(&whole),
        refusal: |status| format!(r#"{{"error":{{"message":"no {status}","code":null}}}}"#),
        overflow: r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}"#.to_owned(),
    }
}

/// The outcome of one answer.
fn came_of(answer: ServerAnswer) -> String {
    let server = ChatServer::start([answer]);
    talk(compatible(&server), &request())
}

#[test]
fn reply_streams_and_ends_with_usage() {
    let usage = r#"data: {"choices":[],"usage":{"prompt_tokens":120,"completion_tokens":7,"total_tokens":127,"prompt_tokens_details":{"cached_tokens":100}}}"#;
    let opening = r#"data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#;
    let answer = stream(&[
        opening.to_owned(),
        said("Good "),
        said("morning"),
        ended("stop"),
        usage.to_owned(),
        DONE.to_owned(),
    ]);
    insta::assert_snapshot!(came_of(answer));
}

#[test]
fn non_streaming_server_is_asked_again_without_stream() {
    let whole = r#"{"id":"c1","object":"chat.completion","created":1,"model":"some-model","choices":[{"index":0,"message":{"role":"assistant","content":"Good morning","tool_calls":[{"id":"call_a","type":"function","function":{"name":"remember","arguments":"{\"text\":\"tea\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":120,"completion_tokens":7,"total_tokens":127}}"#;
    // Between the two it is found out that no web page answers.
    let server = ChatServer::start([(); 3].map(|()| ServerAnswer::json(200, whole)));
    insta::assert_snapshot!(talk(compatible(&server), &request()));
    let streams = server.asked().into_iter();
    let streams: Vec<bool> = streams.map(|asked| asked.body["stream"] == true).collect();
    assert_eq!(streams, [true, false, false]);
}

#[test]
fn letters_split_across_packets_stay_whole() {
    let whole = format!(
        "{}\n\n{}\n\n{DONE}\n\n",
        said("d\u{e9}j\u{e0} \u{1f375}"),
        ended("stop")
    );
    let bytes = whole.as_bytes().chunks(3).map(<[u8]>::to_vec);
    insta::assert_snapshot!(came_of(ServerAnswer::pieces(bytes)));
}

#[test]
fn parallel_calls_arrive_whole_and_keep_malformed_arguments() {
    let answer = stream(&[
        said("Looking."),
        call(
            r#"{"index":0,"id":"call_a","type":"function","function":{"name":"memory_search","arguments":""}}"#,
        ),
        call(
            r#"{"index":0,"function":{"arguments":"{\"query\": \"A"}},{"index":1,"id":"call_b","type":"function","function":{"name":"remember","arguments":"{\"text\": "}}"#,
        ),
        call(r#"{"index":0,"function":{"arguments":"da\"}"}}"#),
        call(r#"{"index":1,"function":{"arguments":"oops"}}"#),
        call(
            r#"{"index":2,"id":"call_c","type":"function","function":{"name":"now","arguments":""}}"#,
        ),
        ended("tool_calls"),
        DONE.to_owned(),
    ]);
    insta::assert_snapshot!(came_of(answer));
}

#[test]
fn call_id_is_unique_in_conversation() {
    let answer = stream(&[
        call(r#"{"index":0,"id":"call_1","function":{"name":"memory_search","arguments":"{}"}}"#),
        call(r#"{"index":1,"function":{"name":"memory_search","arguments":"{\"query\":\"Bo\"}"}}"#),
        ended("tool_calls"),
        DONE.to_owned(),
    ]);
    let server = ChatServer::start([answer]);
    insta::assert_snapshot!(talk(compatible(&server), &conversation()));
}

#[test]
fn thoughts_are_separate() {
    let thought = r#"data: {"choices":[{"index":0,"delta":{"reasoning_content":"hm"},"finish_reason":null}]}"#;
    let answer = stream(&[
        thought.to_owned(),
        said("Yes."),
        ended("length"),
        DONE.to_owned(),
    ]);
    insta::assert_snapshot!(came_of(answer));
}

#[test]
fn broken_stream_returns_error() {
    let cut = came_of(stream(&[said("Good ")]).cut());
    let ended_early = came_of(stream(&[said("Good ")]));
    let silent = came_of(stream(&[said("Good ")]).then_silence());
    let no_json = came_of(stream(&[said("Good "), "data: {\"choices\":[{".to_owned()]));
    let in_stream = r#"data: {"error":{"message":"The server had an error","type":"server_error","code":null}}"#;
    let told = came_of(stream(&[said("Good "), in_stream.to_owned()]));
    let announced = came_of(stream(&[ended("tool_calls"), DONE.to_owned()]));
    let all = [cut, ended_early, silent, no_json, told, announced];
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn filtered_reply_is_reported() {
    let nothing = came_of(stream(&[ended("content_filter"), DONE.to_owned()]));
    let a_part = came_of(stream(&[
        said("Well"),
        ended("content_filter"),
        DONE.to_owned(),
    ]));
    insta::assert_snapshot!([nothing, a_part].join("\n\n"));
}

#[test]
fn refusals_are_reported_by_kind() {
    let error = |status: u16, message: &str, code: &str| {
        let body = format!(r#"{{"error":{{"message":"{message}","type":"t","code":"{code}"}}}}"#);
        came_of(ServerAnswer::json(status, &body))
    };
    let all = [
        error(
            401,
            "Incorrect API key provided: hunter2-and-more.",
            "invalid_api_key",
        ),
        error(403, "You have no access to some-model", "forbidden"),
        error(
            404,
            "The model `some-model` does not exist",
            "model_not_found",
        ),
        error(400, "Unknown parameter", "unknown_parameter"),
        error(429, "You exceeded your current quota", "insufficient_quota"),
        error(500, "The server had an error", "server_error"),
        error(503, "That model is overloaded", "overloaded"),
        came_of(ServerAnswer::json(502, "<html>Bad\n Gateway</html>")),
        came_of(ServerAnswer::json(422, r#"{"detail":"no such field"}"#)),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn rate_limit_wait_follows_server_headers() {
    let limited = |name: &str, value: &str| {
        let body = r#"{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}"#;
        let answer = ServerAnswer::json(429, body)
            .with_header("date", "Wed, 21 Oct 2026 07:28:00 GMT")
            .with_header(name, value);
        came_of(answer)
    };
    let all = [
        limited("retry-after", "7"),
        limited("retry-after-ms", "1500"),
        limited("retry-after", "Wed, 21 Oct 2026 07:28:30 GMT"),
        limited("retry-after", "Wed, 21 Oct 2026 07:00:00 GMT"),
        limited("retry-after", "soon"),
        limited("retry-after", "-1"),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn i6_context_overflow_errors_of_servers_are_recognised() {
    let openai = r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#;
    let llama_cpp = r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}"#;
    let llama_cpp_python = r#"{"error":{"message":"Requested tokens (5000) exceed context window of 4096","type":"internal_server_error","param":null,"code":null}}"#;
    let vllm = r#"{"object":"error","message":"The prompt is longer than the maximum model length of 4096","type":"BadRequestError","code":400}"#;
    let overflow =
        "error ContextOverflow: the request is larger than the window of model some-model";
    for (status, body) in [
        (400, openai),
        (400, llama_cpp),
        (500, llama_cpp_python),
        (400, vllm),
    ] {
        assert_eq!(
            came_of(ServerAnswer::json(status, body)),
            overflow,
            "{body}"
        );
    }
    assert_eq!(
        came_of(ServerAnswer::json(413, "Payload Too Large")),
        overflow
    );
    let in_stream = format!("data: {openai}");
    assert_eq!(came_of(stream(&[in_stream])), overflow);
}

#[test]
fn empty_stream_is_overflow_only_for_large_request() {
    let came_of = |window| {
        let server = ChatServer::start([ServerAnswer::events([""; 0])]);
        let connection = Connection {
            context_window: Some(TokenCount(window)),
            ..compatible(&server)
        };
        talk(connection, &request())
    };
    // The request leaves 1,000 tokens for the reply.
    assert_eq!(
        came_of(2_000),
        "error ContextOverflow: the request is larger than the window of model some-model"
    );
    came_of(20_000).begins("error Broken: ");
}

#[test]
fn i6_overflow_error_after_empty_stream_is_recognised() {
    let silence = || ServerAnswer::events([""; 0]);
    let asked = |refusal: ServerAnswer| {
        let server = ChatServer::start([silence(), refusal.clone(), refusal]);
        // So large a window that an empty stream alone would mean nothing.
        let connection = Connection {
            context_window: Some(TokenCount(20_000)),
            ..compatible(&server)
        };
        talk(connection, &request())
    };
    let refusal = r#"{"error":{"message":"This model's maximum context length is 512 tokens. However, you requested 811 tokens (611 in the messages, 200 in the completion).","type":"invalid_request_error","code":"context_length_exceeded"}}"#;
    assert_eq!(
        asked(ServerAnswer::json(400, refusal)),
        "error ContextOverflow: the request is larger than the window of model some-model"
    );
    // Any other word in the place of the second reply leaves it at the first.
    let other = asked(ServerAnswer::json(
        400,
        r#"{"error":{"message":"no such field"}}"#,
    ));
    assert!(other.starts_with("error Broken: "), "{other}");
}

#[test]
fn unreachable_server_error_names_address() {
    let server = ChatServer::start([]);
    let gone = compatible(&server);
    drop(server);
    let said = talk(gone, &request());
    said.begins("error Unavailable: model some-model is unavailable: cannot reach URL/: ");
}

#[test]
fn conversation_is_sent_in_openai_format() {
    let reply = || stream(&[said("Tea."), ended("stop"), DONE.to_owned()]);
    let server = ChatServer::start([reply()]);
    talk(compatible(&server), &conversation());
    insta::assert_snapshot!(asked_of(&server, "authorization"));
    let official = ChatServer::start([reply()]);
    talk(connection(Dialect::OpenAi, &official, "/v1/"), &request());
    insta::assert_snapshot!("at_openai", asked_of(&official, "authorization"));
}

#[test]
fn request_without_key_has_no_authorization_and_full_model_name() {
    let server = ChatServer::start([stream(&[said("Tea."), ended("stop"), DONE.to_owned()])]);
    let connection = Connection {
        key: None,
        model: "qwen-max".to_owned(),
        ..compatible(&server)
    };
    talk(connection, &request());
    insta::assert_snapshot!(asked_of(&server, "authorization"));
}
