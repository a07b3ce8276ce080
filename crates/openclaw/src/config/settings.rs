//! All settings, named as in the configuration file.
//!
//! Defaults and descriptions are in `config/default.yaml`.

use std::collections::BTreeMap;
use std::time::Duration;

use base::TokenCount;
use dreaming::{Promotion, Schedule, Trigger};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde::de::{self, Deserializer};

use super::compaction::CompactionSettings;
use super::limited::{Limited, ROUNDS_MAX, TOKENS_MAX, inline_schema};
use super::model::ModelSettings;
use super::timezone::TimezoneSetting;

/// The largest number of requests per minute.
const REQUESTS_MAX: u64 = 1_000_000;

/// Settings of one assistant.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "openclaw configuration")]
pub(crate) struct Settings {
    /// The models that answer.
    pub(crate) model: ModelSettings,
    /// When and how conversations are compacted.
    pub(crate) compaction: CompactionSettings,
    /// Commands to run on events. Read from the home, never from a workspace.
    pub(crate) hooks: HookSettings,
    /// For an assistant that may read its home but not write to it.
    pub(crate) sandbox: SandboxSettings,
    /// How memory is searched.
    pub(crate) memory: MemorySettings,
    /// What the assistant may use besides memory.
    pub(crate) tools: ToolSettings,
    /// Tools from other servers.
    pub(crate) mcp: McpSettings,
    /// When dreams run, and what they may promote.
    pub(crate) dreaming: DreamingSettings,
    /// Backups that the service makes.
    pub(crate) backup: BackupSettings,
    /// Homes in a bucket or a vault.
    pub(crate) homes: HomesSettings,
    #[schemars(extend("x-workspace" = true))]
    pub(crate) timezone: TimezoneSetting,
}

