//! The owner's hooks: commands that run before and after a compaction, behind the [`Hooks`] trait.

use std::fmt::Debug;

use serde::Serialize;

/// When a hook runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum HookMoment {
    /// Before older messages leave.
    #[default]
    BeforeCompaction,
    /// After they have left.
    AfterCompaction,
}

/// Runs the owner's hooks.
pub trait Hooks: Send + Sync + Debug {
    /// Runs all hooks of a moment and waits for them; `report` is one JSON object on one line.
    ///
    /// Returns the failures, one line each.
    fn call(&self, moment: HookMoment, report: &str) -> Vec<String>;
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HookReport<'a> {
    pub(crate) event: HookMoment,
    pub(crate) session: &'a str,
    pub(crate) epoch: u64,
    pub(crate) strategy: &'static str,
    pub(crate) messages: Option<usize>,
    pub(crate) tokens_before: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) threshold: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tokens_after: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rung: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) summary: Option<&'a str>,
}
