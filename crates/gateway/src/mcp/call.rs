//! Handles calls of tools.
//!
//! A failed call says why in its result, which clients show; they would not show a protocol error.

use agent::{Door, ForgetOffer, GraphAction};
use memory::OwnerLines;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use rmcp::service::ElicitationMode;
use rmcp::{Peer, RoleServer};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::tools::McpDialect;

/// What the owner answers when a client asks them.
#[derive(Debug, Deserialize, JsonSchema)]
struct Confirmation {
    /// Forget these passages
    forget: bool,
}

rmcp::elicit_safe!(Confirmation);

#[derive(Deserialize)]
struct ForgetCall {
    what: Option<String>,
    token: Option<String>,
}

/// Calls the tool of this name; `None` if there is none.
pub(crate) async fn call(
    door: &Door,
    dialect: McpDialect,
    (name, arguments): (&str, JsonObject),
    peer: &Peer<RoleServer>,
) -> Option<CallToolResult> {
    if dialect == McpDialect::Graph {
        return Some(called_graph(door, name, &arguments));
    }
    let json = serde_json::Value::Object(arguments).to_string();
    let answer = match (dialect, name) {
        (McpDialect::Openclaw, "memory_search") => door.search(&json),
        (McpDialect::Openclaw, "session_search") => door.search_sessions(&json),
        (McpDialect::Openclaw, "memory_get") => door.get(&json),
        (McpDialect::Openclaw, "session_expand") => door.expand(&json),
        (McpDialect::Openclaw, "remember") => door.remember(&json),
        (McpDialect::Openclaw, "dream_candidates") => door.candidates(),
        (McpDialect::Openclaw, "dream_review") => door.review(&json),
        (McpDialect::Openclaw, "forget") => forget(door, &json, peer).await,
        (McpDialect::Chatgpt, "search") => door.search_places(&json),
        (McpDialect::Chatgpt, "fetch") => door.fetch(&json),
        (McpDialect::Openclaw | McpDialect::Chatgpt | McpDialect::Graph, _) => return None,
    };
    Some(answer.map_or_else(failed, succeeded))
}

/// Calls a tool of the graph; the result holds the answer twice, as text for models and as JSON for programs.
fn called_graph(door: &Door, name: &str, arguments: &JsonObject) -> CallToolResult {
    let action = json!({ "name": name, "arguments": arguments });
    let action: Result<GraphAction, _> = serde_json::from_value(action);
    let action = action.map_err(|error| format!("The arguments cannot be read: {error}."));
    let answer = action.and_then(|action| door.graph(action));
    answer.map_or_else(failed, |answer| {
        let mut result = succeeded(answer.text);
        result.structured_content = Some(answer.structured);
        // The reference server sets `isError` only for failures.
        result.is_error = None;
        result
    })
}

fn succeeded(text: String) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

fn failed(text: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// Forgets what the owner agrees to: asks them through the client, or takes the token of a plan that they saw.
async fn forget(door: &Door, json: &str, peer: &Peer<RoleServer>) -> Result<String, String> {
    let arguments: ForgetCall = serde_json::from_str(json)
        .map_err(|error| format!("The arguments cannot be read: {error}."))?;
    let what = match (arguments.token, arguments.what) {
        (Some(token), _) => return door.forget(&token, OwnerLines::Leave),
        (None, Some(what)) => what,
        (None, None) => {
            return Err("Say what to forget, or give the token of a plan.".to_owned());
        }
    };
    let Some(ForgetOffer { token, plan }) = door.plan_forgetting(&what)? else {
        return Ok("Nothing was found that could be forgotten.".to_owned());
    };
    if !peer
        .supported_elicitation_modes()
        .contains(&ElicitationMode::Form)
    {
        return Ok(format!(
            "Nothing was forgotten yet. Show this to the owner, and call forget with the token {token} once they \
             agree. It forgets:\n{plan}"
        ));
    }
    let question = format!("Forget this for good?\n{plan}");
    match peer.elicit::<Confirmation>(question).await {
        Ok(Some(Confirmation { forget: true })) => door.forget(&token, OwnerLines::Remove),
        Ok(_) => Ok("The owner said no; everything stays as it is.".to_owned()),
        Err(error) => Err(format!("Nothing was forgotten: {error}.")),
    }
}
