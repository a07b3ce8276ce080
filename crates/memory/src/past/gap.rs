//! The gaps in what the kept history says about a moment in the past.

use std::fmt;

use base::{Timestamp, counted};

use crate::workspace::MEMORY_FILE;

/// The number of pages that a gap names.
const PAGES_NAMED_MAX: usize = 3;

/// Something that is left out of the past, because what it was then is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PastGap {
    /// The kept copies of `MEMORY.md` do not reach back that far; the oldest change that is kept was made then.
    MemoryBefore(Timestamp),
    /// The copy of `MEMORY.md` of that time was redacted or cannot be read.
    MemoryUnreadable,
    /// This many changes of `MEMORY.md` were undone later, and the copies of it with these changes are gone.
    Undone(usize),
    /// This many lines of `MEMORY.md` that the owner wrote by hand may be newer.
    LinesByHand(usize),
    /// This many lines are neither in `MEMORY.md` nor in the archive any more, and something was forgotten since.
    GoneLines(usize),
    /// Pages that were changed since, by path.
    Pages(Vec<String>),
}

impl PastGap {
    /// What of the gap concerns this file; `None` if nothing does.
    pub fn of_file(self, path: &str) -> Option<Self> {
        match self {
            Self::MemoryBefore(_)
            | Self::MemoryUnreadable
            | Self::Undone(_)
            | Self::LinesByHand(_)
            | Self::GoneLines(_) => (path == MEMORY_FILE).then_some(self),
            Self::Pages(paths) => {
                let own = paths.into_iter().filter(|own| own == path);
                let own: Vec<String> = own.collect();
                (!own.is_empty()).then_some(Self::Pages(own))
            }
        }
    }
}

impl fmt::Display for PastGap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = |n: &usize| counted(*n as u64, "line", "lines");
        match self {
            Self::MemoryBefore(oldest) => write!(
                formatter,
                "MEMORY.md is left out: its kept copies reach back to {}",
                oldest.format("%Y-%m-%d %H:%M UTC")
            ),
            Self::MemoryUnreadable => formatter.write_str(
                "MEMORY.md is left out: its copy of that time was redacted or cannot be read",
            ),
            Self::Undone(n) => {
                let changes = counted(*n as u64, "change", "changes");
                write!(
                    formatter,
                    "MEMORY.md is shown without {changes} that you undid later"
                )
            }
            Self::LinesByHand(n) => write!(
                formatter,
                "left out: {} of MEMORY.md that you wrote by hand and that may be newer",
                lines(n)
            ),
            Self::GoneLines(n) => write!(
                formatter,
                "left out: {} of MEMORY.md that may say what you have forgotten since",
                lines(n)
            ),
            Self::Pages(paths) => {
                let pages = counted(paths.len() as u64, "page", "pages");
                let named: Vec<&str> = paths.iter().take(PAGES_NAMED_MAX).map(|it| &**it).collect();
                let more = if paths.len() > PAGES_NAMED_MAX {
                    " and others"
                } else {
                    ""
                };
                write!(
                    formatter,
                    "left out: {pages} changed since, without a copy of the earlier text: {}{more}",
                    named.join(", ")
                )
            }
        }
    }
}
