//! Where a passage stands: a file and its lines.
//!
//! Never says what stands there, nor whether it still does.

use std::fmt;

/// Lines of a file, as people and programs are told them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Locator {
    /// Relative to the workspace, such as `memory/2026-04-20.md`; of a transcript to the home, such as
    /// `sessions/main.jsonl`.
    pub path: String,
    /// The first line, from 1.
    pub start_line: usize,
    /// The last line.
    pub end_line: usize,
}

impl fmt::Display for Locator {
    /// As `path:line`, or `path:first-last` where it is several.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.path, self.start_line)?;
        if self.end_line > self.start_line {
            write!(formatter, "-{}", self.end_line)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_told_by_its_lines() {
        let place = |start_line, end_line| {
            let path = "memory/2026-04-20.md".to_owned();
            let place = Locator {
                path,
                start_line,
                end_line,
            };
            place.to_string()
        };
        assert_eq!(place(3, 3), "memory/2026-04-20.md:3");
        assert_eq!(place(3, 5), "memory/2026-04-20.md:3-5");
    }
}
