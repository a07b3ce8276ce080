//! What a session is called: the title that its owner gave it, or words of it that are not forgotten.
//!
//! Asks no model.

use memory::{Workspace, load_tombstones};
use session::timeline::shortened_title;
use session::{Entry, SessionInfo, SessionName};

use crate::error::TurnError;
use crate::event::OnEvent;
use crate::runtime::Runtime;
use crate::session_source::is_forgotten;
use crate::waiting::begin_turn;

/// Tells which entries are forgotten; all are where the tombstones cannot be read.
pub fn forgotten_entries(workspace: &Workspace) -> impl Fn(&Entry) -> bool + use<> {
    let tombstones = load_tombstones(workspace).ok();
    move |entry| {
        let tombstones = tombstones.as_ref();
        tombstones.is_none_or(|tombstones| is_forgotten(entry, tombstones))
    }
}

/// Calls a session what its owner says; gives the title as it is kept, `None` where no word is in it.
///
/// The line is added under the turn lock, as any other.
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
