//! A terminal that keeps what is typed during a reply, and shows none of it until the prompt is there.
//!
//! Reads nothing.

use std::{io, thread};

use rustix::stdio::stdin;
use rustix::termios::{InputModes, LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// A terminal that echoes nothing and hands Enter on as it was pressed, until this is dropped.
///
/// The prompt finds it so and leaves it so: each line is read and shown by the editor alone. Ctrl-C stays
/// a signal while no prompt is shown.
pub(super) struct Quiet {
    before: Termios,
}

impl Quiet {
    pub(super) fn begin() -> Option<Self> {
        let before = tcgetattr(stdin()).ok()?;
        let mut quiet = before.clone();
        quiet
            .local_modes
            .remove(LocalModes::ECHO | LocalModes::ECHONL | LocalModes::ICANON);
        quiet.input_modes.remove(InputModes::ICRNL);
        // Where signals cannot be heard, one that ends the program leaves the terminal quiet.
        restore_when_ended(before.clone()).unwrap_or_default();
        tcsetattr(stdin(), OptionalActions::Drain, &quiet).ok()?;
        Some(Self { before })
    }
}

/// Gives the terminal back as it was when a signal ends the program: nothing is dropped then.
fn restore_when_ended(before: Termios) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP])?;
    thread::spawn(move || {
        for signal in signals.forever() {
            // Where the terminal is gone, nobody types there; what the signal does, it does all the same.
            tcsetattr(stdin(), OptionalActions::Now, &before).unwrap_or_default();
            emulate_default_handler(signal).unwrap_or_default();
        }
    });
    Ok(())
}

impl Drop for Quiet {
    fn drop(&mut self) {
        // Where the terminal is gone, nobody types there.
        tcsetattr(stdin(), OptionalActions::Drain, &self.before).unwrap_or_default();
    }
}
