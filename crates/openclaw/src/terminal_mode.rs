//! Changes the mode of the terminal for a while.

use std::io;

use rustix::stdio::stdin;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

/// A mode of the terminal on stdin, until dropped.
pub(crate) struct TerminalMode {
    before: Termios,
}

impl TerminalMode {
    /// Sets what `change` makes of the present mode.
    pub(crate) fn begin(change: impl FnOnce(&mut Termios)) -> io::Result<Self> {
        let before = tcgetattr(stdin())?;
        let mut mode = before.clone();
        change(&mut mode);
        tcsetattr(stdin(), OptionalActions::Drain, &mode)?;
        Ok(Self { before })
    }
}

impl Drop for TerminalMode {
    fn drop(&mut self) {
        // Ignore a terminal that is gone.
        tcsetattr(stdin(), OptionalActions::Drain, &self.before).unwrap_or_default();
    }
}
