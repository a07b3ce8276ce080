//! Requests of the owner to remember or to correct something: they take effect in `MEMORY.md` at once, by the plan and
//! the writer of dreams.
//!
//! Never changes a line that the owner wrote, and never takes anybody else's words for the owner's.

use std::sync::Arc;

use base::{EntryId, MEMORY_SECTIONS, Message, Origin, SourceError, Timestamp, TokenCount};
use dreaming::{
    ChangeReason, DreamSettings, Earned, Material, MaterialItem, MaterialSource, Operation,
    OperationKind, PlanInput, Promotion, Proposals, Proposer, SpokenMessage, TextReading,
    objections, plan_promotions, reason_for, said_again,
};
use memory::candidates::{
    Access, CORRECTED, Candidate, CandidateId, DreamState, Evidence, FoundIn, MemoryTxnError,
    Proposal, REMEMBERED, same_words,
};
use memory::curated::{CuratedLine, memory_lines};
use memory::{
    AddOutcome, AddReport, AddedUnder, FileError, MemoryText, Note, Restorable, add_note,
    prepared_line, reinstate,
};
use session::{Entry, Payload, SessionName};

use crate::asked_error::AskedError;
use crate::corrected::Corrected;
use crate::dream::SessionConversations;
use crate::forgetting::restorable_by;
use crate::runtime::HomeAccess;
use crate::writers::grounds::OFFLINE_READING;

/// Number of the owner's last messages that may support figures and names, besides the message that asks.
const SUPPORTING_MAX: usize = 50;

/// Number of the newest entries among which those messages are looked for: a reply of many steps may have hundreds.
const LOOKED_AT_MAX: usize = 2_000;

/// Attempts to write `MEMORY.md` while an editor is saving it.
const TRIES_MAX: usize = 3;

/// The importance, of ten, of a line that the owner asks to remember.
const IMPORTANCE: u8 = 10;

/// Reads a message in which the owner asks: in it, quotation marks and long paragraphs do not mean that somebody else
/// speaks. A block that is quoted, code, or a mail does, and so does a quotation in a message that asks for no line.
static ASKED_READING: TextReading = TextReading {
    in_person: asked_words,
    paragraph_chars_max: usize::MAX,
    ..OFFLINE_READING
};

/// Reads a line as the owner types it, which counts as the owner's in any form.
static TYPED_READING: TextReading = TextReading {
    in_person: str::to_owned,
    opens: |_, _| true,
    ..ASKED_READING
};

/// The words of a message that may ask for a line.
fn asked_words(message: &str) -> String {
    let outside = base::own_words(message);
    let said = outside.replace(base::TAKEN_OUT, " ");
    if base::only_asks(said.trim()) || !extract::asks_for_a_line(&said, message) {
        outside
    } else {
        base::own_lines(message)
    }
}

/// The way to read the text that asks for a line.
fn reading(proposer: Proposer) -> &'static TextReading {
    match proposer {
        Proposer::Model => &ASKED_READING,
        Proposer::Engine { .. } => &TYPED_READING,
    }
}

/// A line that the owner asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedLine {
    /// The text of the line.
    pub text: String,
    /// The heading of `MEMORY.md`; by default, that of the replaced line, or the last one.
    pub section: Option<String>,
    /// The line or note that it replaces.
    pub replaces: Option<Corrected>,
    /// Why that line changes.
    pub reason: ChangeReason,
}

/// The effect of asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskedOutcome {
    /// `MEMORY.md` has the line.
    Taken(Candidate),
    /// The line to replace is the owner's own: the new one waits for the owner's review next to it.
    Beside(Candidate),
    /// Nothing changed, for this reason.
    Refused(String),
}

/// The messages of the owner in a session up to now: the one that waits for a reply first, then those before it, newest
/// first. Empty if the message that waits for a reply is not the owner's.
pub(crate) fn owner_said(
    home: &HomeAccess,
    name: &SessionName,
) -> Result<Vec<SpokenMessage>, AskedError> {
    let workspace = Arc::clone(&home.workspace);
    let conversations = SessionConversations::new(home.sessions.clone(), workspace);
    let mut said: Vec<SpokenMessage> = Vec::new();
    let mut n_owners = 0;
    let mut ends = |entry: &Entry| {
        n_owners += usize::from(is_of_owner(entry));
        n_owners > SUPPORTING_MAX
    };
    conversations.newest(name, (LOOKED_AT_MAX, &mut ends), &mut |message| {
        if message.is_person {
            said.push(message);
        }
    })?;
    let is_owners = |message: &SpokenMessage| message.origin == Origin::Owner;
    if !said.last().is_some_and(is_owners) {
        return Ok(Vec::new());
    }
    said.retain(is_owners);
    said.reverse();
    said.truncate(1 + SUPPORTING_MAX);
    Ok(said)
}

