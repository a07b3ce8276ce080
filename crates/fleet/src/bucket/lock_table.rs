//! Locks between the threads of the process that has opened a home.
//!
//! The lease excludes other processes.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use base::disk::{Lock, LockError};

#[derive(Debug, Clone, Default)]
pub(crate) struct LockTable(Arc<(Mutex<BTreeSet<String>>, Condvar)>);

impl LockTable {
    pub(crate) fn take(
        &self,
        key: &str,
        path: &Path,
        patience: Duration,
    ) -> Result<Lock, LockError> {
        let (held, freed) = &*self.0;
        let held = base::locked(held);
        let waited = freed.wait_timeout_while(held, patience, |held| held.contains(key));
        let (mut held, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if held.insert(key.to_owned()) {
            Ok(Lock::new(TakenLock {
                table: self.clone(),
                key: key.to_owned(),
            }))
        } else {
            Err(LockError::Held {
                path: path.to_owned(),
                pid: Some(std::process::id()),
            })
        }
    }
}

#[derive(Debug)]
struct TakenLock {
    table: LockTable,
    key: String,
}

impl Drop for TakenLock {
    fn drop(&mut self) {
        let (held, freed) = &*self.table.0;
        base::locked(held).remove(&self.key);
        freed.notify_all();
    }
}
