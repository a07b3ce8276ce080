//! The data of forgetting: choice, plan, report and errors.

use std::collections::{BTreeMap, BTreeSet};

use base::{EntryId, LineRange, Locator};
use search::CommonWords;

use super::named::holds_most_of;
use crate::candidates::{CandidateId, MemoryTxnError};
use crate::file_error::file_error_from_disk;
use crate::tombstone::{ForgottenEntry, PurgeTargets, TextHash, TombstoneId};
use crate::workspace::DREAMS_FILE;
use crate::{FileError, OwnerLines, WorkspacePath};

/// What the owner wants forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ForgetChoice {
    /// Passages of notes.
    pub notes: Vec<(WorkspacePath, NoteChoice)>,
    /// Entries of transcripts.
    pub entries: Vec<PlannedEntry>,
    /// Strings: every passage that contains one of them is chosen.
    pub words: Vec<String>,
    /// A question: candidates that contain most of its words are chosen.
    pub question: Option<ForgetQuestion>,
    /// The only candidates that may be chosen; `None` allows all.
    pub candidates: Option<BTreeSet<CandidateId>>,
    /// Entries behind the chosen notes: similar notes made from them are forgotten too.
    pub evidence: Vec<EntryId>,
    /// Words to ignore when comparing texts.
    pub common: CommonWords,
}

/// A question for candidates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForgetQuestion {
    /// The question.
    pub words: String,
    /// Minimum number of words that a candidate must contain: the most that any other result contains.
    pub n_words_min: usize,
    /// Maximum number of candidates to choose.
    pub n_candidates_max: usize,
}

/// Which passages of a note to forget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoteChoice {
    /// The passages in these lines.
    Lines(LineRange),
    /// The passages with this text, in whichever lines they are now.
    Text(TextHash),
}

/// The chosen texts that an entry is evidence of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NotedTexts {
    pub texts: Vec<String>,
    /// Whether one of them has no other evidence.
    pub is_only_evidence: bool,
}

/// What a forget will remove and hide.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ForgetPlan {
    /// Passages of notes, in order of path and line.
    pub lines: Vec<PlannedLines>,
    /// Entries of transcripts, in order of path and line.
    pub entries: Vec<PlannedEntry>,
    /// Pending candidates, oldest first.
    pub candidates: Vec<PlannedCandidate>,
    /// The lines that a redaction leaves, because messages outside of it support them: places and texts.
    pub standing: Vec<(Locator, String)>,
    /// The hashes of these texts and messages, which must not be hidden.
    pub spared_texts: BTreeSet<TextHash>,
    /// Number of further matches of the question that its limit left out.
    pub n_more: usize,
    /// The passages that contain only some words of the question and stay: places and texts.
    pub near: Vec<(Locator, String)>,
    /// Identifies the request, so that it is recognised if it is repeated.
    pub asked: Option<TextHash>,
}

/// A pending candidate that will be removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedCandidate {
    pub id: CandidateId,
    /// The lines of its block in `DREAMS.md`; `None` if the block is missing.
    pub lines: Option<LineRange>,
    /// Its text.
    pub finding: String,
    /// The hash of the text.
    pub hash: TextHash,
    /// The entries it is based on.
    pub evidence: Vec<EntryId>,
    /// The reason for including it.
    pub because: Reason,
}

/// A passage of a note that will be removed or hidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedLines {
    /// The file.
    pub path: WorkspacePath,
    /// Its lines in the file.
    pub lines: LineRange,
    /// Its text, without our comments and with secrets removed.
    pub text: String,
    /// The hash of the whole text.
    pub hash: TextHash,
    /// The hash of a line without the earlier value at its end, if it has one.
    pub current: Option<TextHash>,
    /// Whether only that earlier value is removed; `text` then contains only that value.
    pub is_older_value: bool,
    /// Who owns the lines.
    pub keeper: Keeper,
    /// The entries named in the record of a line of ours.
    pub evidence: Vec<EntryId>,
    /// The reason for including it.
    pub because: Reason,
}

/// An entry of a transcript that will be hidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedEntry {
    /// The entry and where it is.
    pub entry: ForgottenEntry,
    /// Its text, with secrets removed.
    pub text: String,
    /// The hash of the whole text; `None` if there is none, or if only sentences are hidden.
    pub hash: Option<TextHash>,
    /// The hidden sentences, as they are; empty if the whole entry is hidden.
    pub part: String,
    /// The reason for including it.
    pub because: Reason,
}

/// A passage of a plan: of a note, a candidate or a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedPassage<'p> {
    /// Its file and lines.
    pub place: Locator,
    pub text: &'p str,
    /// The reason for including it.
    pub because: Reason,
}

