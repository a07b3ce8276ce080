//! Waits for another writer of the index.
//!
//! For commands that must write it; a search never waits and says instead what it lacks.

use std::time::Duration;

use base::Disk;

use super::error::IndexError;

/// How long is waited. A sync takes seconds; only an index that is built anew takes longer.
const WRITER_PATIENCE: Duration = Duration::from_secs(30);

/// How long is waited before it is tried again.
const POLL: Duration = Duration::from_millis(50);

/// How long an answer waits for an index that is being made for the first time.
const READER_PATIENCE: Duration = Duration::from_secs(1);

/// Writes to the index as soon as no other process does.
pub fn when_free<T>(
    disk: &dyn Disk,
    act: impl FnMut() -> Result<T, IndexError>,
) -> Result<T, IndexError> {
    when_free_within(WRITER_PATIENCE, disk, act)
}

/// Asks the index, also where another process is making it and is done in a moment.
pub fn when_made<T>(
    disk: &dyn Disk,
    act: impl FnMut() -> Result<T, IndexError>,
) -> Result<T, IndexError> {
    when_free_within(READER_PATIENCE, disk, act)
}

fn when_free_within<T>(
    patience: Duration,
    disk: &dyn Disk,
    mut act: impl FnMut() -> Result<T, IndexError>,
) -> Result<T, IndexError> {
    let n_tries = patience.as_millis() / POLL.as_millis();
    for _ in 0..n_tries {
        match act() {
            Err(IndexError::Locked(..)) => disk.wait(POLL),
            done => return done,
        }
    }
    act()
}

#[cfg(test)]
mod tests {
    use base::disk::MemoryDisk;

    use super::*;

    #[test]
    fn another_writer_is_waited_for_and_not_for_ever() {
        let disk = MemoryDisk::new();
        let tried = |n_locked: usize| {
            let mut n_tried = 0;
            let done = when_free(&disk, || {
                n_tried += 1;
                if n_tried <= n_locked {
                    return Err(IndexError::Locked(Some(7)));
                }
                Ok("written")
            });
            (done.ok(), n_tried)
        };
        assert_eq!(tried(0), (Some("written"), 1));
        assert_eq!(tried(3), (Some("written"), 4));
        assert_eq!(tried(usize::MAX), (None, 601));
    }

    #[test]
    fn what_failed_otherwise_is_not_tried_again() {
        let mut n_tried = 0;
        let done: Result<(), _> = when_free(&MemoryDisk::new(), || {
            n_tried += 1;
            Err(IndexError::Full)
        });
        assert!(matches!((done, n_tried), (Err(IndexError::Full), 1)));
    }
}
