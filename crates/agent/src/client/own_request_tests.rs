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
        shows_notices: true,
    }
}

#[test]
fn client_task_prompts_are_client_requests() {
    let completion = "### Task:\nContinue the text.\n### **Output Rules**:\n- Reply as `{ \"text\": \"...\" }`.\n\
                      ### Context:\n<type>General</type>\n<text>I live in</text>\n#### Output:";
    for request in [
        form("Name the chat.", r#"{ "title": "Living in Graz" }"#),
        form("Give one to three tags.", r#"{ "tags": ["home", "travel"] }"#),
        form("Suggest what to ask next.", r#"{ "follow_ups": ["Since when?"] }"#),
        form("List web searches.", "\n{\n  \"queries\": [\"Graz\"]\n}"),
        form("Name the chat with an emoji.", "none"),
        format!("{}\"", form("Suggest what to ask.", r#"{ "follow_ups": [] }"#)),
        completion.to_owned(),
        "Your task is to reflect the speaker's likely facial expression through a fitting emoji.\n\nMessage: ```hi```".to_owned(),
        "Provide a concise, 5-word-or-less title for the conversation, using title case conventions.\n\nConversation:\nUser: hi".to_owned(),
        "Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A title\n\nUser: hi\nAI: Hello".to_owned(),
        "Given the following... please reply with a title for the chat that is short.\n\nI live in Graz.".to_owned(),
        "Here is the query:\nI live in Graz.\n\nCreate a concise, 3-5 word phrase with an emoji as a title for the \
         previous query. RESPOND ONLY WITH THE TITLE TEXT.".to_owned(),
        "Based on the chat history, give this conversation a name.\nKeep it short.\nJust provide the name, nothing \
         else.\n\n```\nhi\n```".to_owned(),
    ] {
        assert!(is_clients_request(&request), "{request}");
        assert!(sent(vec![Message::user(request.clone())]).is_clients_own());
    }
}

#[test]
fn request_with_client_system_text_or_format_is_client_request() {
    let talk = "user: I live in Graz.\nassistant: Noted.";
    let mut titled = sent(vec![Message::user(talk)]);
    assert!(!titled.is_clients_own());
    titled.system = Some(
        "Summarize the conversation into a title in English within 10 words, without punctuation"
            .to_owned(),
    );
    assert!(titled.is_clients_own());
    let history = "<chat_history>\nUSER: hi\n</chat_history>\nWhat next?";
    let mut asked = sent(vec![Message::user(history)]);
    assert!(!asked.is_clients_own());
    let (name, schema) = ("reply", "{}".to_owned());
    asked.format = Some(ReplyFormat { name, schema });
    assert!(asked.is_clients_own());
}

#[test]
fn personal_messages_and_documents_are_not_client_requests() {
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

#[test]
fn message_in_or_about_template_is_not_client_request() {
    let template = "### Task:\nAnswer the query.\n### Output:\nReply as { \"answer\": \"...\" }\n<context>\n\
                    <source id=\"1\">\nIt looks like this:\n<chat_history>\n{{MESSAGES}}\n</chat_history>\n\
                    </source>\n</context>\n";
    for text in [
        format!("{template}\nWhy is {{ \"name\": \"x\" }} not valid?"),
        format!("{template}\n<user_query>\nIs {{ \"a\": 1 }} valid?\n</user_query>\n"),
        format!("My boat is called Nixe.\n{template}"),
        form("Name the chat.", r#"{ "title": "x" }"#) + "\n\nWhat does this template do?",
        format!("What does this do?\n{}", form("Name the chat.", "none")),
        "# Plan\nThe service returns:\n<pre>\nx\n</pre>\n## Output\n{ \"title\": \"Plan\" }"
            .to_owned(),
        "Write a concise title for this conversation partner of mine: my aunt Olga.".to_owned(),
        "Based on the chat history, give this conversation a name of two words.".to_owned(),
        "Summarize the conversation into a title in German.".to_owned(),
        "Here is the query:\nselect 1".to_owned(),
        "Analyze this conversation and provide:\n- who is right".to_owned(),
    ] {
        assert!(!is_clients_request(&text), "{text}");
        assert!(!sent(vec![Message::user(text)]).is_clients_own());
    }
}

#[test]
fn known_client_request_is_recognised_after_turns_and_with_tools() {
    let title = "Please generate a four to five word title summarizing our conversation without any lead-in, \
                 punctuation, quotation marks, periods, symbols, bold text, or additional text. Remove enclosing \
                 quotation marks.";
    let turns = [
        Message::user("I live in Graz."),
        Message::assistant("Noted."),
        Message::user(title),
    ];
    assert!(sent(turns.to_vec()).is_clients_own());
    let mut kept = sent(vec![Message::user(
        "# Current Chat:\n\n[user]: I live in Graz.",
    )]);
    kept.tools = vec![base::model::ToolSpec {
        name: "set_memory".to_owned(),
        description: String::new(),
        parameters: String::new(),
    }];
    assert!(kept.is_clients_own());
}

#[test]
fn system_text_without_user_message_is_client_request() {
    let mut titled = sent(Vec::new());
    titled.system = Some("Name the chat: I live in Graz.".to_owned());
    assert!(titled.is_clients_own());
}
