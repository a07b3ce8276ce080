//! What a fork copied.
//!
//! Renders what it is given; opens no transcript.

use agent::Forked;
use base::{EntryId, SessionId, TokenCount};
use serde::Serialize;
use session::SessionName;

use super::human::{heading, printable};
use super::session_list::counted;
use super::wire;
use super::wrap::wrap;
use crate::environment::Stream;

/// What a fork copied.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ForkReport {
    /// The new session.
    pub(crate) name: String,
    /// The session that was copied from.
    pub(crate) from: String,
    /// Its id.
    #[serde(serialize_with = "wire::text")]
    pub(crate) parent: SessionId,
    /// The entry whose view was copied.
    #[serde(serialize_with = "wire::text")]
    pub(crate) at: EntryId,
    /// Messages that were copied.
    pub(crate) messages: usize,
    /// Tokens of what is in view.
    #[serde(serialize_with = "wire::tokens")]
    pub(crate) view_tokens: TokenCount,
    /// Whether older messages were left out, for they do not fit a window.
    pub(crate) is_cut: bool,
}

impl ForkReport {
    /// What was copied from `from` to `name`.
    pub(crate) fn new(from: &SessionName, name: &SessionName, forked: &Forked) -> Self {
        let fork = &forked.fork;
        Self {
            name: name.to_string(),
            from: from.to_string(),
            parent: fork.session.clone(),
            at: fork.at_entry.clone(),
            messages: fork.n_messages(),
            view_tokens: fork.view.items.iter().map(|item| item.tokens).sum(),
            is_cut: fork.view.is_cut,
        }
    }
}

/// What was copied, for people.
pub(crate) fn render(report: &ForkReport, stdout: Stream) -> String {
    let messages = counted(report.messages as u64, "message", "messages");
    let cut = if report.is_cut {
        "; what came before them stays in that session alone"
    } else {
        ""
    };
    let text = format!(
        "{} begins with {messages} of {}, {} tokens{cut}\n  copied at  {}\n",
        heading(&report.name),
        report.from,
        report.view_tokens,
        printable(report.at.as_str()),
    );
    wrap(&text, stdout.text_columns(), "    ")
}
