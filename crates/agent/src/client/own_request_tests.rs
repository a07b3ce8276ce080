//! The forms of the requests that chat clients make for themselves.

use base::model::{ReplyFormat, Sampling};

use super::*;

/// A form as `Open WebUI` sends it, around `task` and a sample of the reply.
fn form(task: &str, sample: &str) -> String {
    format!(
        "### Task:\n{task}\n### Guidelines:\n- Be short.\n- Use the language of the chat.\n### Output:\n\
         JSON format: {sample}\n### Chat History:\n<chat_history>\nUSER: I live in Graz.\nASSISTANT: Noted.\n\
         </chat_history>"
    )
}

fn sent(messages: Vec<Message>) -> ClientConversation {
    ClientConversation {
        messages,
        system: None,
        tools: Vec::new(),
        output_max: None,
        sampling: Sampling::Usual,
        format: None,
    }
}

#[test]
fn requests_for_titles_tags_questions_searches_and_completions_are_the_clients() {
    let completion = "### Task:\nContinue the text.\n### **Output Rules**:\n- Reply as `{ \"text\": \"...\" }`.\n\
                      ### Context:\n<type>General</type>\n<text>I live in</text>\n#### Output:";
    for request in [
        form("Name the chat.", r#"{ "title": "Living in Graz" }"#),
        form("Give one to three tags.", r#"{ "tags": ["home", "travel"] }"#),
        form("Suggest what to ask next.", r#"{ "follow_ups": ["Since when?"] }"#),
        form("List web searches.", "\n{\n  \"queries\": [\"Graz\"]\n}"),
        form("Name the chat with an emoji.", "none"),
        completion.to_owned(),
        "Your task is to reflect the speaker's likely facial expression with an emoji.\n\nMessage: ```hi```".to_owned(),
        "Provide a concise, 5-word-or-less title for the conversation, in title case.\n\nConversation:\nUser: hi".to_owned(),
        "Analyze this conversation and provide:\n1. Its language\n2. A title\n\nUser: hi\nAI: Hello".to_owned(),
        "Given the following... please reply with a title for the chat that is short.\n\nI live in Graz.".to_owned(),
    ] {
        assert!(is_clients_request(&request), "{request}");
        assert!(sent(vec![Message::user(request.clone())]).is_clients_own());
    }
}

#[test]
fn request_with_a_clients_system_text_or_reply_format_is_the_clients() {
    let talk = "user: I live in Graz.\nassistant: Noted.";
    let mut titled = sent(vec![Message::user(talk)]);
    assert!(!titled.is_clients_own());
    titled.system =
        Some("Summarize the conversation into a title in English within 10 words".to_owned());
    assert!(titled.is_clients_own());
    let history = "<chat_history>\nUSER: hi\n</chat_history>\nWhat next?";
    let mut asked = sent(vec![Message::user(history)]);
    assert!(!asked.is_clients_own());
    let (name, schema) = ("reply", "{}".to_owned());
    asked.format = Some(ReplyFormat { name, schema });
    assert!(asked.is_clients_own());
}

#[test]
fn messages_of_people_and_their_documents_are_not_the_clients() {
    let documents = "### Task:\nAnswer the question from the documents.\n### Guidelines:\n- Cite them.\n\
                     <context>\n<source id=\"1\">{ \"city\": \"Graz\" }</source>\n</context>\n\nWhere do I live?";
    for text in [
        documents,
        "Can you suggest a title for my essay about Graz?",
        "Reply with JSON such as { \"city\": \"Graz\" }, please.",
        "# Plan\n- paint the door\n- then { \"a\": 1 }",
        "Why is this no JSON?\n<config>\nx\n</config>\n{ \"a\": 1 }",
        "",
    ] {
        assert!(!is_clients_request(text), "{text}");
    }
    let title = form("Name the chat.", r#"{ "title": "Living in Graz" }"#);
    let turns = [
        Message::user("hi"),
        Message::assistant("Hello."),
        Message::user(title),
    ];
    assert!(!sent(turns.to_vec()).is_clients_own());
}