/// Who owns the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Keeper {
    /// The program wrote them and they are unchanged.
    Program,
    /// The owner wrote or edited them.
    Owner,
    /// The owner's, in a folder of notes elsewhere: the program hides them and never changes the file.
    Folder,
}

/// The reason for including something in a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Reason {
    /// The owner chose it.
    Chosen,
    /// It has the same text as something chosen.
    SameText,
    /// It is a note of the program or a candidate made from something chosen.
    MadeFromIt,
    /// It is an entry behind a chosen note of the program.
    IsEvidence,
}

/// The result of carrying out a plan.
#[derive(Debug)]
pub struct ForgetReport {
    /// The id for undo.
    pub id: TombstoneId,
    /// The files from which lines were removed.
    pub files: Vec<WorkspacePath>,
    /// Whether the owner's lines were removed or left.
    pub owner_lines: OwnerLines,
    /// Why the candidates could not be removed; the next successful read of them removes them.
    pub candidates: Option<MemoryTxnError>,
    /// Why some lines, which are hidden everywhere, are still in their files; the next sweep takes them out.
    pub left: Option<ForgetError>,
}

/// The result of an undo.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UndoReport {
    /// Files with their lines restored.
    pub restored: Vec<WorkspacePath>,
    /// Files whose copy no longer exists.
    pub lost: Vec<WorkspacePath>,
    /// Number of candidates that are pending again.
    pub n_waiting: usize,
}

/// A forget or its undo failed.
#[derive(Debug, thiserror::Error)]
pub enum ForgetError {
    /// There is no passage at the chosen place.
    #[error("nothing to forget at {}", place(.0, *.1))]
    NothingThere(WorkspacePath, LineRange),
    /// The candidates cannot be read or changed.
    #[error(transparent)]
    MemoryTxn(#[from] MemoryTxnError),
    /// Nothing was forgotten with this id.
    #[error("no request to forget has the id {0}")]
    Unknown(TombstoneId),
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

file_error_from_disk!(ForgetError);

impl ForgetPlan {
    /// Whether the plan is empty.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.entries.is_empty() && self.candidates.is_empty()
    }

    /// All passages: those of notes first, then candidates, then entries of transcripts.
    pub fn passages(&self) -> impl Iterator<Item = PlannedPassage<'_>> {
        let passage = |place, text, because| PlannedPassage {
            place,
            text,
            because,
        };
        let lines = self.lines.iter();
        let lines = lines.map(move |own| passage(own.place(), own.text.as_str(), own.because));
        let candidates = self.candidates.iter();
        let candidates =
            candidates.map(move |own| passage(own.place(), own.finding.as_str(), own.because));
        let entries = self.entries.iter();
        let entries = entries.map(move |own| passage(own.place(), own.text.as_str(), own.because));
        lines.chain(candidates).chain(entries)
    }

    /// The entries behind the chosen notes and candidates, each with the texts of these.
    pub fn noted_from(&self) -> BTreeMap<EntryId, NotedTexts> {
        let is_meant = |because| matches!(because, Reason::Chosen | Reason::SameText);
        let lines = self.lines.iter();
        let lines = lines.filter(|line| is_meant(line.because) && !line.is_older_value);
        let lines = lines.map(|line| (&line.evidence, &line.text));
        let candidates = self.candidates.iter().filter(|own| is_meant(own.because));
        let candidates = candidates.map(|own| (&own.evidence, &own.finding));
        let mut noted: BTreeMap<EntryId, NotedTexts> = BTreeMap::new();
        for (evidence, text) in lines.chain(candidates) {
            for id in evidence {
                let of_entry = noted.entry(id.clone()).or_default();
                of_entry.texts.push(text.clone());
                of_entry.is_only_evidence |= evidence.len() == 1;
            }
        }
        noted
    }

    /// Adds the entries behind the chosen notes.
    #[must_use]
    pub fn with_evidence(mut self, found: Vec<PlannedEntry>) -> Self {
        for entry in found {
            let mut known = self.entries.iter_mut();
            match known.find(|known| known.entry.id == entry.entry.id) {
                Some(known) => known.take_in(entry),
                None => self.entries.push(entry),
            }
        }
        let place = |it: &PlannedEntry| (it.entry.path.clone(), it.entry.line);
        self.entries.sort_by_key(place);
        self
    }

