//! The listing stage: what memory lists, for a message that asks about the owner or about what is coming up.
//!
//! Asks the operations that every door asks; it only arranges their replies for an engine that quotes.

use base::model::{ListedLine, Listing, ListingKind};
use base::{LineRange, Locator, Origin};
use session::Turn;

use crate::about::KnownLine;
use crate::agenda::AgendaItem;
use crate::event::{Event, OnEvent};
use crate::knowledge::scope::Viewer;
use crate::ops::{
    AGENDA_DAYS_MAX, About, Agenda, OpContext, OpError, Operation, PromiseReply, PromiseStatus,
};
use crate::reminders::read_reminders;
use crate::runtime::{HomeAccess, Runtime};
use crate::turn::correction::{Correction, correction_of};
use crate::turn::refused_reminder::refused_reminders;

/// For how many days a question in a chat gets what notes plan.
const AHEAD_DAYS: i64 = 60;

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
    let refused = || {
        let any = !refused_reminders(runtime, turn).is_empty();
        any.then_some(ListingKind::RefusedReminder)
    };
    if let Some(kind) = reminder_asked_in(question, home).or_else(refused) {
        let lines = Vec::new();
        return Some(Listing { kind, lines });
    }
    match correction_of(runtime, turn) {
        Ok(None) => {}
        Ok(Some(Correction::Certain(_))) => {
            let (kind, lines) = (ListingKind::Correction, Vec::new());
            return Some(Listing { kind, lines });
        }
        Ok(Some(Correction::Unsure(lines))) => {
            let kind = ListingKind::UnsureCorrection;
            return Some(Listing { kind, lines });
        }
        Err(error) => on_event(Event::Warning(format!(
            "MEMORY.md was not changed: {error}"
        ))),
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

/// Whether the message asks for reminders, and whether the time and the text of each are certain.
fn reminder_asked_in(question: &str, home: &HomeAccess) -> Option<ListingKind> {
    let asked = extract::reminders_asked(question)?;
    let now = home.clock.now().with_timezone(&home.timezone);
    let read = read_reminders(&asked.reminders, now);
    let kinds = asked.reminders.iter().zip(read).map(|(own, read)| {
        if own.subject.is_some() {
            return ListingKind::Reminder;
        }
        match read.when {
            Ok(Some(_)) if own.text(&read).is_empty() => ListingKind::EmptyReminder,
            Ok(Some(_)) => ListingKind::Reminder,
            Ok(None) | Err(_) => ListingKind::UnsureReminder,
        }
    });
    let kinds: Vec<ListingKind> = kinds.collect();
    let mut uncertain = kinds.iter().filter(|it| **it != ListingKind::Reminder);
    uncertain.next().or(kinds.first()).copied()
}

fn listed_lines(kind: ListingKind, at: &OpContext<'_>) -> Result<Vec<ListedLine>, OpError> {
    Ok(match kind {
        ListingKind::Reminder
        | ListingKind::UnsureReminder
        | ListingKind::EmptyReminder
        | ListingKind::RefusedReminder
        | ListingKind::Correction
        | ListingKind::UnsureCorrection => Vec::new(),
        ListingKind::About => {
            let reply = About::default().run(at)?;
            reply.lines.into_iter().map(known_line).collect()
        }
        ListingKind::Ahead => {
            // Reminders are listed to the last one.
            let days = Some(AGENDA_DAYS_MAX);
            let reply = Agenda { days }.run(at)?;
            let promises = reply.promises.into_iter().filter_map(promised_line);
            let mut lines: Vec<ListedLine> = promises.collect();
            let is_near =
                |own: &AgendaItem| (own.day.date() - reply.from.date()).num_days() < AHEAD_DAYS;
            lines.extend(reply.items.into_iter().filter(is_near).map(planned_line));
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
        command: None,
    }
}

/// A promise that is open, under its day or its subject.
fn promised_line(own: PromiseReply) -> Option<ListedLine> {
    let whose = match own.status {
        PromiseStatus::Open => String::new(),
        PromiseStatus::Proposed => format!(" [{}]", Origin::Agent),
        PromiseStatus::Told | PromiseStatus::Done | PromiseStatus::Dropped => return None,
    };
    let time = own.time.map(|time| format!("{time} ")).unwrap_or_default();
    Some(ListedLine {
        heading: own.day.map(|day| day.to_string()).or(own.about),
        text: format!("{time}{}{whose}", own.text),
        place: Locator::new(own.path, LineRange::line(own.line)),
        day: None,
        command: None,
    })
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
        command: None,
    }
}