fn is_of_owner(entry: &Entry) -> bool {
    let Payload::Message(stored) = &entry.payload else {
        return false;
    };
    stored.origin() == Origin::Owner && matches!(stored.message, Message::User { .. })
}

/// The owner's message that waits for a reply, if the newest message of a person is the owner's.
pub(crate) fn owner_asked(
    home: &HomeAccess,
    name: &SessionName,
) -> Result<Option<EntryId>, AskedError> {
    let said = owner_said(home, name)?;
    Ok(said.into_iter().next().map(|own| own.entry))
}

/// Remembers what the owner said in these messages, of which the first holds the quote.
pub(crate) fn remember_said(
    home: &HomeAccess,
    said: &[SpokenMessage],
    (line, quote): (&AskedLine, &str),
) -> Result<AskedOutcome, AskedError> {
    let sources = said.iter().map(|own| source_of(home, own));
    let found_in = FoundIn::SessionReplay;
    let from = (sources.collect(), found_in);
    take_effect(
        home,
        from,
        (line, quote),
        (Proposer::Model, PlanMode::Apply),
    )
}

/// Remembers words of a message in which the owner asks to keep them.
pub(crate) fn remember_quoted(
    home: &HomeAccess,
    said: &SpokenMessage,
    (line, quote): (&AskedLine, &str),
) -> Result<AskedOutcome, AskedError> {
    let from = (vec![source_of(home, said)], FoundIn::SessionReplay);
    take_effect(home, from, (line, quote), (BY_OWNER, PlanMode::Apply))
}

/// What [`remember_quoted`] would do.
pub(crate) fn foreseen_quoted(
    home: &HomeAccess,
    said: &SpokenMessage,
    (line, quote): (&AskedLine, &str),
) -> Result<AskedOutcome, AskedError> {
    let from = (vec![source_of(home, said)], FoundIn::SessionReplay);
    take_effect(home, from, (line, quote), (BY_OWNER, PlanMode::Look))
}

/// Why words of the owner's messages, of which the first holds the quote, may not be written; `None` if they may.
pub(crate) fn objection_to_said(
    home: &HomeAccess,
    said: &[SpokenMessage],
    (line, quote): (&AskedLine, &str),
) -> Result<Option<String>, AskedError> {
    let sources = said.iter().map(|own| source_of(home, own));
    let from = (sources.collect(), FoundIn::SessionReplay);
    let foreseen = take_effect(home, from, (line, quote), (Proposer::Model, PlanMode::Look))?;
    Ok(match foreseen {
        AskedOutcome::Refused(because) => Some(because),
        AskedOutcome::Taken(_) | AskedOutcome::Beside(_) => None,
    })
}

/// The owner asked for the line, and its words are the owner's.
const BY_OWNER: Proposer = Proposer::Engine { is_asked: true };

fn source_of(home: &HomeAccess, said: &SpokenMessage) -> MaterialSource {
    MaterialSource {
        path: said.path.clone(),
        key: said.entry.to_string(),
        line: said.line,
        text: said.text.clone(),
        origin: said.origin,
        day: home.day(said.at),
        at: Some(said.at),
        scope: None,
    }
}

/// Remembers a line that the owner types outside a conversation, word for word: notes it in today's log, which is then
/// the evidence of the line. A text that `MEMORY.md` would reject is not noted.
///
/// # Errors
///
/// [`AskedError`]; `MEMORY.md` is unchanged, but the log may have the note.
pub fn remember_typed(home: &HomeAccess, asked: &AskedLine) -> Result<AskedOutcome, AskedError> {
    let today = home.workspace.log_path(home.today());
    let text = prepared_line(&asked.text);
    if text.is_empty() {
        return Ok(AskedOutcome::Refused("the text is empty".to_owned()));
    }
    let foreseen = typed(home, (today.as_str(), 1), &text);
    if let refused @ AskedOutcome::Refused(_) = effect(home, foreseen, asked, PlanMode::Look)? {
        return Ok(refused);
    }
    let note = Note {
        text: asked.text.clone(),
        evidence: Vec::new(),
        origin: Origin::Owner,
    };
    let under = AddedUnder {
        known_from: asked.replaces.as_ref().and_then(Corrected::repository),
        ..AddedUnder::default()
    };
    let now = home.clock.now();
    let noted = add_note(&home.workspace, (&note, &under), now, home.timezone)?;
    let line = match noted.outcome {
        AddOutcome::Added(line) => line,
        AddOutcome::AlreadyThere => line_of(home, now, &noted)?,
        AddOutcome::Empty => return Ok(AskedOutcome::Refused("the text is empty".to_owned())),
        AddOutcome::Forgotten(id) => {
            let undo = home
                .invocation
                .command(&format!("memory forget --undo {id}"));
            let because = match restorable_by(&home.workspace, &id) {
                Restorable::Whole | Restorable::WithoutLines => {
                    format!("it was forgotten; `{undo}` restores it")
                }
                Restorable::Nothing => {
                    format!("it was forgotten for good; after `{undo}` memory can have it again")
                }
            };
            return Ok(AskedOutcome::Refused(because));
        }
    };
    let source = typed(home, (noted.log.as_str(), line), &noted.text);
    effect(home, source, asked, PlanMode::Apply)
}

