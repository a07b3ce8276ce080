//! What the owner can set about the window.
//!
//! Never derives anything: the arithmetic is in `budget`.

use base::TokenCount;
use wildmatch::WildMatch;

use crate::strategy::Strategy;

/// The settings of compaction, as the configuration names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Tokens that the model takes in one request and its reply; 200,000.
    pub context_window: TokenCount,
    /// What is kept free for a reply or a summary; 20,000 tokens.
    pub reserve_tokens_floor: Free,
    /// By how much compaction comes before the reserve is touched; 4,000 tokens.
    pub soft_threshold_tokens: Free,
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

/// Tokens of a window that no request takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Free {
    /// What the owner set: taken as it is, whatever the window.
    Set(TokenCount),
    /// What nobody set: of a small window no more than a part is taken.
    Default(TokenCount),
}

impl Free {
    /// The tokens, where a default takes at most `part_max`.
    pub(crate) fn tokens(self, part_max: TokenCount) -> TokenCount {
        match self {
            Self::Set(tokens) => tokens,
            Self::Default(tokens) => tokens.min(part_max),
        }
    }

    /// The same in other tokens.
    #[must_use]
    pub(crate) fn map(self, change: impl Fn(TokenCount) -> TokenCount) -> Self {
        match self {
            Self::Set(tokens) => Self::Set(change(tokens)),
            Self::Default(tokens) => Self::Default(change(tokens)),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            context_window: TokenCount(200_000),
            reserve_tokens_floor: Free::Default(TokenCount(20_000)),
            soft_threshold_tokens: Free::Default(TokenCount(4_000)),
            keep_recent_tokens: TokenCount(20_000),
            prune_after_rounds: 10,
            pruned_tools: PrunedTools::default(),
            strategy: Strategy::default(),
            warns_at_half: false,
        }
    }
}

/// The tools whose results may be shortened for their age; `*` stands for any characters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PrunedTools {
    /// These alone; all where it is empty.
    pub allow: Vec<String>,
    /// Never these, whatever is allowed.
    pub deny: Vec<String>,
}

impl PrunedTools {
    pub(crate) fn include(&self, tool: &str) -> bool {
        let names = |patterns: &[String]| {
            patterns
                .iter()
                .any(|pattern| WildMatch::new_case_insensitive(pattern).matches(tool))
        };
        !names(&self.deny) && (self.allow.is_empty() || names(&self.allow))
    }
}
