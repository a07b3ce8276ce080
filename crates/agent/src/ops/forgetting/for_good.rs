//! Removes for good what was forgotten: there is no undo, and the transcripts lose it too.
//!
//! Redacts as `session redact` does: every line of a transcript keeps its place and its length.

use std::collections::{BTreeMap, BTreeSet};

use base::EntryId;
use base::disk::LockError;
use memory::{ForgetPlan, purge};
use session::{LineContent, Payload, Redaction, SessionName};

use crate::knowledge::session_source::SessionSource;
use crate::ops::{OpContext, OpError};
use crate::proof::{PIECE_CHARS_MIN, drop_typed, pieces_of};
use crate::runtime::resume_limit;

/// The texts that a plan forgets, as they are.
pub(super) struct ForgottenTexts {
    /// All of them: notes, candidates and messages, or the hidden sentences of messages.
    pub(super) all: Vec<String>,
    /// Those that leave every message: notes, candidates and hidden sentences, but not what else a message says that is
    /// forgotten as a whole, such as a greeting.
    facts: Vec<String>,
    /// What leaves each transcript.
    redactions: BTreeMap<SessionName, Redaction>,
}

impl ForgottenTexts {
    /// Reads the texts. Call it before they are removed.
    pub(super) fn of(plan: &ForgetPlan, at: &OpContext<'_>) -> Result<Self, OpError> {
        let lines = plan.lines.iter().map(|own| own.text.clone());
        let candidates = plan.candidates.iter().map(|own| own.finding.clone());
        let mut all: Vec<String> = lines.chain(candidates).collect();
        let mut redactions: BTreeMap<SessionName, Redaction> = BTreeMap::new();
        for own in &plan.entries {
            let Some(name) = SessionSource::name_of(&own.entry.path) else {
                continue;
            };
            let redaction = redactions.entry(name).or_default();
            if own.entry.is_whole() {
                redaction.entries.insert(own.entry.id.clone());
            } else {
                let sentences = own.part.lines().map(str::trim);
                let sentences = sentences.filter(|it| !it.is_empty()).map(str::to_owned);
                redaction.words.extend(sentences);
                all.push(own.part.clone());
            }
        }
        let facts = all.clone();
        for (name, redaction) in &redactions {
            all.extend(said_in(name, &redaction.entries, at)?);
        }
        Ok(Self {
            all,
            facts,
            redactions,
        })
    }
}

impl ForgottenTexts {
    /// What leaves a transcript: its own messages, and the sentences of the facts, which tools and replies repeat.
    fn redaction_of(&self, name: &SessionName) -> Redaction {
        let mut redaction = self.redactions.get(name).cloned().unwrap_or_default();
        redaction.words.extend(self.telling());
        redaction
    }

    /// The sentences that are long enough to be removed wherever they stand.
    fn telling(&self) -> Vec<String> {
        let pieces = pieces_of(self.facts.iter().map(String::as_str));
        let is_telling = |it: &String| it.chars().count() >= PIECE_CHARS_MIN;
        pieces.into_iter().filter(is_telling).collect()
    }
}

/// The texts of these entries.
fn said_in(
    name: &SessionName,
    entries: &BTreeSet<EntryId>,
    at: &OpContext<'_>,
) -> Result<Vec<String>, OpError> {
    let mut said = Vec::new();
    if entries.is_empty() {
        return Ok(said);
    }
    for line in at.home.sessions.lines(name)? {
        if let LineContent::Entry(entry) = line?.content
            && entries.contains(&entry.id)
            && let Payload::Message(stored) = &entry.payload
        {
            said.push(stored.message.text());
        }
    }
    Ok(said)
}

/// Deletes every copy that an undo would need, what was typed, and the index; then takes the texts out of the
/// transcripts. Returns what could not be done, in words.
///
/// # Errors
///
/// [`OpError`]; everything stays hidden, and the same request made again removes the rest.
pub(super) fn remove_for_good(
    plan: &ForgetPlan,
    texts: &ForgottenTexts,
    at: &OpContext<'_>,
) -> Result<Vec<String>, OpError> {
    let home = at.home;
    let gone = plan.gone(&[]);
    let unread = purge(
        &home.workspace,
        &ForgetPlan::default(),
        &gone,
        home.clock.now(),
    );
    let unread = unread.map_err(crate::forgetting::ForgetPlanError::from)?;
    let history = home.workspace.layout().chat_history();
    let typed = texts.all.iter().map(String::as_str);
    drop_typed(&*home.sessions.disk(), &history, &texts.telling(), typed)?;
    // The transcripts go last: only they tell what was said, so that the request can be made again after a crash.
    let mut left: Vec<String> = unread
        .map(|error| base::with_causes(&error))
        .into_iter()
        .collect();
    for name in home.sessions.names()? {
        let redaction = texts.redaction_of(&name);
        match home.sessions.plan_redaction(&name, &redaction) {
            Ok(planned) if planned.is_empty() => continue,
            Ok(_) => {}
            Err(error) => {
                left.push(format!(
                    "session {name} cannot be read and may still contain it: {}",
                    base::with_causes(&error)
                ));
                continue;
            }
        }
        let _background = home.sessions.lock_background(&name)?;
        let turn = home.sessions.begin_turn(&name, resume_limit(at.window))?;
        turn.redact(&redaction)?;
    }
    Ok(left)
}

/// Deletes the index; returns why it is still there, in words.
pub(super) fn drop_index(at: &OpContext<'_>) -> Result<Option<String>, OpError> {
    match at.knowledge()?.drop_index() {
        Ok(()) => Ok(None),
        Err(LockError::Disk(error)) => Err(error.into()),
        Err(held @ LockError::Held { .. }) => Ok(Some(format!(
            "{held}: the index no longer shows the text but may still contain it"
        ))),
    }
}
