//! What is chosen, what is planned, and what became of it.
//!
//! Data alone.

use std::collections::BTreeSet;
use std::path::PathBuf;

use base::disk::{DiskError, by_process};
use base::{EntryId, LineRange, Locator, locked_or_disk};
use search::CommonWords;

use crate::candidates::{CandidateId, DeskError};
use crate::daily_log::LogError;
use crate::tombstone::{ForgottenEntry, Gone, TextHash, TombstoneError, TombstoneId};
use crate::workspace::DREAMS_FILE;
use crate::{OwnerLines, WorkspacePath};

/// What the owner chose.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ForgetChoice {
    /// Lines of notes.
    pub notes: Vec<(WorkspacePath, NoteChoice)>,
    /// Entries of transcripts.
    pub entries: Vec<PlannedEntry>,
    /// Words: every passage that says any of them is chosen.
    pub words: Vec<String>,
    /// A question: candidates are chosen that hold most of it.
    pub question: Option<ForgetQuestion>,
    /// Entries from which chosen notes were made: notes of the same that say much of it go, too.
    pub evidence: Vec<EntryId>,
    /// Words that do not count where texts are compared.
    pub common: CommonWords,
}

/// What candidates are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForgetQuestion {
    /// Its words.
    pub words: String,
    /// What holds fewer of them is not meant: something else that was found holds so many.
    pub n_words_min: usize,
    /// At most so many candidates are chosen for them, those that hold the most of them first.
    pub n_candidates_max: usize,
}

/// Which passages of a note are chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoteChoice {
    /// Those that stand in these lines.
    Lines(LineRange),
    /// Those that say this, in whatever lines they stand now.
    Text(TextHash),
}

/// What will be forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ForgetPlan {
    /// Lines of notes, by place.
    pub lines: Vec<PlannedLines>,
    /// Entries of transcripts, by place.
    pub entries: Vec<PlannedEntry>,
    /// Candidates that wait, in the order in which they were found.
    pub candidates: Vec<PlannedCandidate>,
    /// How many passages and candidates match the question besides, and are left for its limit.
    pub n_more: usize,
    /// Knows the request again: the same one finishes this, or finds it done.
    pub asked: Option<TextHash>,
}

/// A candidate that will wait no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedCandidate {
    /// Names it.
    pub id: CandidateId,
    /// In which lines of `DREAMS.md` it stands; `None` where its block is missing.
    pub lines: Option<LineRange>,
    /// What it proposes.
    pub finding: String,
    /// Knows the text again.
    pub hash: TextHash,
    /// The entries that say so.
    pub evidence: Vec<EntryId>,
    /// Why it is in the plan.
    pub because: Because,
}

/// A passage of a note that will be forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedLines {
    /// The file.
    pub path: WorkspacePath,
    /// Its lines there.
    pub lines: LineRange,
    /// What they say, without our comments and without secrets.
    pub text: String,
    /// Knows the text again.
    pub hash: TextHash,
    /// Whose lines they are.
    pub keeper: Keeper,
    /// The entries that say so, as a line of ours names them.
    pub evidence: Vec<EntryId>,
    /// Why they are in the plan.
    pub because: Because,
}

/// An entry of a transcript that will be hidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedEntry {
    /// The entry and its place.
    pub entry: ForgottenEntry,
    /// What it says, without secrets.
    pub text: String,
    /// Knows the text again; `None` where it says nothing.
    pub hash: Option<TextHash>,
    /// Why it is in the plan.
    pub because: Because,
}

/// Whose lines they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Keeper {
    /// The program wrote them and nobody changed them since.
    Program,
    /// The owner wrote or changed them.
    Owner,
}

/// Why something is in a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Because {
    /// It was chosen.
    Chosen,
    /// It says the same as what was chosen.
    SaysTheSame,
    /// It is a note of the program, or a candidate, that was made from a chosen entry.
    MadeFromIt,
    /// A chosen note of the program was made from it.
    IsEvidence,
}

/// What became of a plan.
#[derive(Debug)]
pub struct ForgetReport {
    /// Under this id it can be taken back.
    pub id: TombstoneId,
    /// The files from which lines were taken.
    pub files: Vec<WorkspacePath>,
    /// What became of the owner's lines in them.
    pub owner_lines: OwnerLines,
    /// Why candidates could not be taken out; whoever can read them next takes them out.
    pub candidates: Option<DeskError>,
    /// Why something else, which was broken off earlier, still stands in its files.
    pub unfinished: Option<ForgetError>,
}

/// What became of taking it back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UndoReport {
    /// Files that hold their lines again.
    pub restored: Vec<WorkspacePath>,
    /// Files that were changed in the middle since, with the file as it was before.
    pub changed: Vec<(WorkspacePath, PathBuf)>,
    /// Files of which it is not kept any more how they were.
    pub lost: Vec<WorkspacePath>,
    /// How many candidates wait again.
    pub n_waiting: usize,
}

