//! Warnings of session commands, and suggestions for misspelt session names.
//!
//! Prints nothing on stdout.

use agent::Event;
use agent::ops::OpError;
use cli::config::nearest;
use compaction::WindowEvent;
use session::timeline::TranscriptTrouble;
use session::{FORMAT_VERSION, ReadError, View};

use crate::prelude::*;

/// Prints an event of a session command.
pub(super) fn tell(event: &Event, output: &mut Output) {
    match event {
        Event::MemoryChanged(notice) | Event::Notice(notice) => output.tell_aside(notice),
        Event::ReminderDue(due) => output.remind(&due.to_string()),
        Event::Warning(warning) => output.warn(warning),
        Event::Window(warning @ WindowEvent::ContextWarning { .. }) => {
            output.warn(&warning.to_string());
        }
        Event::Window(event) if !matches!(event, WindowEvent::CompactDropped { .. }) => {
            output.tell(&format!("{event}\n"));
        }
        // The final report covers a dropped compaction; the other events need no message.
        Event::Window(_)
        | Event::Message { .. }
        | Event::ReplyDelta(_)
        | Event::FallbackModel { .. }
        | Event::AskedAgain { .. }
        | Event::ThinkingDelta(_)
        | Event::Recalled { .. }
        | Event::WaitingForTurn { .. }
        | Event::ToolStarted { .. }
        | Event::ToolEnded { .. } => {}
    }
}

/// The content of a session; the error for a missing one suggests the nearest name.
pub(super) fn found<T>(store: &SessionStore, read: Result<T, impl Into<OpError>>) -> Result<T> {
    read.map_err(|error| {
        let error = error.into();
        if let OpError::Read(error) = error {
            explained(store, error)
        } else {
            error.into()
        }
    })
}

/// A failure to read a session, with the name that was probably meant.
pub(super) fn explained(store: &SessionStore, error: ReadError) -> CliError {
    let ReadError::NotFound(name) = &error else {
        return error.into();
    };
    let names = store.names().unwrap_or_default();
    let meant = nearest(name.as_str(), names.iter().map(SessionName::as_str));
    let meant = meant.map(|meant| format!("did you mean {meant}?"));
    let mut failure = CliError::from(error);
    failure.hints.splice(0..0, meant);
    failure
}

pub(super) fn tokens_of(view: &View) -> TokenCount {
    view.items.iter().map(|item| item.tokens).sum()
}

/// Warns that a session is left out, and why.
pub(super) fn warn_left_out(name: &SessionName, error: &CliError, output: &mut Output) {
    let reason = if error.kind == ErrorKind::NotFound {
        "its file has no complete line yet".to_owned()
    } else {
        error.one_line()
    };
    output.warn(&format!("skipped session {name}: {reason}"));
}

/// Warns of problems in a transcript that can still be read.
pub(super) fn warn_of_trouble(trouble: TranscriptTrouble, name: &SessionName, output: &mut Output) {
    if let Some(sentence) = trouble_in_words(trouble, name) {
        output.warn(&sentence);
    }
}

fn trouble_in_words(trouble: TranscriptTrouble, name: &SessionName) -> Option<String> {
    let version = trouble.version.map(|version| {
        format!("it has format {version}, but this version writes {FORMAT_VERSION}")
    });
    let damaged = (trouble.n_damaged > 0).then(|| {
        let lines = counted(trouble.n_damaged, "line", "lines");
        format!("{lines} cannot be read")
    });
    let torn = trouble.n_torn_bytes.map(|n_bytes| {
        let bytes = counted(n_bytes, "byte", "bytes");
        format!("it ends with an incomplete line of {bytes}")
    });
    let parts: Vec<String> = [version, damaged, torn].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| {
        let parts = parts.join("; ");
        format!("session {name}: {parts}; see `openclaw session verify {name}`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transcript_trouble_is_one_sentence() {
        let name: SessionName = "talk".parse().unwrap();
        let trouble = |n_damaged, n_torn_bytes, version| TranscriptTrouble {
            n_damaged,
            n_torn_bytes,
            version,
        };
        for (trouble, expected) in [
            (trouble(0, None, None), None),
            (
                trouble(1, None, None),
                Some("session talk: 1 line cannot be read; see `openclaw session verify talk`"),
            ),
            (
                trouble(1_200, Some(1), Some(4)),
                Some(
                    "session talk: it has format 4, but this version writes 3; \
                     1,200 lines cannot be read; it ends with an incomplete line of 1 byte; \
                     see `openclaw session verify talk`",
                ),
            ),
        ] {
            assert_eq!(trouble_in_words(trouble, &name).as_deref(), expected);
        }
    }
}
