//! Takes back the reminders that were just made if the owner's next message says no, where no model answers.
//!
//! Takes back no other reminder.

use base::{Message, Origin};
use extract::refuses_reminder;
use memory::promises::{promises, undo_promise};
use session::{Turn, ViewItem};

use crate::event::{Event, OnEvent};
use crate::knowledge::scope::{Repository, Viewer};
use crate::reminders::ReminderNotices;
use crate::runtime::Runtime;

/// The ids of the reminders that were made from the owner's message before the newest one, if the newest one says no.
pub(super) fn refused_reminders(runtime: &Runtime, turn: &Turn) -> Vec<String> {
    let found = || {
        let mut said = owner_said(turn);
        let newest = said.next()?.message()?.text();
        if !refuses_reminder(&newest) {
            return None;
        }
        let before = &said.next()?.entry;
        let home = &runtime.home;
        let list = promises(&home.workspace, home.clock.now(), home.timezone).ok()?;
        let made = list.promises.into_iter().filter(|(own, open)| {
            // One of a subject has no time, and is told again.
            let is_open = open.is_some() || own.occasion.subject().is_some();
            is_open && !own.is_done && own.evidence.first() == Some(before)
        });
        Some(made.map(|(own, _)| own.id).collect())
    };
    found().unwrap_or_default()
}

/// The messages of the owner, newest first.
fn owner_said(turn: &Turn) -> impl Iterator<Item = &ViewItem> {
    let items = turn.view().items.iter().rev();
    items.filter(|item| {
        item.origin == Origin::Owner
            && matches!(item.message(), Some(Message::User { name: None, .. }))
    })
}

/// Takes these reminders back; returns whether there were any.
pub(super) fn take_back_refused(runtime: &Runtime, turn: &Turn, on_event: OnEvent<'_>) -> bool {
    let refused = refused_reminders(runtime, turn);
    let home = &runtime.home;
    let viewer = match Repository::holding(&home.sessions, turn.name()) {
        Some(own) => Viewer::Program(Some(own)),
        None => Viewer::Owner,
    };
    let may_change = |scope: Option<&str>| scope.is_none_or(|it| viewer.sees_session(it));
    let now = (home.clock.now(), home.timezone);
    // The message that asked for them says more of its language than a no.
    let asked = owner_said(turn).nth(1).and_then(ViewItem::message);
    let notices = ReminderNotices::to(home, &asked.map(Message::text).unwrap_or_default());
    for id in &refused {
        on_event(match undo_promise(&home.workspace, id, now, &may_change) {
            Ok(undone) => Event::MemoryChanged(match undone.before {
                Some(own) if undone.after.is_none() => notices.dropped((&own.text, &own.id)),
                Some(_) | None => notices.as_before(id),
            }),
            Err(error) => Event::Warning(format!("PROMISES.md was not changed: {error}")),
        });
    }
    !refused.is_empty()
}
