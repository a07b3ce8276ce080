//! The place of a passage: a file and its lines.
//!
//! Never reads the file, so a place may be outdated.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// Lines of a file, 1-based and inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineRange {
    /// The first line.
    pub start: usize,
    /// The last line.
    pub end: usize,
}

/// Lines of a file, as shown to people and programs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Locator {
    /// The path of the file: relative to the workspace, such as `memory/2026-04-20.md`; for a transcript, relative to
    /// the home, such as `sessions/main.jsonl`.
    pub path: String,
    /// The first line, from 1.
    pub start_line: usize,
    /// The last line.
    pub end_line: usize,
}

impl LineRange {
    /// Every line.
    pub const ALL: Self = Self {
        start: 1,
        end: usize::MAX,
    };

    /// One line.
    pub fn line(number: usize) -> Self {
        Self {
            start: number,
            end: number,
        }
    }

    /// The lines that a caller asks for. By default it is every line; there is always at least one.
    pub fn asked(start: Option<usize>, end: Option<usize>) -> Self {
        let start = start.unwrap_or(1).max(1);
        let end = end.unwrap_or(usize::MAX).max(start);
        Self { start, end }
    }

    /// Whether the line is in the range.
    pub fn contains(self, line: usize) -> bool {
        (self.start..=self.end).contains(&line)
    }

    /// Whether the two ranges have a line in common.
    pub fn overlaps(self, other: Self) -> bool {
        self.start <= other.end && other.start <= self.end
    }
}

impl Locator {
    /// These lines of a file.
    pub fn new(path: impl Into<String>, lines: LineRange) -> Self {
        Self {
            path: path.into(),
            start_line: lines.start,
            end_line: lines.end,
        }
    }

    /// Its lines.
    pub fn lines(&self) -> LineRange {
        LineRange {
            start: self.start_line,
            end: self.end_line,
        }
    }

    /// Whether the two places have a line in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.path == other.path && self.lines().overlaps(other.lines())
    }
}

impl fmt::Display for Locator {
    /// Formats the place as `path:line`, or as `path:first-last` for several lines.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.path, self.start_line)?;
        if self.end_line > self.start_line {
            write!(formatter, "-{}", self.end_line)?;
        }
        Ok(())
    }
}

impl Serialize for Locator {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

crate::text_schema! { Locator { "type": "string" } }

/// The error for a text that is not a [`Locator`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a place; write it as `path:line` or `path:first-last`")]
pub struct LocatorError(String);

impl FromStr for Locator {
    type Err = LocatorError;

    fn from_str(text: &str) -> Result<Self, LocatorError> {
        let error = || LocatorError(text.to_owned());
        let (path, lines) = text.rsplit_once(':').ok_or_else(error)?;
        let (start, end) = lines.split_once('-').unwrap_or((lines, lines));
        let number = |digits: &str| digits.parse::<usize>().map_err(|_| error());
        let (start_line, end_line) = (number(start)?, number(end)?);
        if path.is_empty() || start_line == 0 || end_line < start_line {
            return Err(error());
        }
        Ok(Self {
            path: path.to_owned(),
            start_line,
            end_line,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locator_prints_path_and_lines() {
        let place = |start_line, end_line| Locator {
            path: "memory/2026-04-20.md".to_owned(),
            start_line,
            end_line,
        };
        assert_eq!(place(3, 3).to_string(), "memory/2026-04-20.md:3");
        assert_eq!(place(3, 5).to_string(), "memory/2026-04-20.md:3-5");
    }

    #[test]
    fn locator_parses_its_printed_form_and_rejects_others() {
        for text in [
            "a.md:1",
            "memory/2026-03-02.md:4-17",
            "sessions/a:b.jsonl:9",
        ] {
            let place: Locator = text.parse().unwrap();
            assert_eq!(place.to_string(), text);
        }
        for text in ["", "a.md", ":1", "a.md:0", "a.md:3-2", "a.md:x", "a.md:1-"] {
            assert_eq!(text.parse::<Locator>(), Err(LocatorError(text.to_owned())));
        }
    }
}
