//! Handles calls of tools.
//!
//! A failed call says why in its result, which clients show; they would not show a protocol error.

use std::collections::BTreeMap;

use agent::ops::AddPromise;
use agent::{Door, ForgetOffer, GraphAction, PromiseOffer, ReviewCandidate, ReviewOffer};
use base::shell_quoted;
use rmcp::RoleServer;
use rmcp::model::{
    CallToolResponse, CallToolResult, ContentBlock, ElicitRequest, ElicitRequestParams,
    ElicitResult, ElicitationAction, ElicitationSchema, InputRequest, InputRequiredResult,
    InputResponses, JsonObject,
};
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::tools::McpDialect;

/// The content of the owner's answer: accepting the question is the yes, so its form has no field. A client that still
/// sends one may say no with it.
#[derive(Debug, Default, Deserialize)]
struct Consent {
    #[serde(default = "yes")]
    agree: bool,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ForgetCall {
    what: String,
}

/// The client of one call, through which the owner is asked.
///
/// Versions of the protocol with a handshake let a server ask in the middle of a call. Newer ones end the call with the
/// question, and the client repeats it with the answer.
pub(crate) struct Asking<'c> {
    pub(crate) context: &'c RequestContext<RoleServer>,
    /// The answers to the questions that ended the call before.
    pub(crate) answers: Option<InputResponses>,
    /// The state of the first call, which the second call needs to continue.
    pub(crate) state: Option<String>,
}

/// A call without a result: it failed, or it waits for the owner's answer.
enum Unfinished {
    Failed(String),
    Asks(Box<InputRequiredResult>),
}

impl From<String> for Unfinished {
    fn from(reason: String) -> Self {
        Self::Failed(reason)
    }
}

/// Calls the tool of this name; `None` if there is none.
pub(crate) async fn call(
    door: &Door,
    dialect: McpDialect,
    (name, arguments): (&str, JsonObject),
    asking: &Asking<'_>,
) -> Option<CallToolResponse> {
    if dialect == McpDialect::Graph {
        return Some(called_graph(door, name, &arguments).into());
    }
    let answer = match (dialect, name) {
        (McpDialect::Openclaw, "memory_search") => read(&arguments).and_then(|it| door.search(it)),
        (McpDialect::Openclaw, "session_search") => {
            read(&arguments).and_then(|it| door.search_sessions(it))
        }
        (McpDialect::Openclaw, "memory_get") => read(&arguments).and_then(|it| door.get(it)),
        (McpDialect::Openclaw, "session_expand") => read(&arguments).and_then(|it| door.expand(it)),
        (McpDialect::Openclaw, "remember") => read(&arguments).and_then(|it| door.remember(it)),
        (McpDialect::Openclaw, "dream_candidates") => door.candidates(),
        (McpDialect::Openclaw, "agenda") => read(&arguments).and_then(|it| door.agenda(it)),
        (McpDialect::Openclaw, "promise") => {
            return Some(ended(promise(door, arguments, asking).await));
        }
        (McpDialect::Openclaw, "dream_review") => {
            return Some(ended(review(door, arguments, asking).await));
        }
        (McpDialect::Openclaw, "forget") => {
            return Some(ended(forget(door, arguments, asking).await));
        }
        (McpDialect::Chatgpt, "search") => read(&arguments).and_then(|it| door.search_places(it)),
        (McpDialect::Chatgpt, "fetch") => read(&arguments).and_then(|it| door.fetch(it)),
        (McpDialect::Openclaw | McpDialect::Chatgpt | McpDialect::Graph, _) => return None,
    };
    Some(answer.map_or_else(failed, succeeded).into())
}

fn ended(answer: Result<String, Unfinished>) -> CallToolResponse {
    match answer {
        Ok(text) => succeeded(text).into(),
        Err(Unfinished::Failed(reason)) => failed(reason).into(),
        Err(Unfinished::Asks(question)) => (*question).into(),
    }
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

/// The name of the question in a call that it ended.
const CONSENT: &str = "consent";

impl Asking<'_> {
    /// Whether calls of this client end with a question instead of waiting for its answer.
    fn ends_calls(&self) -> bool {
        let version = self.context.protocol_version();
        version.is_some_and(|version| !version.has_initialize())
    }

    /// The answer to the question that ended the call before.
    fn answered(&self) -> Option<Answer> {
        let answer = self.answers.as_ref()?.get(CONSENT)?;
        if !self.ends_calls() {
            return None;
        }
        let answer: Option<ElicitResult> = serde_json::from_value(answer.clone()).ok();
        Some(answer.map_or(Answer::No, |it| Answer::of(&it)))
    }

    /// Asks the owner through the client: a model's word is not theirs.
    async fn ask(&self, question: String, state: Option<&str>) -> Result<Answer, Unfinished> {
        let capabilities = self.context.client_capabilities();
        let asks = capabilities.and_then(|it| it.elicitation);
        // A client that names no mode has forms.
        if !asks.is_some_and(|it| it.form.is_some() || it.url.is_none()) {
            return Ok(Answer::NotAsked);
        }
        let asked = ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: question,
            requested_schema: ElicitationSchema::new(BTreeMap::new()),
        };
        if self.ends_calls() {
            let asked = InputRequest::Elicitation(ElicitRequest::new(asked));
            let asked = [(CONSENT.to_owned(), asked)].into();
            let state = state.map(str::to_owned);
            return Err(Unfinished::Asks(Box::new(InputRequiredResult::new(
                Some(asked),
                state,
            ))));
        }
        let answer = self.context.peer.create_elicitation(asked).await;
        Ok(Answer::of(&answer.map_err(|error| not_asked(&error))?))
    }
}

