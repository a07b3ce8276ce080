//! The items that a request shows, and their tokens.
//!
//! Never changes an item.

use base::{Block, Message, TokenCount, estimate_message, estimate_text};
use session::{ViewContent, ViewItem};

use crate::trigger::ContextUsage;

/// The assistant's reply between a merged summary and the next user message.
const ACKNOWLEDGED: &str = "Understood. Continuing with the current task.";

/// The first line of a summary by `middle`.
pub(crate) const CONTEXT_OPENING: &str = "[CONTEXT SUMMARY]";

/// The shown form of a view.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// Summaries and messages, oldest first, with calls and results paired.
    pub items: Vec<ViewItem>,
    /// Tokens of all items. The cut and the check for effect use the same numbers.
    pub tokens: TokenCount,
}

impl Shown {
    /// The messages to send. A summary becomes a user message. A summary by `middle` is merged into the user message
    /// before it; if a user message follows, the assistant's acknowledgement is put between them, because roles must
    /// alternate there.
    pub fn messages(&self) -> Vec<Message> {
        let mut messages: Vec<Message> = Vec::with_capacity(self.items.len());
        let mut is_merged = false;
        for item in &self.items {
            match &item.content {
                ViewContent::Message(message) => {
                    if is_merged && matches!(message, Message::User { .. }) {
                        messages.push(Message::assistant(ACKNOWLEDGED));
                    }
                    is_merged = false;
                    messages.push(message.clone());
                }
                ViewContent::Summary(summary) => match messages.last_mut() {
                    Some(Message::User { content, .. }) if is_in_context(summary) => {
                        content.push(Block::Text(format!("\n\n{summary}")));
                        is_merged = true;
                    }
                    _ => messages.push(Message::user(summary.as_str())),
                },
            }
        }
        messages
    }

    /// The sizes of a request that has these items between `prefix` and `suffix`.
    pub fn usage(&self, prefix: TokenCount, suffix: TokenCount) -> ContextUsage {
        ContextUsage {
            prefix,
            items: self.tokens,
            suffix,
        }
    }
}

pub(crate) fn sent_tokens(content: &ViewContent) -> TokenCount {
    match content {
        ViewContent::Message(message) => estimate_message(message),
        ViewContent::Summary(summary) => summary_tokens(summary),
    }
}

/// Tokens of a summary as it is sent: as a user message, or merged into one and acknowledged.
pub(crate) fn summary_tokens(summary: &str) -> TokenCount {
    let around = if is_in_context(summary) {
        estimate_message(&Message::assistant(ACKNOWLEDGED)) + TokenCount(1)
    } else {
        TokenCount::ZERO
    };
    estimate_message(&Message::user("")) + estimate_text(summary) + around
}

/// Whether a summary was made by `middle`.
pub(crate) fn is_in_context(summary: &str) -> bool {
    summary.starts_with(CONTEXT_OPENING)
}

pub(crate) fn is_result(item: &ViewItem) -> bool {
    matches!(item.content, ViewContent::Message(Message::ToolResult(_)))
}

pub(crate) fn is_user(item: &ViewItem) -> bool {
    matches!(item.content, ViewContent::Message(Message::User { .. }))
}

pub(crate) fn is_summary(item: &ViewItem) -> bool {
    matches!(item.content, ViewContent::Summary(_))
}
