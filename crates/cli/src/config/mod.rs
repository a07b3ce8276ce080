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

#[cfg(any(test, feature = "testing"))]
pub mod test_kit;

pub use compaction::Execution as ExecutionSetting;
pub use edit::{setting_in, with_setting, without_setting};
pub use error::not_utf8;
pub use layers::{Assignment, Config, ConfigSources, check, check_assignments, find, load};
#[cfg(test)]
pub(crate) use layers::{DEFAULT_YAML, variable_of};
pub use limited::Limited;
pub use model::{ModelSettings, OtherModel, ProviderSetting};
#[cfg(test)]
pub(crate) use settings::settings_schema;
pub use settings::{
    ApprovalSetting, BackupSettings, EmbeddingProvider, EmbeddingSettings, FilesSetting,
    HomesSettings, HookSettings, McpServer, McpSettings, MemorySettings, PromiseSettings,
    QuietHoursSetting, SessionsSetting, Settings, SourceOrigin, SourceSetting,
};
pub use suggest::nearest;
pub use timezone::TimezoneSetting;
pub use values::{Setting, ValueOrigin, Values, origin_of};
