//! Session titles, as set by the owner, and the filter that keeps forgotten words out of derived ones.

use std::borrow::Cow;

use memory::{Workspace, load_tombstones};
use session::timeline::shortened_title;
use session::{Entry, SessionInfo, SessionName};

use crate::error::TurnError;
use crate::event::OnEvent;
use crate::knowledge::session_source::visible_part;
use crate::runtime::Runtime;
use crate::waiting::begin_turn;

/// Returns a function that tests whether the owner had a part of an entry forgotten; if the tombstones cannot be read,
/// every entry counts as forgotten.
pub fn forgotten_entries(workspace: &Workspace) -> impl Fn(&Entry) -> bool + use<> {
    let tombstones = load_tombstones(workspace).ok();
    move |entry| {
        let tombstones = tombstones.as_ref();
        tombstones.is_none_or(|tombstones| {
            !matches!(visible_part(entry, tombstones), Some(Cow::Borrowed(_)))
        })
    }
}

/// Sets a session's title under the turn lock and returns it as stored; `None` if it contains no word.
pub async fn set_title(
    runtime: &Runtime,
    name: &SessionName,
    title: &str,
    on_event: OnEvent<'_>,
) -> Result<Option<String>, TurnError> {
    let Some(title) = shortened_title(title) else {
        return Ok(None);
    };
    let mut turn = begin_turn(runtime, name, on_event).await?;
    let info = SessionInfo {
        name: title.clone(),
    };
    turn.append_session_info(runtime.home.clock.now(), info)?;
    Ok(Some(title))
}