    /// The entries that are hidden only because a chosen note is based on them, and those behind a line that stays
    /// without its earlier value.
    pub(crate) fn hidden_for_a_part(&self) -> Vec<EntryId> {
        let shortened = self.lines.iter().filter(|line| line.is_older_value);
        let stay: BTreeSet<&EntryId> = shortened.flat_map(|line| &line.evidence).collect();
        let entries = self.entries.iter();
        entries
            .filter(|it| it.because == Reason::IsEvidence || stay.contains(&it.entry.id))
            .map(|it| it.entry.id.clone())
            .collect()
    }

    /// Whether any of the lines is the owner's.
    pub fn has_owner_lines(&self) -> bool {
        self.lines.iter().any(|line| line.keeper == Keeper::Owner)
    }

    /// What to delete everywhere if the plan is carried out for good: its texts, its entries and `words`.
    pub fn gone(&self, words: &[String]) -> PurgeTargets {
        let entries = self.entries.iter();
        PurgeTargets {
            texts: self.texts(),
            spared: self.spared_texts.clone(),
            entries: entries.map(|it| it.entry.id.clone()).collect(),
            words: words.to_vec(),
        }
    }

    pub(crate) fn files(&self, owner_lines: OwnerLines) -> Vec<WorkspacePath> {
        let gone = self.lines.iter().filter(|line| match line.keeper {
            Keeper::Program => true,
            Keeper::Owner => owner_lines == OwnerLines::Remove,
            Keeper::Folder => false,
        });
        let files: BTreeSet<&WorkspacePath> = gone.map(|line| &line.path).collect();
        files.into_iter().cloned().collect()
    }

    /// The hashes of all planned texts, without those that stay.
    pub fn texts(&self) -> BTreeSet<TextHash> {
        let whole = self.lines.iter().filter(|line| !line.is_older_value);
        let whole = whole.filter_map(|line| line.current.as_ref());
        let lines = self.lines.iter().map(|line| &line.hash).chain(whole);
        let entries = self.entries.iter();
        let entries = entries.flat_map(|it| it.hash.iter().chain(&it.entry.sentences));
        let candidates = self.candidates.iter().map(|own| &own.hash);
        let all = lines.chain(entries).chain(candidates);
        all.filter(|hash| !self.spared_texts.contains(hash))
            .cloned()
            .collect()
    }
}

impl PlannedLines {
    /// The location in the file.
    pub fn place(&self) -> Locator {
        Locator::new(self.path.as_str(), self.lines)
    }
}

impl PlannedCandidate {
    /// The lines of its block; the first line of the file if the block is missing.
    pub fn place(&self) -> Locator {
        Self::place_of(self.lines)
    }

    /// The place of a candidate with its block in these lines of the review page.
    pub fn place_of(lines: Option<LineRange>) -> Locator {
        Locator::new(DREAMS_FILE, lines.unwrap_or(LineRange::line(1)))
    }
}

impl PlannedEntry {
    /// A whole message of a transcript that the owner chose, without its text.
    pub fn chosen(id: EntryId, path: String, line: usize) -> Self {
        Self {
            entry: ForgottenEntry {
                id,
                path,
                line,
                offset: None,
                sentences: Vec::new(),
            },
            text: String::new(),
            hash: None,
            part: String::new(),
            because: Reason::Chosen,
        }
    }

    /// Extends the hidden part of the entry: all of it, or the sentences of both.
    fn take_in(&mut self, other: Self) {
        if self.entry.is_whole() {
            return;
        }
        if other.entry.is_whole() {
            let because = self.because;
            *self = Self { because, ..other };
            return;
        }
        let known = &mut self.entry.sentences;
        let mut new = other.entry.sentences;
        new.retain(|it| !known.contains(it));
        if !new.is_empty() {
            known.extend(new);
            self.part = format!("{}\n{}", self.part, other.part);
            self.text = format!("{} {}", self.text, other.part);
        }
    }

    /// Whether a text based on this entry is forgotten with it: any if the whole entry is hidden, otherwise one that
    /// shares most of its words with the hidden part.
    pub(super) fn takes(&self, text: &str, common: CommonWords) -> bool {
        self.entry.is_whole() || self.says_most_of(text, common)
    }

    /// Whether the hidden part of it shares most of its words with a text.
    pub(super) fn says_most_of(&self, text: &str, common: CommonWords) -> bool {
        let hidden = if self.entry.is_whole() {
            &self.text
        } else {
            &self.part
        };
        holds_most_of(hidden, text, common) || holds_most_of(text, hidden, common)
    }

    /// The location in the transcript.
    pub fn place(&self) -> Locator {
        Locator::new(self.entry.path.as_str(), LineRange::line(self.entry.line))
    }
}

fn place(path: &WorkspacePath, lines: LineRange) -> String {
    match lines {
        LineRange::ALL => path.to_string(),
        lines => Locator::new(path.as_str(), lines).to_string(),
    }
}
