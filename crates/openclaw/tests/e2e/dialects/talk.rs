//! One request to a server that follows a script, and its outcome as text.
//!
//! Independent of the dialect.

use std::time::Duration;

use base::model::{Model, ModelError, Purpose, ReplyEvent, Request, ToolSpec};
use base::{Assistant, Block, Message, TokenCount, ToolCall, ToolCallId, ToolOutcome, ToolResult};
use futures_util::StreamExt;
use models::{ApiKey, Connection, Dialect, Patience, RemoteModel};
use testkit::ChatServer;

/// A key of no known form, so that only its exact text can reveal it.
pub(super) const KEY: &str = "hunter2-and-more";

/// The model that is asked for.
pub(super) const MODEL: &str = "some-model";

/// A connection to the server of a test, with short timeouts.
pub(super) fn connection(dialect: Dialect, server: &ChatServer, path: &str) -> Connection {
    Connection {
        base_url: Some(server.url(path)),
        key: ApiKey::new(KEY).unwrap(),
        key_source: "it is read from the variable SOME_KEY".to_owned(),
        patience: Patience {
            connect: Duration::from_secs(10),
            silence: Duration::from_millis(300),
            n_retries: 0,
            ..Patience::default()
        },
        ..Connection::new(dialect, MODEL)
    }
}

/// The message to the model in most tests.
pub(super) fn request() -> Request {
    Request {
        purpose: Purpose::Chat,
        system: "You are kind.".to_owned(),
        messages: vec![Message::user("Hello?")],
        tools: Vec::new(),
        format: None,
        output_max: TokenCount(1_000),
        sampling: base::model::Sampling::Usual,
    }
}

/// A conversation in which tools were called, two of them at once, and one with invalid arguments.
pub(super) fn conversation() -> Request {
    let call = |id: &str, name: &str, arguments: &str| {
        Block::ToolCall(ToolCall {
            id: ToolCallId::new(id),
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        })
    };
    let result = |id: &str, name: &str, text: &str| {
        Message::ToolResult(ToolResult {
            call_id: ToolCallId::new(id),
            tool_name: name.to_owned(),
            content: vec![Block::Text(text.to_owned())],
            outcome: ToolOutcome::Success,
        })
    };
    let reply = |content: Vec<Block>| {
        Message::Assistant(Assistant {
            content,
            ..Assistant::default()
        })
    };
    Request {
        messages: vec![
            Message::user("What do you know of Ada and Bo?"),
            reply(vec![
                Block::Thinking("two searches".to_owned()),
                Block::Text("Let me look.".to_owned()),
                call("call_1", "memory_search", r#"{"query":"Ada"}"#),
                call(
                    "call#2 of another program",
                    "memory search",
                    r#"{"query": "Bo"#,
                ),
            ]),
            result("call_1", "memory_search", "Ada likes tea."),
            result("call#2 of another program", "memory search", "no JSON"),
            reply(vec![Block::Text("Ada likes tea.".to_owned())]),
            Message::User {
                content: vec![
                    Block::Text("And Bo?".to_owned()),
                    Block::Text(" \n".to_owned()),
                    Block::Text("It is Monday.".to_owned()),
                ],
                name: Some("Cy".to_owned()),
            },
        ],
        tools: vec![ToolSpec {
            name: "memory_search".to_owned(),
            description: "Searches the notes.".to_owned(),
            parameters:
                r#"{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}"#
                    .to_owned(),
        }],
        ..request()
    }
}

/// The outcome of a request, one line per piece; neighbouring texts stay separate, as they arrived.
pub(super) fn talk(connection: Connection, request: &Request) -> String {
    let base_url = connection.base_url.clone().unwrap_or_default();
    let model = RemoteModel::new(connection).unwrap();
    talk_with(&model, request).replace(base_url.trim_end_matches('/'), "URL")
}

/// The same for a model that may already have been asked.
pub(super) fn talk_with(model: &RemoteModel, request: &Request) -> String {
    let executor = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let pieces: Vec<_> = executor.block_on(model.stream(request).collect());
    let lines: Vec<String> = pieces.iter().map(line).collect();
    let text = lines.join("\n");
    assert!(!text.contains(KEY), "the key is told: {text}");
    text
}

fn line(piece: &Result<ReplyEvent, ModelError>) -> String {
    match piece {
        Ok(ReplyEvent::Text(text)) => format!("text {text:?}"),
        Ok(ReplyEvent::Thinking(text)) => format!("thinking {text:?}"),
        Ok(ReplyEvent::ToolCall(call)) => {
            format!("call {} {} {}", call.id.as_str(), call.name, call.arguments)
        }
        // How long is waited is a matter of chance.
        Ok(ReplyEvent::AskedAgain { reason, .. }) => format!("again, for {reason}"),
        Ok(ReplyEvent::Warning(warning)) => format!("warning: {warning}"),
        Ok(ReplyEvent::Done { stop, usage: None }) => format!("done {stop:?}"),
        Ok(ReplyEvent::Done {
            stop,
            usage: Some(usage),
        }) => format!(
            "done {stop:?}, in {}, out {}, from cache {}, to cache {}",
            usage.input, usage.output, usage.cache_read, usage.cache_write
        ),
        Err(error @ ModelError::RateLimited { retry_after, .. }) => {
            format!("error RateLimited: {error} {retry_after:?}")
        }
        Err(error) => {
            let kind = format!("{error:?}");
            let kind = kind.split([' ', '{']).next().unwrap_or_default();
            format!("error {kind}: {error}")
        }
    }
}

/// The one request that a server received: the request line, the header with the key, and the body.
#[track_caller]
pub(super) fn asked_of(server: &ChatServer, key: &str) -> String {
    let asked = server.asked();
    let [asked] = asked.as_slice() else {
        panic!("{asked:?}");
    };
    let body = serde_json::to_string_pretty(&asked.body).unwrap();
    let value = asked.header(key).unwrap_or("none");
    format!("{}\n{key}: {value}\n{body}", asked.line)
}
