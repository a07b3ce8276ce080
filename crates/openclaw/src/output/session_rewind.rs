//! What going back in a session did, or would do.
//!
//! Renders what it is given; opens no transcript.

use std::fmt::Write;

use agent::Rewound;
use base::{EntryId, TokenCount};
use serde::Serialize;
use session::{RewindPlan, SessionName, Stretch};

use super::human::{heading, printable};
use super::session_list::counted;
use super::wire;
use super::wrap::wrap;
use crate::environment::Stream;

/// What going back did.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RewindReport {
    /// The session.
    pub(crate) name: String,
    /// The entry from which it goes on.
    #[serde(serialize_with = "wire::text")]
    pub(crate) target: EntryId,
    /// The entry that says so; null where nothing was written.
    #[serde(serialize_with = "wire::some_text")]
    pub(crate) entry: Option<EntryId>,
    /// Whether it went on from there already.
    pub(crate) is_there: bool,
    /// The messages that were left.
    pub(crate) left: Option<StretchReport>,
    /// The messages of a branch left before that are there again.
    pub(crate) back: Option<StretchReport>,
    /// Messages and summaries in view.
    pub(crate) view_items: usize,
    /// Tokens of what is in view.
    #[serde(serialize_with = "wire::tokens")]
    pub(crate) view_tokens: TokenCount,
    /// Whether nothing was written because that was asked for.
    pub(crate) dry_run: bool,
}

/// Messages that stand one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StretchReport {
    /// How many.
    pub(crate) messages: usize,
    /// The first.
    #[serde(serialize_with = "wire::text")]
    pub(crate) first: EntryId,
    /// The last.
    #[serde(serialize_with = "wire::text")]
    pub(crate) last: EntryId,
}

impl StretchReport {
    fn new(stretch: &Stretch) -> Self {
        Self {
            messages: stretch.n_messages,
            first: stretch.first.clone(),
            last: stretch.last.clone(),
        }
    }
}

impl RewindReport {
    /// What a plan says.
    pub(crate) fn planned(name: &SessionName, plan: &RewindPlan) -> Self {
        Self {
            name: name.to_string(),
            target: plan.target.id.clone(),
            entry: None,
            is_there: plan.is_there,
            left: plan.left.as_ref().map(StretchReport::new),
            back: plan.back.as_ref().map(StretchReport::new),
            view_items: plan.view.items.len(),
            view_tokens: plan.view.items.iter().map(|item| item.tokens).sum(),
            dry_run: true,
        }
    }

    /// What was done.
    pub(crate) fn done(name: &SessionName, rewound: &Rewound) -> Self {
        Self {
            entry: rewound.entry.clone(),
            dry_run: false,
            ..Self::planned(name, &rewound.plan)
        }
    }
}

/// Where a long line goes on.
const INDENT: &str = "              ";

/// What was done, for people.
pub(crate) fn render(report: &RewindReport, stdout: Stream) -> String {
    let target = printable(report.target.as_str());
    let name = &report.name;
    if report.is_there {
        let text = format!("{name} goes on from {target} already; nothing was written\n");
        return wrap(&text, stdout.text_columns(), INDENT);
    }
    let verb = if report.dry_run { "would go" } else { "goes" };
    let mut text = format!("{} {verb} on from {target}\n", heading(name));
    for (label, stretch) in [("left", &report.left), ("back in view", &report.back)] {
        if let Some(stretch) = stretch {
            // Writing to a String cannot fail, here and below.
            writeln!(text, "  {label:<12}  {}", described(stretch)).unwrap_or_default();
        }
    }
    let items = counted(report.view_items as u64, "message", "messages");
    let tokens = report.view_tokens;
    writeln!(text, "  {:<12}  {items}, {tokens} tokens", "in view").unwrap_or_default();
    wrap(&text, stdout.text_columns(), INDENT)
}

fn described(stretch: &StretchReport) -> String {
    let messages = counted(stretch.messages as u64, "message", "messages");
    let first = printable(stretch.first.as_str());
    if stretch.first == stretch.last {
        format!("{messages}: {first}")
    } else {
        format!(
            "{messages}: {first} to {}",
            printable(stretch.last.as_str())
        )
    }
}
