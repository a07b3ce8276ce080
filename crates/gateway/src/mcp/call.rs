//! Handles calls of tools.
//!
//! A failed call says why in its result, which clients show; they would not show a protocol error.

use agent::{Door, ForgetOffer, GraphAction, ReviewOffer};
use memory::OwnerLines;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use rmcp::service::ElicitationMode;
use rmcp::{Peer, RoleServer};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::tools::McpDialect;

/// What the owner answers when a client asks them.
#[derive(Debug, Deserialize, JsonSchema)]
struct Consent {
    /// Yes, do it
    agree: bool,
}

rmcp::elicit_safe!(Consent);

#[derive(Deserialize)]
struct ForgetCall {
    what: String,
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
        (McpDialect::Openclaw, "dream_review") => review(door, &json, peer).await,
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

/// The owner's answer to a question.
enum Answer {
    Yes,
    No,
    /// The client cannot ask them.
    NotAsked,
}

/// Asks the owner through the client: a model's word is not theirs.
async fn asked(peer: &Peer<RoleServer>, question: String) -> Result<Answer, String> {
    let modes = peer.supported_elicitation_modes();
    if !modes.contains(&ElicitationMode::Form) {
        return Ok(Answer::NotAsked);
    }
    match peer.elicit::<Consent>(question).await {
        Ok(Some(Consent { agree: true })) => Ok(Answer::Yes),
        Ok(_) => Ok(Answer::No),
        Err(error) => Err(format!("The owner could not be asked: {error}.")),
    }
}

const REFUSED: &str = "The owner said no; everything stays as it is.";

/// Forgets what the owner agrees to.
async fn forget(door: &Door, json: &str, peer: &Peer<RoleServer>) -> Result<String, String> {
    let ForgetCall { what } = arguments(json)?;
    let Some(ForgetOffer { token, plan }) = door.plan_forgetting(&what)? else {
        return Ok("Nothing was found that could be forgotten.".to_owned());
    };
    match asked(peer, format!("Forget this for good?\n{plan}")).await? {
        Answer::Yes => door.forget(&token, OwnerLines::Remove),
        Answer::No => Ok(REFUSED.to_owned()),
        Answer::NotAsked => {
            let command = format!("openclaw memory forget {}", quoted(&what));
            Ok(format!(
                "{}\nIt would forget:\n{plan}",
                only_owner(&command)
            ))
        }
    }
}

/// Applies a decision on a candidate if the owner agrees.
async fn review(door: &Door, json: &str, peer: &Peer<RoleServer>) -> Result<String, String> {
    let ReviewOffer { question, command } = door.plan_review(json)?;
    match asked(peer, question).await? {
        Answer::Yes => door.review(json),
        Answer::No => Ok(REFUSED.to_owned()),
        Answer::NotAsked => Ok(only_owner(&command)),
    }
}

fn arguments<T: DeserializeOwned>(json: &str) -> Result<T, String> {
    serde_json::from_str(json).map_err(|error| format!("The arguments cannot be read: {error}."))
}

fn only_owner(command: &str) -> String {
    format!(
        "Nothing was changed: only the owner decides this, and this program cannot ask them. Give them this command \
         to type:\n{command}"
    )
}

/// A text as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
