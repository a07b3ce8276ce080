//! What the owner wants called before and after a compaction.
//!
//! Says what happens as JSON; whoever implements the port runs something. No hook stops a compaction.

use std::fmt::Debug;

use base::TokenCount;
use compaction::{Rung, SummaryPlan};
use serde::Serialize;
use session::{Epoch, SessionName};

use crate::event::{Event, OnEvent};
use crate::prompt::Context;

/// When something is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Older messages are about to leave.
    BeforeCompaction,
    /// They have left.
    AfterCompaction,
}

/// Calls what the owner wants called.
pub trait Hooks: Send + Sync + Debug {
    /// Calls all that belongs to a moment, and waits for it; `told` is one JSON object on one line.
    ///
    /// Gives why something failed, one line each.
    fn call(&self, moment: Moment, told: &str) -> Vec<String>;
}

/// What a hook is told.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
    event: &'static str,
    session: &'a str,
    epoch: u64,
    strategy: &'static str,
    /// Messages that leave.
    messages: Option<usize>,
    tokens_before: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens_after: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rung: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'a str>,
}

/// Older messages are about to leave.
pub(crate) fn before(
    hooks: Option<&dyn Hooks>,
    (name, epoch): (&SessionName, Epoch),
    (context, plan): (&Context, Option<&SummaryPlan>),
    on_event: OnEvent<'_>,
) {
    let told = Told {
        event: "beforeCompaction",
        session: name.as_str(),
        epoch: epoch.0,
        strategy: context.budget.strategy.as_str(),
        messages: plan.map(SummaryPlan::n_messages),
        tokens_before: context.told(context.tokens()).0,
        threshold: Some(context.told(context.budget.trigger).0),
        ..Told::default()
    };
    call(hooks, Moment::BeforeCompaction, &told, on_event);
}

/// They have left.
pub(crate) fn after(
    hooks: Option<&dyn Hooks>,
    (name, epoch): (&SessionName, Epoch),
    (plan, rung, summary): (&SummaryPlan, Rung, &str),
    (tokens_before, tokens_after): (TokenCount, TokenCount),
    on_event: OnEvent<'_>,
) {
    let told = Told {
        event: "afterCompaction",
        session: name.as_str(),
        epoch: epoch.0,
        strategy: plan.strategy.as_str(),
        messages: Some(plan.n_messages()),
        tokens_before: tokens_before.0,
        tokens_after: Some(tokens_after.0),
        rung: Some(rung.as_str()),
        summary: Some(summary),
        ..Told::default()
    };
    call(hooks, Moment::AfterCompaction, &told, on_event);
}

fn call(hooks: Option<&dyn Hooks>, moment: Moment, told: &Told<'_>, on_event: OnEvent<'_>) {
    let Some(hooks) = hooks else {
        return;
    };
    let failures = match serde_json::to_string(told) {
        Ok(told) => hooks.call(moment, &told),
        Err(error) => vec![error.to_string()],
    };
    for failure in failures {
        on_event(Event::Warning(format!("a hook failed: {failure}")));
    }
}
