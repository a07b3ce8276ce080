//! What a proof says: what was read, where the text still is, until when, and what was not looked at.

use std::path::Path;

use base::{Day, HomeLayout, Invocation};
use schemars::JsonSchema;
use serde::Serialize;

/// What reading every byte of a home has shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProofReply {
    /// Number of files read.
    pub files: usize,
    /// Number of bytes read.
    pub bytes: u64,
    /// Number of pieces of text that were looked for.
    pub pieces: usize,
    /// Number of sentences that were too short to be looked for.
    pub short: usize,
    /// The places that still have one of them.
    pub found: Vec<ProofPlace>,
    /// Files that could not be read, relative to the home.
    pub unread: Vec<String>,
    /// What was not looked at, and what stays by design, each in one sentence.
    pub outside: Vec<String>,
}

/// A file that still has the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProofPlace {
    /// The file, relative to the home.
    pub path: String,
    /// The first line, from 1.
    pub line: usize,
    /// Number of places in the file.
    pub places: usize,
    /// Why it is there, and what removes it.
    pub why: String,
    /// The day after which the program deletes it by itself.
    pub until: Option<Day>,
}

/// Days for which the copies of an undo are kept.
const UNDO_DAYS: i64 = 30;

/// Days for which copies of `MEMORY.md` are kept.
const PREIMAGE_DAYS: i64 = 180;

/// For how many days the program keeps a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// Since the copy was made.
    AfterCopy(i64),
    /// Since the text was forgotten, however often the file was written.
    AfterForget(i64),
}

/// What a file of a home is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    Transcript,
    UndoCopy,
    Removal,
    Overwritten,
    Preimage,
    HiddenState,
    ChatHistory,
    Quarantine,
    Index,
    Workspace,
    Other,
}

impl FileKind {
    pub(super) fn of(path: &Path, layout: &HomeLayout) -> Self {
        let places = [
            (layout.sessions(), Self::Transcript),
            (layout.forgotten(), Self::UndoCopy),
            (layout.overwritten(), Self::Overwritten),
            (layout.preimages(), Self::Preimage),
            (layout.dreams(), Self::HiddenState),
            (layout.graph(), Self::HiddenState),
            (layout.chat_history(), Self::ChatHistory),
            (layout.quarantine(), Self::Quarantine),
            (layout.index(), Self::Index),
            (layout.workspace().to_owned(), Self::Workspace),
        ];
        if path.starts_with(layout.forgotten())
            && path.extension().is_some_and(|it| it == "removal")
        {
            return Self::Removal;
        }
        let mut places = places.into_iter();
        let own = places.find(|(place, _)| path.starts_with(place));
        own.map_or(Self::Other, |(_, kind)| kind)
    }

    /// For how long the program keeps it.
    pub(super) fn kept(self) -> Option<Kept> {
        match self {
            Self::UndoCopy | Self::Removal | Self::Overwritten => Some(Kept::AfterCopy(UNDO_DAYS)),
            Self::Preimage => Some(Kept::AfterCopy(PREIMAGE_DAYS)),
            Self::HiddenState => Some(Kept::AfterForget(UNDO_DAYS)),
            Self::Transcript
            | Self::ChatHistory
            | Self::Quarantine
            | Self::Index
            | Self::Workspace
            | Self::Other => None,
        }
    }

    /// Why a text is in the file, and what removes it.
    pub(super) fn why(self, session: Option<&str>, invocation: &Invocation) -> String {
        let why = match self {
            Self::Transcript => {
                let redact = format!("session redact {}", session.unwrap_or("NAME"));
                let redact = invocation.command(&redact);
                return format!(
                    "the conversation as it was said; `{redact}` lists what can be removed from it"
                );
            }
            Self::Removal => "the record of a removal that has not ended; the same command ends it",
            Self::UndoCopy => "a copy for the undo of a forget",
            Self::Overwritten => "a copy of a file that was overwritten",
            Self::Preimage => "a copy of MEMORY.md for the undo of a change",
            Self::HiddenState => "the records of candidates and decisions",
            Self::ChatHistory => "a line that you typed at a prompt",
            Self::Quarantine => "damaged bytes that were set aside",
            Self::Index => {
                "the search index, which another process is using; delete it when that process has ended"
            }
            Self::Workspace => "a page of memory; only you can remove lines that you wrote",
            Self::Other => "a file that no command clears; only you can remove it",
        };
        why.to_owned()
    }
}
