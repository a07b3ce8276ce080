//! Finds the text that the owner corrects: a line of `MEMORY.md`, of the page about the owner, or a note of a log.
//!
//! Compares words; changes nothing.

use base::{
    Day, EntryId, LineRange, Locator, Origin, SessionId, SourceError, is_unspaced, n_words, redact,
    scope_of, shell_quoted, short_hash, strictest_scope,
};
use dreaming::{holds_quote, holds_words};
use memory::candidates::{Access, Evidence, EvidenceRef, same_words};
use memory::curated::{CuratedLine, LineOwner, memory_lines};
use memory::files::{FileAccessError, OwnerEditError, read_owner_file, reword_line};
use memory::{
    LogItem, MemoryText, WorkspacePath, WorkspacePathError, load_tombstones, sessions_of,
};

use crate::asked_error::AskedError;
use crate::knowledge::replaced::{ComparedPassage, TIME_UNKNOWN};
use crate::knowledge::scope::Repository;
use crate::runtime::HomeAccess;

/// Number of notes that an error names.
const NAMED_MAX: usize = 5;

/// The page about the owner, which the owner writes.
const USER_FILE: &str = "USER.md";

/// The text that the owner corrects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CorrectedText {
    /// Memory: `MEMORY.md` gets the new line.
    Memory(Corrected),
    /// A line of the page about the owner, which is reworded in its place.
    User(UserLine),
}

/// A line of the page about the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UserLine(CuratedLine);

impl UserLine {
    /// The text of the line as it is.
    pub(crate) fn text(&self) -> &str {
        &self.0.text
    }

    /// Its place.
    pub(crate) fn place(&self) -> Locator {
        Locator::new(USER_FILE, LineRange::line(self.0.number))
    }

    /// The command that writes the line as it is now.
    pub(crate) fn undo_command(&self) -> String {
        format!(
            "memory correct {} {}",
            self.place(),
            shell_quoted(self.text())
        )
    }

    /// The line with other words. Its label, as in `Name: Ann`, stays, unless the words begin with it.
    pub(crate) fn with(&self, words: &str) -> String {
        let label = self.text().split_once(LABEL_END).map(|(label, _)| label);
        // An empty field ends with its label.
        let label = label.or(self.text().strip_suffix(':'));
        let label = label.filter(|it| n_words(it) <= LABEL_WORDS_MAX);
        match label {
            Some(label) if !words.starts_with(&format!("{label}:")) => {
                format!("{label}{LABEL_END}{words}")
            }
            Some(_) | None => words.to_owned(),
        }
    }

    /// Writes other words into the line.
    pub(crate) fn reword(&self, home: &HomeAccess, words: &str) -> Result<(), AskedError> {
        let path = user_file().map_err(|error| SourceError::new(USER_FILE, error))?;
        let text = self.with(words);
        let edit = (&self.0, text.as_str());
        match reword_line(&home.workspace, &path, edit, home.clock.now()) {
            Ok(_) => Ok(()),
            Err(OwnerEditError::File(FileAccessError::File(error))) => Err(error.into()),
            Err(error) => Err(SourceError::new(USER_FILE, error).into()),
        }
    }
}

/// Ends the label of a line, as in `Name: Ann` but not in `at 6:30`, and most words of a label.
const LABEL_END: &str = ": ";
const LABEL_WORDS_MAX: usize = 4;

fn user_file() -> Result<WorkspacePath, WorkspacePathError> {
    USER_FILE.parse()
}

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

/// The text at a place such as `MEMORY.md:5`, with the id at the end of a line, or with these words: a line of
/// `MEMORY.md`, or else of the page about the owner, or else a note of a log.
///
/// # Errors
///
/// [`AskedError`], also if several have them.
pub(crate) fn corrected_text(home: &HomeAccess, words: &str) -> Result<CorrectedText, AskedError> {
    if let Some(found) = at_place(home, words)? {
        return Ok(found);
    }
    let desk = home.desk(Access::Write)?;
    match line_named(desk.memory(), words) {
        Err(AskedError::NoLine(_)) => {
            drop(desk);
            match user_line_saying(home, words)? {
                Some(line) => Ok(CorrectedText::User(line)),
                None => note_saying(home, words)
                    .map(|note| CorrectedText::Memory(Corrected::Note(note))),
            }
        }
        found => found.map(|line| CorrectedText::Memory(Corrected::Line(line))),
    }
}

