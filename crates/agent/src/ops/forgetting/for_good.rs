//! Removes for good what was forgotten: there is no undo, and the transcripts lose it too.
//!
//! Redacts as `session redact` does: every line of a transcript keeps its place and its length.

use std::collections::{BTreeMap, BTreeSet};

use base::disk::LockError;
use base::{EntryId, LineRange, Locator, with_causes};
use memory::{
    ForgetPlan, PurgeTargets, Reason, Tombstone, Tombstones, begin_removal, begun_removal,
    end_removal, forgotten_candidates, forgotten_passages, keeps_copies, load_tombstones, purge,
    replace_tombstone,
};
use serde::{Deserialize, Serialize};
use session::{
    BeginTurnError, LineContent, Payload, ReadError, RedactedLine, Redaction, SessionName,
};

use super::plan::ForgetItem;
use crate::forgotten_words::ForgottenWords;
use crate::knowledge::session_source::SessionSource;
use crate::ops::{OpContext, OpError};
use crate::proof::{PIECE_CHARS_MIN, drop_typed, is_of_conversation, pieces_of};
use crate::runtime::resume_limit;

/// What removing something for good takes out of the home.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Removal {
    /// The texts: notes, candidates and messages, or the hidden sentences of messages.
    pub(super) texts: BTreeSet<String>,
    /// Those whose sentences leave every transcript: notes, candidates and hidden sentences, but not what else a message
    /// says that is forgotten as a whole, such as a greeting.
    facts: BTreeSet<String>,
    /// What leaves each transcript besides.
    sessions: BTreeMap<String, SessionRemoval>,
}

/// What leaves one transcript.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct SessionRemoval {
    /// The messages that leave as a whole.
    entries: BTreeSet<EntryId>,
    /// The sentences that leave an entry: also those that only repeat the text in other case, or a part of it, which
    /// nothing could recognise once the text is gone.
    parts: BTreeMap<EntryId, BTreeSet<String>>,
}

impl Removal {
    /// What is to be removed for tombstones, of which the last may only be planned. `notes` are the texts of notes and
    /// candidates that they hide. Call it before anything is removed.
    pub(super) fn of(
        tombstones: &[Tombstone],
        notes: impl IntoIterator<Item = String>,
        at: &OpContext<'_>,
    ) -> Result<Self, OpError> {
        let mut removal = Self::default();
        removal.facts.extend(notes);
        let workspace = &at.home.workspace;
        for own in tombstones {
            let passages = forgotten_passages(workspace, own).into_iter();
            removal.facts.extend(passages.map(|(_, text)| text));
            removal.facts.extend(forgotten_candidates(workspace, own)?);
        }
        let gone = Tombstones::new(tombstones.to_vec());
        for name in at.home.sessions.names()? {
            // A session that cannot be read is reported when its text is removed.
            if let Err(error @ ReadError::Disk(_)) = removal.look_through(&name, &gone, at) {
                return Err(error.into());
            }
        }
        removal.texts.extend(removal.facts.iter().cloned());
        for own in tombstones {
            if let Some(record) = begun_removal(workspace, &own.id)? {
                removal.take_in(read_record(own, &record)?);
            }
        }
        Ok(removal)
    }

    fn look_through(
        &mut self,
        name: &SessionName,
        gone: &Tombstones,
        at: &OpContext<'_>,
    ) -> Result<(), ReadError> {
        let sessions = &at.home.sessions;
        let words = ForgottenWords::read(sessions, gone.clone(), name)?;
        let mut own = SessionRemoval::default();
        for line in sessions.lines(name)? {
            let LineContent::Entry(entry) = line?.content else {
                continue;
            };
            let found = words.gone_in(&entry);
            if found.is_whole {
                if let Payload::Message(stored) = &entry.payload
                    && is_of_conversation(&stored.message)
                {
                    self.texts.insert(stored.message.text());
                }
                own.entries.insert(entry.id);
                continue;
            }
            self.facts.extend(found.hidden.iter().cloned());
            let parts: BTreeSet<String> = found.hidden.into_iter().chain(found.near).collect();
            if !parts.is_empty() {
                own.parts.insert(entry.id, parts);
            }
        }
        if own != SessionRemoval::default() {
            self.sessions.insert(name.to_string(), own);
        }
        Ok(())
    }

