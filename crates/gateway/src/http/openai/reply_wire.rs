//! The replies of chat completions, made from a turn's reply.
//!
//! Reads no request.

use base::model::ToolSpec;
use base::{Assistant, Block, Message, StopReason, TokenCount, estimate_message};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::wire::{Role, WireCall, WireFunction, function};

/// A whole reply.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ChatCompletion {
    pub(crate) id: String,
    #[schemars(example = &"chat.completion")]
    pub(crate) object: &'static str,
    pub(crate) created: i64,
    pub(crate) model: String,
    pub(crate) choices: Vec<ReplyChoice>,
    pub(crate) usage: WireUsage,
}

/// The reply.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReplyChoice {
    pub(crate) index: u32,
    pub(crate) message: ReplyMessage,
    pub(crate) logprobs: Option<String>,
    pub(crate) finish_reason: &'static str,
}

/// The message of the assistant.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReplyMessage {
    pub(crate) role: Role,
    pub(crate) content: Option<String>,
    pub(crate) refusal: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tool_calls: Vec<WireCall>,
}

/// Tokens of the last request to the model.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(crate) struct WireUsage {
    #[serde(rename = "prompt_tokens")]
    prompt: u64,
    #[serde(rename = "completion_tokens")]
    completion: u64,
    #[serde(rename = "total_tokens")]
    total: u64,
}

impl WireUsage {
    /// The provider's counts for a reply, or an estimate if it gave none.
    pub(super) fn of(reply: &Assistant, prompt: TokenCount) -> Self {
        match &reply.usage {
            Some(usage) => Self::new(usage.request(), usage.output),
            None => Self::new(prompt, estimate_message(&Message::Assistant(reply.clone()))),
        }
    }

    /// The same counts under the names of `/v1/responses`.
    pub(super) fn of_response(self) -> Value {
        json!({
            "input_tokens": self.prompt,
            "input_tokens_details": { "cached_tokens": 0 },
            "output_tokens": self.completion,
            "output_tokens_details": { "reasoning_tokens": 0 },
            "total_tokens": self.total,
        })
    }

    pub(crate) fn new(prompt: TokenCount, completion: TokenCount) -> Self {
        Self {
            prompt: prompt.0,
            completion: completion.0,
            total: prompt.0 + completion.0,
        }
    }
}

/// The calls of a reply that go to the client.
pub(crate) fn calls_of(reply: &Assistant, tools: &[ToolSpec]) -> Vec<WireCall> {
    let calls = reply.content.iter().filter_map(Block::tool_call);
    calls
        .filter(|call| tools.iter().any(|tool| tool.name == call.name))
        .map(|call| WireCall {
            id: call.id.to_string(),
            r#type: function(),
            function: WireFunction {
                name: call.name.clone(),
                arguments: call.arguments.clone(),
            },
        })
        .collect()
}

/// Why a reply ended, in the words of the protocol.
pub(crate) fn finish_reason(reply: &Assistant, calls: &[WireCall]) -> &'static str {
    match reply.stop {
        _ if !calls.is_empty() => "tool_calls",
        StopReason::Length => "length",
        StopReason::Stop | StopReason::ToolUse | StopReason::Error | StopReason::Aborted => "stop",
    }
}
