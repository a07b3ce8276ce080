//! The messages on a session's branch, as a client that took part would have seen them. Reads without a lock.

use std::collections::BTreeSet;

use base::{CLIENT_NAME, EntryId, Message, Origin, sent_parts};
use session::{LineContent, LineStart, Payload, ReadError, SessionName, SessionStore, View};

use super::align::{Alignment, Utterance, align, align_newest};
use super::notice::without_notices;

/// The utterances on a branch, each with the entry that ends it.
#[derive(Debug, Default)]
pub(super) struct Branch {
    pub(super) said: Vec<Utterance>,
    pub(super) entries: Vec<EntryId>,
}

/// A client's messages in the same form.
#[derive(Debug)]
pub(super) struct Sent {
    pub(super) said: Vec<Utterance>,
    /// The parts of the messages, in order, each with its origin.
    parts: Vec<(Origin, Message)>,
    /// The index of the part that begins each utterance.
    begins: Vec<usize>,
    /// Ids of the calls that the client answers.
    calls: BTreeSet<String>,
}

impl Sent {
    pub(super) fn of(messages: &[Message]) -> Self {
        let calls = messages.iter().flat_map(Message::tool_calls);
        let calls: BTreeSet<String> = calls.map(|call| call.id.to_string()).collect();
        let (mut all, mut begins, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for message in messages {
            // What a client adds before a question belongs to it.
            let first = parts.len();
            for (origin, part) in parts_of(message) {
                let said = said(&part, &calls);
                if said.is_some_and(|said| add(&mut all, said)) {
                    begins.push(first);
                }
                parts.push((origin, part));
            }
        }
        Self {
            said: all,
            parts,
            begins,
            calls,
        }
    }

    /// The parts of the messages after the first `n_said` utterances.
    pub(super) fn after(&self, n_said: usize) -> &[(Origin, Message)] {
        let first = self.begins.get(n_said).copied();
        let first = first.unwrap_or(self.parts.len());
        self.parts.get(first..).unwrap_or_default()
    }
}

/// Aligns a client's messages with a session; `view` shows its newest part, and the whole branch is read only if that
/// does not settle it.
pub(super) fn place(
    sessions: &SessionStore,
    (name, view): (&SessionName, &View),
    sent: &Sent,
) -> Result<(Branch, Alignment), ReadError> {
    let newest = Branch::of_view(view, &sent.calls);
    if let Some(found) = align_newest(&newest.said, &sent.said) {
        return Ok((newest, found));
    }
    let whole = read_branch(sessions, name, &sent.calls)?;
    let found = align(&whole.said, &sent.said);
    Ok((whole, found))
}

/// Reads the branch of the newest entry; empty if the session does not exist. Leaves out calls that the client does
/// not answer, and their results.
fn read_branch(
    sessions: &SessionStore,
    name: &SessionName,
    calls: &BTreeSet<String>,
) -> Result<Branch, ReadError> {
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
            branch.add(said(&stored.message, calls), &entry.id);
        }
    }
    Ok(branch)
}

/// The parts of a message that a client sent, each with its origin.
fn parts_of(message: &Message) -> Vec<(Origin, Message)> {
    match message {
        Message::User {
            name: Some(name), ..
        } if name == CLIENT_NAME => {
            let said = Message::user(message.text());
            vec![(Origin::Untrusted, said)]
        }
        Message::User { .. } => sent_parts(message.clone()),
        Message::Assistant(_) => vec![(Origin::Agent, without_notices(message))],
        Message::ToolResult(_) => vec![(Origin::Untrusted, message.clone())],
    }
}

/// The person's words in a client's message, without the text that the client added.
pub(super) fn question_of(message: &Message) -> String {
    let parts = parts_of(message).into_iter();
    let own = parts.map(|(_, part)| part).find(|part| !is_added(part));
    own.as_ref().unwrap_or(message).text()
}

fn is_added(message: &Message) -> bool {
    matches!(message, Message::User { name: Some(name), .. } if name == CLIENT_NAME)
}

/// `None` for text that a client added to a message, because the client may leave it out when it sends the message
/// again.
fn said(message: &Message, calls: &BTreeSet<String>) -> Option<Utterance> {
    let text = plain(&message.text());
    match message {
        Message::User { .. } if is_added(message) => None,
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

/// Normalises whitespace, since clients trim and wrap text.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Adds an utterance; returns whether it begins a new one. The assistant's words before and after a call of its own
/// tools are one utterance.
fn add(all: &mut Vec<Utterance>, said: Utterance) -> bool {
    if let (Some(Utterance::Assistant(before, calls)), Utterance::Assistant(more, further)) =
        (all.last_mut(), &said)
        && calls.is_empty()
    {
        *before = plain(&format!("{before} {more}"));
        calls.extend_from_slice(further);
        return false;
    }
    all.push(said);
    true
}

impl Branch {
    /// The messages of a view after its last summary.
    fn of_view(view: &View, calls: &BTreeSet<String>) -> Self {
        let summary = view.items.iter().rposition(|item| item.summary().is_some());
        let after = summary.map_or(0, |at| at + 1);
        let mut branch = Self::default();
        for item in view.items.iter().skip(after) {
            let said = item.message().and_then(|message| said(message, calls));
            branch.add(said, &item.entry);
        }
        branch
    }

    fn add(&mut self, said: Option<Utterance>, entry: &EntryId) {
        let Some(said) = said else {
            return;
        };
        if !add(&mut self.said, said) {
            self.entries.pop();
        }
        self.entries.push(entry.clone());
    }
}
