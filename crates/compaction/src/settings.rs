//! What the owner can set about the window.
//!
//! Never derives anything: the arithmetic is in `budget`.

use base::TokenCount;

use crate::{PrunedTools, Strategy};

/// The settings of compaction, as the configuration names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Tokens that the model takes in one request and its reply; 200,000.
    pub context_window: TokenCount,
    /// Tokens kept free for a reply or a summary; 20,000.
    pub reserve_tokens_floor: TokenCount,
    /// Tokens by which compaction comes before the reserve is touched; 4,000.
    pub soft_threshold_tokens: TokenCount,
    /// Tokens of the newest messages that a compaction leaves as they are; 20,000.
    pub keep_recent_tokens: TokenCount,
    /// Replies of the model after which a tool result is shown shortened; 10.
    pub prune_after_rounds: usize,
    /// The tools whose results are shortened for their age; all.
    pub pruned_tools: PrunedTools,
    /// What a compaction does with the view; `handoff`.
    pub strategy: Strategy,
    /// Whether the owner is warned once when a request has half the size of the trigger; not.
    pub warns_at_half: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            context_window: TokenCount(200_000),
            reserve_tokens_floor: TokenCount(20_000),
            soft_threshold_tokens: TokenCount(4_000),
            keep_recent_tokens: TokenCount(20_000),
            prune_after_rounds: 10,
            pruned_tools: PrunedTools::default(),
            strategy: Strategy::default(),
            warns_at_half: false,
        }
    }
}
