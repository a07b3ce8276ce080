//! The settings of tool servers, as the configuration file names them.
//!
//! Holds no default: those stand in `config/default.yaml`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::limited::Limited;

/// Longest time for which a server can make somebody wait, in seconds.
const SECONDS_MAX: u64 = 3_600;

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
    pub(crate) timeout_seconds: Option<Limited<1, SECONDS_MAX>>,
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