impl Answer {
    fn of(answer: &ElicitResult) -> Self {
        let form = answer.content.clone();
        let consent = form.map_or(Ok(Consent { agree: true }), serde_json::from_value);
        let agrees = consent.is_ok_and(|consent: Consent| consent.agree);
        if answer.action == ElicitationAction::Accept && agrees {
            Self::Yes
        } else {
            Self::No
        }
    }
}

fn not_asked(error: &dyn std::fmt::Display) -> String {
    format!("The owner could not be asked: {error}.")
}

const REFUSED: &str = "The owner said no; everything stays as it is.";

/// Forgets what the owner agrees to.
async fn forget(
    door: &Door,
    arguments: JsonObject,
    asking: &Asking<'_>,
) -> Result<String, Unfinished> {
    if let Some(answer) = asking.answered() {
        return match (answer, &asking.state) {
            (Answer::Yes, Some(token)) => Ok(door.forget(token)?),
            (Answer::Yes, None) => Err(
                "The answer came without the `requestState` of its question."
                    .to_owned()
                    .into(),
            ),
            (Answer::No | Answer::NotAsked, _) => Ok(REFUSED.to_owned()),
        };
    }
    let ForgetCall { what } = read(&arguments)?;
    let Some(ForgetOffer {
        token,
        question,
        plan,
    }) = door.plan_forgetting(&what)?
    else {
        return Ok("Nothing was found that could be forgotten.".to_owned());
    };
    match asking.ask(question, Some(&token)).await? {
        Answer::Yes => Ok(door.forget(&token)?),
        Answer::No => Ok(REFUSED.to_owned()),
        Answer::NotAsked => {
            let command = door.command(&format!("memory forget {}", shell_quoted(&what)));
            Ok(format!(
                "{}\nIt would forget:\n{plan}",
                only_owner(&command)
            ))
        }
    }
}

/// Applies a decision on a candidate if the owner agrees.
async fn review(
    door: &Door,
    arguments: JsonObject,
    asking: &Asking<'_>,
) -> Result<String, Unfinished> {
    let proposed: ReviewCandidate = read(&arguments)?;
    let ReviewOffer { question, command } = door.plan_review(&proposed)?;
    let answer = match asking.answered() {
        Some(answer) => answer,
        None => asking.ask(question, None).await?,
    };
    match answer {
        Answer::Yes => Ok(door.review(proposed)?),
        Answer::No => Ok(REFUSED.to_owned()),
        Answer::NotAsked => Ok(only_owner(&command)),
    }
}

/// Sets a reminder if the owner agrees.
async fn promise(
    door: &Door,
    arguments: JsonObject,
    asking: &Asking<'_>,
) -> Result<String, Unfinished> {
    let proposed: AddPromise = read(&arguments)?;
    let PromiseOffer { question, command } = door.plan_promise(&proposed)?;
    let answer = match asking.answered() {
        Some(answer) => answer,
        None => asking.ask(question, None).await?,
    };
    match answer {
        Answer::Yes => Ok(door.promise(proposed)?),
        Answer::No => Ok(REFUSED.to_owned()),
        Answer::NotAsked => Ok(only_owner(&command)),
    }
}

/// Reads the arguments of a call.
fn read<T: DeserializeOwned>(arguments: &JsonObject) -> Result<T, String> {
    let read = |arguments: &JsonObject| {
        serde_json::from_value::<T>(serde_json::Value::Object(arguments.clone()))
    };
    read(arguments).map_err(|error| {
        let error = error.to_string();
        // The error of serde does not name the argument.
        let is_at_fault = |name: &&String| {
            let mut others = arguments.clone();
            others.remove(*name);
            let missing = format!("missing field `{name}`");
            let without = read(&others);
            without.map_or_else(|other| other.to_string().starts_with(&missing), |_| true)
        };
        let at_fault = arguments.keys().find(is_at_fault);
        let place = at_fault.filter(|name| !error.contains(&format!("`{name}`")));
        let place = place.map(|name| format!("`{name}`: ")).unwrap_or_default();
        format!("The arguments cannot be read: {place}{error}. Call again with one JSON object.")
    })
}

fn only_owner(command: &str) -> String {
    format!(
        "Nothing was changed: only the owner decides this, and this program cannot ask them. Give them this command \
         to type:\n{command}"
    )
}
