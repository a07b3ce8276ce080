//! Keeps the index fresh while a chat goes on, on a thread of its own.
//!
//! Holds nobody up: whoever asks meanwhile is answered from what is indexed already.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use agent::Knowledge;
use memory::IndexError;

use crate::error::CliError;

/// How long the end of a chat waits for a sync; one that takes longer is left, and the next process
/// heals what it had begun.
const END_WAIT: Duration = Duration::from_secs(2);

/// A thread that syncs when it is asked to.
pub(super) struct Freshness {
    wanted: Sender<()>,
    problems: Receiver<String>,
}

impl Freshness {
    /// Starts the thread; it has an index of its own, so that no recall waits for it.
    pub(super) fn start(knowledge: Knowledge) -> Self {
        let (wanted, wants) = channel::<()>();
        let (tell, problems) = channel();
        thread::spawn(move || {
            while wants.recv().is_ok() {
                // Several wishes are met by one sync.
                while wants.try_recv().is_ok() {}
                let problem = match knowledge.sync(&mut |_| {}) {
                    // Another process does the same.
                    Ok(_) | Err(IndexError::Locked { .. }) => continue,
                    Err(error) => CliError::from(error).one_line(),
                };
                if tell.send(problem).is_err() {
                    return;
                }
            }
        });
        Self { wanted, problems }
    }

    /// Asks for a sync; returns at once.
    pub(super) fn want(&self) {
        // A thread that has ended has said why.
        self.wanted.send(()).unwrap_or_default();
    }

    /// What went wrong since the last time.
    pub(super) fn problems(&self) -> Vec<String> {
        self.problems.try_iter().collect()
    }

    /// Lets the sync that is under way come to its end, but not for ever.
    pub(super) fn end(self) {
        drop(self.wanted);
        loop {
            match self.problems.recv_timeout(END_WAIT) {
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}