/// The owner's typed text, as evidence in a line of the log.
fn typed(home: &HomeAccess, (log, line): (&str, usize), text: &str) -> MaterialSource {
    let now = home.clock.now();
    MaterialSource {
        path: log.to_owned(),
        key: Evidence::key_by_hand(text),
        line,
        text: text.to_owned(),
        origin: Origin::Owner,
        day: home.day(now),
        at: Some(now),
        scope: None,
    }
}

fn effect(
    home: &HomeAccess,
    source: MaterialSource,
    asked: &AskedLine,
    mode: PlanMode,
) -> Result<AskedOutcome, AskedError> {
    let quote = source.text.clone();
    let from = (vec![source], FoundIn::DailyLog);
    take_effect(home, from, (asked, &quote), (BY_OWNER, mode))
}

/// The line of today's log that has the text which was noted before.
fn line_of(home: &HomeAccess, now: Timestamp, noted: &AddReport) -> Result<usize, AskedError> {
    let items = home.workspace.log_items(home.day(now));
    let items = items.map_err(|error| SourceError::new(noted.log.as_str(), error))?;
    let said = same_words(&noted.text);
    let found = items.iter().find(|own| same_words(&own.text) == said);
    Ok(found.map_or(1, |own| own.line))
}

/// Whether a plan is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlanMode {
    Apply,
    /// Only report the outcome.
    Look,
}

fn take_effect(
    home: &HomeAccess,
    (sources, found_in): (Vec<MaterialSource>, FoundIn),
    (line, quote): (&AskedLine, &str),
    (proposer, mode): (Proposer, PlanMode),
) -> Result<AskedOutcome, AskedError> {
    let numbered = sources.into_iter().zip(1_u64..);
    let items = numbered.map(|(source, number)| item(source, number, found_in));
    let material = Material {
        items: items.collect(),
        ..Material::default()
    };
    let operation = operation(&material, (line, quote), proposer);
    let mut tries = 0;
    loop {
        match planned(home, &material, (&operation, line), mode) {
            Err(AskedError::MemoryTxn(
                MemoryTxnError::File(FileError::Changed(_)) | MemoryTxnError::Forgotten,
            )) if tries < TRIES_MAX => tries += 1,
            outcome => return outcome,
        }
    }
}

fn item(source: MaterialSource, number: u64, found_in: FoundIn) -> MaterialItem {
    MaterialItem {
        label: format!("e{number}"),
        text: source.text.clone(),
        key: String::new(),
        origin: source.origin,
        at: source.at.unwrap_or_default(),
        day: source.day,
        found_in,
        sources: vec![source],
        heard: Vec::new(),
        offset: None,
        is_orphan: false,
    }
}

fn operation(
    material: &Material,
    (line, quote): (&AskedLine, &str),
    proposer: Proposer,
) -> Operation {
    let of_line = line.replaces.as_ref();
    let of_line = of_line.and_then(|own| own.line().section.clone());
    let last = MEMORY_SECTIONS.last().copied().unwrap_or_default();
    let section = line.section.clone().or(of_line);
    Operation {
        kind: match &line.replaces {
            None => OperationKind::Add,
            Some(Corrected::Line(line)) => OperationKind::Update(Some(line.clone())),
            Some(Corrected::Note(note)) => OperationKind::Renew(note.clone()),
        },
        section: section.unwrap_or_else(|| last.to_owned()),
        text: line.text.clone(),
        importance: IMPORTANCE,
        evidence: material
            .items
            .iter()
            .map(|item| item.label.clone())
            .collect(),
        quote: quote.to_owned(),
        waiting: None,
        reason: line.reason,
        proposer,
    }
}

