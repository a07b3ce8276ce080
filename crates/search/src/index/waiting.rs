//! Waits for another process that writes the index.
//!
//! For commands that must write; a search never waits but reports that it may be incomplete.

use std::time::Duration;

use base::Disk;

use super::error::IndexError;

/// How long to wait for the writer. A sync takes seconds; only a rebuild takes longer.
const WRITER_PATIENCE: Duration = Duration::from_secs(30);

/// The pause between attempts.
const POLL: Duration = Duration::from_millis(50);

/// How long a search waits for an index that is being created.
const READER_PATIENCE: Duration = Duration::from_secs(1);

/// Runs `act`, retrying while another process writes the index.
pub fn when_free<T>(
    disk: &dyn Disk,
    act: impl FnMut() -> Result<T, IndexError>,
) -> Result<T, IndexError> {
    when_free_within(WRITER_PATIENCE, disk, act)
}

/// Runs `act`, retrying briefly while another process creates the index.
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
    fn locked_index_is_retried_up_to_limit() {
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
    fn errors_other_than_lock_are_not_retried() {
        let mut n_tried = 0;
        let done: Result<(), _> = when_free(&MemoryDisk::new(), || {
            n_tried += 1;
            Err(IndexError::Full)
        });
        assert!(matches!((done, n_tried), (Err(IndexError::Full), 1)));
    }
}