/// The schema of all settings, without references.
pub(crate) fn settings_schema() -> Schema {
    let settings = SchemaSettings::default().with(|it| it.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<Settings>()
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct HookSettings {
    pub(crate) before_compaction: Vec<String>,
    pub(crate) after_compaction: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SandboxSettings {
    pub(crate) read_only: bool,
    /// Window settings that apply only in the sandbox.
    pub(crate) compaction: SandboxCompactionSettings,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SandboxCompactionSettings {
    #[schemars(extend("x-workspace" = true))]
    pub(crate) prune_after_rounds: Limited<1, ROUNDS_MAX>,
    #[schemars(extend("x-workspace" = true))]
    pub(crate) warn_at_token_threshold: Option<Limited<1, TOKENS_MAX>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct MemorySettings {
    pub(crate) sessions: SessionsSetting,
    /// What a message calls up from memory.
    pub(crate) recall: RecallSettings,
    /// The embedder, which compares passages by meaning.
    pub(crate) embedding: EmbeddingSettings,
    /// The reranker, which compares the question with each of the best passages.
    pub(crate) reranker: RerankerSettings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum SessionsSetting {
    /// All sessions.
    All,
    /// The primary session only.
    Primary,
}

/// The largest token budget of recall.
const RECALL_MAX: u64 = 100_000;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RecallSettings {
    pub(crate) budget_tokens: Limited<0, RECALL_MAX>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RerankerSettings {
    pub(crate) model: Option<String>,
    pub(crate) base_url: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct EmbeddingSettings {
    pub(crate) provider: EmbeddingProvider,
    pub(crate) model: Option<String>,
    pub(crate) base_url: Option<String>,
    pub(crate) api_key_env: Option<String>,
    pub(crate) requests_per_minute: Option<Limited<1, REQUESTS_MAX>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum EmbeddingProvider {
    Auto,
    Bundled,
    Fastembed,
    Http,
    None,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ToolSettings {
    pub(crate) files: FilesSetting,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FilesSetting {
    /// List, read, write and edit.
    Write,
    /// List and read.
    Read,
    /// Nothing.
    None,
}

/// The largest daily token budget of dreams.
const DREAM_TOKENS_MAX: u64 = 1_000_000_000;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct DreamingSettings {
    pub(crate) triggers: Vec<TriggerSetting>,
    pub(crate) lookback_days: Limited<1, 366>,
    pub(crate) promotion: PromotionSetting,
    pub(crate) daily_tokens: Limited<0, DREAM_TOKENS_MAX>,
    pub(crate) review_per_day: Limited<0, 1_000>,
    pub(crate) review_waiting: Limited<0, 1_000>,
}

/// When a dream begins by itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum TriggerSetting {
    /// At scheduled times.
    Schedule {
        /// Five fields, such as 0 3 * * * for 3 a.m.
        cron: CronSetting,
    },
    /// When a session has been silent for this long.
    SessionIdle {
        /// Minutes.
        idle_minutes: Limited<1, 100_000>,
    },
    /// When today's log has grown by this much.
    DailyLogSize {
        /// Kilobytes of 1,024 bytes.
        threshold_kb: Limited<1, 1_000_000>,
    },
}

/// The largest number of backups to keep.
const BACKUPS_MAX: u64 = 10_000;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct BackupSettings {
    pub(crate) schedule: Option<CronSetting>,
    pub(crate) folder: Option<String>,
    pub(crate) keep: Limited<1, BACKUPS_MAX>,
    pub(crate) recipient_file: Option<String>,
    pub(crate) passphrase_file: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct HomesSettings {
    pub(crate) identity_file: Option<String>,
    pub(crate) passphrase_file: Option<String>,
}

/// A cron schedule with five fields.
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

impl CronSetting {
    /// Converts to the library's type.
    pub(crate) fn to_library(&self) -> Schedule {
        Schedule::clone(&self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum PromotionSetting {
    /// Promote what the owner stated.
    Gated,
    /// Leave everything for review.
    Review,
    /// Also promote what the assistant said.
    Auto,
}

impl DreamingSettings {
    /// Converts to the library's type.
    pub(crate) fn to_library(&self) -> dreaming::DreamSettings {
        let trigger = |setting: &TriggerSetting| match setting {
            TriggerSetting::Schedule { cron } => Trigger::Schedule(cron.0.clone()),
            TriggerSetting::SessionIdle { idle_minutes } => {
                Trigger::SessionIdle(Duration::from_secs(idle_minutes.get() * 60))
            }
            TriggerSetting::DailyLogSize { threshold_kb } => {
                Trigger::DailyLogSize(threshold_kb.get() * 1024)
            }
        };
        dreaming::DreamSettings {
            triggers: self.triggers.iter().map(trigger).collect(),
            lookback_days: u32::try_from(self.lookback_days.get()).unwrap_or(u32::MAX),
            promotion: match self.promotion {
                PromotionSetting::Gated => Promotion::Gated,
                PromotionSetting::Review => Promotion::Review,
                PromotionSetting::Auto => Promotion::Auto,
            },
            daily_tokens: TokenCount(self.daily_tokens.get()),
            review_per_day: usize::try_from(self.review_per_day.get()).unwrap_or(usize::MAX),
            review_waiting: usize::try_from(self.review_waiting.get()).unwrap_or(usize::MAX),
        }
    }
}

/// The longest wait for a server, in seconds.
const SERVER_SECONDS_MAX: u64 = 3_600;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct McpSettings {
    pub(crate) servers: Vec<McpServer>,
}

/// A tool server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct McpServer {
    /// Its name: lower-case letters, digits and dashes. It prefixes the names of its tools.
    pub(crate) name: String,
    /// The program to start.
    #[serde(default)]
    pub(crate) command: Option<String>,
    /// Its arguments.
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// Environment variables to set for it.
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    /// Environment variables to pass on to it, for secrets.
    #[serde(default)]
    pub(crate) pass_env: Vec<String>,
    /// Its URL.
    #[serde(default)]
    pub(crate) url: Option<String>,
    /// The environment variable that holds its token.
    #[serde(default)]
    pub(crate) token_env: Option<String>,
    /// The tools that may be called.
    #[serde(default = "every_tool")]
    pub(crate) allow: Vec<String>,
    /// Whether the owner is asked before each call.
    #[serde(default)]
    pub(crate) approval: ApprovalSetting,
    /// The timeout for its start and for each reply; 60 if omitted.
    #[serde(default)]
    #[schemars(extend("x-unit" = "seconds"))]
    pub(crate) timeout_seconds: Option<Limited<1, SERVER_SECONDS_MAX>>,
}

/// Whether the owner is asked before each call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ApprovalSetting {
    /// Ask before each call.
    #[default]
    Ask,
    /// Approve every call without asking.
    Always,
}

fn every_tool() -> Vec<String> {
    vec!["*".to_owned()]
}
