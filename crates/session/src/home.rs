//! The session files of a home, and how a turn opens one.
//!
//! Writes nothing but repairs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::disk::{Disk, DiskError};
use base::{Clock, HomeLayout, SessionId, scope_of};

use crate::reader::TranscriptFile;
use crate::recovery::{self, Repair};
use crate::resume::{self, SessionSnapshot};
use crate::writer::{NameDurability, TranscriptWriter};
use crate::{Meta, ResumeLimit, SessionName, StateCache, View};

/// State that all turns of a home share.
#[derive(Debug, Clone)]
pub(crate) struct SessionFiles {
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) layout: HomeLayout,
    pub(crate) states: StateCache,
}

/// A repaired transcript, ready for appends.
#[derive(Debug)]
pub(crate) struct BegunTranscript {
    pub(crate) resumed: SessionSnapshot,
    /// Its length in bytes; 0 if it does not exist yet.
    pub(crate) len: u64,
}

impl SessionFiles {
    pub(crate) fn path(&self, name: &SessionName) -> PathBuf {
        self.layout.transcript(name.as_str())
    }

    /// Opens the transcript at `path` in its current state.
    pub(crate) fn open(&self, path: &Path) -> Result<TranscriptFile, DiskError> {
        TranscriptFile::open_known(&*self.disk, path, &self.states)
    }

    /// Moves a torn tail to quarantine and reads the state to resume from. The caller must hold the turn lock.
    pub(crate) fn make_whole(
        &self,
        file: &TranscriptFile,
        name: &SessionName,
        limit: ResumeLimit,
    ) -> Result<BegunTranscript, DiskError> {
        let cut = recovery::cut_torn_tail(&*self.disk, file, name, &self.layout.quarantine())?;
        let mut repairs: Vec<Repair> = cut.into_iter().collect();
        if file.end() == 0 {
            return Ok(self.not_begun(name, repairs));
        }
        let resumed = resume::resume(file, name, limit)?;
        repairs.extend(resumed.repairs);
        Ok(BegunTranscript {
            resumed: SessionSnapshot { repairs, ..resumed },
            len: file.end(),
        })
    }

    /// A session without a file. Its id contains the repository scope of its name, so that notes and copies, which
    /// refer to the id, contain it too.
    pub(crate) fn not_begun(&self, name: &SessionName, repairs: Vec<Repair>) -> BegunTranscript {
        let scope = scope_of(name.as_str()).unwrap_or_default();
        let id = SessionId::generate(self.clock.now());
        BegunTranscript {
            resumed: SessionSnapshot {
                session: SessionId::new(format!("{scope}{id}")),
                view: View::default(),
                state: Meta::default(),
                state_offset: 0,
                leaf: None,
                repairs,
            },
            len: 0,
        }
    }

    pub(crate) fn writer(&self, name: &SessionName, begun: &BegunTranscript) -> TranscriptWriter {
        let durability = match begun.resumed.leaf {
            Some(_) => NameDurability::Durable,
            None => NameDurability::Unknown,
        };
        TranscriptWriter::new(
            Arc::clone(&self.disk),
            self.path(name),
            begun.len,
            durability,
        )
    }
}
