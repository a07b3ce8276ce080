//! The requests of chat completions, and their conversion to the input of a turn.
//!
//! Ignores unknown fields; refuses known ones that it cannot honour.

use base::model::{ReplyFormat, Sampling, ToolSpec};
use base::{
    Assistant, Block, Message, StopReason, TokenCount, ToolCall, ToolCallId, ToolOutcome,
    ToolResult,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use agent::ClientConversation;

use crate::http::error::HttpError;

/// The format `json_object` has no schema, so the model is asked for JSON in words.
const JSON_IN_WORDS: &str = "Answer with one JSON object and with nothing else.";

/// A conversation to reply to.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ChatRequest {
    /// `openclaw:NAME` continues the session of that name; any other value finds the session by the messages.
    #[schemars(example = &"openclaw")]
    pub(crate) model: String,
    /// The whole conversation, oldest message first.
    #[schemars(length(min = 1))]
    pub(crate) messages: Vec<ChatMessage>,
    /// Whether to stream the reply.
    pub(crate) stream: Option<bool>,
    /// Options of the stream.
    pub(crate) stream_options: Option<StreamOptions>,
    /// Tools that the client runs itself.
    pub(crate) tools: Option<Vec<ClientTool>>,
    /// `auto`, or `none`, which offers no tool; a tool cannot be forced.
    #[schemars(with = "Option<String>")]
    pub(crate) tool_choice: Option<Value>,
    /// The format of the reply.
    pub(crate) response_format: Option<ResponseFormat>,
    /// Stop sequences; not supported, so it must be empty.
    #[schemars(with = "Option<Vec<String>>", length(max = 0))]
    pub(crate) stop: Option<Value>,
    /// Log probabilities; not supported.
    pub(crate) logprobs: Option<bool>,
    /// The predecessor of `tools`; not supported.
    #[schemars(with = "Option<Vec<Map<String, Value>>>", length(max = 0))]
    pub(crate) functions: Option<Value>,
    /// Names the session.
    pub(crate) user: Option<String>,
    /// Maximum number of tokens of the reply.
    pub(crate) max_tokens: Option<u64>,
    /// The newer name of `max_tokens`, which it overrides.
    pub(crate) max_completion_tokens: Option<u64>,
    /// 0 asks for the most likely reply; with any other value, the model's server uses its default.
    pub(crate) temperature: Option<f64>,
    /// Number of replies; only one is supported.
    #[schemars(range(min = 1, max = 1))]
    pub(crate) n: Option<u64>,
}

/// Options of a stream.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct StreamOptions {
    /// Whether the last chunk reports the tokens used.
    pub(crate) include_usage: Option<bool>,
}

/// The format of a reply.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ResponseFormat {
    /// `text`, `json_object` or `json_schema`.
    pub(super) r#type: String,
    pub(super) json_schema: Option<WireSchema>,
}

/// The JSON schema of a reply.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct WireSchema {
    #[schemars(with = "Option<Map<String, Value>>")]
    pub(super) schema: Option<Value>,
}

/// The role of a speaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    /// The client, with its instructions.
    System,
    /// The newer name of `system`.
    Developer,
    /// The owner.
    User,
    /// The assistant.
    Assistant,
    /// A tool of the client.
    Tool,
}

/// One message.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ChatMessage {
    pub(super) role: Role,
    pub(super) content: Option<Content>,
    /// The name of the speaker, if several people speak.
    pub(super) name: Option<String>,
    pub(super) tool_calls: Option<Vec<WireCall>>,
    /// The id of the call that this message answers.
    pub(super) tool_call_id: Option<String>,
}

/// The content of a message.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "content: must be a text or a list of parts with a type"
)]
pub(crate) enum Content {
    /// A text.
    Text(String),
    /// A text in parts.
    Parts(Vec<ContentPart>),
}

/// A part of a text.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ContentPart {
    /// Only `text`, `input_text` and `output_text` are supported.
    r#type: String,
    text: Option<String>,
}

/// A call of a client's tool.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct WireCall {
    pub(super) id: String,
    /// Always `function`.
    #[serde(default = "function")]
    pub(super) r#type: String,
    pub(super) function: WireFunction,
}

