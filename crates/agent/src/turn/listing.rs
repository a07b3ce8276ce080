//! The listing stage: what memory lists, for a message that asks about the owner or about what is coming up.
//!
//! Asks the operations that every door asks; it only arranges their replies for an engine that quotes.

use base::dates::time_ahead_in;
use base::model::{ListedLine, Listing, ListingKind};
use base::{LineRange, Locator, Origin};
use session::Turn;

use crate::about::KnownLine;
use crate::agenda::AgendaItem;
use crate::event::{Event, OnEvent};
use crate::knowledge::scope::Viewer;
use crate::ops::{About, Agenda, OpContext, OpError, Operation, PromiseReply, PromiseStatus};
use crate::runtime::{HomeAccess, Runtime};
use crate::turn::refused_reminder::refused_reminder;

/// Length of the agenda that a question in a chat gets, in days.
const AHEAD_DAYS: u32 = 60;

/// The list from memory that answers the question, in a session that sees memory; `None` for any other question.
pub(crate) fn listing_of(
    runtime: &Runtime,
    turn: &Turn,
    question: &str,
    on_event: OnEvent<'_>,
) -> Option<Listing> {
    let knowledge = runtime.memory.knowledge.as_deref();
    let knowledge = knowledge.filter(|_| runtime.is_primary(turn.name()))?;
    let (home, window) = (&runtime.home, &runtime.engine.settings);
    let refused = || refused_reminder(runtime, turn).map(|_| ListingKind::RefusedReminder);
    if let Some(kind) = reminder_asked_in(question, home).or_else(refused) {
        let lines = Vec::new();
        return Some(Listing { kind, lines });
    }
    let kind = extract::listing_asked(question, home.today())?;
    let at = OpContext::new(home, window, knowledge, &Viewer::Owner);
    match listed_lines(kind, &at) {
        Ok(lines) => Some(Listing { kind, lines }),
        Err(error) => {
            on_event(Event::Warning(format!("memory cannot be listed: {error}")));
            None
        }
    }
}

/// Whether the message asks for a reminder, and whether its time and its text are certain.
fn reminder_asked_in(question: &str, home: &HomeAccess) -> Option<ListingKind> {
    let asked = extract::reminder_asked(question)?;
    let now = home.clock.now().with_timezone(&home.timezone);
    let read = time_ahead_in(&asked.rest, now);
    Some(match read.when {
        Ok(Some(_)) if asked.text(&read).is_empty() => ListingKind::EmptyReminder,
        Ok(Some(_)) => ListingKind::Reminder,
        Ok(None) | Err(_) => ListingKind::UnsureReminder,
    })
}

fn listed_lines(kind: ListingKind, at: &OpContext<'_>) -> Result<Vec<ListedLine>, OpError> {
    Ok(match kind {
        ListingKind::Reminder
        | ListingKind::UnsureReminder
        | ListingKind::EmptyReminder
        | ListingKind::RefusedReminder => Vec::new(),
        ListingKind::About => {
            let reply = About::default().run(at)?;
            reply.lines.into_iter().map(known_line).collect()
        }
        ListingKind::Ahead => {
            let days = Some(AHEAD_DAYS);
            let reply = Agenda { days }.run(at)?;
            let open = |own: &PromiseReply| own.status == PromiseStatus::Open;
            let promises = reply.promises.into_iter().filter(open).map(promised_line);
            let mut lines: Vec<ListedLine> = promises.collect();
            lines.extend(reply.items.into_iter().map(planned_line));
            lines.sort_by(|left, right| left.heading.cmp(&right.heading));
            lines
        }
    })
}

fn known_line(known: KnownLine) -> ListedLine {
    ListedLine {
        heading: Some(known.theme),
        text: known.text,
        place: known.place,
        day: known.day,
    }
}

fn promised_line(own: PromiseReply) -> ListedLine {
    let time = own.time.map(|time| format!("{time} ")).unwrap_or_default();
    ListedLine {
        heading: Some(own.day.to_string()),
        text: format!("{time}{}", own.text),
        place: Locator::new(own.path, LineRange::line(own.line)),
        day: None,
    }
}

fn planned_line(item: AgendaItem) -> ListedLine {
    ListedLine {
        heading: Some(match item.until {
            Some(until) => format!("{} - {until}", item.day),
            None => item.day.to_string(),
        }),
        text: match item.origin {
            Origin::Untrusted => format!("{} [{}]", item.text, item.origin),
            Origin::Owner | Origin::Agent | Origin::System => item.text,
        },
        place: item.place,
        day: item.noted_on,
    }
}
