//! Requests of the owner to remember something and requests for a reminder take effect in that turn, whichever model
//! answers, also if it calls no tool for them. Corrections take effect if the offline engine answers.
//!
//! The engine proposes as it does for a dream; only sentences that the owner explicitly asked to keep are used.

use base::model::{Excerpt, ExtractorInput, Purpose, Quoting, Request};
use base::{MEMORY_SECTIONS, Message, Origin, TokenCount, ToolOutcome};
use dreaming::{ChangeReason, KnownMemory, Operation, Proposer, ReplyFrom, parse_proposals};
use session::{Turn, ViewItem};

use crate::asked::{AskedLine, AskedOutcome, owner_said, remember_quoted};
use crate::asked_error::AskedError;
use crate::event::{Event, OnEvent};
use crate::runtime::Runtime;
use crate::tools::spec::only_confirms;
use crate::tools::{lasting, toolbox};
use crate::turn::correction::keep_correction;
use crate::turn::keep_reminder::{BesidesReminders, keep_reminders};
use crate::turn::refused_reminder::take_back_refused;
use crate::writers::unseen::complete_unseen;

/// Writes into `MEMORY.md` what the owner's newest message asks to keep, and tells the owner how to undo it. The origin
/// is that of the reply.
pub(crate) async fn keep_asked(
    runtime: &Runtime,
    turn: &Turn,
    origin: Origin,
    on_event: OnEvent<'_>,
) {
    if !toolbox::may_remember(runtime, turn.name()) {
        return;
    }
    let besides = keep_reminders(runtime, turn, on_event);
    let is_offline = origin == Origin::System;
    if !is_offline && (has_changed_memory(turn) || !asks_for_a_line(turn)) {
        return;
    }
    let part = match besides {
        BesidesReminders::Nothing => return,
        BesidesReminders::Remember(part) => Some(part),
        BesidesReminders::NoReminder if !is_offline => None,
        BesidesReminders::NoReminder if take_back_refused(runtime, turn, on_event) => return,
        BesidesReminders::NoReminder if keep_correction(runtime, turn, on_event) => return,
        BesidesReminders::NoReminder => None,
    };
    for operation in asked(runtime, turn, part).await {
        match kept(runtime, turn, &operation) {
            // A model has answered the request in words of its own.
            Ok(Some(AskedOutcome::Refused(_))) if !is_offline => {}
            Ok(outcome) => outcome.into_iter().for_each(|it| {
                let notice = lasting::notice(&it, &runtime.home.invocation);
                on_event(Event::MemoryChanged(notice));
            }),
            Err(error) => {
                let warning = format!("MEMORY.md was not changed: {error}");
                on_event(Event::Warning(warning));
            }
        }
    }
}

/// Whether the owner's newest message asks to remember something.
fn asks_for_a_line(turn: &Turn) -> bool {
    let text = newest_of_owner(turn).map(|own| own.message.text());
    text.is_some_and(|text| extract::asks_for_a_line(&text, &text))
}

/// Whether a model has called a tool that changes memory since the newest message of a person: then it has dealt with
/// the request itself.
fn has_changed_memory(turn: &Turn) -> bool {
    let messages = turn.view().items.iter().rev().filter_map(ViewItem::message);
    let mut since = messages.take_while(|message| !matches!(message, Message::User { .. }));
    since.any(|message| {
        matches!(message, Message::ToolResult(result)
            if only_confirms(&result.tool_name) && result.outcome == ToolOutcome::Success)
    })
}

/// The lines that the owner's newest message asks for, or the part of it that is no reminder.
async fn asked(runtime: &Runtime, turn: &Turn, part: Option<String>) -> Vec<Operation> {
    let Some(mut excerpt) = newest_of_owner(turn) else {
        return Vec::new();
    };
    if let Some(part) = part {
        excerpt.message = Message::user(part);
    }
    let evidence = ExtractorInput::from(vec![excerpt]);
    let offline = Quoting {
        extractor: &*runtime.engine.models.offline,
        evidence: &evidence,
    };
    let request = Request::new(Purpose::Consolidate, "", Vec::new(), REPLY_MAX);
    // The engine sends no warnings, and it never fails.
    let reply = complete_unseen(&offline, &request, &mut |_| {}).await;
    let reply = reply.map(|it| Message::Assistant(it).text());
    let reply = reply.unwrap_or_default();
    let found = parse_proposals(&reply, ReplyFrom::Engine, KnownMemory::default());
    let mut asked = found.operations;
    let is_standing = |own: &Operation| MEMORY_SECTIONS.first() == Some(&own.section.as_str());
    // A standing instruction was given, but nobody asked to keep it: the next dream promotes it.
    asked.retain(|own| own.proposer == Proposer::Engine { is_asked: true } && !is_standing(own));
    asked
}

/// The engine's reply is a selection, whole at any size.
const REPLY_MAX: TokenCount = TokenCount(1_000);

/// The newest message, if the owner wrote it without speaking for somebody else.
pub(super) fn newest_of_owner(turn: &Turn) -> Option<Excerpt> {
    let items = turn.view().items.iter().rev();
    let mut said = items.filter_map(|item| Some((item, item.message()?)));
    let newest = said.find(|(_, message)| matches!(message, Message::User { .. }));
    let (item, message) = newest.filter(|(item, message)| {
        item.origin == Origin::Owner && matches!(message, Message::User { name: None, .. })
    })?;
    Some(Excerpt {
        label: "e1".to_owned(),
        entry: Some(item.entry.clone()),
        at: item.at,
        origin: item.origin,
        message: message.clone().redacted(),
        recalled: None,
    })
}

/// What became of a line; `None` if the owner's message is gone.
fn kept(
    runtime: &Runtime,
    turn: &Turn,
    operation: &Operation,
) -> Result<Option<AskedOutcome>, AskedError> {
    let home = &runtime.home;
    let said = owner_said(home, turn.name())?;
    let line = AskedLine {
        text: operation.text.clone(),
        section: Some(operation.section.clone()),
        replaces: None,
        reason: ChangeReason::Changed,
    };
    let own = said.first();
    own.map(|own| remember_quoted(home, own, (&line, &operation.quote)))
        .transpose()
}

#[cfg(test)]
#[path = "keep_asked_tests.rs"]
mod tests;
