//! A terminal that keeps what is typed during a reply, and shows none of it until the prompt is there.
//!
//! Reads nothing.

#[cfg(unix)]
use rustix::stdio::stdin;
#[cfg(unix)]
use rustix::termios::{InputModes, LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// A terminal that echoes nothing and hands Enter on as it was pressed, until this is dropped.
///
/// The prompt finds it so and leaves it so: each line is read and shown by the editor alone. Ctrl-C stays
/// a signal while no prompt is shown.
pub(super) struct Quiet {
    #[cfg(unix)]
    before: Termios,
}

impl Quiet {
    /// Begins it; `None` where the terminal does not take it.
    #[cfg(unix)]
    pub(super) fn begin() -> Option<Self> {
        let before = tcgetattr(stdin()).ok()?;
        let mut quiet = before.clone();
        quiet
            .local_modes
            .remove(LocalModes::ECHO | LocalModes::ECHONL | LocalModes::ICANON);
        quiet.input_modes.remove(InputModes::ICRNL);
        tcsetattr(stdin(), OptionalActions::Drain, &quiet).ok()?;
        Some(Self { before })
    }

    /// Other systems have no such mode.
    #[cfg(not(unix))]
    pub(super) fn begin() -> Option<Self> {
        None
    }
}

#[cfg(unix)]
impl Drop for Quiet {
    fn drop(&mut self) {
        // Where the terminal is gone, nobody types there.
        tcsetattr(stdin(), OptionalActions::Drain, &self.before).unwrap_or_default();
    }
}
