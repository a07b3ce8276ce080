//! Read-only queries on a session: plan a rewind, read a fork, read the messages behind a summary.
//!
//! Takes no lock and writes nothing.

use crate::lookup;
use crate::path::Path;
use crate::reader::TranscriptFile;
use crate::resume;
use crate::view::read_view_at;
use crate::{
    EntryPointer, EntrySelector, Fork, ReadError, ReplacedItems, ResumeLimit, RewindPlan,
    SessionName, SessionStore, View, epoch, fork, replaced, rewind,
};

impl SessionStore {
    /// Plans a rewind to an earlier entry; changes nothing.
    pub fn plan_rewind(
        &self,
        name: &SessionName,
        to: &EntrySelector,
        limit: ResumeLimit,
    ) -> Result<RewindPlan, ReadError> {
        let file = self.open(name)?;
        let target = find(&file, name, to)?;
        Ok(rewind::plan(&file, target, limit)?)
    }

    /// The view as it was when this entry was the newest.
    pub fn view_at(
        &self,
        name: &SessionName,
        entry: &EntryPointer,
        limit: ResumeLimit,
    ) -> Result<View, ReadError> {
        let file = self.open(name)?;
        Ok(read_view_at(&file, entry.offset, limit)?.view)
    }

    /// Reads the data that a fork copies: the view at the given entry, or at the newest one.
    pub fn read_fork(
        &self,
        name: &SessionName,
        at: Option<&EntrySelector>,
        limit: ResumeLimit,
    ) -> Result<Fork, ReadError> {
        let file = self.open(name)?;
        let target = match at {
            Some(spot) => find(&file, name, spot)?,
            None => leaf(&file, name)?,
        };
        let session = resume::read_id(&file, name)?;
        Ok(fork::read(&file, session, target, limit)?)
    }

    /// Reads one entry, or the messages that the compaction at the end of an epoch replaced. Without a selector,
    /// reads the messages behind the summary in view.
    pub fn replaced(
        &self,
        name: &SessionName,
        by: Option<&EntrySelector>,
        limit: ResumeLimit,
    ) -> Result<ReplacedItems, ReadError> {
        let file = self.open(name)?;
        match by {
            None => replaced::by_newest(&file, limit)?
                .ok_or_else(|| ReadError::NothingReplaced(name.clone())),
            Some(EntrySelector::Entry(wanted)) => {
                let pointer = lookup::by_id(&file, name, wanted)?;
                replaced::by_entry(&file, &pointer, limit)?
                    .ok_or_else(|| ReadError::SaysNothing(name.clone(), pointer.id))
            }
            Some(EntrySelector::EndOf(wanted)) => {
                match replaced::by_compaction(&file, |found| found.epoch == *wanted, limit)? {
                    Some(replaced) => Ok(replaced),
                    None => Err(not_ended(&file, name, *wanted)?),
                }
            }
        }
    }
}

fn leaf(file: &TranscriptFile, name: &SessionName) -> Result<EntryPointer, ReadError> {
    let line = Path::from_leaf(file).next()?;
    let line = line.ok_or_else(|| ReadError::NotBegun(name.clone()))?;
    Ok(line.pointer())
}

fn find(
    file: &TranscriptFile,
    name: &SessionName,
    spot: &EntrySelector,
) -> Result<EntryPointer, ReadError> {
    let wanted = match spot {
        EntrySelector::Entry(wanted) => return lookup::by_id(file, name, wanted),
        EntrySelector::EndOf(wanted) => *wanted,
    };
    let found = lookup::compaction(file, |found| found.epoch == wanted)?;
    let before = match found {
        Some(found) => {
            let mut path = Path::from_entry(file, found.pointer.offset);
            path.next()?;
            path.next()?
        }
        None => None,
    };
    match before {
        Some(line) => Ok(line.pointer()),
        None => Err(not_ended(file, name, wanted)?),
    }
}

fn not_ended(
    file: &TranscriptFile,
    name: &SessionName,
    wanted: crate::Epoch,
) -> Result<ReadError, ReadError> {
    Ok(ReadError::NotEnded {
        name: name.clone(),
        epoch: wanted,
        current: epoch::read_state(file)?.state.compaction_count,
    })
}