/// The waiting candidate that states exactly what the owner asks for, and that the line replaces.
fn waiting_for(state: &DreamState, operation: &Operation) -> Option<CandidateId> {
    let asked = same_words(&operation.text);
    let changed = operation.kind.line().and_then(CuratedLine::id);
    let mut pending = state.pending.iter();
    let found = pending.find(|own| {
        !matches!(own.proposal, Proposal::Beside { .. })
            && own.proposal.changed_line() == changed
            && own.wordings().any(|words| same_words(words) == asked)
    });
    found.map(|own| own.id.clone())
}

/// The state without earlier decisions about a text, as the owner now says otherwise, and without the candidate that
/// waits to say the same.
fn undecided(state: &DreamState, (text, waiting): (&str, Option<&CandidateId>)) -> DreamState {
    let asked = same_words(text);
    let mut state = state.clone();
    state.pending.retain(|own| Some(&own.id) != waiting);
    state.rejected.remove(&asked);
    let is_about = |own: &Candidate| own.wordings().any(|words| same_words(words) == asked);
    state.history.retain(|own| !is_about(own));
    state
}

/// Why a model must word a line differently, addressed to the model.
fn objection(
    home: &HomeAccess,
    material: &Material,
    (operation, memory): (&Operation, &MemoryText),
) -> Option<String> {
    if operation.proposer != Proposer::Model {
        return None;
    }
    let (items, lines) = (&material.items, memory_lines(memory));
    let operations = std::slice::from_ref(operation);
    let found = objections(operations, (items, &lines), home.today(), &ASKED_READING);
    let mut found = found.into_iter().map(|own| own.because);
    found.find(|because| !because.is_empty())
}

/// Plans against the current memory. Applies the plan only if it does what was asked. A plan that would wait for review
/// is rejected instead, so that the request can be reworded.
fn planned(
    home: &HomeAccess,
    material: &Material,
    (operation, line): (&Operation, &AskedLine),
    mode: PlanMode,
) -> Result<AskedOutcome, AskedError> {
    // The owner's word takes effect whatever is set for dreams.
    let settings = DreamSettings {
        triggers: Vec::new(),
        lookback_days: 1,
        promotion: Promotion::Gated,
        daily_tokens: TokenCount::ZERO,
        review_per_day: usize::MAX,
        review_waiting: usize::MAX,
    };
    let mut desk = home.desk(match mode {
        PlanMode::Apply => Access::Write,
        // Without tombstones: the owner may say forgotten text again.
        PlanMode::Look => Access::Read,
    })?;
    let operation = &said_again(operation.clone(), desk.memory(), desk.state());
    if let Some(because) = objection(home, material, (operation, desk.memory())) {
        return Ok(AskedOutcome::Refused(because));
    }
    let waiting = waiting_for(desk.state(), operation);
    let state = undecided(desk.state(), (&operation.text, waiting.as_ref()));
    let input = PlanInput {
        material,
        memory: desk.memory(),
        state: &state,
        tombstones: desk.tombstones(),
        earned: &Earned::default(),
        settings: &settings,
        reading: reading(operation.proposer),
        now: home.clock.now(),
        timezone: home.timezone,
        due: None,
        spent: (TokenCount::ZERO, TokenCount::ZERO),
    };
    let proposals = Proposals {
        operations: vec![operation.clone()],
        ..Proposals::default()
    };
    let (mut plan, report) = plan_promotions(&input, &proposals);
    let cause = match &line.replaces {
        None => format!("{REMEMBERED}{}", prepared_line(&operation.text)),
        Some(_) => format!("{CORRECTED}{}", prepared_line(&operation.text)),
    };
    let (candidate, is_taken) = match (plan.promoted.first(), plan.staged.first()) {
        (Some(own), _) => (own.clone(), true),
        (None, Some(own)) if matches!(own.proposal, Proposal::Beside { .. }) => {
            (own.clone(), false)
        }
        (None, Some(own)) => {
            let because = own.staged_because.as_deref().unwrap_or_default();
            let because = reason_for(because, operation.proposer);
            return Ok(AskedOutcome::Refused(because.to_owned()));
        }
        (None, None) => {
            let refused = report.refused.first();
            let because = refused.map(|(refusal, _)| refusal.words_for(operation.proposer));
            return Ok(AskedOutcome::Refused(
                because.unwrap_or_default().to_owned(),
            ));
        }
    };
    if mode == PlanMode::Apply {
        plan.withdrawn.extend(waiting);
        plan.log = Some(cause.clone());
        plan.asked = Some(cause);
        reinstate(&home.workspace, &candidate.finding)?;
        desk.dream(&plan)?;
    }
    Ok(if is_taken {
        AskedOutcome::Taken(candidate)
    } else {
        AskedOutcome::Beside(candidate)
    })
}
