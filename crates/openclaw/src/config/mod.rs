//! Settings: what they are, where each value comes from, and what is wrong with it.
//!
//! Never reads the environment and never prints.

mod settings;

mod dreaming;
mod limited;
mod mcp;
mod model;
mod strategy;
mod timezone;

mod aliases;
mod edit;
mod layers;
mod origin;
mod values;
mod workspace;
mod yaml;

mod error;
mod suggest;

pub(crate) use edit::{with_setting, without_setting};
pub(crate) use error::ConfigError;
pub(crate) use layers::{Assignment, Config, Sources, check, find, load};
#[cfg(test)]
pub(crate) use layers::{DEFAULT_YAML, variable_of};
pub(crate) use limited::Limited;
pub(crate) use mcp::{ApprovalSetting, McpServer, McpSettings};
pub(crate) use model::{ModelSettings, OtherModel, ProviderSetting};
pub(crate) use origin::Origin;
pub(crate) use settings::Execution as ExecutionSetting;
pub(crate) use settings::Settings;
pub(crate) use settings::{EmbeddingProvider, EmbeddingSettings, FilesSetting};
pub(crate) use suggest::nearest;
pub(crate) use values::{Setting, Values, origin_of};
