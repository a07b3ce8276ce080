//! Tests of the moments at which a writer of the postings can end: at every file that it makes.

use std::sync::atomic::{AtomicUsize, Ordering};

use base::disk::Hook;

use super::*;

/// The faults when tantivy creates a file or appends to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The index is copied aside as it is, as a kill would leave it.
    Kill,
    /// The one call fails.
    Once(ErrorKind),
    /// This call fails and every later one.
    FromThenOn(ErrorKind),
}

/// Counts these moments, and lets `fault` happen at one of them, or at each of them if `at` is `None`.
#[derive(Debug)]
struct Faults {
    fault: Fault,
    at: Option<usize>,
    n_made: Arc<AtomicUsize>,
    index: PathBuf,
    copies: PathBuf,
}

impl Hook for Faults {
    fn before(&self, operation: DiskOperation<'_>) -> Result<(), DiskError> {
        let DiskOperation::Append(path, _) = operation else {
            return Ok(());
        };
        if !path.starts_with(self.index.join(LEXICAL)) {
            return Ok(());
        }
        let number = self.n_made.fetch_add(1, Ordering::Relaxed);
        let is_hit = match self.fault {
            Fault::FromThenOn(_) => self.at.is_none_or(|at| number >= at),
            Fault::Kill | Fault::Once(_) => self.at.is_none_or(|at| number == at),
        };
        match self.fault {
            Fault::Kill if is_hit => {
                copy(&self.index, &self.copies.join(number.to_string()));
                Ok(())
            }
            Fault::Once(kind) | Fault::FromThenOn(kind) if is_hit => {
                Err(DiskError::on("write", path)(kind.into()))
            }
            Fault::Kill | Fault::Once(_) | Fault::FromThenOn(_) => Ok(()),
        }
    }
}

/// A home with an index in which some stretches of one segment are about to be replaced.
fn changed_home() -> Home {
    let home = Home::new();
    for name in ["a", "b", "c"] {
        let text = format!("# Ferry {name}\n\n- the ferry leaves from pier {name}\n");
        home.write(&format!("memory/{name}.md"), &text);
    }
    home.sync(&home.open());
    home.save("before");
    home.write("memory/b.md", "# Ferry b\n\n- the ferry leaves at noon\n");
    home
}

impl Home {
    /// Syncs the index on a disk on which a fault happens; returns the number of files that were created.
    fn sync_with(&self, fault: Fault, at: Option<usize>) -> usize {
        let n_made = Arc::new(AtomicUsize::new(0));
        let disk = HookedDisk {
            below: OsDisk,
            hook: Faults {
                fault,
                at,
                n_made: Arc::clone(&n_made),
                index: self.index_path(),
                copies: self.directory.path().join("copies"),
            },
        };
        let opened = Index::open(Arc::new(disk), &self.index_path());
        // Whether it fails depends on the file; what counts is what comes after it.
        let synced = opened.and_then(|index| sync(&index, &self.corpus(), now(), &mut |_| ()));
        drop(synced);
        n_made.load(Ordering::Relaxed)
    }

    fn put_back(&self, name: &str) {
        fs::remove_dir_all(self.index_path()).unwrap();
        copy(&self.directory.path().join(name), &self.index_path());
    }

    /// Checks that a sync accepts the index as it is now, and leaves no file that is not named.
    fn is_whole_after_sync(&self, index: &Index, expected: &[String], at: &str) {
        let synced = sync(index, &self.corpus(), now(), &mut |_| ());
        assert!(synced.is_ok(), "{at}: {synced:?}");
        assert_eq!(found(index, "ferry"), expected, "{at}");
        let Inspection::Sound(inspected) = self.inspect() else {
            panic!("{at}: {:?}", self.inspect());
        };
        let orphans = inspected.lexical.orphans().unwrap();
        assert!(orphans.is_empty(), "{at}: {orphans:?}");
    }
}

fn expected(home: &Home) -> Vec<String> {
    home.sync(&home.open());
    found(&home.open(), "ferry")
}

#[test]
fn i7_index_is_whole_after_kill_at_any_postings_file() {
    let home = changed_home();
    let n_made = home.sync_with(Fault::Kill, None);
    let expected = expected(&home);
    assert!(n_made > 10, "{n_made}");
    let mut n_left = 0;
    for number in 0..n_made {
        home.put_back(&format!("copies/{number}"));
        // Somebody who only looks is told; whoever searches finds everything.
        n_left += usize::from(home.is_unhealed());
        let index = home.open();
        home.is_whole_after_sync(&index, &expected, &number.to_string());
        drop(index);
        assert!(!home.is_unhealed(), "{number}");
    }
    assert!(n_left > 0);
}

#[test]
fn i7_index_is_whole_after_failed_write_of_any_postings_file() {
    let home = changed_home();
    let n_made = home.sync_with(Fault::Kill, None);
    let expected = expected(&home);
    for kind in [ErrorKind::Other, ErrorKind::StorageFull] {
        for fault in [Fault::Once(kind), Fault::FromThenOn(kind)] {
            for number in 0..n_made {
                let at = format!("{fault:?} at {number}");
                home.put_back("before");
                // One that was open all the time knows nothing of the files that the other left.
                let open_before = home.open();
                home.sync_with(fault, Some(number));
                home.is_whole_after_sync(&open_before, &expected, &at);
                home.put_back("before");
                home.sync_with(fault, Some(number));
                home.is_whole_after_sync(&home.open(), &expected, &at);
            }
        }
    }
}
