//! `/v1/responses`: the newer form of the OpenAI protocol, in one piece and as a stream.
//!
//! The model is a server on this machine that follows a script.

use serde_json::{Value, json};
use testkit::{HttpService, ServerAnswer, TestHome, Transcript, Words, each};

use crate::chat_with_model::{calls, event, home, reply, server};

const PATH: &str = "/v1/responses";

#[test]
fn response_has_message_and_usage_and_stores_both_turns() {
    let model = server(["Noted.", "Lemon."].map(reply));
    let home = home(&model.url("/v1"));
    let service = HttpService::begin(&home, &[]);
    let body = json!({ "model": "openclaw:tea", "input": "I drink green tea." });
    let first = service.post_json(PATH, &body);
    assert_eq!(first["object"], "response");
    assert_eq!(first["status"], "completed");
    assert_eq!(first["output"][0]["content"][0]["text"], "Noted.");
    assert!(first["usage"]["total_tokens"].as_u64().unwrap() > 0);
    let input = json!([
        { "role": "user", "content": "I drink green tea." },
        first["output"][0],
        { "type": "reasoning", "summary": [] },
        { "role": "user", "content": [{ "type": "input_text", "text": "With what?" }] },
    ]);
    let body = json!({ "model": "openclaw:tea", "input": input, "instructions": "Be brief." });
    let second = service.post_json(PATH, &body);
    assert_eq!(second["output"][0]["content"][0]["text"], "Lemon.");
    let expected = [
        "user: I drink green tea.",
        "assistant: Noted.",
        "user: With what?",
        "assistant: Lemon.",
    ];
    assert_eq!(Transcript::told(&home, "tea"), expected);
    let asked = model.asked();
    let system = asked.last().unwrap().body["messages"][0]["content"].to_string();
    system.holds("Be brief.");
    crate::held::verify_is_clean(&home, "tea");
}

#[test]
fn response_stream_sends_the_events_of_the_protocol_in_order() {
    let model = server([ServerAnswer::events([
        event(r#"{"content":"Green "}"#, "null").as_str(),
        event(r#"{"content":"tea."}"#, "null").as_str(),
        event("{}", r#""stop""#).as_str(),
        "data: [DONE]",
    ])]);
    let home = home(&model.url("/v1"));
    let service = HttpService::begin(&home, &[]);
    let body = json!({ "model": "openclaw", "input": "What do I drink?", "stream": true });
    let answered = service.post(PATH, &body).with_status(200);
    assert_eq!(answered.header("content-type"), Some("text/event-stream"));
    let lines = |name: &str| -> Vec<String> {
        let found = answered
            .body
            .lines()
            .filter_map(|line| line.strip_prefix(name));
        found.map(str::to_owned).collect()
    };
    let events: Vec<Value> = lines("data: ")
        .iter()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    assert_eq!(lines("event: "), each(&events, "/type"));
    let numbers: Vec<u64> = (0..events.len() as u64).collect();
    assert_eq!(each(&events, "/sequence_number"), numbers);
    let mut kinds = lines("event: ");
    kinds.dedup();
    let expected = [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ];
    assert_eq!(kinds, expected);
    let text: String = events
        .iter()
        .filter_map(|it| it["delta"].as_str())
        .collect();
    assert_eq!(text, "Green tea.");
    let whole = &events.last().unwrap()["response"];
    assert_eq!(whole["output"][0]["content"][0]["text"], "Green tea.");
    assert_eq!(whole["id"], events[0]["response"]["id"]);
}

#[test]
fn function_call_is_returned_and_its_output_is_answered() {
    let model = server([
        calls("c2", "get_weather", &json!({ "city": "Graz" })),
        reply("Sunny."),
    ]);
    let home = home(&model.url("/v1"));
    let service = HttpService::begin(&home, &[]);
    let tools = json!([
        { "type": "web_search" },
        { "type": "function", "name": "get_weather", "parameters": { "type": "object" } },
    ]);
    let mut input = vec![json!({ "role": "user", "content": "Weather?" })];
    let body = json!({ "model": "openclaw:w", "input": input, "tools": tools });
    let handed = service.post_json(PATH, &body);
    let call = &handed["output"][0];
    assert_eq!(call["type"], "function_call");
    assert_eq!(call["name"], "get_weather");
    input.push(call.clone());
    input.push(json!({
        "type": "function_call_output", "call_id": call["call_id"], "output": "sunny",
    }));
    let body = json!({ "model": "openclaw:w", "input": input, "tools": tools });
    let answered = service.post_json(PATH, &body);
    assert_eq!(answered["output"][0]["content"][0]["text"], "Sunny.");
    crate::held::verify_is_clean(&home, "w");
}

#[test]
fn previous_response_id_is_rejected_without_named_session() {
    let home = TestHome::init();
    let service = HttpService::begin(&home, &[]);
    let follows = |model: &str| {
        let body = json!({ "model": model, "input": "And now?", "previous_response_id": "resp_1" });
        service.post(PATH, &body)
    };
    let refused = follows("openclaw").with_status(400).json();
    assert_eq!(refused["error"]["param"], "previous_response_id");
    follows("openclaw:tea").with_status(200);
}
