//! The owner's settings for the context window.
//!
//! Data only; the arithmetic is in `budget`.

use base::TokenCount;
use wildmatch::WildMatch;

use crate::strategy::Strategy;

/// The settings of compaction, named as in the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowSettings {
    /// Maximum tokens of a request and its reply together; default 200,000.
    pub context_window: TokenCount,
    /// Tokens kept free for a reply or a summary; default 20,000.
    pub reserve_tokens_floor: Free,
    /// Tokens before the reserve at which compaction begins; default 4,000.
    pub soft_threshold_tokens: Free,
    /// Tokens of the newest messages that a compaction keeps; default 20,000.
    pub keep_recent_tokens: TokenCount,
    /// Rounds after which a tool result is shown shortened; default 10.
    pub prune_after_rounds: usize,
    /// The tools whose results are pruned by age; default all.
    pub pruned_tools: PrunedTools,
    /// The strategy; default `handoff`.
    pub strategy: Strategy,
    /// Whether to warn the owner once when a request reaches half the trigger; off by default.
    pub warns_at_half: bool,
}

/// Tokens of the window that requests leave free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Free {
    /// Set by the owner, and used unchanged for any window.
    Set(TokenCount),
    /// A default, which is limited to a share of a small window.
    Default(TokenCount),
}

impl Free {
    /// The number of tokens; a default is limited to `part_max`.
    pub(crate) fn tokens(self, part_max: TokenCount) -> TokenCount {
        match self {
            Self::Set(tokens) => tokens,
            Self::Default(tokens) => tokens.min(part_max),
        }
    }

    /// Applies `change` to the number of tokens.
    #[must_use]
    pub(crate) fn map(self, change: impl Fn(TokenCount) -> TokenCount) -> Self {
        match self {
            Self::Set(tokens) => Self::Set(change(tokens)),
            Self::Default(tokens) => Self::Default(change(tokens)),
        }
    }
}

impl Default for WindowSettings {
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

/// The tools whose results are pruned by age, as patterns in which `*` matches any characters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PrunedTools {
    /// Only these tools; all tools if empty.
    pub allow: Vec<String>,
    /// Never these tools; takes precedence over `allow`.
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
