//! What a compaction that was asked for did, or would do.
//!
//! Renders what it is given; opens no transcript.

use std::fmt::Write;

use agent::{Compacted, CompactionPlan, Planned, StaysWhole};
use base::{EntryId, TokenCount};
use compaction::FlushNeed;
use serde::Serialize;
use session::SessionName;

use super::human::{heading, printable};
use super::session_list::counted;
use super::wire;
use super::wrap::wrap;
use crate::environment::Stream;

/// What a compaction did, or would do.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompactReport {
    /// The session.
    pub(crate) name: String,
    /// How it ended.
    pub(crate) outcome: CompactOutcome,
    /// What was planned; null where nothing can leave.
    pub(crate) plan: Option<CompactPlanReport>,
    /// Why nothing can leave; null where something can.
    pub(crate) stays: Option<StaysReport>,
    /// Tokens of the next request after it; null where nothing has left.
    pub(crate) tokens_after: Option<u64>,
    /// Whether nothing was written because that was asked for.
    pub(crate) dry_run: bool,
}

/// How a compaction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum CompactOutcome {
    /// It was shown only.
    Planned,
    /// Older messages have left.
    Compacted,
    /// Nothing can leave.
    Nothing,
    /// Nothing is compacted in a sandbox.
    Sandboxed,
    /// No summary was worth having.
    NoSummary,
}

/// Why nothing can leave.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StaysReport {
    /// Tokens of what the window shows of the conversation.
    #[serde(serialize_with = "wire::tokens")]
    pub(crate) shown_tokens: TokenCount,
    /// Tokens of the newest messages that stay in any case; null where the strategy does not count so.
    pub(crate) keep_tokens: Option<u64>,
    /// The strategy.
    pub(crate) strategy: &'static str,
}

impl StaysReport {
    fn new(why: StaysWhole) -> Self {
        Self {
            shown_tokens: why.shown,
            keep_tokens: why.keep.map(|keep| keep.0),
            strategy: why.strategy,
        }
    }

    fn reason(&self) -> String {
        let shown = self.shown_tokens;
        match self.keep_tokens.map(TokenCount) {
            Some(keep) if shown <= keep => format!(
                "its messages take {shown} tokens, and the newest {keep} stay word for word \
                 (compaction.keepRecentTokens)"
            ),
            Some(_) => format!("of its {shown} tokens the newest message alone takes nearly all"),
            None => format!(
                "its messages take {shown} tokens, and {} lets none of them leave yet",
                self.strategy
            ),
        }
    }
}

/// What leaves, and what stays.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompactPlanReport {
    /// The epoch that it ends.
    pub(crate) epoch: u64,
    /// Messages that leave the view.
    pub(crate) leaving_messages: usize,
    /// Tokens of what leaves.
    #[serde(serialize_with = "wire::tokens")]
    pub(crate) leaving_tokens: TokenCount,
    /// The first message that leaves.
    #[serde(serialize_with = "wire::some_text")]
    pub(crate) first: Option<EntryId>,
    /// The last message that leaves.
    #[serde(serialize_with = "wire::some_text")]
    pub(crate) last: Option<EntryId>,
    /// Messages that stay.
    pub(crate) kept_messages: usize,
    /// Tokens of what stays.
    #[serde(serialize_with = "wire::tokens")]
    pub(crate) kept_tokens: TokenCount,
    /// The first entry that stays after the summary; null where none does.
    #[serde(serialize_with = "wire::some_text")]
    pub(crate) first_kept: Option<EntryId>,
    /// Tokens of the next request without it.
    #[serde(serialize_with = "wire::tokens")]
    pub(crate) tokens_before: TokenCount,
    /// The rung that is asked first.
    pub(crate) rung: &'static str,
    /// Whether a flush comes before it.
    pub(crate) flush: bool,
}

impl CompactPlanReport {
    fn new(plan: &CompactionPlan) -> Self {
        let (first, last) = plan.ends.clone().unzip();
        Self {
            epoch: plan.epoch.0,
            leaving_messages: plan.n_leaving,
            leaving_tokens: plan.leaving,
            first,
            last,
            kept_messages: plan.n_kept,
            kept_tokens: plan.kept,
            first_kept: plan.first_kept.clone(),
            tokens_before: plan.tokens_before,
            rung: plan.rung.as_str(),
            flush: plan.flush == FlushNeed::Needed,
        }
    }
}