/// Something was not forgotten, or not taken back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ForgetError {
    /// Nothing that could be forgotten stands at a place.
    #[error("nothing that could be forgotten stands at {}", place(.0, *.1))]
    NothingThere(WorkspacePath, LineRange),
    /// Another process changes notes; its id, where it is known.
    #[error("the notes are locked{}", by_process(*.0))]
    Locked(Option<u32>),
    /// Someone saved a file again and again while lines were taken from it.
    #[error(
        "{0} is being changed; what was to be forgotten is hidden, and its lines still stand there"
    )]
    Changed(WorkspacePath),
    /// A file cannot be used as a note.
    #[error(transparent)]
    Log(#[from] LogError),
    /// It is not known what was forgotten.
    #[error(transparent)]
    Tombstones(#[from] TombstoneError),
    /// The candidates cannot be read or changed.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

locked_or_disk!(ForgetError);

impl ForgetPlan {
    /// Whether there is nothing to forget.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.entries.is_empty() && self.candidates.is_empty()
    }

    /// The entries from which the chosen notes and candidates were made.
    pub fn evidence(&self) -> BTreeSet<EntryId> {
        let is_meant = |because| matches!(because, Because::Chosen | Because::SaysTheSame);
        let lines = self.lines.iter().filter(|line| is_meant(line.because));
        let candidates = self.candidates.iter().filter(|own| is_meant(own.because));
        let of_lines = lines.flat_map(|line| line.evidence.clone());
        let of_candidates = candidates.flat_map(|own| own.evidence.clone());
        of_lines.chain(of_candidates).collect()
    }

    /// The same plan with the entries from which the chosen notes were made.
    #[must_use]
    pub fn with_evidence(mut self, found: Vec<PlannedEntry>) -> Self {
        for entry in found {
            let is_known = |known: &PlannedEntry| known.entry.id == entry.entry.id;
            if !self.entries.iter().any(is_known) {
                self.entries.push(entry);
            }
        }
        let place = |it: &PlannedEntry| (it.entry.path.clone(), it.entry.line);
        self.entries.sort_by_key(place);
        self
    }

    /// The entries that are hidden for one of the things that they say.
    pub(crate) fn hidden_for_a_part(&self) -> Vec<EntryId> {
        let entries = self.entries.iter();
        entries
            .filter(|it| it.because == Because::IsEvidence)
            .map(|it| it.entry.id.clone())
            .collect()
    }

    /// Whether some of the lines are the owner's.
    pub fn has_owner_lines(&self) -> bool {
        self.lines.iter().any(|line| line.keeper == Keeper::Owner)
    }

    /// What is to stand nowhere any more where this plan is carried out for good, with these words.
    pub fn gone(&self, words: &[String]) -> Gone {
        let entries = self.entries.iter();
        Gone {
            texts: self.texts(),
            entries: entries.map(|it| it.entry.id.clone()).collect(),
            words: words.to_vec(),
            ..Gone::default()
        }
    }

    pub(crate) fn files(&self, owner_lines: OwnerLines) -> Vec<WorkspacePath> {
        let gone = self
            .lines
            .iter()
            .filter(|line| line.keeper == Keeper::Program || owner_lines == OwnerLines::Remove);
        let files: BTreeSet<&WorkspacePath> = gone.map(|line| &line.path).collect();
        files.into_iter().cloned().collect()
    }

    /// The texts that must not come back.
    pub fn texts(&self) -> BTreeSet<TextHash> {
        let lines = self.lines.iter().map(|line| &line.hash);
        let entries = self.entries.iter().filter_map(|entry| entry.hash.as_ref());
        let candidates = self.candidates.iter().map(|own| &own.hash);
        lines.chain(entries).chain(candidates).cloned().collect()
    }
}

impl PlannedLines {
    /// Where they stand.
    pub fn place(&self) -> Locator {
        locator(&self.path, self.lines)
    }
}

impl PlannedCandidate {
    /// Where it stands; the beginning of the file is named where its block is missing.
    pub fn place(&self) -> Locator {
        let beginning = LineRange { start: 1, end: 1 };
        let lines = self.lines.unwrap_or(beginning);
        locator(&WorkspacePath::known(DREAMS_FILE), lines)
    }
}

impl PlannedEntry {
    /// Where it stands.
    pub fn place(&self) -> Locator {
        Locator {
            path: self.entry.path.clone(),
            start_line: self.entry.line,
            end_line: self.entry.line,
        }
    }
}

fn locator(path: &WorkspacePath, lines: LineRange) -> Locator {
    Locator {
        path: path.to_string(),
        start_line: lines.start,
        end_line: lines.end,
    }
}

fn place(path: &WorkspacePath, lines: LineRange) -> String {
    match lines {
        LineRange {
            start: 1,
            end: usize::MAX,
        } => path.to_string(),
        lines => locator(path, lines).to_string(),
    }
}
