//! What the owner types, heard without stopping anything else.
//!
//! Does not know what the words mean.

use std::sync::mpsc::Sender;

use agent::OwnerAnswer;
use tokio::sync::mpsc::UnboundedReceiver;

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
    /// Into a pipe or a file.
    Lines,
}

/// What is wanted of the owner.
#[derive(Debug)]
pub(super) enum Wanted {
    /// The next line.
    Line,
    /// A yes or a no, while a reply is under way.
    Answer {
        /// What is asked; the answer is typed behind it.
        question: String,
        /// Where the answer goes.
        reply: Sender<OwnerAnswer>,
    },
}

/// What was heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    /// A line, or several that belong together.
    Line(String),
    /// Nothing more will come.
    Ended,
    /// The owner pressed Ctrl-C at an empty prompt.
    Interrupted,
    /// Nothing can be heard any more.
    Failed(String),
}

impl Ears {
    /// Asks for the next line.
    pub(super) fn want_line(&self) {
        // A thread that is gone has said why, or dropped its end, which is heard as the end.
        self.wanted.send(Wanted::Line).unwrap_or_default();
    }

    /// The next thing that is heard.
    pub(super) async fn hear(&mut self) -> Heard {
        self.heard.recv().await.unwrap_or(Heard::Ended)
    }
}
