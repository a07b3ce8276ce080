//! `/v1/responses`: the newer API for the same turn as `/v1/chat/completions`.
//!
//! Keeps no response: a session is the only store of a conversation.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use base::estimate_message;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::chat::{LIFE_SIGN_EVERY, first_piece, refuse_json_offline, whole_reply};
use super::response_wire::{ResponseBody, ResponseStamp, ResponseStream};
use super::running::{begin, is_named};
use super::wire::{
    ChatMessage, ChatRequest, ClientTool, Content, FunctionSpec, ResponseFormat, Role, WireCall,
    WireFunction, WireSchema,
};
use crate::http::body::JsonBody;
use crate::http::error::HttpError;
use crate::http::state::HttpState;

/// A conversation to reply to, in the newer form.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ResponseRequest {
    /// `openclaw:NAME` continues the session of that name; any other value finds the session by the input.
    #[schemars(example = &"openclaw")]
    model: String,
    input: ResponseInput,
    /// Instructions of the client.
    instructions: Option<String>,
    /// Whether to stream the reply.
    stream: Option<bool>,
    /// Functions that the client runs itself; tools of other kinds are not offered to the model.
    tools: Option<Vec<ResponseTool>>,
    /// `auto`, or `none`, which offers no tool; a tool cannot be forced.
    #[schemars(with = "Option<String>")]
    tool_choice: Option<Value>,
    /// The format of the reply.
    text: Option<ResponseText>,
    /// Responses are not kept: without a named session, send the whole conversation as `input`.
    previous_response_id: Option<String>,
    /// Names the session.
    user: Option<String>,
    /// Maximum number of tokens of the reply.
    max_output_tokens: Option<u64>,
    /// 0 asks for the most likely reply; with any other value, the model's server uses its default.
    temperature: Option<f64>,
}

/// The conversation: a text of the owner, or all messages, calls and results, oldest first.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "input: must be a text or a list of messages, function calls and their outputs"
)]
pub(crate) enum ResponseInput {
    /// A text of the owner.
    Text(String),
    /// All that was said.
    Items(Vec<InputItem>),
}

/// A message, a call of a client's function, or its output.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct InputItem {
    /// `message`, `function_call` or `function_call_output`; others, such as `reasoning`, are skipped.
    r#type: Option<String>,
    role: Option<Role>,
    content: Option<Content>,
    call_id: Option<String>,
    name: Option<String>,
    /// JSON text as the model wrote it.
    arguments: Option<String>,
    output: Option<Content>,
}

/// A function that the client runs itself.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ResponseTool {
    /// Only `function` is supported.
    r#type: String,
    name: Option<String>,
    description: Option<String>,
    /// The JSON schema of its arguments.
    #[schemars(with = "Option<Map<String, Value>>")]
    parameters: Option<Value>,
}

/// Options of the reply's text.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ResponseText {
    format: Option<TextFormat>,
}

/// The format of the reply's text.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct TextFormat {
    /// `text`, `json_object` or `json_schema`.
    r#type: String,
    #[schemars(with = "Option<Map<String, Value>>")]
    schema: Option<Value>,
}