    /// Adds what an interrupted removal had found.
    fn take_in(&mut self, other: Self) {
        self.texts.extend(other.texts);
        self.facts.extend(other.facts);
        for (name, found) in other.sessions {
            let own = self.sessions.entry(name).or_default();
            own.entries.extend(found.entries);
            for (id, parts) in found.parts {
                own.parts.entry(id).or_default().extend(parts);
            }
        }
    }

    /// What leaves a transcript: its own messages and sentences, and the sentences of the facts, which tools and replies
    /// repeat.
    fn redaction_of(&self, name: &SessionName) -> Redaction {
        let own = self.sessions.get(name.as_str()).cloned();
        let own = own.unwrap_or_default();
        let parts = own.parts.into_iter();
        Redaction {
            entries: own.entries,
            sentences: self.telling(),
            words: Vec::new(),
            parts: parts
                .map(|(id, parts)| (id, parts.into_iter().collect()))
                .collect(),
        }
    }

    /// The sentences that are long enough to be removed wherever they stand, the longest first, because one may be a
    /// part of another.
    fn telling(&self) -> Vec<String> {
        let pieces = pieces_of(self.facts.iter().map(String::as_str));
        let is_telling = |it: &String| it.chars().count() >= PIECE_CHARS_MIN;
        let mut telling: Vec<String> = pieces.into_iter().filter(is_telling).collect();
        telling.sort_by_key(|it| std::cmp::Reverse(it.len()));
        telling
    }

    /// The lines of transcripts that lose text.
    pub(super) fn items(&self, at: &OpContext<'_>) -> Result<Vec<ForgetItem>, OpError> {
        let mut items = Vec::new();
        for name in at.home.sessions.names()? {
            let redaction = self.redaction_of(&name);
            let lines = at.home.sessions.plan_redaction(&name, &redaction);
            let path = SessionSource::path_of(&name);
            items.extend(lines.unwrap_or_default().into_iter().map(|line| {
                let number = usize::try_from(line.number).unwrap_or(usize::MAX);
                let place = Locator::new(path.clone(), LineRange::line(number));
                let text = excerpt(&line, &redaction);
                ForgetItem::new(place, &text, ("remove", "transcript"), Reason::SameText)
            }));
        }
        items.retain(|item| !at.is_hidden(&item.place()));
        Ok(items)
    }
}

/// The record of a removal that has not ended.
fn read_record(tombstone: &Tombstone, record: &[u8]) -> Result<Removal, OpError> {
    serde_json::from_slice(record).map_err(|error| {
        let id = &tombstone.id;
        OpError::invalid(
            "now",
            format!(
                "state/forgotten/{id}.removal, which says what an interrupted removal still has to take out, is damaged \
                 ({error}); move it elsewhere and give the same command again"
            ),
        )
    })
}

/// What a line loses, in its own words.
fn excerpt(line: &RedactedLine, redaction: &Redaction) -> String {
    let parts = line.entry.as_ref().and_then(|id| redaction.parts.get(id));
    let mut words = redaction
        .sentences
        .iter()
        .chain(parts.into_iter().flatten());
    let is_whole = line.entry.as_ref();
    let is_whole = is_whole.is_some_and(|id| redaction.entries.contains(id));
    let found = words.find(|word| !is_whole && line.text.contains(word.as_str()));
    found.unwrap_or(&line.text).clone()
}

/// Whether something is left to remove for a request that was carried out before.
pub(super) fn is_left(
    earlier: &[Tombstone],
    items: &[ForgetItem],
    at: &OpContext<'_>,
) -> Result<bool, OpError> {
    let workspace = &at.home.workspace;
    for own in earlier {
        if begun_removal(workspace, &own.id)?.is_some()
            || keeps_copies(workspace, own)?
            || !forgotten_candidates(workspace, own)?.is_empty()
        {
            return Ok(true);
        }
    }
    Ok(!earlier.is_empty() && items.iter().any(|item| item.action == "remove"))
}

