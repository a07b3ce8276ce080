//! Makes, moves and ends promises at the owner's word.
//!
//! Durability: the record is on disk before the line.

use base::dates::When;
use base::{EntryId, Origin, SessionId, Timestamp, Tz, scope_of, short_hash};

use super::claim::local;
use super::earlier::earlier_promises;
use super::occasion::{Occasion, PromiseTime};
use super::page::{Page, Promise, PromiseKind};
use super::plan::PromiseError;
use crate::Workspace;
use crate::files::keep;
use crate::ledger::NoteRecord;
use crate::note::{Note, NoteId, prepare};
use crate::tombstone::reinstate;
use crate::workspace::PROMISES_FILE;

/// A new promise.
#[derive(Debug, Clone)]
pub struct NewPromise {
    /// Whether the owner asked for it or the assistant promised it.
    pub kind: PromiseKind,
    /// When it is brought up.
    pub occasion: Occasion,
    /// The text of the promise; written on one line, secrets removed.
    pub text: String,
    /// Who answers for it.
    pub origin: Origin,
    /// The messages that ask for it.
    pub evidence: Vec<EntryId>,
    /// The session that it was made in; one of a repository gives the promise its scope.
    pub session: Option<SessionId>,
}

impl NewPromise {
    /// What the owner asked to be reminded of, at a time that was read.
    pub fn reminder(when: When, text: String) -> Self {
        Self::of(PromiseKind::Reminder, Occasion::at(when), text)
    }

    /// What the owner asked to be told when a conversation comes to a subject; the subject is written on one line.
    pub fn about(subject: &str, text: String) -> Self {
        // Behind the first colon begins the text.
        let subject = prepare(subject).replace(": ", " ");
        let subject = subject.trim_end_matches(':').to_owned();
        Self::of(PromiseKind::Subject, Occasion::Subject(subject), text)
    }

    fn of(kind: PromiseKind, occasion: Occasion, text: String) -> Self {
        Self {
            kind,
            occasion,
            text,
            origin: Origin::Owner,
            evidence: Vec::new(),
            session: None,
        }
    }
}

/// A change of a promise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromiseChange {
    /// It is done: its line is ticked off, and the promise is not shown again.
    Done,
    /// It is not to be kept: its line is removed.
    Drop,
    /// It is due at another time; the next time of a repetition is.
    Snooze(PromiseTime),
    /// It is due by another repetition.
    Repeat(Occasion),
    /// The owner wants to be reminded of what the assistant promised.
    Keep,
}

/// A promise that was added, or one that said the same before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedPromise {
    /// The promise.
    pub promise: Promise,
    /// Whether it was not there before.
    pub is_new: bool,
}

/// A promise before and after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedPromise {
    /// As it was; `None` if it was not there.
    pub before: Option<Promise>,
    /// As it is; `None` if it is gone.
    pub after: Option<Promise>,
}

/// Writes a promise into the page, unless it says the same as one that is known: an open one, or for what the assistant
/// promised, one of the same sentence, which the owner may have dropped.
///
/// # Errors
///
/// [`PromiseError`]; nothing was written.
pub fn add_promise(
    workspace: &Workspace,
    new: NewPromise,
    now: Timestamp,
    timezone: Tz,
) -> Result<AddedPromise, PromiseError> {
    let text = prepare(&new.text);
    if text.is_empty() {
        return Err(PromiseError::Empty);
    }
    if new.occasion.subject().is_some_and(str::is_empty) {
        return Err(PromiseError::NoSubject);
    }
    let _lock = workspace.lock_curated()?;
    let scope = new.session.as_ref().and_then(|own| scope_of(own.as_str()));
    let scope = scope.map(str::to_owned);
    let mut promise = Promise {
        id: String::new(),
        kind: new.kind,
        occasion: new.occasion,
        text,
        is_done: false,
        line: 0,
        origin: new.origin,
        evidence: new.evidence.clone(),
        scope,
    };
    let file = workspace.promises_file()?;
    let mut is_new = true;
    let earlier = match promise.kind {
        PromiseKind::Promised => earlier_promises(workspace, now, timezone)?,
        PromiseKind::Reminder | PromiseKind::Subject => Vec::new(),
    };
    if new.origin == Origin::Owner {
        // A forgotten line of the page is hidden with its time.
        reinstate(workspace, &promise.text)?;
        reinstate(workspace, &promise.item())?;
    }
    file.edit::<PromiseError>(|found| {
        let mut page = workspace.promises_page(found.unwrap_or_default(), local(now, timezone))?;
        let listed = page.promises.iter();
        let listed = listed.filter(|own| promise.has_words_of(own) || promise.has_source_of(own));
        let mut same = listed.chain(earlier.iter().filter(|own| promise.has_source_of(own)));
        if let Some(known) = same.next() {
            (promise, is_new) = (known.clone(), false);
            return Ok(None);
        }
        promise.id = free_id(&page, &promise, now);
        let note = Note {
            text: promise.text.clone(),
            evidence: new.evidence.clone(),
            origin: new.origin,
        };
        let record = note.record(
            PROMISES_FILE,
            &NoteId::new(promise.id.clone()),
            &promise.item(),
        );
        workspace.commit_records(&[NoteRecord {
            origin: new.origin,
            session: new.session.as_ref().map(ToString::to_string),
            ..record
        }])?;
        keep_copy(workspace, found, now)?;
        page.add(&promise);
        Ok(Some(page.bytes()))
    })?;
    Ok(AddedPromise { promise, is_new })
}