/// The function that is called.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct WireFunction {
    pub(super) name: String,
    /// JSON text as the model wrote it.
    #[serde(default)]
    pub(super) arguments: String,
}

/// A tool that the client runs itself.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ClientTool {
    /// Only `function` is supported.
    pub(super) r#type: String,
    pub(super) function: Option<FunctionSpec>,
}

/// The name, purpose and parameters of a function.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FunctionSpec {
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: Option<String>,
    /// The JSON schema of its arguments.
    #[serde(default)]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub(super) parameters: Option<Value>,
}

pub(super) fn function() -> String {
    "function".to_owned()
}

impl ChatRequest {
    /// Whether the last chunk of a stream reports the tokens used.
    pub(crate) fn tells_usage(&self) -> bool {
        let options = self.stream_options.as_ref();
        options
            .and_then(|options| options.include_usage)
            .unwrap_or(false)
    }

    /// Converts the request into the input of a turn; refuses what is not supported.
    pub(crate) fn to_conversation(&self) -> Result<ClientConversation, HttpError> {
        self.check()?;
        let mut system = Vec::new();
        let format = self.format()?;
        let mut messages: Vec<Message> = Vec::new();
        for (at, message) in self.messages.iter().enumerate() {
            let said = message
                .read(&messages)
                .map_err(|reason| HttpError::bad_request(format!("messages[{at}]: {reason}")))?;
            match said {
                Spoken::ByClient(text) => system.push(text),
                Spoken::InConversation(message) => messages.push(message),
            }
        }
        match messages.last() {
            Some(Message::User { .. } | Message::ToolResult(_)) => {}
            Some(Message::Assistant(_)) => {
                return Err(HttpError::bad_request(
                    "messages: the last one is the assistant's, so there is nothing to reply to",
                ));
            }
            // A client may put a request of its own, such as for a title, into its system text alone.
            None if !system.is_empty() => {}
            None => {
                return Err(HttpError::bad_request("messages: none is from the user"));
            }
        }
        if self.wants_json() && format.is_none() {
            system.push(JSON_IN_WORDS.to_owned());
        }
        let output_max = self.max_completion_tokens.or(self.max_tokens);
        if output_max == Some(0) {
            return Err(HttpError::cannot_meet("max_tokens", "must be at least one"));
        }
        let is_likeliest = self.temperature == Some(0.0);
        Ok(ClientConversation {
            messages,
            system: (!system.is_empty()).then(|| system.join("\n\n")),
            tools: self.offered()?,
            output_max: output_max.map(TokenCount),
            sampling: if is_likeliest {
                Sampling::Likeliest
            } else {
                Sampling::Usual
            },
            format,
            shows_notices: !self.wants_json(),
        })
    }

    /// Refuses parameters that the client relies on and that would otherwise be ignored.
    fn check(&self) -> Result<(), HttpError> {
        let is_free = |choice: &Value| matches!(choice.as_str(), Some("auto" | "none"));
        let is_empty =
            |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
        let refused = [
            (
                self.n.is_some_and(|n| n != 1),
                "n",
                "only one reply is supported",
            ),
            (
                self.tool_choice.as_ref().is_some_and(|it| !is_free(it)),
                "tool_choice",
                "a tool cannot be forced; use `auto` or `none`",
            ),
            (
                self.stop.as_ref().is_some_and(|it| !is_empty(it)),
                "stop",
                "stop sequences are not supported",
            ),
            (
                self.logprobs == Some(true),
                "logprobs",
                "log probabilities are not supported",
            ),
            (
                self.functions.as_ref().is_some_and(|it| !is_empty(it)),
                "functions",
                "not supported; use `tools`",
            ),
        ];
        match refused.into_iter().find(|(is_refused, ..)| *is_refused) {
            Some((_, param, why)) => Err(HttpError::cannot_meet(param, why)),
            None => Ok(()),
        }
    }