/// The text at a place; `None` if the words are no place of memory.
fn at_place(home: &HomeAccess, words: &str) -> Result<Option<CorrectedText>, AskedError> {
    let Ok(place) = words.parse::<Locator>() else {
        // Such as `MEMORY.md:0`: a place, but none at which a line can stand.
        let path = words.rsplit_once(':').map_or("", |(path, _)| path);
        let is_file = path == home.workspace.memory_path().as_str() || path == USER_FILE;
        return if is_file {
            Err(AskedError::NothingAt(words.to_owned()))
        } else {
            Ok(None)
        };
    };
    let nothing = || AskedError::NothingAt(place.to_string());
    let number = place.start_line;
    let workspace = &home.workspace;
    let is_there = |line: &CuratedLine| line.number == number;
    if place.path == workspace.memory_path().to_string() {
        let desk = home.desk(Access::Write)?;
        let line = memory_lines(desk.memory()).into_iter().find(is_there);
        let line = line.filter(|line| !desk.tombstones().hides_text(&line.text));
        let line = line.ok_or_else(nothing)?;
        return Ok(Some(CorrectedText::Memory(Corrected::Line(line))));
    }
    if place.path == USER_FILE {
        let line = user_lines(home)?.into_iter().find(is_there);
        let line = line.ok_or_else(nothing)?;
        return Ok(Some(CorrectedText::User(UserLine(line))));
    }
    let unread = |error| SourceError::new("the logs", error);
    let mut days = workspace.log_days().map_err(unread)?.into_iter();
    let Some(day) = days.find(|day| workspace.log_path(*day).to_string() == place.path) else {
        return Ok(None);
    };
    let tombstones = load_tombstones(workspace)?;
    let notes = workspace.log_items(day).map_err(unread)?.into_iter();
    let mut notes = notes.filter(|own| !tombstones.hides_note(&own.text, &own.evidence));
    let note = notes.find(|own| own.line == number).ok_or_else(nothing)?;
    let note = Corrected::Note(as_line(home, day, &note));
    Ok(Some(CorrectedText::Memory(note)))
}

/// The line of `MEMORY.md` with this id or these words.
///
/// # Errors
///
/// Those of [`line_saying`].
pub(crate) fn line_named(memory: &MemoryText, typed: &str) -> Result<CuratedLine, AskedError> {
    line_with_id(memory, typed).map_or_else(|| line_saying(memory, typed), Ok)
}

/// The line of `MEMORY.md` with an id: that of its candidate, or the one at its end.
pub(crate) fn line_with_id(memory: &MemoryText, typed: &str) -> Option<CuratedLine> {
    let id = typed.trim().trim_start_matches('^').to_lowercase();
    let mut numbered = memory.numbered();
    let marked = numbered.find(|(_, line)| line.mark() == Some(id.as_str()));
    let marked = marked.map(|(number, _)| number);
    let mut lines = memory_lines(memory).into_iter();
    lines.find(|line| line.id() == Some(id.as_str()) || Some(line.number) == marked)
}

/// The lines of the page about the owner.
fn user_lines(home: &HomeAccess) -> Result<Vec<CuratedLine>, AskedError> {
    let workspace = &home.workspace;
    let path = user_file().map_err(|error| SourceError::new(USER_FILE, error))?;
    let text = match read_owner_file(workspace, &path) {
        Ok(file) => file.text,
        Err(FileAccessError::NotFound(_)) => return Ok(Vec::new()),
        Err(error) => return Err(SourceError::new(USER_FILE, error).into()),
    };
    let tombstones = load_tombstones(workspace)?;
    let mut lines = memory_lines(&workspace.read_note(USER_FILE, &text));
    lines.retain(|line| !tombstones.hides_text(&line.text));
    Ok(lines)
}

/// The line of the page about the owner that has these words; `None` if there is none.
fn user_line_saying(home: &HomeAccess, words: &str) -> Result<Option<UserLine>, AskedError> {
    let lines = user_lines(home)?.into_iter();
    let mut found = lines.filter(|line| holds_words(&line.text, words));
    match (found.next(), found.next()) {
        (Some(_), Some(_)) => Err(AskedError::SeveralLines(words.to_owned())),
        (found, _) => Ok(found.map(UserLine)),
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

/// The lines of `MEMORY.md` that are not hidden.
pub(crate) fn standing_lines(home: &HomeAccess) -> Result<Vec<CuratedLine>, AskedError> {
    let tombstones = load_tombstones(&home.workspace)?;
    let desk = home.desk(Access::Read)?;
    let mut lines = memory_lines(desk.memory());
    lines.retain(|line| !tombstones.hides_text(&line.text));
    Ok(lines)
}

/// The notes of logs that are meant by their text and still hold, oldest first: each as a line, with the path of its log
/// and the entries that it was made from. Leaves out notes of other people's words.
pub(crate) fn standing_notes(
    home: &HomeAccess,
    is_meant: &dyn Fn(&str) -> bool,
) -> Result<Vec<(CuratedLine, String, Vec<EntryId>)>, AskedError> {
    let found = notes_saying(home, is_meant)?.into_iter();
    let found = found.map(|(day, note)| {
        let path = home.workspace.log_path(day).to_string();
        (as_line(home, day, &note), path, note.evidence)
    });
    Ok(found.collect())
}

fn notes_saying(
    home: &HomeAccess,
    is_meant: &dyn Fn(&str) -> bool,
) -> Result<Vec<(Day, LogItem)>, AskedError> {
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
                && is_meant(&note.text)
                && !tombstones.hides_note(&note.text, &note.evidence)
                && !is_old()
            {
                found.push((day, note));
            }
        }
    }
    Ok(found)
}

/// The newest note that has these words, if all that have them say the same; one that consists of them is preferred.
/// Leaves out notes of other people's words, and notes that no longer hold.
fn note_saying(home: &HomeAccess, words: &str) -> Result<CuratedLine, AskedError> {
    let workspace = &home.workspace;
    let found = notes_saying(home, &|text| holds_words(text, words))?;
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

#[cfg(test)]
#[path = "corrected_tests.rs"]
mod tests;
