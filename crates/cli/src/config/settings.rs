//! All settings, named as in the configuration file.
//!
//! Defaults and descriptions are in `config/default.yaml`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use agent::service::QuietHours;
use base::TokenCount;
use chrono::NaiveTime;
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
pub struct Settings {
    /// The models that answer.
    pub model: ModelSettings,
    /// When and how conversations are compacted.
    pub compaction: CompactionSettings,
    /// Commands to run on events. Read from the home, never from a workspace.
    pub hooks: HookSettings,
    /// For an assistant that may read its home but not write to it.
    pub sandbox: SandboxSettings,
    /// How memory is searched.
    pub memory: MemorySettings,
    /// What the assistant may use besides memory.
    pub tools: ToolSettings,
    /// Tools from other servers.
    pub mcp: McpSettings,
    /// When dreams run, and what they may promote.
    pub dreaming: DreamingSettings,
    /// Backups that the service makes.
    pub backup: BackupSettings,
    /// How reminders are shown while you do not chat.
    pub promises: PromiseSettings,
    /// Homes in a bucket or a vault.
    pub homes: HomesSettings,
    #[schemars(extend("x-workspace" = true))]
    pub timezone: TimezoneSetting,
}

/// The schema of all settings, with references replaced by their targets.
pub(crate) fn settings_schema() -> Schema {
    let settings = SchemaSettings::default().with(|it| it.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<Settings>()
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HookSettings {
    pub before_compaction: Vec<String>,
    pub after_compaction: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SandboxSettings {
    pub read_only: bool,
    /// Window settings that apply only in the sandbox.
    pub compaction: SandboxCompactionSettings,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SandboxCompactionSettings {
    #[schemars(extend("x-workspace" = true))]
    pub prune_after_rounds: Limited<1, ROUNDS_MAX>,
    #[schemars(extend("x-workspace" = true))]
    pub warn_at_token_threshold: Option<Limited<1, TOKENS_MAX>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MemorySettings {
    pub sessions: SessionsSetting,
    /// Folders of notes elsewhere.
    pub sources: Vec<SourceSetting>,
    /// What a message calls up from memory.
    pub recall: RecallSettings,
    /// The embedder, which compares passages by meaning.
    pub embedding: EmbeddingSettings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SessionsSetting {
    /// All sessions.
    All,
    /// The primary session only.
    Primary,
}

/// A folder of notes elsewhere, such as an Obsidian vault.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SourceSetting {
    /// The folder; its path starts with ~/ or is relative to the home.
    pub path: String,
    /// The name under which search shows its notes; the name of the folder if omitted.
    #[serde(default)]
    pub name: Option<String>,
    /// Whose words its notes are.
    #[serde(default)]
    pub origin: SourceOrigin,
    /// Files and folders to leave out: names, or paths in the folder, with * for any characters.
    #[serde(default)]
    pub ignore: Vec<String>,
}

/// Whose words the notes of a folder are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SourceOrigin {
    /// Yours.
    #[default]
    Owner,
    /// Of others, such as clipped pages.
    Untrusted,
}

impl SourceSetting {
    /// The name under which search shows its notes.
    pub fn name(&self) -> String {
        let named = || Path::new(&self.path).file_name()?.to_str();
        let name = self.name.as_deref().or_else(named);
        name.unwrap_or_default().to_owned()
    }
}

/// The largest token budget of recall.
const RECALL_MAX: u64 = 100_000;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecallSettings {
    pub budget_tokens: Limited<0, RECALL_MAX>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmbeddingSettings {
    pub provider: EmbeddingProvider,
    pub model: Option<String>,
    pub base_url: Option<String>,
    pub api_key_env: Option<String>,
    pub requests_per_minute: Option<Limited<1, REQUESTS_MAX>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EmbeddingProvider {
    Auto,
    Bundled,
    Fastembed,
    Http,
    None,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolSettings {
    pub files: FilesSetting,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum FilesSetting {
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
pub struct DreamingSettings {
    pub triggers: Vec<TriggerSetting>,
    pub lookback_days: Limited<1, 366>,
    pub promotion: PromotionSetting,
    pub daily_tokens: Limited<0, DREAM_TOKENS_MAX>,
    pub review_per_day: Limited<0, 1_000>,
    pub review_waiting: Limited<0, 1_000>,
}

/// When a dream begins by itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum TriggerSetting {
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
pub struct BackupSettings {
    pub schedule: Option<CronSetting>,
    pub folder: Option<String>,
    pub keep: Limited<1, BACKUPS_MAX>,
    pub recipient_file: Option<String>,
    pub passphrase_file: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PromiseSettings {
    pub notify: Vec<String>,
    pub webhook: Option<String>,
    pub quiet_hours: Option<QuietHoursSetting>,
}

/// A time of day, such as 22:00-07:00.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHoursSetting(QuietHours);

impl<'de> Deserialize<'de> for QuietHoursSetting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let time = |text: &str| NaiveTime::parse_from_str(text.trim(), "%H:%M").ok();
        let read = text.split_once('-');
        let read = read.and_then(|(from, until)| Some((time(from)?, time(until)?)));
        let read = read.filter(|(from, until)| from != until);
        let (from, until) = read.ok_or_else(|| {
            de::Error::custom(format!("{text:?} is not a time of day such as 22:00-07:00"))
        })?;
        Ok(Self(QuietHours { from, until }))
    }
}

inline_schema!(QuietHoursSetting, { "type": "string" });

impl QuietHoursSetting {
    /// Converts the setting to the type of `agent`.
    pub fn to_library(self) -> QuietHours {
        self.0
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HomesSettings {
    pub identity_file: Option<String>,
    pub passphrase_file: Option<String>,
}

/// A cron schedule with five fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CronSetting(Box<Schedule>);

impl<'de> Deserialize<'de> for CronSetting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let schedule = text.parse().map(Box::new);
        schedule.map(Self).map_err(de::Error::custom)
    }
}

inline_schema!(CronSetting, { "type": "string" });

impl CronSetting {
    /// Converts the schedule to the type of `dreaming`.
    pub fn to_library(&self) -> Schedule {
        Schedule::clone(&self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PromotionSetting {
    /// Promote what the owner stated.
    Gated,
    /// Leave everything for review.
    Review,
    /// Also promote what the assistant said.
    Auto,
}

impl DreamingSettings {
    /// Converts the settings to the type of `dreaming`.
    pub fn to_library(&self) -> dreaming::DreamSettings {
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
pub struct McpSettings {
    pub servers: Vec<McpServer>,
}

/// A tool server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct McpServer {
    /// Its name: lower-case letters, digits and dashes. It prefixes the names of its tools.
    pub name: String,
    /// The program to start.
    #[serde(default)]
    pub command: Option<String>,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Environment variables to set for it.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Environment variables to pass on to it, for secrets.
    #[serde(default)]
    pub pass_env: Vec<String>,
    /// Its URL.
    #[serde(default)]
    pub url: Option<String>,
    /// The environment variable that holds its token.
    #[serde(default)]
    pub token_env: Option<String>,
    /// The tools that may be called.
    #[serde(default = "every_tool")]
    pub allow: Vec<String>,
    /// Whether the owner is asked before each call.
    #[serde(default)]
    pub approval: ApprovalSetting,
    /// The timeout for its start and for each reply; 60 if omitted.
    #[serde(default)]
    #[schemars(extend("x-unit" = "seconds"))]
    pub timeout_seconds: Option<Limited<1, SERVER_SECONDS_MAX>>,
}

/// Whether the owner is asked before each call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ApprovalSetting {
    /// Ask before each call.
    #[default]
    Ask,
    /// Approve every call without asking.
    Always,
}

fn every_tool() -> Vec<String> {
    vec!["*".to_owned()]
}
