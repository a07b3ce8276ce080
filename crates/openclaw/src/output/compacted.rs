//! A compaction that took effect, as chats and replays tell it.
//!
//! The shape of the JSON is a contract with scripts.

use base::TokenCount;
use serde::Serialize;

use super::session_show::change;
use super::wire;

/// A compaction that took effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Compacted {
    /// The epoch that it ended.
    pub(crate) epoch: u64,
    /// Tokens of the request before.
    #[serde(serialize_with = "wire::tokens")]
    pub(crate) tokens_before: TokenCount,
    /// Tokens of the request after.
    #[serde(serialize_with = "wire::tokens")]
    pub(crate) tokens_after: TokenCount,
    /// Tokens of what was replaced over tokens of the summary, in hundredths.
    #[serde(rename = "ratio", serialize_with = "wire::some_percent")]
    pub(crate) ratio_percent: Option<u64>,
    /// The part of what the audit looked for that the summary holds, in hundredths.
    #[serde(rename = "retention", serialize_with = "wire::some_percent")]
    pub(crate) retention_percent: Option<u64>,
    /// The rung of the ladder that made it.
    pub(crate) rung: String,
    /// How long it took, in milliseconds.
    pub(crate) duration_ms: u64,
}

/// What people read of it, without a line end.
pub(super) fn render(compacted: &Compacted) -> String {
    let Compacted {
        tokens_before,
        tokens_after,
        ..
    } = compacted;
    format!(
        "Compaction complete: {tokens_before} \u{2192} {tokens_after} tokens{}",
        change(*tokens_before, *tokens_after)
    )
}
