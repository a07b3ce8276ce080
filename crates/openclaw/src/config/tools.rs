//! The settings of tools, as the configuration file names them.
//!
//! Holds no default: those stand in `config/default.yaml`.

use schemars::JsonSchema;
use serde::Deserialize;

/// What the assistant may use besides its memory.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct ToolSettings {
    /// What the assistant may do with files of the workspace in the primary session: write (and read) text
    /// files in folders of their own, read alone, or none. Memory, what steers the assistant, settings and
    /// names that begin with a dot are never written; what is written over is kept for 30 days.
    pub(crate) files: FilesSetting,
}

/// What the assistant may do with files of the workspace.
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
