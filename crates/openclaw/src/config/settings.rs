//! Every setting that acts, as the configuration file names it.
//!
//! Holds no default: those stand in `config/default.yaml`. A doc comment here is the text of the
//! reference page, and the comment in `default.yaml` repeats it.

use std::collections::BTreeMap;
use std::time::Duration;

use base::TokenCount;
use dreaming::{Promotion, Schedule, Trigger};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{self, Deserializer};

use super::compaction::CompactionSettings;
use super::limited::{Limited, ROUNDS_MAX, TOKENS_MAX, inline_schema};
use super::model::ModelSettings;
use super::timezone::TimezoneSetting;

/// Most requests in a minute; more is no bound.
const REQUESTS_MAX: u64 = 1_000_000;

/// Settings of one assistant.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "openclaw configuration")]
pub(crate) struct Settings {
    /// Who answers.
    pub(crate) model: ModelSettings,
    /// When a conversation is shortened, and by how much.
    pub(crate) compaction: CompactionSettings,
    /// What is called when something happens. It is taken from the home, and never from a workspace.
    pub(crate) hooks: HookSettings,
    /// For an assistant that may read its home and not write it.
    pub(crate) sandbox: SandboxSettings,
    /// How memory finds.
    pub(crate) memory: MemorySettings,
    /// What the assistant may use besides its memory.
    pub(crate) tools: ToolSettings,
    /// Tools that others bring.
    pub(crate) mcp: McpSettings,
    /// What deserves to last, and when that is looked for.
    pub(crate) dreaming: DreamingSettings,
    /// Where the owner's days begin and end: the IANA name of a time zone such as Europe/Berlin, or
    /// auto for that of the machine.
    #[schemars(extend("x-workspace" = true))]
    pub(crate) timezone: TimezoneSetting,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct HookSettings {
    /// Commands of a shell that run before older messages leave the window, with what is about to happen as
    /// one line of JSON on standard input. Each gets 10 seconds; one that fails is told and stops nothing.
    pub(crate) before_compaction: Vec<String>,
    /// The same after they have left.
    pub(crate) after_compaction: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct SandboxSettings {
    /// Whether nothing is written: what is said lasts as long as the program, no notes are made, nothing
    /// is compacted, and memory is searched as the index was left.
    pub(crate) read_only: bool,
    /// What is different there about the window.
    pub(crate) compaction: SandboxCompactionSettings,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct SandboxCompactionSettings {
    /// How many replies a tool result stays whole there.
    #[schemars(extend("x-unit" = "replies", "x-workspace" = true))]
    pub(crate) prune_after_rounds: Limited<1, ROUNDS_MAX>,
    /// The size of a request from which on the program warns there; null for the size at which a
    /// compaction would begin.
    #[schemars(extend("x-unit" = "tokens", "x-workspace" = true))]
    pub(crate) warn_at_token_threshold: Option<Limited<1, TOKENS_MAX>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct MemorySettings {
    /// What compares passages by their meaning.
    pub(crate) embedding: EmbeddingSettings,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct EmbeddingSettings {
    /// The embedder: bundled is the small model inside the program, fastembed a larger one on this
    /// machine, http a server that speaks like OpenAI about vectors (every passage is sent to it), none
    /// compares words alone, and auto is the best that needs nothing to be set up.
    pub(crate) provider: EmbeddingProvider,
    /// The model: of a server as the server names it; for fastembed a name such as bge-small-en-v1.5,
    /// which `openclaw memory index` downloads, or a directory that holds model.onnx and its tokenizer.
    pub(crate) model: Option<String>,
    /// Where the server is, such as `http://localhost:8080/v1`; for fastembed, where models are
    /// downloaded from instead of the usual place.
    pub(crate) base_url: Option<String>,
    /// The variable that holds the key of the server; null where it needs none.
    pub(crate) api_key_env: Option<String>,
    /// How often the server is asked at most; null is as often as need be.
    #[schemars(extend("x-unit" = "requests per minute"))]
    pub(crate) requests_per_minute: Option<Limited<1, REQUESTS_MAX>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub(crate) enum EmbeddingProvider {
    Auto,
    Bundled,
    Fastembed,
    Http,
    None,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct ToolSettings {
    /// What the assistant may do with files of the workspace in the primary session: write (and read) text
    /// files in folders of their own, read alone, or none. Memory, what steers the assistant, settings and
    /// names that begin with a dot are never written; what is written over is kept for 30 days.
    pub(crate) files: FilesSetting,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub(crate) enum FilesSetting {
    /// List, read, write and edit.
    Write,
    /// List and read.
    Read,
    /// Nothing.
    None,
}

/// Most tokens that dreams can be allowed.
const DREAM_TOKENS_MAX: u64 = 1_000_000_000;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct DreamingSettings {
    /// When dreams begin by themselves while a chat waits or the service runs, and when `openclaw dream`
    /// finds one due. `schedule` has five fields: minute, hour, day of the month, month, day of the week,
    /// on the owner's clock. `session_idle` fires once when nobody has spoken in a session for so long.
    /// `daily_log_size` fires when the log of today has reached so many kilobytes of 1,024 bytes, and each
    /// time it has grown by as many again. An empty list leaves it to `openclaw dream --now`.
    pub(crate) triggers: Vec<TriggerSetting>,
    /// How many days back a dream reads logs; days on which the program did not run are caught up.
    #[schemars(extend("x-unit" = "days"))]
    pub(crate) lookback_days: Limited<1, 366>,
    /// What becomes of a candidate that passes all gates: gated promotes what the owner stated and
    /// lets the rest wait in DREAMS.md, review lets everything wait, auto also promotes what only the
    /// assistant said.
    pub(crate) promotion: PromotionSetting,
    /// How many tokens dreams may spend on a day. The offline engine spends none.
    #[schemars(extend("x-unit" = "tokens"))]
    pub(crate) daily_tokens: Limited<0, DREAM_TOKENS_MAX>,
}

/// When a dream begins by itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) enum TriggerSetting {
    /// At certain times.
    Schedule {
        /// Five fields, such as 0 3 * * * for three at night.
        cron: CronSetting,
    },
    /// When nobody has spoken for so long.
    SessionIdle {
        /// Minutes.
        idle_minutes: Limited<1, 100_000>,
    },
    /// When the log of today has grown.
    DailyLogSize {
        /// Kilobytes of 1,024 bytes.
        threshold_kb: Limited<1, 1_000_000>,
    },
}

/// A schedule of five fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CronSetting(Box<Schedule>);

impl<'de> Deserialize<'de> for CronSetting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let schedule = text.parse().map(Box::new);
        schedule.map(Self).map_err(de::Error::custom)
    }
}

inline_schema!(CronSetting, { "type": "string" });

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub(crate) enum PromotionSetting {
    /// What the owner stated is promoted.
    Gated,
    /// Everything waits.
    Review,
    /// What the assistant said is promoted, too.
    Auto,
}

impl DreamingSettings {
    /// As the library takes them.
    pub(crate) fn to_library(&self) -> dreaming::Settings {
        let trigger = |setting: &TriggerSetting| match setting {
            TriggerSetting::Schedule { cron } => Trigger::Schedule(cron.0.clone()),
            TriggerSetting::SessionIdle { idle_minutes } => {
                Trigger::SessionIdle(Duration::from_secs(idle_minutes.get() * 60))
            }
            TriggerSetting::DailyLogSize { threshold_kb } => {
                Trigger::DailyLogSize(threshold_kb.get() * 1024)
            }
        };
        dreaming::Settings {
            triggers: self.triggers.iter().map(trigger).collect(),
            lookback_days: u32::try_from(self.lookback_days.get()).unwrap_or(u32::MAX),
            promotion: match self.promotion {
                PromotionSetting::Gated => Promotion::Gated,
                PromotionSetting::Review => Promotion::Review,
                PromotionSetting::Auto => Promotion::Auto,
            },
            daily_tokens: TokenCount(self.daily_tokens.get()),
        }
    }
}

/// Longest time for which a server can make somebody wait, in seconds.
const SERVER_SECONDS_MAX: u64 = 3_600;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct McpSettings {
    /// Servers that speak the Model Context Protocol: programs that a chat starts (name, command, args,
    /// env, passEnv), or places that it speaks to by HTTP (name, url, tokenEnv). `allow` names the tools
    /// that may be called, * standing for any characters, and all where it is left out; `approval` is ask,
    /// before each call, or always, which never asks; `timeoutSeconds` is how long it is waited for. A
    /// program sees PATH, HOME and the language, what `env` sets, and the variables that `passEnv` names.
    /// The settings of a workspace cannot start anything.
    pub(crate) servers: Vec<McpServer>,
}

/// A tool server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct McpServer {
    /// Its name, of small letters, digits and dashes; the names of its tools begin with it.
    pub(crate) name: String,
    /// The program.
    #[serde(default)]
    pub(crate) command: Option<String>,
    /// Its arguments.
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// Variables that it sees.
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    /// Variables of the environment that it is given; for secrets.
    #[serde(default)]
    pub(crate) pass_env: Vec<String>,
    /// Where it is.
    #[serde(default)]
    pub(crate) url: Option<String>,
    /// The variable that holds the token which it wants.
    #[serde(default)]
    pub(crate) token_env: Option<String>,
    /// The tools that may be called.
    #[serde(default = "every_tool")]
    pub(crate) allow: Vec<String>,
    /// Whether the owner is asked before each call.
    #[serde(default)]
    pub(crate) approval: ApprovalSetting,
    /// How long it is waited for, at the start and for each answer; 60 where it is left out.
    #[serde(default)]
    #[schemars(extend("x-unit" = "seconds"))]
    pub(crate) timeout_seconds: Option<Limited<1, SERVER_SECONDS_MAX>>,
}

/// Whether the owner is asked before each call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub(crate) enum ApprovalSetting {
    /// Before each.
    #[default]
    Ask,
    /// Never: they are always approved.
    Always,
}

fn every_tool() -> Vec<String> {
    vec!["*".to_owned()]
}
