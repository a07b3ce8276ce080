//! `/resume` lists the sessions or switches to one; `/title` shows or sets a title.
//!
//! Does not end the chat itself.

use std::cmp::Reverse;

use agent::{forgotten_entries, set_title};
use cli::config::nearest;
use cli::output::{Align, Column, instant, minute, table};
use session::timeline::{SessionPart, last_part};
use session::{ReadError, SessionNameError};

use super::event_printer::EventPrinter;
use super::opening::if_begun;
use super::talk::{ChatEnding, Talk};
use crate::prelude::*;

/// The sessions, newest first.
struct SessionMenu {
    sessions: Vec<SessionPart>,
    /// The session of this chat.
    current: SessionName,
    timezone: Tz,
}

impl Talk<'_, '_, '_> {
    /// Lists the sessions, or switches to the one with this name or number.
    pub(super) fn resume(&mut self, wanted: Option<&str>) -> Result<Option<ChatEnding>> {
        let Some(wanted) = wanted else {
            let menu = self.menu()?;
            self.listed = menu.names()?;
            self.context.emit(&menu)?;
            return Ok(None);
        };
        if self.listed.is_empty() {
            self.listed = self.menu()?.names()?;
        }
        let name = chosen(wanted, &self.listed)?;
        if name == self.opened.name {
            self.aside(&format!("Already in session {name}."));
            return Ok(None);
        }
        let sessions = &self.opened.runtime.home.sessions;
        if !sessions.exists(&name)? {
            return Err(ReadError::NotFound(name).into());
        }
        sessions.check_writable(&name)?;
        Ok(Some(ChatEnding::Resumed(name)))
    }

    /// Sets the title of the session, or shows it.
    pub(super) async fn title(&mut self, title: Option<&str>) -> Result<()> {
        let (runtime, name) = (&self.opened.runtime, &self.opened.name);
        let title = match title {
            Some(title) => {
                let mut teller = EventPrinter::new(self.context);
                let mut on_event = |event| teller.tell(&event);
                let set = set_title(runtime, name, title, &mut on_event).await;
                teller.finish()?;
                set?
            }
            None => self.own_title()?,
        };
        self.seen.look(&self.opened);
        if self.context.output.format() == OutputFormat::Json {
            let object = json!({ "event": "title", "session": name.as_str(), "title": title });
            return self.context.output.object(&object);
        }
        let title = title.unwrap_or_else(|| "no title yet".to_owned());
        self.context
            .output
            .tell_aside(&format!("Session {name}: {title}"));
        Ok(())
    }

    fn own_title(&self) -> Result<Option<String>> {
        let home = &self.opened.runtime.home;
        let is_forgotten = forgotten_entries(&home.workspace);
        let part = last_part(&home.sessions, &self.opened.name, &is_forgotten);
        Ok(if_begun(part)?.flatten().and_then(|part| part.title))
    }

    fn menu(&self) -> Result<SessionMenu> {
        let home = &self.opened.runtime.home;
        let is_forgotten = forgotten_entries(&home.workspace);
        let mut sessions = Vec::new();
        for name in home.sessions.names()? {
            // Skip unreadable sessions, which cannot be resumed; `session list` reports why.
            if let Ok(part) = last_part(&home.sessions, &name, &is_forgotten) {
                sessions.extend(part);
            }
        }
        sessions.sort_by_key(|part| Reverse(part.last_activity_at));
        Ok(SessionMenu {
            sessions,
            current: self.opened.name.clone(),
            timezone: home.timezone,
        })
    }
}

/// Resolves a session name or a number of the list; suggests the nearest name if there is none.
fn chosen(wanted: &str, listed: &[SessionName]) -> Result<SessionName> {
    let number: Option<usize> = wanted.parse().ok();
    let numbered = number.and_then(|number| listed.get(number.checked_sub(1)?));
    let named = || listed.iter().find(|name| name.as_str() == wanted);
    if let Some(name) = numbered.or_else(named) {
        return Ok(name.clone());
    }
    let message = format!("there is no session {wanted}");
    let failure = CliError::new(ErrorKind::NotFound, message);
    Err(
        match nearest(wanted, listed.iter().map(SessionName::as_str)) {
            Some(near) => failure.hint(format!(
                "did you mean `/resume {near}`? `/resume` lists all"
            )),
            None => failure.hint("`/resume` lists the sessions"),
        },
    )
}

impl SessionMenu {
    fn names(&self) -> Result<Vec<SessionName>> {
        let names = self.sessions.iter().map(|part| part.name.parse());
        let names: Result<_, SessionNameError> = names.collect();
        names.map_err(|error| CliError::internal(&error))
    }
}

impl Report for SessionMenu {
    fn json(&self) -> Value {
        let session = |part: &SessionPart| {
            json!({
                "name": part.name,
                "title": part.title,
                "messages": part.messages,
                "lastActivityAt": part.last_activity_at.map(instant),
            })
        };
        let sessions: Vec<Value> = self.sessions.iter().map(session).collect();
        json!({ "event": "sessions", "sessions": sessions })
    }

    fn human(&self, stdout: Stream) -> String {
        if self.sessions.is_empty() {
            return "  no sessions yet\n".to_owned();
        }
        let columns = [
            Column::new("", Align::Right),
            Column::new("NAME", Align::Left),
            Column::cut("TITLE"),
            Column::new("LAST ACTIVITY", Align::Left),
        ];
        let rows = (1..).zip(&self.sessions).map(|(number, part)| {
            let is_current = part.name == self.current.as_str();
            let last_activity = part.last_activity_at.map(|at| minute(at, self.timezone));
            vec![
                grouped(number),
                printable(&part.name),
                printable(part.title.as_deref().unwrap_or_default()),
                match last_activity {
                    _ if is_current => "this chat".to_owned(),
                    Some(last_activity) => last_activity,
                    None => "never".to_owned(),
                },
            ]
        });
        let rows: Vec<Vec<String>> = rows.collect();
        let table = table(&columns, &rows, stdout.columns());
        format!("{table}\n  `/resume NUMBER` or `/resume NAME` switches to a session.\n")
    }
}

#[cfg(test)]
#[path = "resuming_tests.rs"]
mod tests;
