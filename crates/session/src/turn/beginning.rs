//! Starts a new session within a transcript: when the user asks for it, or with a summary that replaces everything.
//!
//! Earlier entries stay in the file.

use base::disk::DiskError;
use base::{EntryId, SessionId, Timestamp};

use super::Turn;
use crate::resume::newest_part;
use crate::{AppendError, Compaction, Entry, Payload, Reset, ResetReason};

impl Turn {
    /// Starts a new session in the same file. Returns the reset, which becomes the leaf.
    pub fn append_reset(&mut self, at: Timestamp) -> Result<Reset, AppendError> {
        self.catch_up()?;
        let reset = self.reset(at, ResetReason::Asked)?;
        self.append_one(Entry::draft(at, Payload::Reset(reset.clone())))?;
        Ok(reset)
    }

    /// Starts a new session with a compaction that keeps nothing. Reset and compaction are one write; if a crash
    /// leaves only the reset, readers ignore it.
    pub fn append_replacement(
        &mut self,
        at: Timestamp,
        compaction: Compaction,
    ) -> Result<EntryId, AppendError> {
        self.catch_up()?;
        self.check_epoch(&compaction)?;
        let reset = self.reset(at, ResetReason::Replaced)?;
        let id = EntryId::generate(at);
        let compaction = Compaction {
            first_kept: id.clone(),
            ..compaction
        };
        let drafts = vec![
            Entry::draft(at, Payload::Reset(reset)),
            Entry {
                id: id.clone(),
                ..Entry::draft(at, Payload::Compaction(compaction))
            },
        ];
        self.append(drafts)?;
        Ok(id)
    }

    fn reset(&self, at: Timestamp, reason: ResetReason) -> Result<Reset, AppendError> {
        let parent = self
            .current_part()
            .map_err(|source| self.writer.not_written(source))?;
        Ok(Reset {
            session: SessionId::generate(at),
            parent: Some(parent),
            reason,
        })
    }

    /// The session that the newest reset on this branch began, or else the session in the header.
    fn current_part(&self) -> Result<SessionId, DiskError> {
        let newest_reset = match self.open()? {
            Some(file) => newest_part(&file)?,
            None => None,
        };
        Ok(newest_reset.unwrap_or_else(|| self.resumed.session.clone()))
    }
}

#[cfg(test)]
#[path = "beginning_tests.rs"]
mod tests;