/// Takes the texts out of the transcripts, deletes what was typed, every copy that an undo would need, and the index.
/// Returns what could not be done, in words.
///
/// Durability: the record of the removal is written first and deleted last, so that the same request made again removes
/// the rest after a crash.
///
/// # Errors
///
/// [`OpError`]; everything stays hidden, and the same request made again removes the rest.
pub(super) fn remove_for_good(
    tombstones: &[Tombstone],
    removal: &Removal,
    at: &OpContext<'_>,
) -> Result<Vec<String>, OpError> {
    let home = at.home;
    let workspace = &home.workspace;
    let Some(newest) = tombstones.last() else {
        return Ok(Vec::new());
    };
    let record = serde_json::to_vec(removal).map_err(OpError::invalid_proof)?;
    begin_removal(workspace, &newest.id, &record)?;
    let mut left = redact_sessions(removal, at)?;
    let is_out_of_all = left.is_empty();
    let history = workspace.layout().chat_history();
    let typed = removal.texts.iter().map(String::as_str);
    drop_typed(&*home.sessions.disk(), &history, &removal.telling(), typed)?;
    let gone = PurgeTargets {
        texts: tombstones
            .iter()
            .flat_map(|own| own.texts.clone())
            .collect(),
        entries: tombstones
            .iter()
            .flat_map(|own| own.entries.iter().map(|it| it.id.clone()))
            .collect(),
        ..PurgeTargets::default()
    };
    let unread = purge(workspace, &ForgetPlan::default(), &gone, home.clock.now());
    let unread = unread.map_err(crate::forgetting::ForgetPlanError::from)?;
    left.extend(unread.map(|error| with_causes(&error)));
    left.extend(drop_index(at)?);
    if is_out_of_all {
        mark_gone(tombstones, at)?;
        for own in tombstones {
            end_removal(workspace, &own.id)?;
        }
    }
    Ok(left)
}

/// Records that nothing restores what these tombstones hide.
fn mark_gone(tombstones: &[Tombstone], at: &OpContext<'_>) -> Result<(), OpError> {
    let workspace = &at.home.workspace;
    let all = load_tombstones(workspace)?;
    let is_gone = |own: &&Tombstone| tombstones.iter().any(|it| it.id == own.id);
    for own in all.all().iter().filter(is_gone) {
        let gone = Tombstone {
            gone_at: Some(at.home.clock.now()),
            ..own.clone()
        };
        replace_tombstone(workspace, gone)?;
    }
    Ok(())
}

/// Takes the texts out of the transcripts; returns which may still contain them, in words: those that cannot be read, and
/// those that are in use.
fn redact_sessions(removal: &Removal, at: &OpContext<'_>) -> Result<Vec<String>, OpError> {
    let sessions = &at.home.sessions;
    let mut left = Vec::new();
    for name in sessions.names()? {
        let redaction = removal.redaction_of(&name);
        match sessions.plan_redaction(&name, &redaction) {
            Ok(planned) if planned.is_empty() => continue,
            Ok(_) => {}
            Err(error @ ReadError::Disk(_)) => return Err(error.into()),
            Err(error) => {
                left.push(format!(
                    "session {name} cannot be read and may still contain it: {}; once it can be read, the same command \
                     removes it there",
                    with_causes(&error)
                ));
                continue;
            }
        }
        let locked = sessions.lock_background(&name).and_then(|background| {
            let turn = sessions.begin_turn(&name, resume_limit(at.window))?;
            Ok((background, turn))
        });
        match locked {
            Ok((_background, turn)) => turn.redact(&redaction)?,
            Err(error @ BeginTurnError::Locked(..)) => left.push(format!(
                "{error}: the session still contains it; once that process has ended, the same command removes it there"
            )),
            Err(error) => return Err(error.into()),
        }
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

#[cfg(test)]
#[path = "for_good_tests.rs"]
mod tests;
