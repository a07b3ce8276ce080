//! The later history of a message or of a note: notes, lines of `MEMORY.md`, the summary that stands for it, and the later
//! messages for which it was recalled.

use std::collections::{BTreeMap, BTreeSet};

use base::{Day, EntryId, LineRange, Locator, day, redact};
use memory::candidates::Candidate;
use memory::{LogItem, load_tombstones};
use session::{Entry, LineContent, LineStart, Payload, ResetReason, SessionName};

use super::history::in_order;
use super::line::decisions;
use super::{WhyEvent, WhyReply, WhyStep, WhySubject};
use crate::knowledge::session_source::SessionSource;
use crate::ops::{Get, GetReply, OpContext, OpError, Operation};
use crate::turn::recall::recalled_places;

/// The number of days with a log that are searched for the notes of a message, from its day on. A note is written on
/// the day of its message or soon after.
const NOTED_WITHIN: usize = 31;

/// The history of a message: the notes and lines made of it, its summary, and its recalls.
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
    let OwnSession {
        entry,
        said_on,
        mut steps,
    } = own_session(&place, name, at)?;
    let cited = BTreeMap::from([(entry.clone(), said_on)]);
    steps.extend(noted(citing_notes(&cited, at)?));
    let is_behind = |own: &Candidate| {
        let mut evidence = own.evidence.iter();
        evidence.any(|it| it.path == place.path && it.key == entry.as_str())
    };
    steps.extend(decisions_on(&is_behind, at)?);
    steps.extend(recalls(&place, Some(name), at)?);
    let steps = in_order(steps);
    Ok(WhyReply {
        subject: WhySubject::Message,
        place: Some(place),
        text: message.text,
        steps,
    })
}

/// The history of a note: the messages behind it, the lines made of it, and its recalls.
pub(super) fn note(place: &Locator, at: &OpContext<'_>) -> Result<WhyReply, OpError> {
    let days = at.home.workspace.log_days()?;
    let log = days
        .into_iter()
        .find(|day| at.home.workspace.log_path(*day).as_str() == place.path);
    let Some(day) = log else {
        // The error if the file is missing; another file of the workspace has no history.
        let lines = Get {
            path: place.path.clone(),
            ..Get::default()
        };
        lines.run(at)?;
        return Err(OpError::NoHistory(place.path.clone()));
    };
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
    steps.extend(recalls(&place, None, at)?);
    let steps = in_order(steps);
    Ok(WhyReply {
        subject: WhySubject::Note,
        place: Some(place),
        text: redact(&note.text).into_owned(),
        steps,
    })
}

