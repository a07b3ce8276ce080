//! Runs CPU-bound futures without blocking other tasks of the executor.

use std::future::poll_fn;
use std::pin::pin;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

/// Polls `work` in `block_in_place` on a multi-threaded runtime, so that another thread takes over the other tasks
/// while a poll runs long.
pub(crate) async fn off_thread<W: Future>(work: W) -> W::Output {
    let mut work = pin!(work);
    poll_fn(|context| {
        let has_threads = Handle::try_current()
            .is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread);
        if has_threads {
            block_in_place(|| work.as_mut().poll(context))
        } else {
            work.as_mut().poll(context)
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    /// Far longer than another thread takes to continue.
    const PATIENCE: Duration = Duration::from_secs(30);

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn aside_runs_blocking_work_without_stalling_other_tasks() {
        let (tell, told) = channel();
        let thinking = tokio::spawn(off_thread(async move { told.recv_timeout(PATIENCE) }));
        tokio::spawn(async move { tell.send(()).unwrap() });
        assert_eq!(thinking.await.unwrap(), Ok(()));
    }
}
