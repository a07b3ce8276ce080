//! What a request shows of a view, item by item, and how many tokens that takes.
//!
//! Never changes an item.

use base::{Block, Message, TokenCount, estimate_message, estimate_text};
use session::{ViewContent, ViewItem};

use crate::trigger::ContextUsage;

/// What the assistant says between a merged summary and the next user message.
const ACKNOWLEDGED: &str = "Understood. Continuing with the current task.";

/// The line before the summary of `middle`.
pub(crate) const CONTEXT_OPENING: &str = "[CONTEXT SUMMARY]";

/// What a request shows of a view.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// Summary and messages, oldest first; calls and results are paired.
    pub items: Vec<ViewItem>,
    /// Tokens of all items, the same numbers that the cut and the effect check use.
    pub tokens: TokenCount,
    /// What differs from the view.
    pub notes: ShowNotes,
}

/// How many items are shown otherwise than the transcript holds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShowNotes {
    /// Calls without a result, which got one that says so.
    pub n_results_filled: usize,
    /// Results without a call, which are left out.
    pub n_results_dropped: usize,
    /// Tool results above the share of the window that one may take.
    pub n_capped: usize,
    /// Old tool results, shortened or cleared.
    pub n_pruned: usize,
    /// Messages too large for the window, shown as head and tail.
    pub n_oversized: usize,
}

impl Shown {
    /// What is sent. A summary is sent as a user message; one that speaks of what followed the user
    /// message before it is merged into that, and where the user has the word again, the assistant
    /// acknowledges it, for roles must alternate there.
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

    /// The request that these items make with what stands before and after them.
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

/// Tokens of a summary as it is sent, which is as a user message, or within one and acknowledged.
pub(crate) fn summary_tokens(summary: &str) -> TokenCount {
    let around = if is_in_context(summary) {
        estimate_message(&Message::assistant(ACKNOWLEDGED)) + TokenCount(1)
    } else {
        TokenCount::ZERO
    };
    estimate_message(&Message::user("")) + estimate_text(summary) + around
}

/// Whether a summary is one of `middle`.
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
