//! What a window shows of a transcript.
//!
//! Reads entries and never the configuration, so that a change of strategy changes only what comes next.

use base::{EntryId, Message, Origin, Timestamp, TokenCount, estimate_message, estimate_text};

/// What a window shows of a transcript, oldest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// Summary and messages, in the order in which a model sees them.
    pub items: Vec<ViewItem>,
    /// Where reading back stopped because the budget was spent: entries before the first item are left
    /// out though no summary stands for them.
    pub is_cut: bool,
}

/// One thing that a window shows.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewItem {
    /// The entry that says it.
    pub entry: EntryId,
    /// When it was said.
    pub at: Timestamp,
    /// Who is answerable for it.
    pub origin: Origin,
    /// What is shown.
    pub content: ViewContent,
    /// Estimated tokens of what is shown.
    pub tokens: TokenCount,
}

/// What an item of a view shows.
#[derive(Debug, Clone, PartialEq)]
pub enum ViewContent {
    /// A message as it was said.
    Message(Message),
    /// The summary of a compaction or of a branch that was left.
    Summary(String),
}

impl ViewContent {
    /// Estimated tokens of what is shown.
    pub fn estimate(&self) -> TokenCount {
        match self {
            Self::Message(message) => estimate_message(message),
            Self::Summary(summary) => estimate_text(summary),
        }
    }
}
