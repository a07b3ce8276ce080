//! The archive: which lines of `MEMORY.md` may go there, and moving lines there at the owner's word.
//!
//! Never moves a line that the owner wrote by hand, and never moves a line by itself.

use std::collections::BTreeSet;

use base::Day;
use memory::curated::{CuratedLine, memory_lines};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::OpError;
use super::operation::{OpContext, Operation};
use crate::corrected::line_named;

/// Asks which lines of `MEMORY.md` may go to the archive, or moves lines there.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Archive {
    /// Words of each line to move, or its id; if there are none, nothing is moved.
    #[serde(default)]
    pub lines: Vec<String>,
    /// Whether to move all lines that are offered.
    #[serde(default)]
    pub all: bool,
    /// Whether only to say what would be moved.
    #[serde(default)]
    pub dry_run: bool,
}

/// The lines that may go to the archive, and those that went there.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveReply {
    /// The lines that help to answer no past question, and that are still in `MEMORY.md`.
    pub offered: Vec<ArchiveLine>,
    /// The lines that were moved.
    pub archived: Vec<ArchiveLine>,
    /// Whether nothing was changed.
    pub dry_run: bool,
}

/// A line of `MEMORY.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ArchiveLine {
    /// Its text.
    pub text: String,
    /// The last day that supports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<Day>,
}

impl From<&CuratedLine> for ArchiveLine {
    fn from(line: &CuratedLine) -> Self {
        Self {
            text: line.text.clone(),
            day: line.last_confirmed(),
        }
    }
}

impl Operation for Archive {
    type Reply = ArchiveReply;

    fn run(self, at: &OpContext<'_>) -> Result<ArchiveReply, OpError> {
        let home = at.home_for(self.dry_run.into());
        let at = &OpContext { home: &home, ..*at };
        let mut desk = at.desk()?;
        let mut named = BTreeSet::new();
        for words in &self.lines {
            let line = line_named(desk.memory(), words)?;
            let id = line
                .id()
                .ok_or_else(|| OpError::WrittenByHand(line.text.clone()))?;
            named.insert(id.to_owned());
        }
        let lines = memory_lines(desk.memory());
        let with_ids = |ids: &BTreeSet<String>| {
            let own = lines.iter();
            let own = own.filter(|line| line.id().is_some_and(|id| ids.contains(id)));
            own.map(ArchiveLine::from).collect::<Vec<_>>()
        };
        if self.all {
            named.extend(desk.state().unearned.iter().cloned());
        }
        let archived = with_ids(&named);
        let left: BTreeSet<String> = desk.state().unearned.difference(&named).cloned().collect();
        let offered = with_ids(&left);
        desk.archive(&named)?;
        Ok(ArchiveReply {
            offered,
            archived,
            dry_run: self.dry_run,
        })
    }
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
