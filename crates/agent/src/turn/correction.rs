//! Corrections in a conversation that no model answers: they take effect at once where it is certain which line is meant.
//!
//! Judges by words and by what was just said; never guesses between two lines.

use base::model::ListedLine;
use base::{
    EntryId, Invocation, LineRange, Locator, Message, Origin, only_asks, redact, shell_quoted,
};
use dreaming::{ChangeReason, holds_quote};
use extract::{AskedCorrection, correction_asked};
use memory::candidates::same_words;
use memory::curated::current_value;
use memory::n_words_held;
use session::{Turn, ViewItem};

use crate::asked::{AskedLine, AskedOutcome, foreseen_quoted, owner_said, remember_quoted};
use crate::asked_error::AskedError;
use crate::corrected::{Corrected, standing_lines, standing_notes};
use crate::event::{Event, OnEvent};
use crate::knowledge::index::COMMON_WORDS;
use crate::runtime::Runtime;
use crate::tools::{lasting, toolbox};

/// Number of lines that are offered where it is not certain which one is meant.
const OFFERED_MAX: usize = 3;

/// What a correction of the owner does.
pub(super) enum Correction {
    /// It changes this line.
    Certain(AskedLine),
    /// It may mean one of these lines, each with the command that corrects it.
    Unsure(Vec<ListedLine>),
}

/// A line or note that may be meant.
struct MeantLine {
    place: Locator,
    text: String,
    replaces: Corrected,
    /// Whether it was just said or quoted.
    is_recent: bool,
    /// How it reads with the correction, if that fits it.
    applied: Option<String>,
    /// Number of words that it has in common with the correction, and with the question before.
    n_shared: usize,
    n_asked: usize,
}

/// What the owner's newest message corrects, in a session that may change memory; `None` for any other message, and if
/// memory has nothing like it.
pub(super) fn correction_of(
    runtime: &Runtime,
    turn: &Turn,
) -> Result<Option<Correction>, AskedError> {
    if !toolbox::may_remember(runtime, turn.name()) {
        return Ok(None);
    }
    let recent = Recent::of(turn);
    let Some(asked) = recent.message.as_deref().and_then(correction_asked) else {
        return Ok(None);
    };
    let home = &runtime.home;
    let mut found: Vec<MeantLine> = Vec::new();
    for line in standing_lines(home)? {
        let place = Locator::new(
            home.workspace.memory_path().to_string(),
            LineRange::line(line.number),
        );
        let keys = line.evidence().iter().map(|own| own.key.clone());
        let keys: Vec<EntryId> = keys.map(EntryId::new).collect();
        let replaces = Corrected::Line(line);
        found.push(MeantLine::new(place, replaces, (&asked, &recent), &keys));
    }
    let notes = standing_notes(home, &|text| {
        asked.applied(text, &recent.question).is_some() || recent.quotes(text)
    })?;
    for (line, path, entries) in notes.into_iter().rev() {
        let place = Locator::new(path, LineRange::line(line.number));
        let note = MeantLine::new(place, Corrected::Note(line), (&asked, &recent), &entries);
        let says = same_words(&note.text);
        if found.iter().all(|own| same_words(&own.text) != says) {
            found.push(note);
        }
    }
    if let Some(line) = certain(&asked, &found)
        && let Some(own) = owner_said(home, turn.name())?.first()
    {
        match foreseen_quoted(home, own, (&line, &own.text))? {
            AskedOutcome::Taken(_) => return Ok(Some(Correction::Certain(line))),
            AskedOutcome::Beside(_) => {}
            AskedOutcome::Refused(_) => return Ok(None),
        }
    }
    let offered = offered(&asked, found);
    Ok((!offered.is_empty()).then_some(Correction::Unsure(offered)))
}

/// Carries out a correction that is certain, and tells the owner how to undo it; returns whether there was one.
pub(super) fn keep_correction(runtime: &Runtime, turn: &Turn, on_event: OnEvent<'_>) -> bool {
    let kept = || -> Result<Option<AskedOutcome>, AskedError> {
        let Some(Correction::Certain(line)) = correction_of(runtime, turn)? else {
            return Ok(None);
        };
        let home = &runtime.home;
        let said = owner_said(home, turn.name())?;
        let own = said.first();
        own.map(|own| remember_quoted(home, own, (&line, &own.text)))
            .transpose()
    };
    let event = match kept() {
        Ok(None) => return false,
        Ok(Some(outcome)) => {
            Event::MemoryChanged(lasting::notice(&outcome, &runtime.home.invocation))
        }
        Err(error) => Event::Warning(format!("MEMORY.md was not changed: {error}")),
    };
    on_event(event);
    true
}

