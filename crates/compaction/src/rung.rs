//! The ways to make a summary.
//!
//! Never tries one: it knows their names and their order.

/// A way to make a summary, from the best to the surest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rung {
    /// The configured model writes it at once.
    Model,
    /// The model writes it part by part and puts the parts together.
    Staged,
    /// The model writes it without the messages that are too large for it.
    Partial,
    /// The offline engine extracts it.
    Offline,
    /// A line says how many messages went.
    Truncate,
}

impl Rung {
    /// The word that stands in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Staged => "staged",
            Self::Partial => "partial",
            Self::Offline => "offline",
            Self::Truncate => "truncate",
        }
    }

    /// The next surer one; `None` below the last.
    pub fn below(self) -> Option<Self> {
        match self {
            Self::Model => Some(Self::Staged),
            Self::Staged => Some(Self::Partial),
            Self::Partial => Some(Self::Offline),
            Self::Offline => Some(Self::Truncate),
            Self::Truncate => None,
        }
    }
}
