//! Conversations of clients that speak the protocol of OpenAI: the messages that are stored, the requests to the model,
//! and the replies.
//!
//! The model is a server on this machine that follows a script.

use serde_json::{Value, json};
use testkit::{Answered, HttpService, ServerAnswer, TestHome, Transcript, Words, each};

use crate::chat_with_model::{calls, event, home, reply, server};

fn user(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}

fn assistant(text: &str) -> Value {
    json!({ "role": "assistant", "content": text })
}

fn complete(service: &HttpService, model: &str, messages: &[Value]) -> Answered {
    let body = json!({ "model": model, "messages": messages });
    service.post("/v1/chat/completions", &body)
}

#[track_caller]
fn words(answered: Answered) -> String {
    let reply = answered.with_status(200).json();
    assert_eq!(reply["object"], "chat.completion");
    assert_eq!(reply["choices"][0]["finish_reason"], "stop");
    reply["choices"][0]["message"]["content"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// The model's newest request, without the suffix of the host.
fn shown(asked: &Value) -> Vec<String> {
    let messages = asked["messages"].as_array().unwrap();
    let texts = messages.iter().map(|message| {
        let content = &message["content"];
        let text = content.as_str().map(str::to_owned);
        let parts = content
            .as_array()
            .map(|parts| parts[0]["text"].as_str().unwrap_or_default().to_owned());
        let text = text.or(parts).unwrap_or_default();
        let role = message["role"].as_str().unwrap();
        format!("{role}: {}", text.lines().next().unwrap_or_default())
    });
    texts.skip(1).collect()
}

#[test]
fn i1_resent_history_is_stored_once_and_new_message_appended() {
    let model = server(["Noted.", "Lemon."].map(reply));
    let home = home(&model.url("/v1"));
    let service = HttpService::begin(&home, &[]);
    let first = [user("I drink green tea.")];
    assert_eq!(words(complete(&service, "openclaw:tea", &first)), "Noted.");
    let second = [&first[..], &[assistant("Noted."), user("With what?")]].concat();
    assert_eq!(words(complete(&service, "openclaw:tea", &second)), "Lemon.");
    let expected = [
        "user: I drink green tea.",
        "assistant: Noted.",
        "user: With what?",
        "assistant: Lemon.",
    ];
    assert_eq!(Transcript::told(&home, "tea"), expected);
    let asked = model.asked();
    let newest = shown(&asked.last().unwrap().body);
    assert_eq!(newest, expected[..3]);
    crate::held::verify_is_clean(&home, "tea");
}

#[test]
fn edited_or_repeated_message_starts_new_branch() {
    let model = server(["One.", "Two.", "Three.", "Four."].map(reply));
    let home = home(&model.url("/v1"));
    let service = HttpService::begin(&home, &[]);
    let begun = [user("first"), assistant("One.")];
    words(complete(&service, "openclaw:x", &begun[..1]));
    let second = [&begun[..], &[user("second")]].concat();
    assert_eq!(words(complete(&service, "openclaw:x", &second)), "Two.");
    // Asked again.
    assert_eq!(words(complete(&service, "openclaw:x", &second)), "Three.");
    let newest = |model: &testkit::ChatServer| shown(&model.asked().last().unwrap().body);
    assert_eq!(
        newest(&model),
        ["user: first", "assistant: One.", "user: second"]
    );
    // In other words.
    let edited = [&begun[..], &[user("another")]].concat();
    assert_eq!(words(complete(&service, "openclaw:x", &edited)), "Four.");
    assert_eq!(
        newest(&model),
        ["user: first", "assistant: One.", "user: another"]
    );
    let view = service.get_json("/api/sessions/x");
    let texts = each(view["items"].as_array().unwrap(), "/text");
    assert_eq!(texts, ["first", "One.", "another", "Four."]);
    crate::held::verify_is_clean(&home, "x");
}

#[test]
fn completion_streams_chunks_and_ends_with_usage_and_done() {
    let model = server([ServerAnswer::events([
        event(r#"{"content":"Green "}"#, "null").as_str(),
        event(r#"{"content":"tea."}"#, "null").as_str(),
        event("{}", r#""stop""#).as_str(),
        "data: [DONE]",
    ])]);
    let home = home(&model.url("/v1"));
    let service = HttpService::begin(&home, &[]);
    let body = json!({
        "model": "openclaw", "messages": [user("What do I drink?")], "stream": true,
        "stream_options": { "include_usage": true },
    });
    let answered = service.post("/v1/chat/completions", &body).with_status(200);
    assert_eq!(answered.header("content-type"), Some("text/event-stream"));
    let data: Vec<&str> = answered
        .body
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .collect();
    assert_eq!(data.last(), Some(&"[DONE]"));
    let chunks: Vec<Value> = data[..data.len() - 1]
        .iter()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    assert!(
        chunks
            .iter()
            .all(|it| it["object"] == "chat.completion.chunk" && it["id"] == chunks[0]["id"])
    );
    assert_eq!(chunks[0]["choices"][0]["delta"]["role"], "assistant");
    let text: String = chunks
        .iter()
        .filter_map(|it| it["choices"][0]["delta"]["content"].as_str())
        .collect();
    assert_eq!(text, "Green tea.");
    let n_chunks = chunks.len();
    assert_eq!(chunks[n_chunks - 2]["choices"][0]["finish_reason"], "stop");
    assert_eq!(chunks[n_chunks - 1]["choices"], json!([]));
    assert!(
        chunks[n_chunks - 1]["usage"]["total_tokens"]
            .as_u64()
            .unwrap()
            > 0
    );
}

#[test]
fn i3_client_tool_calls_are_returned_and_own_calls_answered() {
    let tea = json!({ "query": "tea" });
    let model = server([
        calls("c1", "memory_search", &tea),
        calls("c2", "get_weather", &tea),
        reply("Sunny, and green tea."),
    ]);
    let home = home(&model.url("/v1"));
    let service = HttpService::begin(&home, &[]);
    let tools = json!([{ "type": "function", "function": {
        "name": "get_weather", "parameters": { "type": "object", "properties": {} },
    } }]);
    let messages = vec![
        json!({ "role": "system", "content": "You are WeatherPal." }),
        user("Weather and tea?"),
    ];
    let body = json!({ "model": "openclaw:w", "messages": messages, "tools": tools });
    let handed = service.post_json("/v1/chat/completions", &body);
    let choice = &handed["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls");
    let calls = choice["message"]["tool_calls"].as_array().unwrap();
    assert_eq!(calls.len(), 1, "{handed}");
    assert_eq!(calls[0]["function"]["name"], "get_weather");
    let answer = json!({ "role": "tool", "tool_call_id": calls[0]["id"], "content": "sunny" });
    let messages = [&messages[..], &[choice["message"].clone(), answer]].concat();
    let body = json!({ "model": "openclaw:w", "messages": messages, "tools": tools });
    assert_eq!(
        words(service.post("/v1/chat/completions", &body)),
        "Sunny, and green tea."
    );
    let asked = model.asked();
    let first = &asked[1].body;
    let names = each(first["tools"].as_array().unwrap(), "/function/name");
    let given = ["memory_search", "get_weather", "write_file"];
    let given = given.map(|it| names.contains(&it.into()));
    assert_eq!(given, [true, true, false], "{names:?}");
    let system = first["messages"][0]["content"].to_string();
    system.holds("<client>\\nYou are WeatherPal.\\n</client>");
    let stored = Transcript::read(&home, "w").messages();
    let roles: Vec<&str> = stored.iter().map(|it| it.role.as_str()).collect();
    assert_eq!(
        roles,
        [
            "user",
            "assistant",
            "toolResult",
            "assistant",
            "toolResult",
            "assistant"
        ]
    );
    let lines = home.read("sessions/w.jsonl");
    assert!(!lines.contains("WeatherPal"), "{lines}");
    crate::held::verify_is_clean(&home, "w");
}

#[test]
fn session_is_chosen_by_header_user_model_or_messages() {
    let model = server((0..8).map(|number| reply(&format!("Reply {number}."))));
    let home = home(&model.url("/v1"));
    let service = HttpService::begin(&home, &[]);
    let body = json!({ "model": "openclaw:model", "user": "user", "messages": [user("a")] });
    let headers = [
        &*service.bearer(),
        "Content-Type: application/json",
        "x-openclaw-session-key: header",
    ];
    let line = "POST /v1/chat/completions";
    service
        .ask(line, &headers, &body.to_string())
        .with_status(200);
    assert_eq!(Transcript::told(&home, "header").len(), 2);
    service.post("/v1/chat/completions", &body).with_status(200);
    assert_eq!(Transcript::told(&home, "user").len(), 2);
    complete(&service, "openclaw:model", &[user("a")]).with_status(200);
    assert_eq!(Transcript::told(&home, "model").len(), 2);
    // Two conversations that begin alike, and go on each where it was.
    let hi = [user("hi")];
    let one = words(complete(&service, "gpt-4o", &hi));
    let two = words(complete(&service, "gpt-4o", &hi));
    assert_ne!(one, two);
    for reply in [&one, &two] {
        let more = [&hi[..], &[assistant(reply), user("more")]].concat();
        complete(&service, "gpt-4o", &more).with_status(200);
    }
    let sessions = home.list("sessions");
    let found: Vec<&String> = sessions
        .iter()
        .filter(|name| name.starts_with("chat-"))
        .collect();
    assert_eq!(found.len(), 2, "{sessions:?}");
    for name in found {
        assert_eq!(
            Transcript::told(&home, name.trim_end_matches(".jsonl")).len(),
            4
        );
    }
    // What cannot name a session names one all the same, and none outside of its folder.
    let odd = json!({ "model": "x", "user": "../../etc/passwd", "messages": [user("a")] });
    service.post("/v1/chat/completions", &odd).with_status(200);
    assert!(
        home.list("sessions")
            .iter()
            .any(|name| name.starts_with("key-etc-passwd-"))
    );
}

#[track_caller]
fn check_refused(service: &HttpService, body: &Value, (param, words): (Option<&str>, &str)) {
    let refused = service
        .post("/v1/chat/completions", body)
        .with_status(400)
        .json();
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains(words), "{message}");
    assert_eq!(refused["error"]["type"], "invalid_request_error");
    assert_eq!(refused["error"]["param"].as_str(), param, "{message}");
}

#[test]
fn unreadable_conversation_is_rejected_and_not_stored() {
    let home = TestHome::new();
    let service = HttpService::begin(&home, &[]);
    let image = json!({ "role": "user", "content": [{ "type": "image_url" }] });
    for (messages, words) in [
        (json!([]), "none is from the user"),
        (json!([assistant("a")]), "nothing to reply to"),
        (json!([{ "role": "tool", "content": "a" }]), "messages[0]"),
        (json!([image]), "messages[0]: content of type image_url"),
    ] {
        let body = json!({ "model": "x", "messages": messages });
        check_refused(&service, &body, (None, words));
    }
    check_refused(&service, &json!({}), (None, "model"));
    assert_eq!(home.list("sessions"), Vec::<String>::new());
}

#[test]
fn unsupported_parameter_is_rejected_by_name() {
    let home = TestHome::new();
    let service = HttpService::begin(&home, &[]);
    let tool = json!({ "type": "function", "function": { "name": "get_weather" } });
    for (param, value, words) in [
        ("n", json!(2), "only one reply"),
        ("max_tokens", json!(0), "at least one"),
        ("stop", json!(["\n"]), "stop sequences"),
        ("stop", json!("."), "stop sequences"),
        ("logprobs", json!(true), "log probabilities"),
        ("functions", json!([tool]), "`tools`"),
        ("tool_choice", tool, "forced"),
        ("tool_choice", json!("required"), "forced"),
        (
            "response_format",
            json!({ "type": "grammar" }),
            "json_schema",
        ),
        // Without a model there are only quotations.
        (
            "response_format",
            json!({ "type": "json_object" }),
            "no model is set",
        ),
    ] {
        let mut body = json!({ "model": "x", "messages": [user("a")] });
        body[param] = value;
        check_refused(&service, &body, (Some(param), words));
    }
    assert_eq!(home.list("sessions"), Vec::<String>::new());
}

#[test]
fn response_format_is_passed_to_model() {
    let json = r#"{"city":"Graz"}"#;
    let model = server([json, json, "Graz."].map(reply));
    let home = home(&model.url("/v1"));
    let service = HttpService::begin(&home, &[]);
    let schema = json!({
        "type": "object", "properties": { "city": { "type": "string" } },
        "required": ["city"], "additionalProperties": false,
    });
    let formats = [
        json!({ "type": "json_schema", "json_schema": { "name": "place", "schema": schema } }),
        json!({ "type": "json_object" }),
        json!({ "type": "text" }),
    ];
    let mut messages = Vec::new();
    for format in &formats {
        messages.push(user("Where do I live?"));
        let body = json!({
            "model": "openclaw:f", "messages": messages, "response_format": format,
            "stop": null, "tool_choice": "auto", "n": 1, "logprobs": false, "temperature": 0.2,
        });
        messages.push(assistant(&words(
            service.post("/v1/chat/completions", &body),
        )));
    }
    assert_eq!(messages[1]["content"], json);
    let asked = model.asked();
    let asked: Vec<(&Value, bool)> = asked
        .iter()
        .filter(|it| it.body["messages"].is_array())
        .map(|it| {
            let schema = &it.body["response_format"]["json_schema"]["schema"];
            let system = it.body["messages"][0]["content"].to_string();
            (schema, system.contains("one JSON object"))
        })
        .collect();
    let expected = [
        (&schema, false),
        (&Value::Null, true),
        (&Value::Null, false),
    ];
    assert_eq!(asked, expected);
}

#[test]
fn reply_ends_with_unstored_notice_of_memory_change() {
    let home = TestHome::init();
    let service = HttpService::begin(&home, &[]);
    let first = user("Remember that Bob likes tea.");
    let reply = words(complete(&service, "openclaw", std::slice::from_ref(&first)));
    reply.holds("\n\n> openclaw: Remembered: ");
    let undo = format!("openclaw --home {} dream undo", home.path().display());
    reply.holds(&undo);
    home.memory().holds("Bob likes tea");
    let second = [first, assistant(&reply), user("What does Bob like?")];
    words(complete(&service, "openclaw", &second)).lacks("> openclaw: ");
    let sessions = home.list("sessions");
    assert_eq!(sessions.len(), 1, "{sessions:?}");
    let stored = home.read(&format!("sessions/{}", sessions[0]));
    stored.holds("What does Bob like?");
    stored.lacks("> openclaw: ");
    let body = json!({
        "model": "openclaw", "stream": true,
        "messages": [user("Remember that Zoe plays the cello.")],
    });
    let streamed = service.post("/v1/chat/completions", &body).with_status(200);
    streamed.body.holds("> openclaw: Remembered: ");
    let body = json!({ "model": "openclaw", "input": "Remember that Tom lives in Rome." });
    let responded = service.post("/v1/responses", &body).with_status(200);
    responded.body.holds("> openclaw: Remembered: ");
}