impl Promise {
    /// Whether an open promise has the words of this one.
    fn has_words_of(&self, known: &Self) -> bool {
        !known.is_done && known.item() == self.item() && known.scope == self.scope
    }

    /// Whether both are what the assistant promised in the same messages for the same time.
    fn has_source_of(&self, known: &Self) -> bool {
        let is_promised = [self.kind, known.kind] == [PromiseKind::Promised; 2];
        is_promised && known.evidence == self.evidence && known.occasion == self.occasion
    }
}

/// Keeps a copy of the page for an undo.
pub(super) fn keep_copy(
    workspace: &Workspace,
    found: Option<&[u8]>,
    now: Timestamp,
) -> Result<(), PromiseError> {
    let path = workspace.root().join(PROMISES_FILE);
    let kept = keep(workspace, (&path, found.unwrap_or_default()), now);
    workspace.poisoning(kept)?;
    Ok(())
}

fn free_id(page: &Page, promise: &Promise, now: Timestamp) -> String {
    let item = promise.item();
    let mut tries = (0..).map(|n: u32| short_hash(&format!("{now}\n{n}\n{item}")));
    let is_free = |id: &String| page.promises.iter().all(|own| own.id != *id);
    tries.find(is_free).unwrap_or_default()
}

/// Changes the promise whose id begins with `id`, if `may_change` accepts its scope.
///
/// # Errors
///
/// [`PromiseError`]; nothing was written.
pub fn change_promise(
    workspace: &Workspace,
    (id, change): (&str, &PromiseChange),
    (now, timezone): (Timestamp, Tz),
    may_change: &dyn Fn(Option<&str>) -> bool,
) -> Result<ChangedPromise, PromiseError> {
    let _lock = workspace.lock_curated()?;
    let file = workspace.promises_file()?;
    let mut changed = None;
    file.edit::<PromiseError>(|found| {
        let mut page = workspace.promises_page(found.unwrap_or_default(), local(now, timezone))?;
        let before = meant(&page, id, may_change)?;
        let mut after = before.clone();
        match change {
            PromiseChange::Done if before.occasion.repeats().is_some() => {
                let next = before.occasion.when().map(|it| it.to_string());
                let why = format!(
                    "it repeats, next on {}; drop it to end the repetition, or snooze it to move the next time",
                    next.unwrap_or_default()
                );
                return Err(PromiseError::Unchanged(why));
            }
            PromiseChange::Done => after.is_done = true,
            PromiseChange::Snooze(_) | PromiseChange::Repeat(_)
                if before.occasion.subject().is_some() =>
            {
                let why = "it has no time, but comes up by its subject; drop it and add it with a time";
                return Err(PromiseError::Unchanged(why.to_owned()));
            }
            PromiseChange::Snooze(when) => {
                // The owner's own time for it is their agreement.
                (after.is_done, after.origin) = (false, Origin::Owner);
                after = after.moved_to(*when);
            }
            PromiseChange::Repeat(occasion) => {
                (after.is_done, after.origin) = (false, Origin::Owner);
                after.occasion = occasion.clone();
            }
            PromiseChange::Keep => after.origin = Origin::Owner,
            PromiseChange::Drop => {
                workspace.commit_records(&[dropped_record(workspace, &before)])?;
                keep_copy(workspace, found, now)?;
                page.text.lines.remove(before.line - 1);
                changed = Some(ChangedPromise {
                    before: Some(before),
                    after: None,
                });
                return Ok(Some(page.bytes()));
            }
        }
        let is_same = before == after;
        changed = Some(ChangedPromise {
            before: Some(before),
            after: Some(after.clone()),
        });
        if is_same {
            return Ok(None);
        }
        workspace.commit_records(&[workspace.record_of(&after)])?;
        keep_copy(workspace, found, now)?;
        page.put(&after);
        Ok(Some(page.bytes()))
    })?;
    changed.ok_or_else(|| PromiseError::NotFound(id.to_owned()))
}

/// The record of a line that a command took out: it is the hash of no text.
pub(super) fn dropped_record(workspace: &Workspace, promise: &Promise) -> NoteRecord {
    NoteRecord {
        hash: String::new(),
        ..workspace.record_of(promise)
    }
}

pub(super) fn meant(
    page: &Page,
    id: &str,
    may_change: &dyn Fn(Option<&str>) -> bool,
) -> Result<Promise, PromiseError> {
    let id = id.trim_start_matches('^');
    let mut found = page
        .promises
        .iter()
        .filter(|own| own.id.starts_with(id) && !id.is_empty() && may_change(own.scope.as_deref()));
    let first = found
        .next()
        .ok_or_else(|| PromiseError::NotFound(id.to_owned()))?;
    match found.next() {
        Some(_) => Err(PromiseError::Several(id.to_owned())),
        None => Ok(first.clone()),
    }
}
