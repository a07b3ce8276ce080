//! Requests that a client makes for itself, such as for a title or for tags. The model answers them; nothing of them
//! is stored.
//!
//! Recognises them by their form, and by the openings that clients publish.

use base::Message;
use base::model::{Model, ModelError, Purpose, Request};
use base::{Assistant, markup_of};

use super::conversation::ClientConversation;
use crate::error::TurnError;
use crate::event::OnEvent;
use crate::reply::{Replied, Stop, stream_reply};
use crate::runtime::Runtime;

const OPENINGS: &str = include_str!("own_requests.txt");

/// The tag in which a client quotes a conversation.
const HISTORY_TAG: &str = "<chat_history>";

impl ClientConversation {
    /// Whether the client asks for something of its own: it sends one message, which refers to no earlier one.
    pub fn is_clients_own(&self) -> bool {
        let [message @ Message::User { name: None, .. }] = &*self.messages else {
            return false;
        };
        let system = self.system.as_deref().unwrap_or_default();
        self.tools.is_empty()
            && (has_opening(system)
                || is_clients_request(&message.text())
                || self.format.is_some() && quotes_history(&message.text()))
    }
}

/// Whether a text is a request that a client makes for itself: it begins as such requests do, or it is a form with
/// headings, a conversation in tags, and a sample of the JSON to reply with.
pub fn is_clients_request(text: &str) -> bool {
    if has_opening(text) {
        return true;
    }
    let markup = markup_of(text);
    let is_form = markup.has_heading && markup.has_tags;
    is_form && (quotes_history(text) || has_json_sample(&markup.outside))
}

fn has_opening(text: &str) -> bool {
    let mut openings = OPENINGS.lines().map(str::trim);
    openings.any(|line| {
        !line.is_empty() && !line.starts_with('#') && text.trim_start().starts_with(line)
    })
}

fn quotes_history(text: &str) -> bool {
    text.lines().any(|line| line.trim() == HISTORY_TAG)
}

/// Whether a text shows a JSON object, as in `{ "title": "..." }`.
fn has_json_sample(text: &str) -> bool {
    text.match_indices('{').any(|(at, _)| {
        let inner = text.get(at + 1..).unwrap_or_default().trim_start();
        let key = inner.strip_prefix('"').and_then(|it| it.split_once('"'));
        key.is_some_and(|(key, behind)| {
            !key.is_empty()
                && key.chars().all(|c| c.is_alphanumeric() || c == '_')
                && behind.trim_start().starts_with(':')
        })
    })
}

/// Answers a client's own request with the first model that can, without memory and without storing anything. The
/// offline engine has nothing to quote for it, so that its answer is empty.
pub async fn answer_unstored(
    runtime: &Runtime,
    sent: &ClientConversation,
    mut stop: Stop<'_>,
    on_event: OnEvent<'_>,
) -> Result<Assistant, TurnError> {
    let reserve = runtime.engine.budget().reserve;
    let request = Request {
        format: sent.format.clone(),
        sampling: sent.sampling,
        ..Request::new(
            Purpose::Chat,
            sent.system.as_deref().unwrap_or_default(),
            sent.messages.clone(),
            sent.output_max.map_or(reserve, |max| max.min(reserve)),
        )
    };
    let mut failure: Option<ModelError> = None;
    for model in runtime.engine.models.remote(Purpose::Chat) {
        let model: &dyn Model = &**model;
        match stream_reply(model, &request, &mut stop, on_event).await {
            Replied::Whole(reply) => return Ok(reply),
            Replied::Failed { error, .. } => failure = Some(error),
        }
    }
    failure.map_or_else(|| Ok(Assistant::default()), |error| Err(error.into()))
}

#[cfg(test)]
#[path = "own_request_tests.rs"]
mod tests;
