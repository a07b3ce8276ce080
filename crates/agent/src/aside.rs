//! Work that thinks without pause, beside connections and timers.
//!
//! Holds up no other task of its executor.

use std::future::poll_fn;
use std::pin::pin;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

/// The same work, each step of which may take long: where the executor has several threads, another one goes on with
/// all that is not this.
pub(crate) async fn aside<W: Future>(work: W) -> W::Output {
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

    /// Far longer than another thread takes to go on.
    const PATIENCE: Duration = Duration::from_secs(30);

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn what_thinks_without_pause_holds_up_nobody() {
        let (tell, told) = channel();
        let thinking = tokio::spawn(aside(async move { told.recv_timeout(PATIENCE) }));
        tokio::spawn(async move { tell.send(()).unwrap() });
        assert_eq!(thinking.await.unwrap(), Ok(()));
    }
}
