//! Describes the results of a service's work in the background.
//!
//! Prints nothing.

use agent::service::{BackupNews, NotesNews, PromiseNews, ServiceNews};

use search::IndexError;

use super::dream_news::{edits_news_in_words, news_in_words};
use crate::prelude::*;

/// The message for the owner, if there is one, and whether it is a warning.
pub fn in_words(news: ServiceNews) -> Option<(String, bool)> {
    Some(match news {
        ServiceNews::Dream(news) => (news_in_words(news), false),
        ServiceNews::Edits(news) => edits_news_in_words(news),
        ServiceNews::Notes(NotesNews::Written { session, n_notes }) => {
            let notes = counted(n_notes as u64, "note", "notes");
            (format!("Session {session} is idle: wrote {notes}."), false)
        }
        ServiceNews::Notes(NotesNews::Failed { session, error }) => {
            let reason = error.map_or_else(
                || "neither the model nor the offline engine produced usable notes".to_owned(),
                |error| CliError::from(error).one_line(),
            );
            (
                format!("cannot write notes for session {session}: {reason}"),
                true,
            )
        }
        ServiceNews::Backup(BackupNews::Made(text))
        | ServiceNews::Promise(PromiseNews::Told(text)) => (text, false),
        ServiceNews::Backup(BackupNews::Failed(text)) => (text, true),
        ServiceNews::Promise(PromiseNews::Failed(why)) => (
            format!("a reminder was not shown and will be tried again: {why}"),
            true,
        ),
        ServiceNews::Index(news) => (refresh_failure(news.err()?)?, true),
    })
}

/// The warning for a failed sync; `None` if another process is syncing.
pub fn refresh_failure(error: IndexError) -> Option<String> {
    let is_elsewhere = matches!(error, IndexError::Locked { .. });
    let reason = CliError::from(error).one_line();
    (!is_elsewhere).then(|| format!("cannot update the index: {reason}"))
}
