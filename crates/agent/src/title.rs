//! Gives a session the title that its owner says.
//!
//! Asks no model.

use session::timeline::shortened_title;
use session::{SessionInfo, SessionName};

use crate::error::TurnError;
use crate::event::OnEvent;
use crate::runtime::Runtime;
use crate::waiting::begin_turn;

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
