//! Opens the index, and opens it again if it is damaged or was replaced.

use std::io::ErrorKind;
use std::sync::Arc;

use search::{Index, IndexError, hindrance};

use super::index::{IndexAccess, IndexPlace, Knowledge};

impl Knowledge {
    pub(super) fn retried<T>(
        &self,
        index: &mut Index,
        mut act: impl FnMut(&Index) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        let may_be_another = |error: &IndexError| {
            let is_damaged = error.is_damage() && self.access == IndexAccess::ReadWrite;
            is_damaged || matches!(error, IndexError::Replaced)
        };
        match act(index) {
            Err(error) if may_be_another(&error) => *index = self.open()?,
            // It was opened read-only because of an obstacle to writing: report that now, unless it is gone.
            Err(error) if self.stands_in(index) && error.obstacle().is_some() => {
                *index = self.open_to_write()?;
            }
            done => return done,
        }
        match act(index) {
            Err(error) if error.is_damage() && self.access == IndexAccess::ReadWrite => {
                index.rebuild()?;
                act(index)
            }
            done => done,
        }
    }

    /// Whether the index was opened read-only although it may be written.
    fn stands_in(&self, index: &Index) -> bool {
        self.access == IndexAccess::ReadWrite && index.is_read_only()
    }

    pub(super) fn open(&self) -> Result<Index, IndexError> {
        match self.access {
            IndexAccess::ReadWrite => match self.open_to_write() {
                // If it cannot be read either, report the obstacle to writing.
                Err(error) if error.obstacle().is_some() => self.open_as_it_is().map_err(|_| error),
                opened => opened,
            },
            IndexAccess::ReadOnly => self.open_as_it_is(),
            IndexAccess::InMemory => Ok(self.equipped(Index::in_memory()?)),
        }
    }

    fn open_to_write(&self) -> Result<Index, IndexError> {
        let IndexPlace { disk, directory } = &self.place;
        let index = Index::open(Arc::clone(disk), directory);
        let index = index.map_err(|error| self.explained(error))?;
        Ok(self.equipped(index))
    }

    /// Finds the real cause of an unclear error: a full disk or a system limit surfaces in many ways, such as a file
    /// that cannot be written.
    pub(super) fn explained(&self, error: IndexError) -> IndexError {
        let is_unclear = matches!(
            error,
            IndexError::Store(_) | IndexError::Lexical(_) | IndexError::Full
        );
        if !is_unclear || self.access != IndexAccess::ReadWrite {
            return error;
        }
        match hindrance(&*self.place.disk, &self.place.directory) {
            Some(met) if met.kind() == ErrorKind::StorageFull => IndexError::Full,
            Some(met) if met.kind() == ErrorKind::FileTooLarge || met.is_open_limit() => {
                IndexError::Disk(met)
            }
            Some(_) | None => error,
        }
    }

    fn open_as_it_is(&self) -> Result<Index, IndexError> {
        let IndexPlace { disk, directory } = &self.place;
        let index = Index::open_read_only(Arc::clone(disk), directory)?;
        Ok(self.equipped(index))
    }
}
