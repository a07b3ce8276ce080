//! Prompts that a client shows its user: what memory contains about a subject, and what it contains about the owner.
//!
//! Changes nothing.

use agent::{Door, MemoryQuestion};
use rmcp::model::{
    ErrorData, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role,
};
use serde_json::{Value, json};

const RECALL: &str = "recall";
const RECALL_TEXT: &str = include_str!("prompts/recall.md");
const ABOUT_ME: &str = "about_me";
const ABOUT_ME_TEXT: &str = include_str!("prompts/about_me.md");

/// The argument of `recall`.
const ABOUT: &str = "about";

/// All prompts.
pub(crate) fn list() -> Vec<Prompt> {
    let about = PromptArgument::new(ABOUT)
        .with_description("What to recall, in full words, with names and dates.")
        .with_required(true);
    let recall = Prompt::new(
        RECALL,
        Some("Answer from what you noted or said."),
        Some(vec![about]),
    );
    let about_me = Prompt::new(
        ABOUT_ME,
        Some("Tell what memory says about you, theme by theme."),
        None,
    );
    vec![
        recall.with_title("Recall"),
        about_me.with_title("What do you know about me?"),
    ]
}

/// A prompt with the matching passages from memory.
pub(crate) fn get(
    door: &Door,
    name: &str,
    arguments: Option<JsonObject>,
) -> Result<GetPromptResult, ErrorData> {
    let text = match name {
        RECALL => {
            let about = arguments.and_then(|mut all| all.remove(ABOUT));
            let about = about.as_ref().and_then(Value::as_str).map(str::trim);
            let about = about.filter(|about| !about.is_empty()).ok_or_else(|| {
                ErrorData::invalid_params(format!("{RECALL}: `{ABOUT}` must be a text"), None)
            })?;
            let question = json!({ "query": about });
            let question: MemoryQuestion = serde_json::from_value(question)
                .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
            let found = door.search(question).map_err(unanswered)?;
            format!("{}\n{found}", RECALL_TEXT.replace("{about}", about))
        }
        ABOUT_ME => format!("{ABOUT_ME_TEXT}\n{}", door.about().map_err(unanswered)?),
        _ => {
            return Err(ErrorData::invalid_params(
                format!("there is no prompt {name:?}; the prompts are {RECALL} and {ABOUT_ME}"),
                None,
            ));
        }
    };
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]))
}

fn unanswered(reason: String) -> ErrorData {
    ErrorData::internal_error(reason, None)
}
