//! What became of a message or of a note: notes, lines of `MEMORY.md`, the summary that stands for it, and the later
//! messages for which it was recalled.

use std::collections::BTreeSet;

use base::{Day, EntryId, LineRange, Locator, day, redact};
use memory::candidates::Candidate;
use memory::{LogItem, load_tombstones};
use session::{LineContent, Payload, SessionName};

use super::history::in_order;
use super::line::decisions;
use super::{WhyEvent, WhyReply, WhyStep, WhySubject};
use crate::dream::recalled_places;
use crate::knowledge::session_source::SessionSource;
use crate::ops::{Get, GetReply, OpContext, OpError, Operation};

/// The number of days with a log that are searched for the notes of a message, from its day on. A note is written on
/// the day of its message or soon after.
const NOTED_WITHIN: usize = 31;

/// What became of a message.
pub(super) fn message(
    place: &Locator,
    name: &SessionName,
    at: &OpContext<'_>,
) -> Result<WhyReply, OpError> {
    let place = Locator::new(place.path.clone(), LineRange::line(place.start_line));
    let shown = Get {
        path: place.path.clone(),
        start_line: Some(place.start_line),
        end_line: Some(place.start_line),
        ..Get::default()
    };
    // Whatever must not be shown is not found here.
    let text = match shown.run(at)? {
        GetReply::Messages(own) => own.messages.into_iter().next(),
        GetReply::Note(_) => None,
    };
    let message = text.ok_or_else(|| nothing_at(&place))?;
    let (entry, said_on, mut steps) = course(&place, name, at)?;
    if let Some(said_on) = said_on {
        let entries = std::slice::from_ref(&entry);
        steps.extend(notes_citing(entries, said_on, at)?);
    }
    let is_behind = |own: &Candidate| {
        let mut evidence = own.evidence.iter();
        evidence.any(|it| it.path == place.path && it.key == entry.as_str())
    };
    steps.extend(decisions_on(&is_behind, at)?);
    steps.extend(recalls(&place, at)?);
    let steps = in_order(steps);
    Ok(WhyReply {
        subject: WhySubject::Message,
        place: Some(place),
        text: message.text,
        steps,
    })
}

/// What a note comes from, and what became of it.
pub(super) fn note(place: &Locator, at: &OpContext<'_>) -> Result<WhyReply, OpError> {
    let days = at.home.workspace.log_days()?;
    let log = days
        .into_iter()
        .find(|day| at.home.workspace.log_path(*day).as_str() == place.path);
    let day = log.ok_or_else(|| {
        let why = "only lines of MEMORY.md, notes of a day and messages have a history";
        OpError::invalid("about", why.to_owned())
    })?;
    let tombstones = load_tombstones(&at.home.workspace)?;
    let notes = at.home.workspace.log_items(day)?;
    let note = notes
        .into_iter()
        .find(|note| note.line == place.start_line)
        .filter(|note| !tombstones.hides_note(&note.text, &note.evidence))
        .ok_or_else(|| nothing_at(place))?;
    let place = Locator::new(place.path.clone(), LineRange::line(note.line));
    if at.is_hidden(&place) {
        return Err(OpError::OtherRepository(place.to_string()));
    }
    let entries: BTreeSet<&str> = note.evidence.iter().map(EntryId::as_str).collect();
    let is_behind = |own: &Candidate| {
        let mut evidence = own.evidence.iter();
        evidence.any(|it| {
            entries.contains(it.key.as_str())
                || it.path == place.path && it.line == place.start_line
        })
    };
    let mut steps = decisions_on(&is_behind, at)?;
    steps.extend(said_before(&note, at)?);
    steps.extend(recalls(&place, at)?);
    let steps = in_order(steps);
    Ok(WhyReply {
        subject: WhySubject::Note,
        place: Some(place),
        text: redact(&note.text).into_owned(),
        steps,
    })
}

fn nothing_at(place: &Locator) -> OpError {
    OpError::invalid("about", format!("nothing stands at {place}"))
}

/// The messages that a note is based on.
fn said_before(note: &LogItem, at: &OpContext<'_>) -> Result<Vec<WhyStep>, OpError> {
    let conversations = at.conversations();
    let wanted: Vec<_> = note
        .evidence
        .iter()
        .map(|entry| (note.session.clone(), entry.clone()))
        .collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let said = dreaming::Conversations::find(&conversations, &wanted)?;
    let steps = said.into_iter().map(|own| WhyStep {
        day: day(own.at, at.home.timezone),
        at: Some(own.at),
        event: WhyEvent::Said,
        text: redact(&own.text).into_owned(),
        place: Some(Locator::new(own.path, LineRange::line(own.line))),
        id: None,
    });
    let visible = steps.filter(|step| !step.place.as_ref().is_some_and(|it| at.is_hidden(it)));
    Ok(visible.collect())
}