impl CompactReport {
    /// What a plan says.
    pub(crate) fn planned(name: &SessionName, planned: &Planned) -> Self {
        let report = Self::of(name);
        match planned {
            Planned::Leaves(plan) => Self {
                outcome: CompactOutcome::Planned,
                plan: Some(CompactPlanReport::new(plan)),
                dry_run: true,
                ..report
            },
            Planned::Stays(why) => Self {
                stays: Some(StaysReport::new(*why)),
                dry_run: true,
                ..report
            },
        }
    }

    /// What was done.
    pub(crate) fn done(name: &SessionName, compacted: &Compacted) -> Self {
        let report = Self::of(name);
        match compacted {
            Compacted::Sandboxed => Self {
                outcome: CompactOutcome::Sandboxed,
                ..report
            },
            Compacted::Nothing(why) => Self {
                stays: Some(StaysReport::new(*why)),
                ..report
            },
            Compacted::Done { plan, tokens_after } => Self {
                outcome: CompactOutcome::Compacted,
                plan: Some(CompactPlanReport::new(plan)),
                tokens_after: Some(tokens_after.0),
                ..report
            },
            Compacted::NoSummary { plan } => Self {
                outcome: CompactOutcome::NoSummary,
                plan: Some(CompactPlanReport::new(plan)),
                ..report
            },
        }
    }

    fn of(name: &SessionName) -> Self {
        Self {
            name: name.to_string(),
            outcome: CompactOutcome::Nothing,
            plan: None,
            stays: None,
            tokens_after: None,
            dry_run: false,
        }
    }
}

/// Where a long line goes on.
const INDENT: &str = "              ";

/// What was done, for people.
pub(crate) fn render(report: &CompactReport, stdout: Stream) -> String {
    let columns = stdout.text_columns();
    let name = &report.name;
    let Some(plan) = &report.plan else {
        // In a sandbox that was told already.
        let reason = report.stays.as_ref().map(StaysReport::reason);
        let said = |reason| {
            wrap(
                &format!("{name}: nothing to compact; {reason}\n"),
                columns,
                "  ",
            )
        };
        return reason.map(said).unwrap_or_default();
    };
    if report.outcome == CompactOutcome::NoSummary {
        let text = format!(
            "{name}: no summary frees enough of the window; the conversation is as it was\n"
        );
        return wrap(&text, columns, INDENT);
    }
    let verb = if report.dry_run { "would be" } else { "is" };
    let mut text = format!("{} {verb} compacted\n", heading(name));
    let mut line = |label: &str, says: String| {
        // Writing to a String cannot fail.
        writeln!(text, "  {label:<12}  {says}").unwrap_or_default();
    };
    line("leaves", leaving(plan));
    line("stays", kept(plan));
    if report.dry_run {
        line(
            "flush before",
            if plan.flush { "yes" } else { "no" }.to_owned(),
        );
        line("summary by", plan.rung.to_owned());
        line("next request", format!("{} tokens now", plan.tokens_before));
    } else if let Some(after) = report.tokens_after {
        let (before, after) = (plan.tokens_before, TokenCount(after));
        line("next request", format!("{after} tokens, {before} before"));
    }
    wrap(&text, columns, INDENT)
}

fn leaving(plan: &CompactPlanReport) -> String {
    let messages = counted(plan.leaving_messages as u64, "message", "messages");
    let tokens = plan.leaving_tokens;
    let [first, last] = [&plan.first, &plan.last]
        .map(|entry| printable(entry.as_ref().map_or("", EntryId::as_str)));
    format!("{messages}, {tokens} tokens: {first} to {last}")
}

fn kept(plan: &CompactPlanReport) -> String {
    let messages = counted(plan.kept_messages as u64, "message", "messages");
    let tokens = plan.kept_tokens;
    match &plan.first_kept {
        Some(first) => format!(
            "{messages}, {tokens} tokens: from {}",
            printable(first.as_str())
        ),
        None => "the summary alone".to_owned(),
    }
}
