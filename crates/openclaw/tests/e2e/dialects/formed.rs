//! How a JSON reply is requested, and what happens if a server does not accept that form.
//!
//! Refusals are worded as servers word them.

use base::model::{ReplyFormat, Request};
use models::{Connection, Dialect, RemoteModel};
use serde_json::Value;
use testkit::{ChatServer, ServerAnswer, Words};

use super::talk::{connection, request, talk, talk_with};

const SCHEMA: &str = r#"{"type":"object","properties":{"notes":{"type":"array","items":{"type":"string"}}},"required":["notes"],"additionalProperties":false}"#;

fn formed() -> Request {
    Request {
        format: Some(ReplyFormat {
            name: "notes",
            schema: SCHEMA.to_owned(),
        }),
        ..request()
    }
}

fn compatible(server: &ChatServer) -> Connection {
    connection(Dialect::OpenAiCompatible, server, "/v1")
}

fn said() -> ServerAnswer {
    ServerAnswer::events([
        r#"data: {"choices":[{"index":0,"delta":{"content":"{\"notes\":[]}"},"finish_reason":"stop"}]}"#,
        "data: [DONE]",
    ])
}

fn called() -> ServerAnswer {
    ServerAnswer::events([
        r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"notes","arguments":"{\"notes\":[]}"}}]},"finish_reason":"tool_calls"}]}"#,
        "data: [DONE]",
    ])
}

fn refused(message: &str) -> ServerAnswer {
    let body = serde_json::json!({"error": {"message": message, "type": "invalid_request_error"}});
    ServerAnswer::json(400, &body.to_string())
}

/// The parts of a body that concern the form of the reply.
fn form_of(body: &Value) -> Value {
    let mut form = body.clone();
    if let Some(fields) = form.as_object_mut() {
        fields.retain(|name, _| !matches!(name.as_str(), "model" | "stream" | "stream_options"));
    }
    form
}

fn forms(server: &ChatServer) -> String {
    let asked = server.asked().into_iter();
    let forms = asked.map(|asked| serde_json::to_string_pretty(&form_of(&asked.body)).unwrap());
    forms.collect::<Vec<_>>().join("\n\n")
}

#[test]
fn json_request_takes_form_of_each_dialect() {
    let of = |dialect, path: &str| {
        let server = ChatServer::start([refused("anything but the form: no such user")]);
        // Only the first request is looked at.
        talk(connection(dialect, &server, path), &formed());
        let asked = server.asked();
        let form = serde_json::to_string_pretty(&form_of(&asked[0].body)).unwrap();
        format!("{dialect:?}\n{form}")
    };
    let all = [
        of(Dialect::Anthropic, "/v1/"),
        of(Dialect::OpenAi, "/v1/"),
        of(Dialect::OpenAiCompatible, "/v1/"),
        of(Dialect::Gemini, "/v1beta/"),
        of(Dialect::Ollama, "/"),
    ];
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn json_form_falls_back_to_tool_then_prompt_with_warnings() {
    let server = ChatServer::start([
        refused("This response_format type is unavailable now"),
        refused("tools are not supported by this model"),
        said(),
    ]);
    insta::assert_snapshot!(talk(compatible(&server), &formed()), @r#"
    warning: model some-model refused the request: 400 Bad Request: This response_format type is unavailable now; retrying with a tool call
    warning: model some-model refused the request: 400 Bad Request: tools are not supported by this model; retrying with the schema in the prompt
    text "{\"notes\":[]}"
    done Stop
    "#);
    insta::assert_snapshot!(forms(&server));
}

#[test]
fn tool_call_fallback_is_returned_as_reply() {
    let server = ChatServer::start([refused("no response_format"), called()]);
    let said = talk(compatible(&server), &formed());
    said.ends("text \"{\\\"notes\\\":[]}\"\ndone Stop");
}

#[test]
fn accepted_json_form_is_remembered() {
    let server = ChatServer::start([refused("no response_format"), called(), called()]);
    let model = RemoteModel::new(compatible(&server)).unwrap();
    let first = talk_with(&model, &formed());
    let second = talk_with(&model, &formed());
    assert!(first.starts_with("warning"), "{first}");
    assert!(second.starts_with("text"), "{second}");
    assert_eq!(server.asked().len(), 3);
}

#[test]
fn unanswered_json_form_is_not_remembered() {
    let empty = "Your credit balance is too low";
    let server = ChatServer::start([
        refused(empty),
        refused(empty),
        refused(empty),
        said(),
        refused("temperature is not supported"),
        refused(empty),
        refused(empty),
        refused(empty),
        said(),
    ]);
    let model = RemoteModel::new(compatible(&server)).unwrap();
    for n_asked in [3, 4, 8, 9] {
        let reply = talk_with(&model, &formed());
        let asked = server.asked();
        assert_eq!(asked.len(), n_asked, "{reply}");
        let last = &asked.last().unwrap().body;
        let is_answered = reply.starts_with("text");
        assert_eq!(
            last.get("response_format").is_some(),
            is_answered,
            "{reply}"
        );
    }
    let last = &server.asked().pop().unwrap().body["temperature"];
    assert_eq!(last, 0.0, "a field is left out only where that helped");
}

#[test]
fn rejected_extra_fields_are_dropped_and_schema_is_kept() {
    let server = ChatServer::start([
        refused("Unsupported value: 'temperature' does not support 0 with this model."),
        refused("property 'chat_template_kwargs' is unsupported"),
        said(),
    ]);
    let reply = talk(compatible(&server), &formed());
    assert!(reply.starts_with("text"), "{reply}");
    let asked = server.asked();
    let last = &asked.last().unwrap().body;
    assert_eq!(last["response_format"]["type"], "json_schema");
    assert!(last.get("temperature").is_none() && last.get("chat_template_kwargs").is_none());
}

#[test]
fn server_error_about_form_falls_back_to_lesser_form() {
    // As llama-cpp-python words it.
    let failure = r#"{"error":{"message":"1 validation error: {'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\"}","type":"internal_server_error"}}"#;
    let server = ChatServer::start([ServerAnswer::json(500, failure), called()]);
    let reply = talk(compatible(&server), &formed());
    assert!(reply.starts_with("warning"), "{reply}");
    reply.ends("text \"{\\\"notes\\\":[]}\"\ndone Stop");
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn rejected_key_does_not_trigger_form_fallback() {
    let server = ChatServer::start([ServerAnswer::json(401, r#"{"error":{"message":"who?"}}"#)]);
    let reply = talk(compatible(&server), &formed());
    assert!(reply.starts_with("error Refused"), "{reply}");
    assert_eq!(server.asked().len(), 1);
}
