//! Requests that a client makes for itself, such as for a title or for tags. The model answers them; nothing of them
//! is stored.
//!
//! Recognises them by their form, and by the words that clients publish. In doubt a request is a turn: a person's words
//! that were taken for a client's would be lost.

use base::Message;
use base::model::{Model, ModelError, Purpose, Request};
use base::{Assistant, Markup, is_heading, markup_of};

use super::conversation::ClientConversation;
use crate::error::TurnError;
use crate::event::OnEvent;
use crate::runtime::Runtime;
use crate::turn::reply::{Replied, Stop, stream_reply};

const PUBLISHED: &str = include_str!("own_requests.txt");

/// Begins a comment in [`PUBLISHED`].
const COMMENT: char = ';';

/// Stands for any text in a line of [`PUBLISHED`].
const VARYING: &str = "[...]";

/// The name of the tag in which a client quotes a conversation.
const HISTORY_TAG: &str = "chat_history";

impl ClientConversation {
    /// Whether the client asks for something of its own: in words that a client publishes, without any message of the
    /// user, or in a form that refers to no earlier message.
    pub fn is_clients_own(&self) -> bool {
        let mut asked = self.messages.iter().rev();
        let asked = asked.find(|it| matches!(it, Message::User { .. }));
        let Some(Message::User { name: None, .. }) = asked else {
            return self.messages.is_empty();
        };
        let text = asked.map(Message::text).unwrap_or_default();
        let system = self.system.as_deref().unwrap_or_default();
        if is_published(system) || is_published(&text) {
            return true;
        }
        let is_first = self.messages.len() == 1 && self.tools.is_empty();
        is_first && (is_form(&text) || self.format.is_some() && quotes_history(&markup_of(&text)))
    }
}

/// Whether a text is a request that a client makes for itself: in words that a client publishes, or a form.
pub fn is_clients_request(text: &str) -> bool {
    is_published(text) || is_form(text)
}

fn is_published(text: &str) -> bool {
    let mut lines = PUBLISHED.lines().map(str::trim);
    let text = text.trim_start();
    lines.any(|line| !line.is_empty() && !line.starts_with(COMMENT) && is_worded(text, line))
}

/// Whether a text begins with the first part of a published line, and the others follow in order.
fn is_worded(text: &str, line: &str) -> bool {
    let mut parts = line.split(VARYING).map(str::trim);
    let rest = parts.next().and_then(|first| text.strip_prefix(first));
    let rest = parts.try_fold(rest, |rest, part| {
        let (_, behind) = rest?.split_once(part)?;
        Some(Some(behind))
    });
    rest.flatten().is_some()
}

/// Whether a text is a form: it begins with a heading, and it ends where the model should write: after the conversation
/// to work on, or below an empty heading that follows a sample of the JSON to reply with. A person who sends a template
/// with a question, or a document of headings, tags and JSON, ends with words.
fn is_form(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    if !lines.next().is_some_and(is_heading) {
        return false;
    }
    let markup = markup_of(text);
    // A stray quotation mark is no words.
    let says = |line: &&str| is_heading(line) || line.chars().any(char::is_alphanumeric);
    let mut behind = markup.behind.lines().filter(says);
    let (first, last) = (behind.clone().next(), behind.next_back());
    let works_on_history =
        markup.tags.last().is_some_and(|tag| tag == HISTORY_TAG) && first.is_none_or(is_heading);
    let waits_for_json =
        !markup.tags.is_empty() && last.is_some_and(is_heading) && has_json_sample(&markup.outside);
    works_on_history || waits_for_json
}

fn quotes_history(markup: &Markup) -> bool {
    markup.tags.iter().any(|tag| tag == HISTORY_TAG)
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
    let system = sent.system.as_deref().unwrap_or_default();
    // Some providers refuse a request without any message.
    let (system, messages) = if sent.messages.is_empty() {
        ("", vec![Message::user(system)])
    } else {
        (system, sent.messages.clone())
    };
    let output_max = sent.output_max.map_or(reserve, |max| max.min(reserve));
    let request = Request {
        tools: sent.tools.clone(),
        format: sent.format.clone(),
        sampling: sent.sampling,
        ..Request::new(Purpose::Chat, system, messages, output_max)
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
