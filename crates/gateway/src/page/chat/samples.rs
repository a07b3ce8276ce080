//! The chat page as an example, for tests and the gallery.

use base::Invocation;
use session::SessionName;

use super::view::{ChatView, Notice, chat};
use crate::page::gallery::Sample;
use crate::page::sessions::sample_talk;

fn view(name: SessionName, text: &str) -> ChatView {
    ChatView {
        csrf: "c5rf".to_owned(),
        name,
        title: text.to_owned(),
        talk: Some(sample_talk(text)),
        has_earlier: true,
        others: vec![("work".to_owned(), text.to_owned())],
        models: vec![text.to_owned(), "gemma3".to_owned()],
        model: None,
        set_up: None,
        notices: Vec::new(),
        typed: String::new(),
    }
}

/// The states of the chat page; `text` is inserted wherever the owner's or a model's words appear.
pub(in crate::page) fn samples(text: &str) -> Vec<Sample> {
    let Ok(name) = "main".parse::<SessionName>() else {
        return Vec::new();
    };
    let told = ChatView {
        notices: vec![Notice::good(text.to_owned())],
        ..view(name.clone(), text)
    };
    let failed = ChatView {
        notices: vec![Notice::bad(text.to_owned())],
        typed: text.to_owned(),
        ..view(name.clone(), text)
    };
    let empty = ChatView {
        talk: None,
        has_earlier: false,
        models: Vec::new(),
        set_up: Some(Invocation::default().command("init")),
        ..view(name, text)
    };
    vec![
        Sample::new("chat", "a conversation with a notice", chat(&told)),
        Sample::new(
            "chat-failed",
            "a message that was not answered",
            chat(&failed),
        ),
        Sample::new(
            "chat-empty",
            "before the first message, without a model",
            chat(&empty),
        ),
    ]
}
