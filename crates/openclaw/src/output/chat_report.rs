//! What a chat says of itself, as the events that programs read.
//!
//! Finds nothing out.

use serde::Serialize;

use super::chat_context::ContextReport;
use super::chat_status::ChatStatus;

/// An answer to a command of the chat.
#[derive(Debug, Serialize)]
#[serde(
    tag = "event",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(crate) enum ChatReport<'a> {
    /// To `/status`.
    Status {
        session: &'a str,
        id: Option<&'a str>,
        model: &'a str,
        memory: &'a str,
        messages: u64,
        tokens: u64,
        window: u64,
        epoch: u64,
        last_flush: Option<String>,
        waiting: u64,
        cut: &'a [String],
    },
    /// To `/context`.
    Context {
        session: &'a str,
        parts: Vec<Part<'a>>,
        tokens: u64,
        window: u64,
        trigger: u64,
        recall_max: Option<u64>,
        cut: &'a [String],
    },
    /// To `/help`.
    Help { text: String },
}

/// A part of a request.
#[derive(Debug, Serialize)]
pub(crate) struct Part<'a> {
    name: &'a str,
    tokens: u64,
}

impl<'a> From<&'a ChatStatus> for ChatReport<'a> {
    fn from(status: &'a ChatStatus) -> Self {
        Self::Status {
            session: &status.session,
            id: status.id.as_deref(),
            model: &status.model,
            memory: status.memory,
            messages: status.n_messages,
            tokens: status.used.0,
            window: status.window.0,
            epoch: status.epoch,
            last_flush: status.flushed_at.map(|at| at.to_rfc3339()),
            waiting: status.n_waiting,
            cut: &status.cut_files,
        }
    }
}

impl<'a> From<&'a ContextReport> for ChatReport<'a> {
    fn from(report: &'a ContextReport) -> Self {
        let part = |(name, tokens): &'a (String, base::TokenCount)| Part {
            name,
            tokens: tokens.0,
        };
        let parts: Vec<Part<'a>> = report.parts.iter().map(part).collect();
        Self::Context {
            session: &report.session,
            tokens: parts.iter().map(|part| part.tokens).sum(),
            parts,
            window: report.window.0,
            trigger: report.trigger.0,
            recall_max: report.recall_max.map(|most| most.0),
            cut: &report.cut_files,
        }
    }
}
