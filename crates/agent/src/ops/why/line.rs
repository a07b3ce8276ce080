//! The history of a line of `MEMORY.md`: the words behind it, the notes of these, the proposal and the decision, also of
//! the lines that it took the place of.

use base::{EntryId, LineRange, Locator, day, redact};
use dreaming::holds_quote;
use memory::candidates::{
    Candidate, CandidateId, DreamState, Evidence, EvidencePlaces, MemoryTxn, Proposal, Status,
};
use memory::curated::{CuratedLine, memory_lines};

use super::history::in_order;
use super::said::{citing_notes, noted};
use super::{WhyEvent, WhyReply, WhyStep, WhySubject};
use crate::asked_error::AskedError;
use crate::corrected::{line_saying, line_with_id};
use crate::knowledge::session_source::SessionSource;
use crate::ops::{OpContext, OpError};

/// The number of earlier lines that are followed back.
const EARLIER_MAX: usize = 20;

/// The line with this id or with these words; if there is none, the newest one that is no longer in `MEMORY.md`.
pub(super) fn of_words(about: &str, at: &OpContext<'_>) -> Result<WhyReply, OpError> {
    let desk = at.reading_desk()?;
    let id = CandidateId::new(about.trim_start_matches('^').to_lowercase());
    if let Some(line) = line_with_id(desk.memory(), about) {
        return of_line(&line, desk, at);
    }
    if let Some(own) = desk.state().candidate(&id).cloned() {
        return reply(None, &own, desk, at);
    }
    match line_saying(desk.memory(), about) {
        Ok(line) => of_line(&line, desk, at),
        Err(error @ AskedError::NoLine(_)) => {
            let mut decided = desk.state().history.iter().rev();
            let own = decided.find(|own| own.wordings().any(|text| holds_quote(text, about)));
            match own.cloned() {
                Some(own) => reply(None, &own, desk, at),
                None => Err(error.into()),
            }
        }
        Err(error) => Err(error.into()),
    }
}

/// The line of `MEMORY.md` with this number.
pub(super) fn at_number(number: usize, at: &OpContext<'_>) -> Result<WhyReply, OpError> {
    let desk = at.reading_desk()?;
    let lines = memory_lines(desk.memory());
    let line = lines.iter().find(|line| line.number == number);
    let line = line.ok_or_else(|| {
        let path = at.home.workspace.memory_path();
        OpError::NothingAt(format!("{path}:{number}"))
    })?;
    of_line(line, desk, at)
}

fn of_line(
    line: &CuratedLine,
    desk: MemoryTxn<'_>,
    at: &OpContext<'_>,
) -> Result<WhyReply, OpError> {
    // A line that the owner wrote stays in the file when it is forgotten, and is hidden.
    if desk.tombstones().hides_text(&line.text) || at.is_hidden(&place_of(line, at)) {
        return Err(AskedError::NoLine(place_of(line, at).to_string()).into());
    }
    let own = line.id().map(|id| CandidateId::new(id.to_owned()));
    match own.and_then(|id| desk.state().candidate(&id).cloned()) {
        Some(own) => reply(Some(line), &own, desk, at),
        None => Ok(WhyReply {
            subject: match line.id() {
                Some(_) => WhySubject::Line,
                None => WhySubject::LineByHand,
            },
            place: Some(place_of(line, at)),
            text: redact(&line.text).into_owned(),
            steps: Vec::new(),
        }),
    }
}

fn reply(
    line: Option<&CuratedLine>,
    own: &Candidate,
    desk: MemoryTxn<'_>,
    at: &OpContext<'_>,
) -> Result<WhyReply, OpError> {
    if !at.viewer.sees_candidate(&at.home.workspace, own) {
        return Err(OpError::OtherRepository(own.id.to_string()));
    }
    let chain = with_earlier(desk.state(), own);
    let mut steps: Vec<WhyStep> = chain
        .iter()
        .flat_map(|own| decisions(own, desk.state(), at))
        .collect();
    steps.extend(replaced_by(desk.state(), own, at));
    // The lock is released while logs are read.
    drop(desk);
    let places = EvidencePlaces::of(&at.home.workspace);
    for own in &chain {
        steps.extend(own.evidence.iter().map(|own| quoted(own, &places)));
        let messages = own.evidence.iter();
        let messages = messages.filter(|it| SessionSource::name_of(&it.path).is_some());
        let cited = messages.map(|it| (EntryId::new(it.key.clone()), it.day));
        steps.extend(on_the_same(own, noted(citing_notes(&cited.collect(), at)?)));
    }
    let visible = |step: &WhyStep| !step.place.as_ref().is_some_and(|it| at.is_hidden(it));
    let steps = in_order(steps.into_iter().filter(visible).collect());
    let text = line.map_or(&*own.finding, |line| &*line.text);
    Ok(WhyReply {
        subject: WhySubject::Line,
        place: line.map(|line| place_of(line, at)),
        text: redact(text).into_owned(),
        steps,
    })
}

