//! Finds the text that the owner corrects: a line of `MEMORY.md`, or else a note of a log.
//!
//! Compares words; changes nothing.

use base::{
    Day, LineRange, Locator, Origin, SessionId, SourceError, is_unspaced, redact, scope_of,
    short_hash, strictest_scope,
};
use dreaming::{holds_quote, holds_words};
use memory::candidates::{Access, Evidence, EvidenceRef, same_words};
use memory::curated::{CuratedLine, LineOwner, memory_lines};
use memory::{LogItem, MemoryText, load_tombstones, sessions_of};

use crate::asked::AskedError;
use crate::knowledge::replaced::{ComparedPassage, TIME_UNKNOWN};
use crate::knowledge::scope::Repository;
use crate::runtime::HomeAccess;

/// Number of notes that an error names.
const NAMED_MAX: usize = 5;

/// The line or note that a new line replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Corrected {
    /// A line of `MEMORY.md`.
    Line(CuratedLine),
    /// A note of a log, as a line.
    Note(CuratedLine),
}

impl Corrected {
    pub(crate) fn line(&self) -> &CuratedLine {
        match self {
            Self::Line(line) | Self::Note(line) => line,
        }
    }

    /// The source of a note that belongs to the same repository; `None` if the replaced text does not belong to a
    /// repository.
    pub(crate) fn repository(&self) -> Option<SessionId> {
        let evidence = self.line().evidence().iter();
        let scope = strictest_scope(evidence.filter_map(EvidenceRef::own_scope))?;
        Some(Repository::of_scope(scope).notes())
    }
}

impl From<CuratedLine> for Corrected {
    fn from(line: CuratedLine) -> Self {
        Self::Line(line)
    }
}

/// The line of `MEMORY.md` that has these words, or else the note of a log that has them.
///
/// # Errors
///
/// [`AskedError`], also if several have them.
pub fn corrected(home: &HomeAccess, words: &str) -> Result<Corrected, AskedError> {
    let desk = home.desk(Access::Write)?;
    match line_saying(desk.memory(), words) {
        Err(AskedError::NoLine(_)) => {
            drop(desk);
            note_saying(home, words).map(Corrected::Note)
        }
        found => found.map(Corrected::Line),
    }
}

/// The line of `MEMORY.md` that has these words; a line that consists of them is preferred.
///
/// # Errors
///
/// [`AskedError::NoLine`], [`AskedError::SeveralLines`] or [`AskedError::TellsNothing`].
pub fn line_saying(memory: &MemoryText, words: &str) -> Result<CuratedLine, AskedError> {
    if !tells(words) {
        return Err(AskedError::TellsNothing(words.to_owned()));
    }
    let lines = memory_lines(memory);
    let holds = |line: &&CuratedLine| holds_words(&line.text, words);
    let whole = lines.iter().filter(holds);
    let mut whole = whole.filter(|line| holds_quote(words, &line.text));
    if let (Some(only), None) = (whole.next(), whole.next()) {
        return Ok(only.clone());
    }
    let mut found = lines.iter().filter(holds);
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(only.clone()),
        (Some(_), Some(_)) => Err(AskedError::SeveralLines(words.to_owned())),
        (None, _) => Err(AskedError::NoLine(words.to_owned())),
    }
}

/// Whether words can name a line: one letter, or words that are everywhere, cannot.
fn tells(quote: &str) -> bool {
    let common = extract::common_words(quote);
    let is_letter = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(|it| !is_unspaced(it)) && letters.next().is_none()
    };
    base::words(quote).any(|word| !is_letter(word) && !common.contains(&word.to_lowercase()))
}

/// The newest note that has these words, if all that have them say the same; one that consists of them is preferred.
/// Leaves out notes of other people's words, and notes that no longer hold.
fn note_saying(home: &HomeAccess, words: &str) -> Result<CuratedLine, AskedError> {
    let mut found: Vec<(Day, LogItem)> = Vec::new();
    let unread = |error| SourceError::new("the logs", error);
    let workspace = &home.workspace;
    let tombstones = load_tombstones(workspace)?;
    let replaced = home.replaced();
    for day in workspace.log_days().map_err(unread)? {
        for note in workspace.log_items(day).map_err(unread)? {
            let is_old = || {
                let place = Locator::new(
                    workspace.log_path(day).to_string(),
                    LineRange::line(note.line),
                );
                let passage = ComparedPassage {
                    text: &note.text,
                    day: Some(day),
                    place: &place,
                    entries: &note.evidence,
                    is_after: TIME_UNKNOWN,
                };
                replaced.replaced_on(&passage).is_some()
            };
            let is_ours = matches!(note.origin, Origin::Owner | Origin::Agent);
            if is_ours
                && holds_words(&note.text, words)
                && !tombstones.hides_note(&note.text, &note.evidence)
                && !is_old()
            {
                found.push((day, note));
            }
        }
    }
    let whole = |(_, note): &&(Day, LogItem)| holds_quote(words, &note.text);
    let meant: Vec<&(Day, LogItem)> = match found.iter().rfind(whole) {
        Some(only) => vec![only],
        None => found.iter().collect(),
    };
    let Some((day, newest)) = meant.last() else {
        return Err(AskedError::NoNote(words.to_owned()));
    };
    let says = same_words(&newest.text);
    if meant.iter().any(|(_, own)| same_words(&own.text) != says) {
        let named = meant.iter().rev().take(NAMED_MAX);
        let named = named.map(|(day, own)| {
            let log = workspace.log_path(*day);
            format!("{:?} ({log}:{})", redact(&own.text), own.line)
        });
        let named: Vec<String> = named.collect();
        return Err(AskedError::SeveralNotes(words.to_owned(), named.join(", ")));
    }
    Ok(as_line(home, *day, newest))
}

/// A note as a line that a change can name.
fn as_line(home: &HomeAccess, day: Day, note: &LogItem) -> CuratedLine {
    let key = Evidence::key_by_hand(&note.text);
    let mut reference = EvidenceRef {
        path: home.workspace.log_path(day).to_string(),
        key: note.id.clone().unwrap_or(key),
        line: note.line,
        hash: short_hash(&note.text),
        scope: None,
    };
    let sessions = sessions_of(&home.workspace, std::slice::from_ref(&reference));
    reference.scope = strictest_scope(sessions.iter().filter_map(|own| scope_of(own)));
    CuratedLine {
        number: note.line,
        section: None,
        text: note.text.clone(),
        owner: LineOwner::Ours {
            id: reference.to_string(),
            evidence: vec![reference],
            origin: note.origin,
            day: Some(day),
        },
    }
}