fn nothing_at(place: &Locator) -> OpError {
    OpError::NothingAt(place.to_string())
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
    let said = said.into_iter().map(|own| own.said);
    let steps = said.map(|own| WhyStep {
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

/// A note of a daily log that is based on messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitingNote {
    /// The day of its log.
    pub day: Day,
    /// Its place in the log.
    pub place: Locator,
    /// Its text; secrets are replaced.
    pub text: String,
    /// The messages that it is based on.
    pub entries: Vec<EntryId>,
    /// Its id, if the program wrote it.
    pub id: Option<String>,
}

/// The notes that are based on one of these messages, each message given with its day.
///
/// Reads the logs of the days after each message. Leaves out notes that are forgotten or of another repository.
///
/// # Errors
/// A log or the tombstones cannot be read.
pub fn citing_notes(
    entries: &BTreeMap<EntryId, Day>,
    at: &OpContext<'_>,
) -> Result<Vec<CitingNote>, OpError> {
    let workspace = &at.home.workspace;
    let tombstones = load_tombstones(workspace)?;
    let logs = workspace.log_days()?;
    let near = |said: &Day| {
        let from = logs.partition_point(|log| log < said);
        logs.iter().skip(from).take(NOTED_WITHIN).copied()
    };
    let days: BTreeSet<Day> = entries.values().flat_map(near).collect();
    let mut notes = Vec::new();
    for day in days {
        let path = workspace.log_path(day).to_string();
        for note in workspace.log_items(day)? {
            let is_citing = note.evidence.iter().any(|it| entries.contains_key(it));
            let place = Locator::new(path.clone(), LineRange::line(note.line));
            let is_shown =
                !tombstones.hides_note(&note.text, &note.evidence) && !at.is_hidden(&place);
            if is_citing && is_shown {
                notes.push(CitingNote {
                    day,
                    place,
                    text: redact(&note.text).into_owned(),
                    entries: note.evidence,
                    id: note.id,
                });
            }
        }
    }
    Ok(notes)
}

/// These notes as steps of a history.
pub(super) fn noted(notes: Vec<CitingNote>) -> Vec<WhyStep> {
    let steps = notes.into_iter().map(|note| WhyStep {
        day: note.day,
        at: None,
        event: WhyEvent::Noted,
        text: note.text,
        place: Some(note.place),
        id: note.id,
    });
    steps.collect()
}

/// The proposals that are based on it, and the decisions on them.
fn decisions_on(
    is_behind: &dyn Fn(&Candidate) -> bool,
    at: &OpContext<'_>,
) -> Result<Vec<WhyStep>, OpError> {
    let desk = at.reading_desk()?;
    let state = desk.state();
    let all = state.pending.iter().chain(&state.history);
    let own = all.filter(|own| is_behind(own));
    let visible = own.filter(|own| at.viewer.sees_candidate(&at.home.workspace, own));
    Ok(visible.flat_map(|own| decisions(own, state, at)).collect())
}

/// What the transcript of a message tells about it.
struct OwnSession {
    /// The entry of the message.
    entry: EntryId,
    /// The day on which it was said.
    said_on: Day,
    /// The summary that stands for it, and the later messages of this conversation for which it was recalled.
    steps: Vec<WhyStep>,
}

/// Reads the transcript of a message, once.
fn own_session(
    place: &Locator,
    name: &SessionName,
    at: &OpContext<'_>,
) -> Result<OwnSession, OpError> {
    let mut message: Option<(EntryId, Day)> = None;
    let mut stand_in = StandIn::default();
    let mut steps = Vec::new();
    for line in at.home.sessions.live_lines(name, LineStart::FIRST)? {
        let line = line?;
        let number = usize::try_from(line.number).unwrap_or(usize::MAX);
        let LineContent::Entry(entry) = line.content else {
            continue;
        };
        steps.extend(recall_in(place, (&place.path, number), &entry, at));
        if number == place.start_line {
            message = Some((entry.id, day(entry.at, at.home.timezone)));
        } else if let Some((message, _)) = &message
            && stand_in.is_begun_by(&entry, message)
        {
            steps.push(WhyStep {
                day: day(entry.at, at.home.timezone),
                at: Some(entry.at),
                event: WhyEvent::Summarised,
                text: String::new(),
                place: Some(Locator::new(place.path.clone(), LineRange::line(number))),
                id: None,
            });
        }
    }
    let (entry, said_on) = message.ok_or_else(|| nothing_at(place))?;
    Ok(OwnSession {
        entry,
        said_on,
        steps,
    })
}

/// Looks for the compaction that put a summary in the place of a message: there is none if the message is still in view,
/// or if the owner began a new conversation first.
#[derive(Default)]
struct StandIn {
    /// The entries after the message: it is in view until a compaction keeps from one of them on.
    after: BTreeSet<EntryId>,
    is_decided: bool,
}

impl StandIn {
    /// Whether this entry, the next one after the message, is that compaction.
    fn is_begun_by(&mut self, entry: &Entry, message: &EntryId) -> bool {
        if self.is_decided {
            return false;
        }
        match &entry.payload {
            Payload::Reset(own) if own.reason == ResetReason::Asked => self.is_decided = true,
            Payload::Compaction(own) => {
                let mut pinned = own.details.keep_first.iter();
                let is_behind = own.first_kept == entry.id || self.after.contains(&own.first_kept);
                if is_behind && !pinned.any(|kept| kept.id == *message) {
                    self.is_decided = true;
                    return true;
                }
            }
            Payload::Message(_)
            | Payload::Meta(_)
            | Payload::Reset(_)
            | Payload::Rewind(_)
            | Payload::BranchSummary(_)
            | Payload::CustomMessage(_)
            | Payload::Custom(_)
            | Payload::SessionInfo(_)
            | Payload::Other(_) => {}
        }
        self.after.insert(entry.id.clone());
        false
    }
}

/// The turns for which the place was recalled, without those of a session that was read already.
fn recalls(
    place: &Locator,
    read: Option<&SessionName>,
    at: &OpContext<'_>,
) -> Result<Vec<WhyStep>, OpError> {
    let mut steps = Vec::new();
    for name in at.home.sessions.names()? {
        let path = SessionSource::path_of(&name);
        if read == Some(&name) || at.check_visible(&path).is_err() {
            continue;
        }
        for line in at.home.sessions.live_lines(&name, LineStart::FIRST)? {
            let line = line?;
            if let LineContent::Entry(entry) = line.content {
                let number = usize::try_from(line.number).unwrap_or(usize::MAX);
                steps.extend(recall_in(place, (&path, number), &entry, at));
            }
        }
    }
    Ok(steps)
}

/// The step of an entry that records that the place was recalled.
fn recall_in(
    place: &Locator,
    (path, number): (&str, usize),
    entry: &Entry,
    at: &OpContext<'_>,
) -> Option<WhyStep> {
    let mut recalled = recalled_places(entry).into_iter();
    let is_it = |own: Locator| own.path == place.path && own.lines().contains(place.start_line);
    let recalled_at = Locator::new(path, LineRange::line(number));
    (recalled.any(is_it) && !at.is_hidden(&recalled_at)).then(|| WhyStep {
        day: day(entry.at, at.home.timezone),
        at: Some(entry.at),
        event: WhyEvent::Recalled,
        text: String::new(),
        place: Some(recalled_at),
        id: None,
    })
}
