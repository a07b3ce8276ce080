//! Requests index syncs from the one thread of a process that runs them, and bounds the wait for them.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use base::locked;

/// Queues sync requests for one serving thread.
#[derive(Debug, Default)]
pub struct Refresher {
    /// Each change is one assignment, so a poisoned lock still guards a valid state.
    state: Mutex<RefresherState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct RefresherState {
    n_asked: u64,
    /// Requests that a sync has served.
    n_met: u64,
    outcome: SyncOutcome,
    is_closed: bool,
}

/// The files that a sync could not read; the index is up to date except for them. `None` if the sync failed.
pub(crate) type SyncOutcome = Option<Vec<String>>;

impl Refresher {
    /// Requests a sync.
    pub fn request(&self) {
        self.ask();
    }

    /// Whether a request is still waiting for its sync.
    pub(crate) fn is_behind(&self) -> bool {
        let state = locked(&self.state);
        state.n_met < state.n_asked
    }

    /// Requests a sync and waits for it; `None` if that takes longer than `patience`.
    pub(crate) fn refreshed(&self, patience: Duration) -> Option<SyncOutcome> {
        let n_mine = self.ask();
        let is_open = |state: &mut RefresherState| state.n_met < n_mine && !state.is_closed;
        let waited = self
            .changed
            .wait_timeout_while(locked(&self.state), patience, is_open);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        (state.n_met >= n_mine).then(|| state.outcome.clone())
    }

    /// Serves requests with `sync` until closed; one sync serves all requests made before it.
    ///
    /// Calls `report` with the second result of `sync` only once its requests count as served, so that a listener
    /// never finds them still waiting.
    pub(crate) fn serve<N>(
        &self,
        mut sync: impl FnMut() -> (SyncOutcome, N),
        mut report: impl FnMut(N),
    ) {
        // If a sync panics, this wakes the waiters.
        let _closes = Closes(self);
        loop {
            let is_idle =
                |state: &mut RefresherState| state.n_met == state.n_asked && !state.is_closed;
            let waited = self.changed.wait_while(locked(&self.state), is_idle);
            let state = waited.unwrap_or_else(PoisonError::into_inner);
            let n_asked = state.n_asked;
            if state.n_met == n_asked {
                return;
            }
            drop(state);
            let (outcome, news) = sync();
            let mut state = locked(&self.state);
            (state.n_met, state.outcome) = (n_asked, outcome);
            drop(state);
            self.changed.notify_all();
            report(news);
        }
    }

    /// Ends the thread once it has served the earlier requests.
    pub(crate) fn close(&self) {
        locked(&self.state).is_closed = true;
        self.changed.notify_all();
    }

    fn ask(&self) -> u64 {
        let mut state = locked(&self.state);
        state.n_asked += 1;
        let n_asked = state.n_asked;
        drop(state);
        self.changed.notify_all();
        n_asked
    }
}

/// Closes a refresher when its thread ends, even by a panic.
struct Closes<'r>(&'r Refresher);

impl Drop for Closes<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    /// Far longer than a thread takes to continue.
    const PATIENCE: Duration = Duration::from_secs(30);

    #[test]
    fn refresher_merges_requests_made_during_sync() {
        let refresher = Arc::new(Refresher::default());
        let (begun, has_begun) = channel();
        let (end, may_end) = channel();
        let own = Arc::clone(&refresher);
        let thread = thread::spawn(move || {
            let mut n_syncs = 0;
            let sync = || {
                n_syncs += 1;
                begun.send(()).unwrap();
                may_end.recv().unwrap();
                (SyncOutcome::default(), ())
            };
            own.serve(sync, drop);
            n_syncs
        });
        refresher.request();
        has_begun.recv().unwrap();
        for _ in 0..3 {
            assert_eq!(refresher.refreshed(Duration::ZERO), None);
        }
        assert!(refresher.is_behind());
        for _ in 0..2 {
            end.send(()).unwrap();
        }
        let waited = refresher.clone();
        let waiting = thread::spawn(move || waited.refreshed(PATIENCE));
        // Whether it was met by the second sync or a third, it was not met by the first.
        has_begun.recv().unwrap();
        end.send(()).unwrap();
        assert_eq!(waiting.join().unwrap(), Some(SyncOutcome::default()));
        assert!(!refresher.is_behind());
        refresher.close();
        assert!((2..=3).contains(&thread.join().unwrap()));
    }

    #[test]
    fn refresher_stops_waiting_for_panicked_thread() {
        let refresher = Arc::new(Refresher::default());
        refresher.request();
        let own = Arc::clone(&refresher);
        let thread = thread::spawn(move || {
            own.serve(|| -> (SyncOutcome, ()) { panic!("a damaged index") }, drop);
        });
        thread.join().unwrap_err();
        // One that waited would do so for a day.
        assert_eq!(refresher.refreshed(Duration::from_hours(24)), None);
    }

    #[test]
    fn refresher_is_up_to_date_when_sync_is_announced() {
        let refresher = Arc::new(Refresher::default());
        refresher.request();
        let own = Arc::clone(&refresher);
        let thread = thread::spawn(move || {
            let mut was_behind = Vec::new();
            let sync = || (SyncOutcome::default(), ());
            own.serve(sync, |()| {
                was_behind.push(own.is_behind());
                own.close();
            });
            was_behind
        });
        assert_eq!(thread.join().unwrap(), [false]);
    }
}
