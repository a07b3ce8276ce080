//! What the owner is told of dreams and of candidates in a chat.
//!
//! Decides none of them.

use memory::candidates::{Desk, Review};

use super::ears::Place;
use super::opening::Opened;
use crate::output::{Output, counted};

/// How many candidates wait, in words; `None` where none does, or the session is not for the owner's eyes.
pub(super) fn waiting(opened: &Opened) -> Option<String> {
    let runtime = &opened.runtime;
    if !runtime.is_primary(&opened.name) {
        return None;
    }
    // What is wrong with the candidates is told by the commands that are about them.
    let desk = Desk::open(&runtime.workspace, runtime.clock.now(), Review::LeaveAsIs).ok()?;
    let n_waiting = desk.state().pending.len() as u64;
    let candidates = counted(n_waiting, "candidate waits", "candidates wait");
    (n_waiting > 0)
        .then(|| format!("{candidates} in DREAMS.md; `openclaw dream review` goes through them."))
}

/// Says what a dream did, while the owner is asked for more.
pub(super) fn tell(dreamt: &str, place: &mut Place, output: &mut Output) {
    match place {
        Place::Terminal(Some(above)) => {
            if let Some(text) = output.aside(dreamt) {
                above(text);
            }
        }
        Place::Terminal(None) | Place::Lines => output.tell_aside(dreamt),
    }
}
