//! Settings: their types, layers, origins and errors.
//!
//! Never reads the process environment and never prints.

mod settings;

mod compaction;
mod limited;
mod model;
mod timezone;

mod aliases;
mod edit;
mod foreign;
mod layers;
mod values;
mod workspace;
mod yaml;

mod error;
mod suggest;

#[cfg(test)]
pub(crate) mod test_kit;

pub(crate) use compaction::Execution as ExecutionSetting;
pub(crate) use edit::{with_setting, without_setting};
pub(crate) use error::not_utf8;
pub(crate) use layers::{Assignment, Config, ConfigSources, check, check_assignments, find, load};
#[cfg(test)]
pub(crate) use layers::{DEFAULT_YAML, variable_of};
pub(crate) use limited::Limited;
pub(crate) use model::{ModelSettings, OtherModel, ProviderSetting};
#[cfg(test)]
pub(crate) use settings::settings_schema;
pub(crate) use settings::{
    ApprovalSetting, BackupSettings, EmbeddingProvider, EmbeddingSettings, FilesSetting,
    HomesSettings, HookSettings, McpServer, McpSettings, MemorySettings, SessionsSetting, Settings,
};
pub(crate) use suggest::nearest;
pub(crate) use timezone::TimezoneSetting;
pub(crate) use values::{Setting, ValueOrigin, Values, origin_of};