impl ResponseRequest {
    /// The same request in the older form.
    fn into_chat(self) -> Result<ChatRequest, HttpError> {
        let instructions = self.instructions.into_iter();
        let mut messages: Vec<ChatMessage> = instructions
            .map(|text| ChatMessage::says(Role::System, Some(Content::Text(text))))
            .collect();
        match self.input {
            ResponseInput::Text(text) => {
                messages.push(ChatMessage::says(Role::User, Some(Content::Text(text))));
            }
            ResponseInput::Items(items) => {
                for (at, item) in items.into_iter().enumerate() {
                    item.add_to(&mut messages)
                        .map_err(|why| HttpError::bad_request(format!("input[{at}]: {why}")))?;
                }
            }
        }
        let tools = self.tools.into_iter().flatten();
        let tools = tools.filter(|tool| tool.r#type == "function");
        let tools = tools.map(|tool| ClientTool {
            r#type: tool.r#type,
            function: tool.name.map(|name| FunctionSpec {
                name,
                description: tool.description,
                parameters: tool.parameters,
            }),
        });
        let format = self.text.and_then(|text| text.format);
        Ok(ChatRequest {
            model: self.model,
            messages,
            stream: self.stream,
            stream_options: None,
            tools: Some(tools.collect()),
            tool_choice: self.tool_choice,
            response_format: format.map(|format| ResponseFormat {
                r#type: format.r#type,
                json_schema: format.schema.map(|schema| WireSchema {
                    schema: Some(schema),
                }),
            }),
            stop: None,
            logprobs: None,
            functions: None,
            user: self.user,
            max_tokens: None,
            max_completion_tokens: self.max_output_tokens,
            temperature: self.temperature,
            n: None,
        })
    }
}

impl InputItem {
    fn add_to(self, messages: &mut Vec<ChatMessage>) -> Result<(), &'static str> {
        let kind = self.r#type.as_deref().unwrap_or("message");
        match kind {
            "message" => {
                let role = self.role.ok_or("a message needs a role")?;
                messages.push(ChatMessage {
                    name: self.name,
                    ..ChatMessage::says(role, self.content)
                });
            }
            "function_call" => {
                let call = WireCall {
                    id: self.call_id.ok_or("a function call needs a call_id")?,
                    r#type: "function".to_owned(),
                    function: WireFunction {
                        name: self.name.ok_or("a function call needs a name")?,
                        arguments: self.arguments.unwrap_or_default(),
                    },
                };
                // In the older form, the calls of a reply are part of its message.
                match messages.last_mut() {
                    Some(last) if last.role == Role::Assistant => {
                        last.tool_calls.get_or_insert_default().push(call);
                    }
                    Some(_) | None => messages.push(ChatMessage {
                        tool_calls: Some(vec![call]),
                        ..ChatMessage::says(Role::Assistant, None)
                    }),
                }
            }
            "function_call_output" => messages.push(ChatMessage {
                tool_call_id: Some(self.call_id.ok_or("an output needs a call_id")?),
                ..ChatMessage::says(Role::Tool, self.output)
            }),
            // Thoughts of a model, and references to what another server keeps.
            _ => {}
        }
        Ok(())
    }
}

/// Replies to a conversation, in the newer form.
pub(crate) async fn respond(
    State(state): State<Arc<HttpState>>,
    headers: HeaderMap,
    JsonBody(request): JsonBody<ResponseRequest>,
) -> Result<Response, HttpError> {
    let follows_another = request.previous_response_id.is_some();
    let request = request.into_chat()?;
    if follows_another && !is_named(&headers, &request)? {
        let why = "responses are not kept; send the whole conversation as `input`, or name the session with the model \
                   `openclaw:NAME`";
        return Err(HttpError::cannot_meet("previous_response_id", why));
    }
    let conversation = Arc::new(request.to_conversation()?);
    refuse_json_offline(&state, &request)?;
    let prompt = conversation.messages.iter().map(estimate_message).sum();
    let tools = conversation.tools.clone();
    let stamp = ResponseStamp::new(&state, request.model.clone())?;
    let mut running = begin(&state, (&headers, &request), conversation).await?;
    let first = first_piece(&mut running).await?;
    if request.stream == Some(true) {
        let stream = ResponseStream::new(stamp, tools, prompt);
        let alive = KeepAlive::new().interval(LIFE_SIGN_EVERY);
        return Ok(Sse::new(stream.events(first, running))
            .keep_alive(alive)
            .into_response());
    }
    let (text, reply) = whole_reply(first, &mut running).await?;
    Ok(Json(ResponseBody::whole(&stamp, &text, (&reply, &tools), prompt)).into_response())
}
