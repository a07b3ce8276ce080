//! What is stored on the branch of a session, as a client that took part in it would have seen it.
//!
//! Reads without a lock.

use std::collections::BTreeSet;

use base::{EntryId, Message};
use session::{LineContent, LineStart, Payload, ReadError, SessionName, SessionStore};

use super::align::Utterance;

/// What is stored on a branch, with the entry that ends each of it.
#[derive(Debug, Default)]
pub(super) struct Branch {
    pub(super) said: Vec<Utterance>,
    pub(super) entries: Vec<EntryId>,
}

/// Reads what is on the branch of the newest entry; nothing where the session has not begun. Calls that are not
/// the client's and their results are no part of it.
pub(super) fn read_branch(
    sessions: &SessionStore,
    name: &SessionName,
    sent: &[Message],
) -> Result<Branch, ReadError> {
    let calls = call_ids(sent);
    let mut branch = Branch::default();
    let lines = match sessions.live_lines(name, LineStart::FIRST) {
        Ok(lines) => lines,
        Err(ReadError::NotFound(_)) => return Ok(branch),
        Err(error) => return Err(error),
    };
    for line in lines {
        let LineContent::Entry(entry) = line?.content else {
            continue;
        };
        if let Payload::Message(stored) = entry.payload {
            branch.add(said(&stored.message, &calls), entry.id);
        }
    }
    Ok(branch)
}

/// What a client sends, in the same form.
pub(super) fn sent_as(messages: &[Message]) -> Vec<Utterance> {
    let calls = call_ids(messages);
    let mut branch = Branch::default();
    let nowhere = EntryId::new("");
    for message in messages {
        branch.add(said(message, &calls), nowhere.clone());
    }
    branch.said
}

fn call_ids(messages: &[Message]) -> BTreeSet<String> {
    let calls = messages.iter().flat_map(Message::tool_calls);
    calls.map(|call| call.id.to_string()).collect()
}

fn said(message: &Message, calls: &BTreeSet<String>) -> Option<Utterance> {
    let text = plain(&message.text());
    match message {
        Message::User { .. } => Some(Utterance::User(text)),
        Message::Assistant(_) => {
            let own = message.tool_calls().map(|call| call.id.to_string());
            let own: Vec<String> = own.filter(|id| calls.contains(id)).collect();
            let says_something = !text.is_empty() || !own.is_empty();
            says_something.then_some(Utterance::Assistant(text, own))
        }
        Message::ToolResult(result) => {
            let id = result.call_id.to_string();
            calls.contains(&id).then_some(Utterance::Result(id, text))
        }
    }
}

/// Clients trim and wrap.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Branch {
    /// Adds what was said; what the assistant says before and after a call of its own is one message.
    fn add(&mut self, said: Option<Utterance>, entry: EntryId) {
        let Some(said) = said else {
            return;
        };
        if let (Some(Utterance::Assistant(before, calls)), Utterance::Assistant(more, further)) =
            (self.said.last_mut(), &said)
            && calls.is_empty()
        {
            *before = plain(&format!("{before} {more}"));
            calls.extend_from_slice(further);
            if let Some(last) = self.entries.last_mut() {
                *last = entry;
            }
            return;
        }
        self.said.push(said);
        self.entries.push(entry);
    }
}
