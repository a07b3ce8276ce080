//! The owner's message in this turn, and the calls that the tools of the conversation have made.
//!
//! Reads the session; changes nothing.

use std::collections::BTreeSet;

use base::{Message, ToolCall, ToolCallId, ToolOutcome, own_lines, sentences};
use dreaming::{SpokenMessage, holds_quote, is_quote};
use search::CommonWords;
use session::{SessionName, View, ViewItem};

use super::spec::is_own;
use crate::asked::owner_said;
use crate::asked_error::AskedError;
use crate::runtime::{HomeAccess, Runtime};

/// Number of the owner's last messages that can hold the words of a request: `forget that` is about the message before.
const REQUEST_MESSAGES: usize = 2;

/// Number of the owner's last messages that a quote can be from: `remember that` is about one of those before.
const QUOTED_MESSAGES: usize = 4;

/// Minimum length of a word that a longer one says by beginning with it.
const BEGINNING_CHARS_MIN: usize = 4;

/// The owner's message of this turn, and the conversation before it.
pub(super) struct OwnerTurn {
    /// The owner's messages, newest first.
    said: Vec<SpokenMessage>,
    view: View,
}

/// A call of one of our tools in the conversation that was answered.
pub(super) struct PastCall<'v> {
    pub(super) call: &'v ToolCall,
    pub(super) answer: String,
    pub(super) outcome: ToolOutcome,
    /// Number of messages of a person after it.
    pub(super) n_later: usize,
}

impl OwnerTurn {
    /// Reads the session.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, or that the message of this turn is not the owner's.
    pub(super) fn of(runtime: &Runtime, name: &SessionName) -> Result<Self, String> {
        let failed = |error: &dyn std::fmt::Display| format!("Nothing was changed: {error}.");
        let said = owner_said(&runtime.home, name).map_err(|error| failed(&error))?;
        if said.is_empty() {
            return Err("Nothing was changed: the last message is not the owner's.".to_owned());
        }
        let read = runtime.home.sessions.read(name, runtime.resume_limit());
        let view = read.map_err(|error| failed(&error))?.view;
        Ok(Self { said, view })
    }

    /// The owner's messages, newest first.
    pub(super) fn said(&self) -> &[SpokenMessage] {
        &self.said
    }

    /// Checks that the quote is the owner's, from the message of this turn.
    pub(super) fn check_quote(&self, quote: &str) -> Result<(), String> {
        let newest = self.said.first().map(|own| own_lines(&own.text));
        match newest.as_deref().map(|own| quoted_from(own, quote)) {
            Some(Quoted::Yes) => Ok(()),
            Some(Quoted::TooShort) => Err(format!("Nothing was changed: {TOO_SHORT}.")),
            Some(Quoted::No) | None => Err(
                "Nothing was changed: the quote is not in the owner's last message. Call this only if that message \
                 asks for it, and copy its words into `quote`."
                    .to_owned(),
            ),
        }
    }

    /// Whether the owner says a telling word of a text in this turn or just before. A word is also said if a longer one
    /// begins with it: many languages put endings on names.
    pub(super) fn says_any_word(&self, text: &str, common: CommonWords) -> bool {
        let recent = self.said.iter().take(REQUEST_MESSAGES);
        let said =
            recent.flat_map(|own| CommonWords::default().telling_stems(&own_lines(&own.text)));
        has_any_word(&said.collect(), text, common)
    }

    /// Whether a reply that the owner read just before their message has a telling word of a text: only then can the
    /// message be an answer about it.
    pub(super) fn may_answer_about(&self, text: &str, common: CommonWords) -> bool {
        let newest = self.view.items.iter().rev().filter_map(ViewItem::message);
        let is_owners = |message: &&Message| matches!(message, Message::User { .. });
        let before = newest.skip_while(|it| !is_owners(it)).skip(1);
        let replies = before
            .take_while(|it| !is_owners(it))
            .filter(|it| matches!(it, Message::Assistant(_)));
        let said = replies.flat_map(|it| CommonWords::default().telling_stems(&it.text()));
        has_any_word(&said.collect(), text, common)
    }

    /// Whether a tool that is not ours has answered since the owner's message.
    pub(super) fn has_outside_answer(&self) -> bool {
        let newest = self.view.items.iter().rev().filter_map(ViewItem::message);
        let mut since = newest.take_while(|message| !matches!(message, Message::User { .. }));
        since.any(
            |message| matches!(message, Message::ToolResult(result) if !is_own(&result.tool_name)),
        )
    }

    /// The answered calls of our tools in the conversation, newest first.
    pub(super) fn calls(&self) -> Vec<PastCall<'_>> {
        let mut n_later = 0;
        let mut answers: Vec<(&ToolCallId, String, ToolOutcome)> = Vec::new();
        let mut calls = Vec::new();
        for message in self.view.items.iter().rev().filter_map(ViewItem::message) {
            match message {
                Message::User { .. } => n_later += 1,
                Message::ToolResult(result) => {
                    answers.push((&result.call_id, message.text(), result.outcome));
                }
                Message::Assistant(_) => {
                    let mut own: Vec<&ToolCall> = message.tool_calls().collect();
                    own.reverse();
                    for call in own.into_iter().filter(|call| is_own(&call.name)) {
                        let place = answers.iter().position(|(id, _, _)| **id == call.id);
                        if let Some((_, answer, outcome)) = place.map(|it| answers.remove(it)) {
                            calls.push(PastCall {
                                call,
                                answer,
                                outcome,
                                n_later,
                            });
                        }
                    }
                }
            }
        }
        calls
    }
}

/// Whether stems hold a telling word of a text, or a longer word that begins with it.
fn has_any_word(said: &BTreeSet<String>, text: &str, common: CommonWords) -> bool {
    let mut words = common.telling_stems(text).into_iter();
    words.any(|word| {
        let begins = || said.iter().any(|own| own.starts_with(word.as_str()));
        said.contains(&word) || word.chars().count() >= BEGINNING_CHARS_MIN && begins()
    })
}

/// The owner's messages up to now with the one that holds the quote first, and the others newest first.
pub(super) fn said_with_quote(
    home: &HomeAccess,
    name: &SessionName,
    quote: &str,
) -> Result<Result<Vec<SpokenMessage>, Quoted>, AskedError> {
    let mut said = owner_said(home, name)?;
    let mut recent = said.iter().take(QUOTED_MESSAGES);
    let Some(place) = recent.position(|own| holds_quote(&own.text, quote)) else {
        return Ok(Err(Quoted::No));
    };
    if !is_quote(quote) {
        return Ok(Err(Quoted::TooShort));
    }
    if let Some(newest_first) = said.get_mut(..=place) {
        newest_first.rotate_right(1);
    }
    Ok(Ok(said))
}

/// Whether a message holds a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoted {
    Yes,
    /// It does, but so few words identify nothing.
    TooShort,
    No,
}

/// The answer to a model whose quote is too short.
pub(super) const TOO_SHORT: &str =
    "the quote is too short: copy at least three words, or a whole sentence";

fn quoted_from(message: &str, quote: &str) -> Quoted {
    if !holds_quote(message, quote) {
        Quoted::No
    } else if is_quote(quote) || sentences(message).iter().any(|own| holds_quote(quote, own)) {
        Quoted::Yes
    } else {
        Quoted::TooShort
    }
}
