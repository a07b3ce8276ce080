//! Whether the session of a chat is still the one in which it began: another process may delete it meanwhile.
//!
//! Reads only.

use base::SessionId;
use session::{ReadError, SessionName};

use super::opening::Opened;
use crate::error::{CliError, ErrorKind};

/// The session as the chat saw it last; none where nothing was said in it yet.
pub(super) struct Seen(Option<SessionId>);

/// What is there now.
enum Found {
    Session(SessionId),
    Nothing,
    Unreadable,
}

impl Seen {
    /// Looks for the first time.
    pub(super) fn first(opened: &Opened) -> Self {
        let mut seen = Self(None);
        seen.look(opened);
        seen
    }

    /// Looks after something was written.
    pub(super) fn look(&mut self, opened: &Opened) {
        match find(opened) {
            Found::Session(now) => self.0 = Some(now),
            Found::Nothing => self.0 = None,
            Found::Unreadable => {}
        }
    }

    /// Whether it was there, and is not, or another one is in its place.
    pub(super) fn is_gone(&self, opened: &Opened) -> bool {
        let Some(was) = &self.0 else {
            return false;
        };
        match find(opened) {
            // One whose first line was set aside is the same one, under its name.
            Found::Session(now) => now != *was && now.as_str() != opened.name.as_str(),
            Found::Nothing => true,
            Found::Unreadable => false,
        }
    }
}

fn find(opened: &Opened) -> Found {
    match opened.runtime.sessions.lineage(&opened.name) {
        Ok(lineage) => Found::Session(lineage.session),
        Err(ReadError::NotFound { .. }) => Found::Nothing,
        Err(_) => Found::Unreadable,
    }
}

/// Why the chat cannot go on.
pub(super) fn failure(name: &SessionName) -> CliError {
    let message = format!(
        "session {name} was deleted while this chat was open; nothing was said, and nothing is written"
    );
    CliError::new(ErrorKind::NotFound, message)
        .hint(format!("begin it anew with `openclaw chat -s {name}`"))
}
