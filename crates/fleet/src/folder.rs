//! Homes as sibling folders, each of which can be given as `--home`.
//!
//! Copies nothing: these homes are used in place, on the disk of the machine.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base::Disk;
use base::disk::{Lock, LockError, create_parent};
use base::{FolderKind, HomeParts};

use crate::{HomeName, HomeVersion, HomeView, Homes, HomesError, LeaseTerms, LeasedHome};

/// Homes in the subdirectories of a directory.
#[derive(Debug)]
pub struct FolderHomes {
    disk: Arc<dyn Disk>,
    root: PathBuf,
    layout: HomeParts,
}

impl FolderHomes {
    /// The homes in the directory `root`.
    pub fn new(disk: Arc<dyn Disk>, root: PathBuf, layout: HomeParts) -> Self {
        Self { disk, root, layout }
    }

    /// The current holder of a lock of a home; `None` if there is none.
    pub fn holder(&self, home: &HomeName) -> Result<Option<String>, HomesError> {
        let lease = self.root_of(home).join(self.layout.lock);
        let Some(directory) = lease.parent() else {
            return Ok(None);
        };
        for name in self.disk.list(directory)? {
            let path = directory.join(name);
            if path.extension() != lease.extension() {
                continue;
            }
            match self.disk.check_lock(&path) {
                Ok(()) => {}
                Err(LockError::Held { pid, .. }) => return Ok(Some(named(pid))),
                Err(LockError::Disk(error)) => return Err(error.into()),
            }
        }
        Ok(None)
    }

    fn root_of(&self, home: &HomeName) -> PathBuf {
        self.root.join(home.as_str())
    }

    fn kind_of(&self, home: &HomeName) -> Result<FolderKind, HomesError> {
        Ok(self.layout.kind_of(&*self.disk, &self.root_of(home))?)
    }
}

/// The description of a lock's holder.
fn named(pid: Option<u32>) -> String {
    pid.map_or_else(
        || "another process".to_owned(),
        |pid| format!("process {pid}"),
    )
}

impl Homes for FolderHomes {
    fn names(&self) -> Result<Vec<HomeName>, HomesError> {
        let mut names = Vec::new();
        for directory in self.disk.list(&self.root)? {
            let name = directory.to_str().and_then(|it| it.parse().ok());
            let Some(name) = name else {
                continue;
            };
            match self.has(&name) {
                Ok(true) => names.push(name),
                Ok(false) => {}
                // The folder of another user, such as `lost+found`, is not a home.
                Err(HomesError::Disk(error)) if error.kind() == ErrorKind::PermissionDenied => {}
                Err(error) => return Err(error),
            }
        }
        names.sort();
        Ok(names)
    }

    fn has(&self, home: &HomeName) -> Result<bool, HomesError> {
        Ok(self.kind_of(home)? == FolderKind::Home)
    }

    fn read(&self, home: &HomeName) -> Result<HomeView, HomesError> {
        let root = self.root_of(home);
        match self.kind_of(home)? {
            FolderKind::Home => {}
            FolderKind::Free => return Err(HomesError::Missing(home.clone())),
            FolderKind::Foreign => return Err(HomesError::NotHome(root)),
        }
        Ok(HomeView {
            root,
            disk: Arc::clone(&self.disk),
            version: None,
        })
    }

