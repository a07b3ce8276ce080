//! Names one state of the index, so that its halves and its readers know whether they mean the same.
//!
//! Pure; reads no file.

use std::fmt;

/// One state of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Generation {
    /// Which index: one that was made anew is another one.
    pub(crate) identity: u64,
    /// Grows with every change.
    pub(crate) number: u64,
}

impl Generation {
    /// Reads what [`fmt::Display`] wrote.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (identity, number) = text.split_once(':')?;
        Some(Self {
            identity: identity.parse().ok()?,
            number: number.parse().ok()?,
        })
    }

    /// Whether postings that say this of themselves are those of this state; ones that were just made say
    /// nothing.
    pub(crate) fn is_that_of(self, written: Option<Self>) -> bool {
        written.map_or(self.number == 0, |written| written == self)
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.identity, self.number)
    }
}