/// The notes that are based on one of these entries, from this day on.
pub(super) fn notes_citing(
    entries: &[EntryId],
    first: Day,
    at: &OpContext<'_>,
) -> Result<Vec<WhyStep>, OpError> {
    let workspace = &at.home.workspace;
    let tombstones = load_tombstones(workspace)?;
    let mut steps = Vec::new();
    let days = workspace.log_days()?.into_iter();
    for day in days.filter(|day| *day >= first).take(NOTED_WITHIN) {
        for note in workspace.log_items(day)? {
            let is_citing = note.evidence.iter().any(|it| entries.contains(it));
            if !is_citing || tombstones.hides_note(&note.text, &note.evidence) {
                continue;
            }
            let path = workspace.log_path(day).to_string();
            let place = Locator::new(path, LineRange::line(note.line));
            if !at.is_hidden(&place) {
                steps.push(WhyStep {
                    day,
                    at: None,
                    event: WhyEvent::Noted,
                    text: redact(&note.text).into_owned(),
                    place: Some(place),
                    id: note.id,
                });
            }
        }
    }
    Ok(steps)
}

/// What was proposed of it, and decided.
fn decisions_on(
    is_behind: &dyn Fn(&Candidate) -> bool,
    at: &OpContext<'_>,
) -> Result<Vec<WhyStep>, OpError> {
    let desk = at.reading_desk()?;
    let state = desk.state();
    let all = state.pending.iter().chain(&state.history);
    let own = all.filter(|own| is_behind(own));
    let visible = own.filter(|own| at.viewer.sees_candidate(&at.home.workspace, own));
    Ok(visible.flat_map(|own| decisions(own, at)).collect())
}

/// The entry of a message, its day, and the compaction that put a summary in its place.
fn course(
    place: &Locator,
    name: &SessionName,
    at: &OpContext<'_>,
) -> Result<(EntryId, Option<Day>, Vec<WhyStep>), OpError> {
    let mut found = None;
    // The entries after the message: a compaction that keeps from one of them on has left the message behind.
    let mut after: BTreeSet<EntryId> = BTreeSet::new();
    for line in at.home.sessions.lines(name)? {
        let line = line?;
        let LineContent::Entry(entry) = line.content else {
            continue;
        };
        let number = usize::try_from(line.number).unwrap_or(usize::MAX);
        if number == place.start_line {
            found = Some((entry.id, day(entry.at, at.home.timezone)));
            continue;
        }
        if found.is_none() {
            continue;
        }
        if let Payload::Compaction(own) = &entry.payload
            && (own.first_kept == entry.id || after.contains(&own.first_kept))
        {
            let step = WhyStep {
                day: day(entry.at, at.home.timezone),
                at: Some(entry.at),
                event: WhyEvent::Summarised,
                text: String::new(),
                place: Some(Locator::new(place.path.clone(), LineRange::line(number))),
                id: None,
            };
            let found = found.map(|(entry, said_on)| (entry, Some(said_on), vec![step]));
            return found.ok_or_else(|| nothing_at(place));
        }
        after.insert(entry.id);
    }
    let found = found.map(|(entry, said_on)| (entry, Some(said_on), Vec::new()));
    found.ok_or_else(|| nothing_at(place))
}

/// The turns for which the place was recalled.
fn recalls(place: &Locator, at: &OpContext<'_>) -> Result<Vec<WhyStep>, OpError> {
    let mut steps = Vec::new();
    for name in at.home.sessions.names()? {
        let path = SessionSource::path_of(&name);
        if at.check_visible(&path).is_err() {
            continue;
        }
        for line in at.home.sessions.lines(&name)? {
            let line = line?;
            let LineContent::Entry(entry) = line.content else {
                continue;
            };
            let mut recalled = recalled_places(&entry).into_iter();
            if recalled.any(|own| own.path == place.path && own.lines().contains(place.start_line))
            {
                let number = usize::try_from(line.number).unwrap_or(usize::MAX);
                let recalled_at = Locator::new(path.clone(), LineRange::line(number));
                if !at.is_hidden(&recalled_at) {
                    steps.push(WhyStep {
                        day: day(entry.at, at.home.timezone),
                        at: Some(entry.at),
                        event: WhyEvent::Recalled,
                        text: String::new(),
                        place: Some(recalled_at),
                        id: None,
                    });
                }
            }
        }
    }
    Ok(steps)
}
