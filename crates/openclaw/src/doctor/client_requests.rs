//! Finds stored requests that a client made for itself, such as for a title, and names the command that removes them.
//!
//! Changes nothing.

use agent::is_clients_request;
use base::{EntryId, Message};
use session::{LineContent, LineStart, Payload};

use super::finding::{CheckRow, DoctorFinding, FindingWeight};
use crate::prelude::*;

/// Entries named in a hint; the next run names the next ones.
const NAMED_MAX: usize = 20;

pub(super) const CLIENT_REQUESTS: CheckRow = CheckRow {
    code: "clientRequests",
    checks: "No session holds a request that a chat client made for itself.",
    weight: FindingWeight::Note,
    fix: "`openclaw session redact` or `openclaw session delete` removes them",
};

/// Finds such requests in all sessions.
pub(super) fn stored(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let store = context.sessions(home);
    let names = store.names()?.into_iter();
    // `transcripts` reports a session that cannot be read.
    let found = names.filter_map(|name| Some((requests_in(&store, &name).ok()?, name)));
    let found = found.filter(|(stored, _)| !stored.entries.is_empty());
    Ok(found.map(|(stored, name)| stored.finding(&name)).collect())
}

/// The requests of clients in a session, with their replies.
#[derive(Default)]
struct StoredRequests {
    entries: Vec<EntryId>,
    n_requests: usize,
    /// Whether the session holds anything else.
    has_more: bool,
}

fn requests_in(store: &SessionStore, name: &SessionName) -> Result<StoredRequests> {
    let mut stored = StoredRequests::default();
    let mut is_answer = false;
    for line in store.live_lines(name, LineStart::FIRST)? {
        let LineContent::Entry(entry) = line?.content else {
            continue;
        };
        let Payload::Message(said) = entry.payload else {
            continue;
        };
        let is_request = match &said.message {
            Message::User { .. } => is_clients_request(&said.message.text()),
            Message::Assistant(_) | Message::ToolResult(_) => false,
        };
        is_answer = is_request || is_answer && !matches!(said.message, Message::User { .. });
        stored.n_requests += usize::from(is_request);
        if is_answer {
            stored.entries.push(entry.id);
        } else {
            stored.has_more = true;
        }
    }
    Ok(stored)
}

impl StoredRequests {
    fn finding(&self, name: &SessionName) -> DoctorFinding {
        let requests = base::counted(self.n_requests as u64, "request", "requests");
        let what = format!(
            "session {name} has {requests} that a chat client made for itself, such as for a title"
        );
        let hint = if self.has_more {
            let named = self.entries.iter().take(NAMED_MAX).map(EntryId::as_str);
            let named: Vec<&str> = named.collect();
            format!(
                "`openclaw session redact {name} {} --yes` removes them",
                named.join(" ")
            )
        } else {
            format!("`openclaw session delete {name} --notes --yes` removes it")
        };
        DoctorFinding::new(&CLIENT_REQUESTS, what)
            .at(format!("sessions/{name}.jsonl"))
            .with_hint(hint)
    }
}
