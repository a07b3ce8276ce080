//! Sets aside what cannot be read in a transcript: it is kept in quarantine, and its line says nothing.
//!
//! Never changes where a line stands or how long it is, and nothing that can be read.

use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;

use base::EntryId;
use base::disk::{DiskError, replace_with};

use crate::entry::Place;
use crate::format::{Damage, LineContent, render_aside};
use crate::reader::{Line, RawLine, RawText, TornTail, TranscriptFile};
use crate::recovery::keep;
use crate::redact::write_lines;
use crate::{ReadError, SessionName, SessionStore, Turn};

/// What cannot be read in a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unreadable {
    /// Its damaged lines, the first one first.
    pub lines: Vec<UnreadableLine>,
    /// The torn end, which the next turn cuts anyway.
    pub torn_tail: Option<TornTail>,
}

/// A line that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableLine {
    /// Its place, from 1.
    pub number: u64,
    /// Where it begins, in bytes from the beginning of the file.
    pub offset: u64,
    /// Its length in bytes, its line end left out.
    pub n_bytes: u64,
    /// What is wrong with it.
    pub damage: Damage,
    place: Option<Place>,
}

impl UnreadableLine {
    /// The entry, where that much can be read: its line then still says where it stands.
    pub fn entry(&self) -> Option<&EntryId> {
        self.place.as_ref().map(|place| &place.id)
    }

    /// Its bytes, the line end among them.
    fn range(&self) -> Range<u64> {
        self.offset..self.offset + self.n_bytes + 1
    }
}

/// Lines that were not set aside.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetAsideError {
    /// A program that takes no lock wrote into the transcript meanwhile; nothing was changed.
    #[error("another program wrote into {path} meanwhile; nothing was changed", path = .0.display())]
    Changed(PathBuf),
    /// The disk failed; the transcript is as it was.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl SessionStore {
    /// What would be set aside; nothing is changed.
    pub fn unreadable(&self, name: &SessionName) -> Result<Unreadable, ReadError> {
        let lines = self.lines(name)?;
        let torn_tail = lines.torn_tail();
        Ok(Unreadable {
            lines: unreadable(lines)?,
            torn_tail,
        })
    }
}

impl Turn {
    /// Sets aside what cannot be read, and gives the files that keep it; the turn ends.
    ///
    /// Durability: the copies are durable before the transcript is replaced, which is as it was or as it is
    /// to be, whole. After a crash the same call makes the same copies again.
    ///
    /// # Errors
    ///
    /// [`SetAsideError`]; the transcript is then as it was, or, where only its sync failed, as it is to be.
    pub fn set_aside(self) -> Result<Vec<PathBuf>, SetAsideError> {
        let Some(file) = self.open()? else {
            return Ok(Vec::new());
        };
        let lines = unreadable(file.lines())?;
        if lines.is_empty() {
            return Ok(Vec::new());
        }
        let home = self.home();
        let disk = &*home.disk;
        let mut kept = Vec::new();
        for stretch in stretches(&lines) {
            kept.push(keep(
                disk,
                &file,
                self.name(),
                &home.dirs.quarantine,
                stretch,
            )?);
        }
        let mut is_changed = false;
        let mut write = |out: &mut dyn Write| -> io::Result<()> {
            write_without(&file, &lines, out)?;
            let len = disk.stat(file.path()).map_err(io::Error::other)?;
            is_changed = file.len() != file.end() || len.is_none_or(|it| it.len != file.len());
            if is_changed {
                return Err(io::ErrorKind::ResourceBusy.into());
            }
            Ok(())
        };
        let replaced = replace_with(disk, file.path(), &mut write);
        if is_changed {
            return Err(SetAsideError::Changed(file.path().to_owned()));
        }
        replaced?;
        Ok(kept)
    }
}

fn unreadable(
    lines: impl Iterator<Item = Result<Line, DiskError>>,
) -> Result<Vec<UnreadableLine>, DiskError> {
    let mut found = Vec::new();
    for line in lines {
        found.extend(damaged(line?));
    }
    Ok(found)
}

fn damaged(line: Line) -> Option<UnreadableLine> {
    match line.content {
        LineContent::Damaged { damage, place } if !damage.is_absence() => Some(UnreadableLine {
            number: line.number,
            offset: line.offset,
            n_bytes: line.n_bytes,
            damage,
            place,
        }),
        LineContent::Damaged { .. }
        | LineContent::Header(_)
        | LineContent::Entry(_)
        | LineContent::ShortMeta(_) => None,
    }
}

/// The bytes of the lines; those of lines that follow one another are one stretch.
fn stretches(lines: &[UnreadableLine]) -> Vec<Range<u64>> {
    let mut stretches: Vec<Range<u64>> = Vec::new();
    for line in lines {
        let range = line.range();
        match stretches.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            Some(_) | None => stretches.push(range),
        }
    }
    stretches
}

/// Writes the transcript with something as long in the place of each of the lines.
fn write_without(
    file: &TranscriptFile,
    lines: &[UnreadableLine],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut lines = lines.iter().peekable();
    write_lines(file, out, |raw, out| {
        let line = lines.next_if(|line| line.offset == raw.offset);
        line.map_or(Ok(false), |line| write_aside(line, raw, out).map(|()| true))
    })
}

fn write_aside(line: &UnreadableLine, raw: &RawLine, out: &mut dyn Write) -> io::Result<()> {
    // A file of another system keeps its line ends.
    let end: &[u8] = match &raw.text {
        RawText::Bytes(bytes) if bytes.ends_with(b"\r") => b"\r",
        RawText::Bytes(_) | RawText::TooLong | RawText::LongBlank => b"",
    };
    let n_bytes = raw.len - end.len() as u64;
    let place = render_aside(line.place.as_ref(), n_bytes);
    out.write_all(&place)?;
    let blank = io::repeat(b' ');
    io::copy(
        &mut io::Read::take(blank, n_bytes - place.len() as u64),
        out,
    )?;
    out.write_all(end)
}

#[cfg(test)]
#[path = "set_aside_tests.rs"]
mod tests;
