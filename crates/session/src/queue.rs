//! A first-come, first-served queue for the turns of a session, across processes.
//!
//! Never blocks: callers poll.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::disk::{self, Disk, DiskError, Lock, LockError};

use crate::SessionName;

/// A place in the queue. It is given up on drop, or when the process dies.
#[derive(Debug)]
pub struct Ticket {
    disk: Arc<dyn Disk>,
    locks: PathBuf,
    name: SessionName,
    number: u64,
    _lock: Lock,
}

/// A process that is ahead in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EarlierWaiter {
    pub(crate) pid: Option<u32>,
}

impl Ticket {
    /// Joins the end of the queue. Fails with [`LockError::Held`] while another process is joining.
    pub(crate) fn take(
        disk: Arc<dyn Disk>,
        locks: &Path,
        name: &SessionName,
    ) -> Result<Self, LockError> {
        disk::create_dir(&*disk, locks)?;
        // Only one process at a time may take a number.
        let _desk = disk.try_lock(&locks.join(format!("@queue-{name}.lock")))?;
        let mut number = numbers(&*disk, locks, name)?
            .last()
            .map_or(1, |last| last + 1);
        loop {
            // `first` briefly locks a ticket to see whether its process is alive.
            match disk.try_lock(&path(locks, name, number)) {
                Err(LockError::Held { .. }) => number += 1,
                taken => {
                    return Ok(Self {
                        _lock: taken?,
                        locks: locks.to_owned(),
                        name: name.clone(),
                        disk,
                        number,
                    });
                }
            }
        }
    }

    /// The first process in the queue; `None` if this ticket is next.
    pub(crate) fn before(&self) -> Result<Option<EarlierWaiter>, DiskError> {
        first(&*self.disk, &self.locks, &self.name, self.number)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        // If the removal fails, the file is unlocked and the next waiter removes it.
        let own = path(&self.locks, &self.name, self.number);
        self.disk.remove(&own).unwrap_or_default();
    }
}

/// The first process in the queue; `None` if the queue is empty.
pub(crate) fn first_waiting(
    disk: &dyn Disk,
    locks: &Path,
    name: &SessionName,
) -> Result<Option<EarlierWaiter>, DiskError> {
    first(disk, locks, name, u64::MAX)
}

/// The first live ticket with a number below `below`. Removes tickets of dead processes on the way.
fn first(
    disk: &dyn Disk,
    locks: &Path,
    name: &SessionName,
    below: u64,
) -> Result<Option<EarlierWaiter>, DiskError> {
    for number in numbers(disk, locks, name)?
        .into_iter()
        .filter(|it| *it < below)
    {
        let ticket = path(locks, name, number);
        match disk.try_lock(&ticket) {
            Ok(_lock) => match disk.remove(&ticket) {
                // Another process removed it first.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                removed => removed?,
            },
            Err(LockError::Held { pid, .. }) => return Ok(Some(EarlierWaiter { pid })),
            Err(LockError::Disk(error)) => return Err(error),
        }
    }
    Ok(None)
}

/// The numbers of all tickets, sorted.
fn numbers(disk: &dyn Disk, locks: &Path, name: &SessionName) -> Result<Vec<u64>, DiskError> {
    let beginning = format!("@wait-{name}-");
    let number = |file: &PathBuf| {
        let digits = file
            .to_str()?
            .strip_prefix(&beginning)?
            .strip_suffix(".lock")?;
        digits.parse().ok()
    };
    let mut numbers: Vec<u64> = disk.list(locks)?.iter().filter_map(number).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// The path of a ticket. Session names cannot contain `@`, so it cannot collide with a turn lock.
fn path(locks: &Path, name: &SessionName, number: u64) -> PathBuf {
    locks.join(format!("@wait-{name}-{number}.lock"))
}

#[cfg(test)]
mod tests {
    use base::disk::MemoryDisk;

    use super::*;

    const LOCKS: &str = "/home/state/locks";

    fn take(disk: &MemoryDisk, name: &str) -> Ticket {
        Ticket::take(
            Arc::new(disk.clone()),
            Path::new(LOCKS),
            &name.parse().unwrap(),
        )
        .unwrap()
    }

    fn is_next(ticket: &Ticket) -> bool {
        ticket.before().unwrap().is_none()
    }

    #[test]
    fn queue_serves_tickets_in_order_per_session() {
        let disk = MemoryDisk::new();
        let (first, second, third) = (
            take(&disk, "main"),
            take(&disk, "main"),
            take(&disk, "main"),
        );
        // A session whose name looks like a ticket of another session has its own queue.
        assert!(is_next(&take(&disk, "main-1")));
        let next = |all: &[&Ticket]| all.iter().map(|it| is_next(it)).collect::<Vec<_>>();
        assert_eq!(next(&[&first, &second, &third]), [true, false, false]);
        drop(second);
        assert_eq!(next(&[&first, &third]), [true, false]);
        drop(first);
        assert!(is_next(&third));
        let fourth = take(&disk, "main");
        assert_eq!(next(&[&third, &fourth]), [true, false]);
    }

    #[test]
    fn queue_skips_ticket_of_dead_process() {
        let disk = MemoryDisk::new();
        let name = "main".parse().unwrap();
        let left = path(Path::new(LOCKS), &name, 1);
        disk.create_dir(Path::new(LOCKS)).unwrap();
        disk.append(&left, b"4711").unwrap();
        let ticket = take(&disk, "main");
        assert!(is_next(&ticket));
        assert_eq!(disk.stat(&left).unwrap(), None);
        drop(ticket);
        let locks = disk.list(Path::new(LOCKS)).unwrap();
        assert_eq!(locks, [PathBuf::from("@queue-main.lock")]);
    }
}
