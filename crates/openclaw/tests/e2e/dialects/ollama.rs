//! The chat of Ollama.
//!
//! Answers follow its public documentation: JSON lines, the last of which says `done`.

use models::{Connection, Dialect};
use testkit::{ChatServer, ServerAnswer};

use super::faults::Faulty;
use super::talk::{asked_of, connection, conversation, request, talk};

fn said(text: &str) -> String {
    let text = serde_json::Value::from(text);
    format!(
        r#"{{"model":"some-model","created_at":"2026-04-20T00:00:00Z","message":{{"role":"assistant","content":{text}}},"done":false}}"#
    )
}

fn message(fields: &str) -> String {
    format!(r#"{{"model":"some-model","message":{{"role":"assistant",{fields}}},"done":false}}"#)
}

fn ended(reason: &str) -> String {
    format!(
        r#"{{"model":"some-model","message":{{"role":"assistant","content":""}},"done":true,"done_reason":"{reason}","total_duration":1,"prompt_eval_count":26,"eval_count":9}}"#
    )
}

fn stream(lines: &[String]) -> ServerAnswer {
    ServerAnswer::lines(lines)
}

fn ollama(server: &ChatServer) -> Connection {
    Connection {
        key: None,
        ..connection(Dialect::Ollama, server, "/")
    }
}

/// How faults are reported here.
pub(super) fn faulty() -> Faulty {
    let wrong = message(
        r#""content":"","tool_calls":[{"function":{"name":"remember","arguments":"oops"}}]"#,
    );
    Faulty {
        name: "ollama",
        connect: ollama,
        begun: stream(&[said("Good ")]),
        no_json: stream(&[said("Good "), "{\"model\":".to_owned()]),
        wrong_call: stream(&[wrong, ended("stop")]),
        refusal: |status| format!(r#"{{"error":"no {status}"}}"#),
        overflow: r#"{"error":"input length exceeds the context length"}"#.to_owned(),
    }
}

fn came_of(answer: ServerAnswer) -> String {
    let server = ChatServer::start([answer]);
    talk(ollama(&server), &request())
}

#[test]
fn reply_streams_and_ends_with_usage() {
    let answer = stream(&[said("Good "), said("\u{1f375}"), ended("stop")]);
    insta::assert_snapshot!(came_of(answer));
}

#[test]
fn letters_split_across_packets_stay_whole() {
    let whole = format!("{}\n{}\n", said("d\u{e9}j\u{e0} \u{1f375}"), ended("stop"));
    let bytes = whole.as_bytes().chunks(3).map(<[u8]>::to_vec);
    insta::assert_snapshot!(came_of(ServerAnswer::pieces(bytes)));
}

#[test]
fn parallel_calls_get_unique_ids() {
    let calls = message(
        r#""content":"Looking.","tool_calls":[{"function":{"name":"memory_search","arguments":{"query":"Ada"}}},{"function":{"name":"memory_search","arguments":{"query":"Ada"}}}]"#,
    );
    let more = message(r#""content":"","tool_calls":[{"function":{"name":"now","arguments":{}}}]"#);
    let said = came_of(stream(&[calls, more, ended("stop")]));
    let mut ids: Vec<&str> = said
        .lines()
        .filter_map(|line| line.strip_prefix("call ")?.split(' ').next())
        .collect();
    let mut anonymous = said.clone();
    for id in &ids {
        anonymous = anonymous.replace(id, "ID");
    }
    insta::assert_snapshot!(anonymous);
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 3, "{said}");
}

#[test]
fn thoughts_are_separate_and_cut_length_is_reported() {
    let thought = message(r#""content":"","thinking":"hm""#);
    insta::assert_snapshot!(came_of(stream(&[thought, said("Yes"), ended("length")])));
}

#[test]
fn broken_stream_returns_error() {
    let all = [
        came_of(stream(&[said("Good ")]).cut()),
        came_of(stream(&[said("Good ")])),
        came_of(stream(&[said("Good ")]).then_silence()),
        came_of(stream(&[said("Good "), "{\"model\":".to_owned()])),
        came_of(stream(&[
            said("Good "),
            r#"{"error":"an error was encountered while running the model"}"#.to_owned(),
        ])),
    ];
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn refusals_are_reported_by_kind() {
    let error = |status: u16, message: &str| {
        came_of(ServerAnswer::json(
            status,
            &format!(r#"{{"error":"{message}"}}"#),
        ))
    };
    let all = [
        error(404, "model 'some-model' not found"),
        error(400, "some-model does not support tools"),
        error(400, "input length exceeds the context length"),
        error(413, "too large"),
        error(429, "too many requests"),
        error(500, "model requires more system memory"),
        error(503, "server busy, please try again"),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn conversation_is_sent_in_ollama_format() {
    let server = ChatServer::start([stream(&[said("Tea."), ended("stop")])]);
    talk(ollama(&server), &conversation());
    insta::assert_snapshot!(asked_of(&server, "authorization"));
}
