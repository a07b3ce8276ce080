//! The owner's hooks: commands that run before and after a compaction.
//!
//! Starts nothing itself: that is up to whoever implements [`Hooks`].

use std::fmt::Debug;

use serde::Serialize;

/// When something is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookMoment {
    /// Older messages are about to leave.
    BeforeCompaction,
    /// They have left.
    AfterCompaction,
}

/// Calls what the owner wants called.
pub trait Hooks: Send + Sync + Debug {
    /// Calls all that belongs to a moment, and waits for it; `report` is one JSON object on one line.
    ///
    /// Gives why something failed, one line each.
    fn call(&self, moment: HookMoment, report: &str) -> Vec<String>;
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HookReport<'a> {
    pub(crate) event: &'static str,
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