/// The change of the only line just said or quoted that the correction fits: a line of `MEMORY.md`, or else a note.
/// Whether another line is meant is for the owner to say.
fn certain(asked: &AskedCorrection, found: &[MeantLine]) -> Option<AskedLine> {
    let fitting = || found.iter().filter(|own| own.applied.is_some());
    if !asked.stands_alone {
        return change_of(answer_among(found)?);
    }
    let meant = || fitting().filter(|own| own.is_recent);
    let is_line = |own: &&MeantLine| matches!(own.replaces, Corrected::Line(_));
    let mut lines = meant().filter(is_line);
    let only = match (lines.next(), lines.next()) {
        (Some(only), None) => only,
        (Some(_), Some(_)) => return None,
        (None, _) => {
            let mut notes = meant();
            notes.next().filter(|_| notes.next().is_none())?
        }
    };
    change_of(only)
}

/// The line that was just said or quoted; if there are several, the one that has more words of the question than the
/// others.
fn answer_among(found: &[MeantLine]) -> Option<&MeantLine> {
    let recent = || found.iter().filter(|own| own.is_recent);
    let most = recent().map(|own| own.n_asked).max()?;
    let mut best = recent().filter(|own| own.n_asked == most);
    best.next().filter(|_| best.next().is_none())
}

fn change_of(only: &MeantLine) -> Option<AskedLine> {
    Some(AskedLine {
        text: only.applied.clone()?,
        section: None,
        replaces: Some(only.replaces.clone()),
        reason: ChangeReason::Corrected,
    })
}

/// The likeliest lines, each with the command that corrects it.
fn offered(asked: &AskedCorrection, mut found: Vec<MeantLine>) -> Vec<ListedLine> {
    found.retain(|own| {
        let may_be_meant = own.is_recent && !asked.stands_alone;
        own.applied.is_some() || may_be_meant || own.n_shared > 0
    });
    found.sort_by_key(|own| {
        let rank = (own.applied.is_some(), own.is_recent, own.n_shared);
        std::cmp::Reverse(rank)
    });
    let found = found.into_iter().take(OFFERED_MAX);
    let listed = found.map(|own| {
        let text = own.applied.or_else(|| asked.suggested(&own.text));
        // Backquotes would end the block of code in the reply.
        let text = text.map(|text| shell_quoted(&redact(&text).replace('`', "'")));
        let text = text.unwrap_or_else(|| "TEXT".to_owned());
        let command = format!("memory correct {} {text}", own.place);
        ListedLine {
            heading: None,
            // The chat adds the home where it shows the reply.
            command: Some(Invocation::default().command(&command)),
            text: own.text,
            place: own.place,
            day: None,
        }
    });
    listed.collect()
}

impl MeantLine {
    fn new(
        place: Locator,
        replaces: Corrected,
        (asked, recent): (&AskedCorrection, &Recent),
        entries: &[EntryId],
    ) -> Self {
        let text = current_value(&replaces.line().text).to_owned();
        Self {
            place,
            is_recent: recent.quotes(&text) || recent.was_said_in(entries),
            applied: asked.applied(&text, &recent.question),
            n_shared: n_words_held(&asked.stated, &text, COMMON_WORDS).unwrap_or(0),
            n_asked: n_words_held(&recent.question, &text, COMMON_WORDS).unwrap_or(0),
            text,
            replaces,
        }
    }
}

/// The end of a conversation: what the owner's newest message may refer to.
struct Recent {
    /// The newest message of the owner, who speaks for nobody else.
    message: Option<String>,
    /// The owner's message before it.
    said: Option<EntryId>,
    /// The same, if it only asks.
    question: String,
    /// The reply to that.
    reply: String,
}

impl Recent {
    fn of(turn: &Turn) -> Self {
        let is_owners = |item: &ViewItem| {
            item.origin == Origin::Owner
                && matches!(item.message(), Some(Message::User { name: None, .. }))
        };
        let is_user = |item: &&ViewItem| matches!(item.message(), Some(Message::User { .. }));
        let items = turn.view().items.iter();
        let mut items = items.rev().skip_while(|item| !is_user(item));
        let newest = items.next().filter(|item| is_owners(item));
        let mut replies: Vec<String> = Vec::new();
        let (mut said, mut question) = (None, String::new());
        for item in items {
            if is_user(&item) {
                said = is_owners(item).then(|| item.entry.clone());
                let text = item.message().map(Message::text).unwrap_or_default();
                question = Some(text).filter(|it| only_asks(it)).unwrap_or_default();
                break;
            }
            if let Some(reply @ Message::Assistant(_)) = item.message() {
                replies.push(reply.text());
            }
        }
        Self {
            message: newest.and_then(ViewItem::message).map(Message::text),
            said,
            question,
            reply: replies.join("\n"),
        }
    }

    fn quotes(&self, text: &str) -> bool {
        holds_quote(&self.reply, text)
    }

    fn was_said_in(&self, entries: &[EntryId]) -> bool {
        self.said
            .as_ref()
            .is_some_and(|said| entries.contains(said))
    }
}

#[cfg(test)]
#[path = "correction_tests.rs"]
mod tests;