    /// The lease is a file lock of the operating system. It ends with its process, and a live process cannot lose it.
    fn lease(
        &self,
        home: &HomeName,
        _terms: &LeaseTerms,
    ) -> Result<Box<dyn LeasedHome>, HomesError> {
        let root = self.root_of(home);
        if self.kind_of(home)? == FolderKind::Foreign {
            return Err(HomesError::NotHome(root));
        }
        let path = root.join(self.layout.lock);
        create_parent(&*self.disk, &path)?;
        let lock = self.disk.try_lock(&path).map_err(|error| match error {
            LockError::Held { pid, .. } => HomesError::Held {
                home: home.clone(),
                holder: named(pid),
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

/// A locked folder. It is used in place, so nothing needs to be renewed, published or committed.
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

    fn version(&self) -> Option<HomeVersion> {
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

    fn publish(&self, _directory: &str) -> Result<(), HomesError> {
        Ok(())
    }

    fn commit(&self) -> Result<(), HomesError> {
        Ok(())
    }

    fn release(&self) -> Result<(), HomesError> {
        drop(base::locked(&self.lock).take());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use base::disk::{DiskError, DiskOperation, HookedDisk, MemoryDisk, append};

    use super::*;

    const LAYOUT: HomeParts = HomeParts {
        local: &["index", "state/locks"],
        derived: &[],
        lock: "state/locks/@serve.lock",
        signs: &["config.yaml", "workspace"],
    };

    fn homes(files: &[&str]) -> FolderHomes {
        let disk = MemoryDisk::new();
        for file in files {
            let path = Path::new("/homes").join(file);
            create_parent(&disk, &path).unwrap();
            append(&disk, &path, b"").unwrap();
        }
        // This disk refuses to list `lost+found`, and to open a lock of `cleo`.
        let disk = HookedDisk::before(disk, |operation| {
            if let DiskOperation::List(path) | DiskOperation::Lock(path) = operation
                && (path.ends_with("lost+found") || path.ends_with("cleo/state/locks/main.lock"))
            {
                let refused = ErrorKind::PermissionDenied.into();
                return Err(DiskError::on("open", path)(refused));
            }
            Ok(())
        });
        FolderHomes::new(Arc::new(disk), "/homes".into(), LAYOUT)
    }

    fn lease(homes: &FolderHomes, name: &str) -> Result<Box<dyn LeasedHome>, HomesError> {
        let terms = LeaseTerms {
            holder: "test".to_owned(),
            time: std::time::Duration::ZERO,
        };
        homes.lease(&name.parse().unwrap(), &terms)
    }

    #[test]
    fn folder_is_recognised_as_home_by_its_files() {
        let homes = homes(&[
            "anna/workspace/MEMORY.md",
            "ben/config.yaml",
            "new/state/locks/@serve.lock",
            "letters/letter.txt",
            "lost+found/workspace/a.md",
            "file",
        ]);
        let names = homes.names().unwrap();
        let names: Vec<&str> = names.iter().map(HomeName::as_str).collect();
        assert_eq!(names, ["anna", "ben"]);
        for free in ["new", "missing"] {
            let read = homes.read(&free.parse().unwrap());
            assert!(matches!(read, Err(HomesError::Missing(_))), "{read:?}");
            lease(&homes, free).unwrap();
        }
        for foreign in ["letters", "file"] {
            let read = homes.read(&foreign.parse().unwrap()).map(drop);
            for outcome in [read, lease(&homes, foreign).map(drop)] {
                assert!(
                    matches!(outcome, Err(HomesError::NotHome(_))),
                    "{outcome:?}"
                );
            }
        }
    }

    #[test]
    fn home_in_use_names_its_holder() {
        let homes = homes(&["anna/workspace/MEMORY.md", "anna/state/locks/exchange.json"]);
        let holder = || homes.holder(&"anna".parse().unwrap()).unwrap();
        assert_eq!(holder(), None);
        let leased = lease(&homes, "anna").unwrap();
        let own = format!("process {}", std::process::id());
        assert_eq!(holder(), Some(own));
        leased.release().unwrap();
        assert_eq!(holder(), None);
    }

    #[test]
    fn uncheckable_lock_does_not_count_as_free() {
        let homes = homes(&["cleo/state/locks/main.lock"]);
        let holder = homes.holder(&"cleo".parse().unwrap());
        assert!(matches!(holder, Err(HomesError::Disk(_))), "{holder:?}");
    }
}
