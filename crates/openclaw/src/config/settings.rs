//! Every setting that acts, as the configuration file names it.
//!
//! Holds no default: those stand in `config/default.yaml`. A doc comment here is the text of the
//! reference page, and the comment in `default.yaml` repeats it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::limited::Limited;
use super::timezone::TimezoneSetting;

/// Most tokens that a setting can ask for.
const TOKENS_MAX: u64 = 100_000_000;

/// Most replies that a setting can ask for.
const ROUNDS_MAX: u64 = 1_000_000;

/// Settings of one assistant.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "openclaw configuration")]
pub(crate) struct Settings {
    /// When a conversation is shortened, and by how much.
    pub(crate) compaction: CompactionSettings,
    /// Where the owner's days begin and end: the IANA name of a time zone such as Europe/Berlin, or
    /// auto for that of the machine.
    pub(crate) timezone: TimezoneSetting,
}

/// When a conversation is shortened, and by how much.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct CompactionSettings {
    /// How much a request may hold: the context window of the model. Below 32,000 the program warns,
    /// for little of a conversation stays in view.
    #[schemars(extend("x-unit" = "tokens"))]
    pub(crate) context_window: Limited<1, TOKENS_MAX>,
    /// Room that stays free for the reply and for summaries. At most a quarter of the window is taken.
    #[schemars(extend("x-unit" = "tokens"))]
    pub(crate) reserve_tokens_floor: Limited<0, TOKENS_MAX>,
    /// How long before the reserve is touched compaction begins, so that notes can be written first.
    /// At most a sixteenth of the window is taken.
    #[schemars(extend("x-unit" = "tokens"))]
    pub(crate) soft_threshold_tokens: Limited<0, TOKENS_MAX>,
    /// How much of the newest conversation a compaction leaves as it was said. At most 30 % of the
    /// size at which compaction begins is taken.
    #[schemars(extend("x-unit" = "tokens"))]
    pub(crate) keep_recent_tokens: Limited<1, TOKENS_MAX>,
    /// How many replies a tool result stays whole; older ones are shown shortened. The transcript
    /// keeps them whole.
    #[schemars(extend("x-unit" = "replies"))]
    pub(crate) prune_after_rounds: Limited<1, ROUNDS_MAX>,
}
