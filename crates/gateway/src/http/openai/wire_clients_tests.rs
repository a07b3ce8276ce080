//! Requests that chat clients send, in their own form: a chat is a conversation, and what a client asks for itself is not.
//!
//! Those of `Open WebUI` 0.12 were recorded; those of `LibreChat` and `LobeChat` follow their sources. Their texts are shortened.

use serde_json::{Value, json};

use super::*;

/// A request with its client and subject, and whether it is a conversation.
struct Sent {
    by: &'static str,
    body: Value,
    is_talk: bool,
}

fn talk(by: &'static str, body: Value) -> Sent {
    let is_talk = true;
    Sent { by, body, is_talk }
}

fn own(by: &'static str, body: Value) -> Sent {
    let is_talk = false;
    Sent { by, body, is_talk }
}

/// A form of `Open WebUI` around a task and a sample of the reply.
fn form(task: &str, sample: &str) -> Value {
    let text = format!(
        "### Task:\n{task}\n### Guidelines:\n- Keep it short.\n- Never invent facts.\n### Output:\n\
         JSON format: {sample}\n### Chat History:\n<chat_history>\nUSER: Where does my sister live?\n\
         ASSISTANT: - My sister Bea lives in Graz. (MEMORY.md:5, 2026-11-30)\n</chat_history>"
    );
    json!({ "role": "user", "content": text })
}

fn user(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}

fn system(text: &str) -> Value {
    json!({ "role": "system", "content": text })
}

/// A tool that `Open WebUI` offers in each chat.
fn tool() -> Value {
    json!({ "type": "function", "function": { "name": "search_notes", "description": "Search notes",
        "parameters": { "type": "object", "properties": { "query": { "type": "string" } } } } })
}

fn open_webui() -> Vec<Sent> {
    let question = user("Where does my sister live?");
    let reply = json!({ "role": "assistant", "content": "In Graz." });
    let form_of = |task: &str, sample: &str| json!({ "model": "openclaw", "stream": false, "messages": [form(task, sample)] });
    let mut title = form_of(
        "Generate a concise title summarizing the chat history.",
        r#"{ "title": "your concise title here" }"#,
    );
    title["max_tokens"] = json!(1000);
    vec![
        talk(
            "Open WebUI, a first message",
            json!({ "model": "openclaw", "stream": true, "tools": [tool()],
            "messages": [question.clone()] }),
        ),
        talk(
            "Open WebUI, a second message",
            json!({ "model": "openclaw", "stream": true, "tools": [tool()],
            "stream_options": { "include_usage": true },
            "messages": [question, reply, user("Thanks. Remember that her cat is called Momo.")] }),
        ),
        own("Open WebUI, a title", title),
        own(
            "Open WebUI, tags",
            form_of(
                "Generate 1-3 broad tags categorizing the main themes of the chat history.",
                r#"{ "tags": ["tag1", "tag2", "tag3"] }"#,
            ),
        ),
        own(
            "Open WebUI, follow-ups",
            form_of(
                "Predict 3-5 useful messages this user might naturally send next to \
            advance their current objective.",
                r#"{ "follow_ups": ["Suggested next message 1"] }"#,
            ),
        ),
        own(
            "Open WebUI, an image",
            form_of(
                "Generate a detailed prompt for am image generation task.",
                "\n{\n    \"prompt\": \"Your detailed description here.\"\n}",
            ),
        ),
    ]
}

