//! Reports due reminders in a turn, or in a chat that waits: one event for each.
//!
//! Claims only for a door that shows the event.

use session::SessionName;

use crate::event::{Event, OnEvent};
use crate::reminders::{claim_in_session, settle_told};
use crate::runtime::Runtime;

/// Claims the reminders that are due in a session, and reports each: once for all doors.
pub fn tell_due(runtime: &Runtime, name: &SessionName, on_event: OnEvent<'_>) {
    match claim_in_session(runtime, name) {
        Ok(due) if due.is_empty() => {}
        Ok(due) => {
            for own in due {
                on_event(Event::ReminderDue(own));
            }
            settle_told(&runtime.home);
        }
        Err(error) => on_event(Event::Warning(format!("PROMISES.md was not read: {error}"))),
    }
}
