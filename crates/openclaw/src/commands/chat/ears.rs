//! What the owner types, heard without stopping anything else.
//!
//! Does not know what the words mean.

use std::sync::mpsc::Sender;
use std::time::Duration;

use agent::OwnerAnswer;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;

use super::asking::Agreement;

/// How long is counted what a pipe still holds.
const COUNTING_MAX: Duration = Duration::from_secs(1);

/// Prints above the prompt while one is shown.
pub(super) type Above = Box<dyn FnMut(String) + Send>;

/// Hears the owner; the words come from a thread of their own, and only when they are wanted.
pub(super) struct Ears {
    pub(super) wanted: Sender<Wanted>,
    pub(super) heard: UnboundedReceiver<Heard>,
    pub(super) place: Place,
}

/// Where the owner types.
pub(super) enum Place {
    /// At a terminal with a prompt, above which something can be printed unless it is a poor one.
    Terminal(Option<Above>),
    Lines,
}

#[derive(Debug)]
pub(super) enum Wanted {
    Line,
    /// A yes or a no, while a reply is under way.
    Answer {
        /// What is asked; the answer is typed behind it.
        question: String,
        agreement: Agreement,
        reply: Sender<OwnerAnswer>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    /// A line, or several that belong together.
    Line(String),
    /// A line that is not UTF-8.
    Unreadable,
    Ended,
    /// The owner pressed Ctrl-C at an empty prompt.
    Interrupted,
    Failed(String),
}

impl Ears {
    pub(super) fn want_line(&self) {
        // A thread that is gone has said why, or dropped its end, which is heard as the end.
        self.wanted.send(Wanted::Line).unwrap_or_default();
    }

    /// Counts the messages that are there already, and says whether they are all: an owner who writes
    /// on is not waited for.
    pub(super) async fn count_rest(&mut self) -> (u64, bool) {
        let mut n_lines = 0;
        let counted = timeout(COUNTING_MAX, async {
            loop {
                self.want_line();
                match self.hear().await {
                    Heard::Line(line) => n_lines += u64::from(!line.trim().is_empty()),
                    Heard::Unreadable => n_lines += 1,
                    Heard::Ended | Heard::Interrupted | Heard::Failed(_) => return,
                }
            }
        });
        let is_all = counted.await.is_ok();
        (n_lines, is_all)
    }

    pub(super) async fn hear(&mut self) -> Heard {
        self.heard.recv().await.unwrap_or(Heard::Ended)
    }
}