fn libre_chat() -> Vec<Sent> {
    let talked = "Conversation:\nUser: Where does my sister live?\nAI: In Graz.";
    let title = "Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only \
                 return the title itself.";
    let languages = "Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A \
                     concise title in the detected language (5 words or less, no punctuation or quotation)";
    let checkpoint = "Create a structured context checkpoint summary of the conversation. This summary will replace \
                      the conversation messages, so it must capture everything needed to continue the work.";
    let step = "Write a short orientation title for a user-visible reasoning step in a chat UI. The title may be \
                replaced as the same reasoning step develops.";
    vec![
        talk(
            "LibreChat, a message",
            json!({ "model": "openclaw", "stream": true, "user": "65f1",
            "stream_options": { "include_usage": true }, "messages": [user("Where does my sister live?")] }),
        ),
        own(
            "LibreChat, a title",
            json!({ "model": "openclaw", "stream": false, "user": "65f1",
            "messages": [user(&format!("{title}\n\n{talked}"))] }),
        ),
        own(
            "LibreChat, a title and its language",
            json!({ "model": "openclaw", "stream": false, "user": "65f1",
            "messages": [user(&format!("{languages}\n\n{talked}"))] }),
        ),
        own(
            "LibreChat, a checkpoint",
            json!({ "model": "openclaw", "messages": [user("Where does my sister live?"),
            { "role": "assistant", "content": "In Graz." }, user(checkpoint)] }),
        ),
        own(
            "LibreChat, a reasoning step",
            json!({ "model": "openclaw", "messages": [system(step),
            user("Reasoning: look up the sister")] }),
        ),
    ]
}

fn lobe_chat() -> Vec<Sent> {
    let summarizer = "You are a professional conversation summarizer. Generate a concise title that captures the \
                      essence of the conversation.\n\nRules:\n- Maximum 15 words";
    let follow_up = "You are a sidecar that extracts 0-4 quick-reply suggestions from the last assistant message. \
                     Each suggestion is a short candidate user reply.";
    let summary = "Summarize the conversation for future reference.\n\nRequirements:\n- Use the same primary \
                   language as the conversation.\n- description: one concise sentence suitable for a topic card.";
    let compressor = "You are a conversation context compressor. Your task is to create a structured summary that \
                      preserves essential information.";
    let translator =
        "You are a professional translator. Translate the input text to the target language.";
    let schema = json!({ "type": "json_schema", "json_schema": { "name": "topic_title", "strict": true, "schema": {
        "type": "object", "additionalProperties": false, "required": ["title"],
        "properties": { "title": { "type": "string" } } } } });
    let task = |text: &str, said: &str| json!({ "model": "openclaw", "stream": true, "messages": [system(text), user(said)] });
    let talked = "<user>\nWhere does my sister live?\n</user>\n<assistant>\nIn Graz.\n</assistant>";
    let mut title = task(
        summarizer,
        &format!("<conversation>\n{talked}\n</conversation>"),
    );
    title["response_format"] = schema;
    vec![
        talk(
            "LobeChat, a message",
            json!({ "model": "openclaw", "stream": true, "temperature": 1, "top_p": 1,
            "frequency_penalty": 0, "presence_penalty": 0, "stream_options": { "include_usage": true },
            "messages": [system("You are a helpful assistant."), user("Where does my sister live?")] }),
        ),
        own("LobeChat, a title", title),
        own(
            "LobeChat, an earlier title",
            task(
                summarizer,
                "user: Where does my sister live?\nassistant: In Graz.",
            ),
        ),
        own(
            "LobeChat, follow-ups",
            task(
                follow_up,
                "Last assistant message:\n\"\"\"\nIn Graz.\n\"\"\"",
            ),
        ),
        own("LobeChat, a summary", task(summary, talked)),
        own("LobeChat, a compression", task(compressor, talked)),
        own(
            "LobeChat, a translation",
            task(translator, "Where does my sister live?"),
        ),
    ]
}

#[test]
fn requests_of_chat_clients_are_accepted_and_only_chats_are_conversations() {
    let sent = open_webui()
        .into_iter()
        .chain(libre_chat())
        .chain(lobe_chat());
    for Sent { by, body, is_talk } in sent {
        let request: ChatRequest = serde_json::from_value(body).unwrap();
        let read = request.to_conversation();
        let read = read.unwrap_or_else(|error| panic!("{by}: {}", error.sentence()));
        assert_eq!(!read.is_clients_own(), is_talk, "{by}");
    }
}
