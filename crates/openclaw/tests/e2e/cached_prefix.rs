//! The beginning of every request, as the bytes that are sent: a provider's cache depends on it.
//!
//! The server is on this machine and follows a script.

use testkit::{ChatServer, ReceivedRequest, ServerAnswer, TestHome, Words};

use crate::chat_with_model::{home, posts, reply, server};

/// The owner's messages; memory contains something about each.
const SAID: [&str; 3] = [
    "When does the train to Bonn leave?",
    "And what is the code of the bicycle lock?",
    "Thank you for the train and the code.",
];

fn talk(home: &TestHome, arguments: &[&str]) {
    home.note(
        "2026-03-02",
        "- The train to Bonn leaves at 9:40\n- The code of the bicycle lock is 4711\n",
    );
    let lines = SAID.join("\n");
    let arguments = [&["chat"], arguments].concat();
    let run = home.run_with_input(&arguments, &lines).with_code(0);
    run.stdout.holds("4711.");
}

/// How many bytes two requests have in common at their beginning.
fn n_common(a: &ReceivedRequest, b: &ReceivedRequest) -> usize {
    let pairs = a.bytes.iter().zip(&b.bytes);
    pairs.take_while(|(a, b)| a == b).count()
}

fn place(asked: &ReceivedRequest, words: &str) -> usize {
    let text = String::from_utf8(asked.bytes.clone()).unwrap();
    text.find(words).unwrap() + words.len()
}

#[test]
fn request_prefix_repeats_previous_request_byte_for_byte() {
    let server = server([
        reply("At 9:40."),
        reply("4711."),
        reply("Gladly."),
        reply("none"),
    ]);
    let home = home(&server.url("/v1"));
    talk(&home, &[]);
    let asked = posts(&server);
    let chats = &asked[..SAID.len()];
    for (pair, said) in chats.windows(2).zip(SAID) {
        let [before, after] = pair else {
            unreachable!("windows of two");
        };
        assert!(n_common(before, after) >= place(before, said), "{said}");
        assert_eq!(
            before.body["tools"].to_string(),
            after.body["tools"].to_string()
        );
        // What changes with each request stands behind the newest message of the owner.
        let newest = before.body["messages"].as_array().unwrap().last().unwrap();
        let newest = newest["content"].as_str().unwrap();
        newest.begins(said);
        newest.holds("<now>");
    }
}

#[test]
fn anthropic_requests_differ_only_in_cache_marks_and_new_text() {
    let text = |text: &str| {
        let events = [
            r#"event: message_start
data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"model":"some-model","usage":{"input_tokens":1,"output_tokens":1}}}"#
                .to_owned(),
            r#"event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#
                .to_owned(),
            format!(
                "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"text_delta\",\"text\":\"{text}\"}}}}"
            ),
            "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}".to_owned(),
            r#"event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}"#
                .to_owned(),
            "event: message_stop\ndata: {\"type\":\"message_stop\"}".to_owned(),
        ];
        ServerAnswer::events(events)
    };
    let server = ChatServer::start(["At 9:40.", "4711.", "Gladly.", "none"].map(text));
    let home = TestHome::new();
    let url = server.url("/v1/");
    let config = format!(
        "model:\n  provider: anthropic\n  name: some-model\n  baseUrl: {url}\n  contextWindow: 64000\n  \
         apiKeyFile: key\n"
    );
    home.write("config.yaml", config);
    home.write("key", "some-key\n");
    talk(&home, &[]);
    let asked = posts(&server);
    // Where the marks stood they are taken away, and with them the form that a marked text has.
    let plain = |asked: &ReceivedRequest| -> (String, Vec<String>) {
        let messages = asked.body["messages"].as_array().unwrap().iter();
        let text = |message: &serde_json::Value| {
            let content = &message["content"];
            let parts = content.as_array().into_iter().flatten();
            let parts: String = parts.filter_map(|part| part["text"].as_str()).collect();
            content.as_str().map_or(parts, str::to_owned)
        };
        let system = asked.body["system"].to_string() + &asked.body["tools"].to_string();
        (system, messages.map(text).collect())
    };
    for (pair, said) in asked[..SAID.len()].windows(2).zip(SAID) {
        let [before, after] = pair else {
            unreachable!("windows of two");
        };
        let ((system, messages), (next_system, next_messages)) = (plain(before), plain(after));
        assert_eq!(system, next_system);
        let n_before = messages.len() - 1;
        assert_eq!(messages[..n_before], next_messages[..n_before]);
        assert_eq!(next_messages[n_before], said);
    }
}
