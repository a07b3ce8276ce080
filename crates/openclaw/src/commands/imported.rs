//! Takes an imported conversation into its session, and reports the import or its dry run.
//!
//! Reads no source.

use std::collections::{BTreeMap, BTreeSet};

use agent::{TakeMode, TakenState, take_conversation};
use base::Timestamp;
use import::Conversation;
use serde::Serialize;

use crate::commands::session::naming::SessionFor;
use crate::prelude::*;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportReport {
    /// One entry per conversation, and one per file that failed.
    pub(crate) conversations: Vec<ImportedReport>,
    /// Files of a migrated home, with their states.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<NoteTaken>,
    /// JSON files of a directory that hold no conversation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) passed_over: Vec<String>,
    pub(crate) dry_run: bool,
    /// The files that were copied into the workspace, relative to it.
    #[serde(skip)]
    pub(crate) copied: Vec<String>,
    /// The command that undoes this import.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) undo: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportedReport {
    path: String,
    session: Option<String>,
    title: Option<String>,
    state: &'static str,
    messages: usize,
    added: usize,
    reason: Option<String>,
    /// Why only programs in its directory may see it, if its repository cannot be determined.
    #[serde(skip_serializing_if = "Option::is_none")]
    kept_private: Option<String>,
    /// The name that the session had before the owner chose another scope.
    #[serde(skip_serializing_if = "Option::is_none")]
    moved_from: Option<String>,
    /// A warning about message times that go backwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<String>,
    not_understood: BTreeMap<String, u64>,
    /// Id of the conversation in its source.
    #[serde(skip)]
    id: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct NoteTaken {
    /// Relative to the workspace, or to the home for a file outside the workspace.
    pub(crate) path: String,
    /// `taken`, `unchanged`, `differs`, `leftOut`, `leadsOut` or `special`.
    pub(crate) state: &'static str,
}

const FAILED: &str = "failed";

/// The maximum number of kinds of omitted pieces that a line names.
const LEFT_OUT_MAX: usize = 4;

impl ImportedReport {
    /// Imports a conversation of the file at `path` into a session, or only plans the import.
    pub(crate) fn take(
        (path, conversation): (&Path, &Conversation),
        (store, session): (&SessionStore, &SessionFor),
        (now, mode): (Timestamp, TakeMode),
        output: &Output,
    ) -> Result<Self> {
        let name = &session.name;
        // A session that would move is still at its old name.
        let moving = session.moved_from.as_ref();
        let now_at = moving.filter(|_| mode == TakeMode::Look).unwrap_or(name);
        let taken = take_conversation(store, now_at, conversation, now, mode)?;
        let (state, reason) = match taken.state {
            TakenState::New => ("new", ""),
            TakenState::Grown => ("grown", ""),
            TakenState::Unchanged => ("unchanged", ""),
            TakenState::Empty => ("empty", "it has no messages"),
            TakenState::Differs => (
                "differs",
                "the session holds another conversation; `openclaw session import FILE -s NAME` imports it \
                 under another name",
            ),
            TakenState::WentOn => (
                "wentOn",
                "the session has continued here since; `openclaw session import FILE -s NAME` imports it \
                 again under another name",
            ),
        };
        Ok(Self {
            path: path.display().to_string(),
            session: Some(name.to_string()),
            title: conversation.title.clone(),
            state,
            messages: conversation.messages.len(),
            added: taken.n_added,
            reason: Some(output.at_home(reason)).filter(|reason| !reason.is_empty()),
            kept_private: session.doubt.clone(),
            moved_from: moving.map(ToString::to_string),
            times: backward(conversation),
            not_understood: conversation.not_understood.0.clone(),
            id: conversation.id.clone(),
        })
    }

    pub(crate) fn failed(path: &Path, reason: &str) -> Self {
        Self {
            path: path.display().to_string(),
            state: FAILED,
            reason: Some(reason.to_owned()),
            ..Self::default()
        }
    }
}

impl ImportReport {
    /// Whether an earlier conversation of this import would create the session `name`.
    pub(crate) fn would_begin(&self, name: &SessionName, conversation: &Conversation) -> bool {
        let begins = |it: &ImportedReport| {
            let has_name = it.session.as_deref() == Some(name.as_str());
            it.state == "new" && has_name && it.id != conversation.id
        };
        self.conversations.iter().any(begins)
    }

    /// The sessions that this import made.
    pub(crate) fn made(&self) -> BTreeSet<SessionName> {
        let new = self.conversations.iter().filter(|it| it.state == "new");
        let names = new.filter_map(|it| it.session.as_deref()?.parse().ok());
        names.collect()
    }

    /// Whether a session moved to another scope.
    pub(crate) fn has_moved(&self) -> bool {
        self.conversations.iter().any(|it| it.moved_from.is_some())
    }

    /// Whether everything in the source is here now; a session that has continued here since counts as complete.
    pub(crate) fn is_whole(&self) -> bool {
        !self.holds(&[FAILED, "differs"])
    }

    /// Whether a conversation that the owner named was not imported.
    pub(crate) fn has_failures(&self) -> bool {
        self.holds(&[FAILED, "differs", "wentOn"])
    }

    /// One line about pieces of unknown types in all conversations, which concern only the program that wrote them.
    fn unknown_types(&self) -> String {
        let found = self.conversations.iter().flat_map(|it| &it.not_understood);
        let found = found.filter(|(what, _)| names_type(what));
        let (types, numbers): (BTreeSet<&str>, Vec<u64>) = found
            .map(|(what, n_times)| (what.as_str(), *n_times))
            .unzip();
        let pieces = counted(numbers.iter().sum(), "piece", "pieces");
        match types.len() as u64 {
            0 => String::new(),
            n_types => format!(
                "left out: {pieces} of {}, which `--json` lists\n",
                counted(n_types, "unknown type", "unknown types")
            ),
        }
    }

    fn holds(&self, states: &[&str]) -> bool {
        let mut conversations = self.conversations.iter();
        conversations.any(|it| states.contains(&it.state))
    }
}

/// Whether it is about a piece of a type that the import does not support.
fn names_type(what: &str) -> bool {
    what.contains(" of type ")
}

/// Describes messages that are older than one before them in the order of the file.
fn backward(conversation: &Conversation) -> Option<String> {
    let mut newest = None;
    let mut back = Vec::new();
    for (message, number) in conversation.messages.iter().zip(1_u64..) {
        match (message.at, newest) {
            (Some(at), Some(before)) if at < before => back.push((number, at, before)),
            (Some(at), _) => newest = Some(at),
            (None, _) => {}
        }
    }
    let (number, at, before) = *back.first()?;
    let of_them = match back.len() as u64 {
        1 => String::new(),
        n_back => format!(
            "{} are older than an earlier message, first: ",
            counted(n_back, "message", "messages")
        ),
    };
    Some(format!(
        "{of_them}message {number} is dated {} but follows one of {}; order and times are kept",
        at.to_rfc3339(),
        before.to_rfc3339()
    ))
}

/// The parts of a conversation that were not understood, the first kinds by name.
fn left_out(it: &ImportedReport) -> Vec<String> {
    let known = it
        .not_understood
        .iter()
        .filter(|(what, _)| !names_type(what));
    let known = known.map(|(what, n_times)| match n_times {
        1 => printable(what),
        _ => format!(
            "{} ({})",
            printable(what),
            counted(*n_times, "time", "times")
        ),
    });
    let mut known: Vec<String> = known.collect();
    let n_more = known.len().saturating_sub(LEFT_OUT_MAX) as u64;
    known.truncate(LEFT_OUT_MAX);
    if n_more > 0 {
        let more = counted(n_more, "more kind", "more kinds");
        known.push(format!("and {more}, which `--json` lists"));
    }
    known
}

impl Report for ImportReport {
    const INDENT: Option<&'static str> = Some("    ");

    fn json(&self) -> Value {
        json!(self)
    }

    fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    fn human(&self, _: Stream) -> String {
        let mut text = String::new();
        for it in &self.conversations {
            let path = printable(&it.path);
            let session = it.session.as_deref().unwrap_or(&path);
            let added = counted(it.added as u64, "message", "messages");
            let what = match it.state {
                "new" | "grown" if self.dry_run => format!("would import {added}"),
                "new" | "grown" => format!("imported {added}"),
                "unchanged" => "already has all of it".to_owned(),
                state => format!("{state}: {}", it.reason.as_deref().unwrap_or_default()),
            };
            add_line!(text, "{}  {what}", heading(session));
            if it.session.is_some() {
                add_line!(text, "  from {path}");
            }
            if let Some(before) = &it.moved_from {
                add_line!(text, "  moved here from session {before}");
            }
            if let Some(reason) = &it.kept_private {
                add_line!(
                    text,
                    "  shown only to programs in its directory: {}; `--scope` changes that",
                    printable(reason)
                );
            }
            if let Some(times) = &it.times {
                add_line!(text, "  {times}");
            }
            let known = left_out(it);
            if !known.is_empty() {
                add_line!(text, "  left out: {}", known.join(", "));
            }
        }
        text.push_str(&self.unknown_types());
        for path in &self.passed_over {
            let path = printable(path);
            add_line!(text, "{path}  skipped: it has no conversation");
        }
        for note in &self.notes {
            let became = match note.state {
                "taken" => "imported",
                "unchanged" => "already there",
                "differs" => "already there but different; left unchanged",
                "leadsOut" => "left out: the link does not lead to a file in that home",
                "special" => "left out: it is a named pipe or a socket, not a file",
                _ => "left out",
            };
            add_line!(text, "{}  {became}", printable(&note.path));
        }
        text
    }
}
