//! What the commands of a session tell while they work, and what was meant by a name that is not there.
//!
//! Prints nothing on stdout.

use agent::Event;
use session::{ReadError, SessionName, SessionStore};

use crate::config::nearest;
use crate::prelude::*;

/// Tells what happened on the way.
pub(super) fn tell(event: &Event, output: &mut Output) {
    match event {
        Event::Notice(notice) => output.tell_aside(notice),
        Event::Warning(warning) => output.warn(warning),
        Event::Window(warning @ compaction::Event::ContextWarning { .. }) => {
            output.warn(&warning.to_string());
        }
        Event::Window(event) if !is_told_by_report(event) => output.tell(&format!("{event}\n")),
        Event::Window(_)
        | Event::Message { .. }
        | Event::ReplyDelta(_)
        | Event::AskedInstead { .. }
        | Event::AskedAgain { .. }
        | Event::ThinkingDelta(_)
        | Event::Recalled { .. }
        | Event::WaitingForTurn { .. }
        | Event::ToolStarted { .. }
        | Event::ToolEnded { .. } => {}
    }
}

/// The report at the end says that nothing has changed.
fn is_told_by_report(event: &compaction::Event) -> bool {
    matches!(event, compaction::Event::CompactDropped { .. })
}

/// The error, with the session that was meant where none of that name is there.
pub(super) fn explained(store: &SessionStore, error: ReadError) -> CliError {
    let meant = if let ReadError::NotFound { name } = &error {
        meant(store, name)
    } else {
        None
    };
    match meant {
        Some(meant) => {
            let failure = CliError::from(error);
            let mut hints = vec![format!("did you mean {meant}?")];
            hints.extend(failure.hints);
            CliError { hints, ..failure }
        }
        None => error.into(),
    }
}

fn meant(store: &SessionStore, name: &SessionName) -> Option<String> {
    let names = store.names().ok()?;
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    let nearest = nearest(name.as_str(), names.iter().map(String::as_str));
    nearest.map(str::to_owned)
}
