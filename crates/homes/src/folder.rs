//! Homes as sibling folders, each of which can be given as `--home`.
//!
//! Copies nothing: these homes are used in place, on the disk of the machine.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use base::Disk;
use base::disk::{Lock, LockError, create_dir};

use crate::{HomeName, HomeParts, HomeView, Homes, HomesError, LeaseTerms, LeasedHome};

/// Homes in the subdirectories of a directory.
#[derive(Debug)]
pub struct FolderHomes {
    disk: Arc<dyn Disk>,
    root: PathBuf,
    layout: HomeParts,
}

impl FolderHomes {
    /// The homes in `root`.
    pub fn new(disk: Arc<dyn Disk>, root: PathBuf, layout: HomeParts) -> Self {
        Self { disk, root, layout }
    }
}

impl Homes for FolderHomes {
    fn names(&self) -> Result<Vec<HomeName>, HomesError> {
        let mut names = Vec::new();
        for directory in self.disk.list(&self.root)? {
            let name = directory.to_str().and_then(|it| it.parse().ok());
            let stat = self.disk.stat(&self.root.join(&directory))?;
            names.extend(name.filter(|_| stat.is_some_and(|stat| stat.is_dir)));
        }
        names.sort();
        Ok(names)
    }

    fn has(&self, home: &HomeName) -> Result<bool, HomesError> {
        let stat = self.disk.stat(&self.root.join(home.as_str()))?;
        Ok(stat.is_some_and(|stat| stat.is_dir))
    }

    fn read(&self, home: &HomeName) -> Result<HomeView, HomesError> {
        if !self.has(home)? {
            return Err(HomesError::Missing(home.clone()));
        }
        Ok(HomeView {
            root: self.root.join(home.as_str()),
            disk: Arc::clone(&self.disk),
            version: None,
        })
    }

    /// The lease is a file lock of the operating system: it ends with its process, and a live one cannot lose it.
    fn lease(
        &self,
        home: &HomeName,
        _terms: &LeaseTerms,
    ) -> Result<Box<dyn LeasedHome>, HomesError> {
        let root = self.root.join(home.as_str());
        let path = root.join(self.layout.lock);
        if let Some(directory) = path.parent() {
            create_dir(&*self.disk, directory)?;
        }
        let lock = self.disk.try_lock(&path).map_err(|error| match error {
            LockError::Held { pid, .. } => HomesError::Held {
                home: home.clone(),
                holder: pid.map_or_else(
                    || "another process".to_owned(),
                    |pid| format!("process {pid}"),
                ),
                until: None,
            },
            LockError::Disk(error) => error.into(),
        })?;
        Ok(Box::new(LeasedFolder {
            disk: Arc::clone(&self.disk),
            root,
            lock: Mutex::new(Some(lock)),
        }))
    }
}

/// A locked folder. It is used in place, so there is nothing to renew, hydrate, publish or commit.
#[derive(Debug)]
struct LeasedFolder {
    disk: Arc<dyn Disk>,
    root: PathBuf,
    lock: Mutex<Option<Lock>>,
}

impl LeasedHome for LeasedFolder {
    fn epoch(&self) -> u64 {
        0
    }

    fn version(&self) -> Option<u64> {
        None
    }

    fn root(&self) -> &Path {
        &self.root
    }

    fn disk(&self) -> Arc<dyn Disk> {
        Arc::clone(&self.disk)
    }

    fn is_usable(&self) -> bool {
        true
    }

    fn renew(&self) -> Result<(), HomesError> {
        Ok(())
    }

    fn hydrate(&self, _directory: &str) -> Result<(), HomesError> {
        Ok(())
    }

    fn publish(&self, _directory: &str) -> Result<(), HomesError> {
        Ok(())
    }

    fn commit(&self) -> Result<(), HomesError> {
        Ok(())
    }

    fn release(&self) -> Result<(), HomesError> {
        drop(
            self.lock
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(),
        );
        Ok(())
    }
}
