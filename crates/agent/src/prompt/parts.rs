//! Breaks a request's tokens down by part.
//!
//! The parts add up to the total that everything else uses.

use base::{Message, TokenCount, estimate_text};
use session::ViewContent;

use super::RequestContext;
use crate::tools::spec;

/// A part of a request and its size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextPart {
    /// The file name, or one of `instructions`, `tools`, `summary`, `messages`, `tool results`, `time`, `recent
    /// logs`, `recalled`, `client`.
    pub name: String,
    /// Its size.
    pub tokens: TokenCount,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PromptPart {
    pub(super) name: String,
    pub(super) text: String,
}

pub(super) fn joined(parts: &[PromptPart]) -> String {
    parts.iter().map(|part| part.text.as_str()).collect()
}

/// The non-empty parts of a request, in order.
pub fn context_parts(context: &RequestContext) -> Vec<ContextPart> {
    let mut parts = measured(&context.prefix_parts);
    let tools = ContextPart {
        name: "tools".to_owned(),
        tokens: spec::tokens(&context.tools),
    };
    parts.push(tools);
    let kinds = ["summary", "messages", "tool results"];
    let items = kinds.iter().map(|kind| ContextPart {
        name: (*kind).to_owned(),
        tokens: items_of(context, kind),
    });
    parts.extend(items);
    parts.extend(measured(&context.suffix_parts));
    parts.retain(|part| part.tokens > TokenCount::ZERO);
    parts
}

/// Sizes each part by how much it adds to the estimate of the whole text, so that the sizes add up to it.
fn measured(parts: &[PromptPart]) -> Vec<ContextPart> {
    let mut text = String::new();
    let mut before = TokenCount::ZERO;
    let measure = |part: &PromptPart| {
        text.push_str(&part.text);
        let after = estimate_text(&text);
        let tokens = after.saturating_sub(before);
        before = after;
        ContextPart {
            name: part.name.clone(),
            tokens,
        }
    };
    parts.iter().map(measure).collect()
}

fn items_of(context: &RequestContext, kind: &str) -> TokenCount {
    let own = context.shown.items.iter().filter(|item| {
        let found = match &item.content {
            ViewContent::Summary(_) => "summary",
            ViewContent::Message(Message::ToolResult(_)) => "tool results",
            ViewContent::Message(Message::User { .. } | Message::Assistant(_)) => "messages",
        };
        found == kind
    });
    own.map(|item| item.tokens).sum()
}