    /// Whether the reply must be JSON.
    pub(crate) fn wants_json(&self) -> bool {
        let format = self.response_format.as_ref();
        format.is_some_and(|format| format.r#type != "text")
    }

    fn format(&self) -> Result<Option<ReplyFormat>, HttpError> {
        let Some(format) = &self.response_format else {
            return Ok(None);
        };
        let schema = match (&*format.r#type, &format.json_schema) {
            ("text" | "json_object", _) => return Ok(None),
            (
                "json_schema",
                Some(WireSchema {
                    schema: Some(schema),
                }),
            ) if schema.is_object() => schema.to_string(),
            _ => {
                let why = "must be `text`, `json_object`, or `json_schema` with a schema";
                return Err(HttpError::cannot_meet("response_format", why));
            }
        };
        Ok(Some(ReplyFormat {
            name: "reply",
            schema,
        }))
    }

    fn offered(&self) -> Result<Vec<ToolSpec>, HttpError> {
        if self.tool_choice.as_ref().and_then(Value::as_str) == Some("none") {
            return Ok(Vec::new());
        }
        let offered = self.tools.iter().flatten().enumerate().map(|(at, tool)| {
            let function = tool.function.as_ref().filter(|it| tool.r#type == "function" && is_tool_name(&it.name));
            let function = function.ok_or_else(|| {
                HttpError::bad_request(format!(
                    "tools[{at}]: must be a function named with 1 to 128 letters, digits, `_`, `-` or `.`"
                ))
            })?;
            let empty = || "{\"type\":\"object\",\"properties\":{}}".to_owned();
            Ok(ToolSpec {
                name: function.name.clone(),
                description: function.description.clone().unwrap_or_default(),
                parameters: function.parameters.as_ref().map_or_else(empty, ToString::to_string),
            })
        });
        offered.collect()
    }
}

fn is_tool_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    !name.is_empty() && name.len() <= 128 && name.chars().all(is_plain)
}

enum Spoken {
    ByClient(String),
    InConversation(Message),
}

impl ChatMessage {
    pub(super) fn says(role: Role, content: Option<Content>) -> Self {
        Self {
            role,
            content,
            name: None,
            tool_calls: None,
            tool_call_id: None,
        }
    }

    fn read(&self, before: &[Message]) -> Result<Spoken, String> {
        // Apart, because each part may have another author.
        let texts = match &self.content {
            None => vec![String::new()],
            Some(Content::Text(text)) => vec![text.clone()],
            Some(Content::Parts(parts)) => texts(parts)?,
        };
        let text = texts.join("\n");
        let content: Vec<Block> = texts.into_iter().map(Block::Text).collect();
        Ok(Spoken::InConversation(match self.role {
            Role::System | Role::Developer => return Ok(Spoken::ByClient(text)),
            Role::User => Message::User {
                content,
                name: self.name.clone(),
            },
            Role::Assistant => {
                let calls = self.tool_calls.iter().flatten().map(|call| {
                    Block::ToolCall(ToolCall {
                        id: ToolCallId::new(call.id.clone()),
                        name: call.function.name.clone(),
                        arguments: call.function.arguments.clone(),
                    })
                });
                let calls: Vec<Block> = calls.collect();
                let stop = if calls.is_empty() {
                    StopReason::Stop
                } else {
                    StopReason::ToolUse
                };
                let words = content.into_iter().filter(|_| !text.is_empty());
                Message::Assistant(Assistant {
                    content: words.chain(calls).collect(),
                    usage: None,
                    stop,
                })
            }
            Role::Tool => {
                let id = self
                    .tool_call_id
                    .as_deref()
                    .ok_or("a tool message needs a tool_call_id")?;
                let mut calls = before.iter().flat_map(Message::tool_calls);
                let call = calls.find(|call| call.id.as_str() == id);
                let call =
                    call.ok_or("no earlier message has a tool call with this tool_call_id")?;
                Message::ToolResult(ToolResult {
                    call_id: call.id.clone(),
                    tool_name: call.name.clone(),
                    content,
                    outcome: ToolOutcome::Success,
                })
            }
        }))
    }
}

fn texts(parts: &[ContentPart]) -> Result<Vec<String>, String> {
    let texts = parts.iter().map(|part| match (&*part.r#type, &part.text) {
        ("text" | "input_text" | "output_text", Some(text)) => Ok(text.clone()),
        ("text" | "input_text" | "output_text", None) => {
            Err("a part of type text needs a text".to_owned())
        }
        (kind, _) => Err(format!(
            "content of type {kind} is not supported, only text"
        )),
    });
    texts.collect()
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "wire_clients_tests.rs"]
mod clients_tests;