/// The notes that say the words of the line, or are a part of them; all notes if there is none, because a model words a
/// line in its own way. A message may have notes on several facts.
fn on_the_same(own: &Candidate, notes: Vec<WhyStep>) -> Vec<WhyStep> {
    let says = |note: &WhyStep| {
        own.wordings()
            .any(|text| holds_quote(&note.text, text) || holds_quote(text, &note.text))
    };
    if notes.iter().any(says) {
        notes.into_iter().filter(says).collect()
    } else {
        notes
    }
}

fn place_of(line: &CuratedLine, at: &OpContext<'_>) -> Locator {
    let path = at.home.workspace.memory_path().to_string();
    Locator::new(path, LineRange::line(line.number))
}

/// A line and those that it took the place of, newest first.
fn with_earlier(state: &DreamState, own: &Candidate) -> Vec<Candidate> {
    let mut chain = vec![own.clone()];
    while let Some(line) = chain.last().and_then(|own| own.proposal.changed_line()) {
        let id = CandidateId::new(line.to_owned());
        let is_known = chain.iter().any(|own| own.id == id);
        match state.candidate(&id) {
            Some(earlier) if !is_known && chain.len() < EARLIER_MAX => chain.push(earlier.clone()),
            Some(_) | None => break,
        }
    }
    chain
}

/// The lines that took the place of this one.
fn replaced_by(state: &DreamState, own: &Candidate, at: &OpContext<'_>) -> Vec<WhyStep> {
    let newer = state.history.iter().filter(|newer| {
        newer.proposal.changed_line() == Some(own.id.as_str())
            && matches!(newer.status, Status::Promoted | Status::Accepted)
    });
    let steps = newer.filter_map(|newer| {
        let decided = newer.decided_at?;
        Some(WhyStep {
            day: day(decided, at.home.timezone),
            at: Some(decided),
            event: match &newer.proposal {
                Proposal::Retire { .. } => WhyEvent::Ended,
                Proposal::Add | Proposal::Supersede { .. } | Proposal::Beside { .. } => {
                    WhyEvent::Replaced
                }
            },
            text: redact(&newer.finding).into_owned(),
            place: None,
            id: Some(newer.id.to_string()),
        })
    });
    steps.collect()
}

/// The words of a source.
fn quoted(evidence: &Evidence, places: &EvidencePlaces<'_>) -> WhyStep {
    WhyStep {
        day: evidence.day,
        at: EntryId::new(evidence.key.clone()).made_at(),
        event: match SessionSource::name_of(&evidence.path) {
            Some(_) => WhyEvent::Said,
            None => WhyEvent::Noted,
        },
        text: redact(&evidence.quote).into_owned(),
        place: Some(places.place(&evidence.reference())),
        id: None,
    }
}

/// The proposal of a candidate and what was decided.
pub(super) fn decisions(own: &Candidate, state: &DreamState, at: &OpContext<'_>) -> Vec<WhyStep> {
    let step = |at_time, event, text: &str, id: &str| WhyStep {
        day: day(at_time, at.home.timezone),
        at: Some(at_time),
        event,
        text: redact(text).into_owned(),
        place: None,
        id: Some(id.to_owned()),
    };
    let own_id = own.id.as_str();
    let is_asked = own.status == Status::Undone || state.was_asked(own);
    let mut steps = Vec::new();
    // What went into MEMORY.md at once was not proposed.
    if own.decided_at.is_none_or(|at| at > own.proposed_at) {
        let text = own.proposed_as.as_deref().unwrap_or(&own.finding);
        // Only what the owner had asked for can be taken back, and then be restored.
        let event = if is_asked {
            WhyEvent::Asked
        } else {
            WhyEvent::Proposed
        };
        steps.push(step(own.proposed_at, event, text, own_id));
    }
    let event = match own.status {
        Status::Pending => None,
        Status::Promoted if is_asked && !steps.is_empty() => Some(WhyEvent::Restored),
        Status::Promoted if is_asked => Some(WhyEvent::Asked),
        Status::Promoted => Some(WhyEvent::Added),
        Status::Accepted => Some(WhyEvent::Accepted),
        Status::Rejected => Some(WhyEvent::Rejected),
        Status::Undone => Some(WhyEvent::Undone),
    };
    if let Some((event, decided)) = event.zip(own.decided_at) {
        let is_taken = matches!(own.status, Status::Promoted | Status::Accepted);
        if let Proposal::Supersede { line, older, .. } | Proposal::Retire { line, older } =
            &own.proposal
            && is_taken
        {
            steps.push(step(decided, WhyEvent::Ended, older, line));
        }
        steps.push(step(decided, event, &own.finding, own_id));
    }
    steps
}
