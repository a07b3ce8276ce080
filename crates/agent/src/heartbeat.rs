//! Health checks that found nothing: questions whose whole answer is `HEARTBEAT_OK`.
//!
//! Only finds them; whoever flushes, dreams or asks when somebody last spoke leaves them out.

use base::{Message, Timestamp};
use session::{Entry, Payload, ViewContent, ViewItem};

/// The answer that says that nothing needs the owner.
const ALL_WELL: &str = "HEARTBEAT_OK";

/// Which of the messages, in order, belong to such a check: the question, the calls for it, the answer.
pub(crate) fn heartbeats<'m>(messages: impl IntoIterator<Item = Option<&'m Message>>) -> Vec<bool> {
    let mut found: Vec<bool> = Vec::new();
    let mut begun = None;
    let mut is_all_well = false;
    for message in messages {
        if matches!(message, Some(Message::User { .. })) {
            mark(&mut found, begun.filter(|_| is_all_well));
            begun = Some(found.len());
            is_all_well = false;
        } else if let Some(message) = message {
            is_all_well = says_all_is_well(message);
        }
        found.push(false);
    }
    mark(&mut found, begun.filter(|_| is_all_well));
    found
}

/// The entries without such checks.
pub(crate) fn without_heartbeats(entries: &[Entry]) -> Vec<&Entry> {
    let flags = heartbeats(entries.iter().map(said));
    let kept = entries.iter().zip(flags).filter(|(_, is_check)| !is_check);
    kept.map(|(entry, _)| entry).collect()
}

/// When something was said last that was no such check.
pub(crate) fn last_spoken(items: &[ViewItem]) -> Option<Timestamp> {
    let messages = items.iter().map(|item| match &item.content {
        ViewContent::Message(message) => Some(message),
        ViewContent::Summary(_) => None,
    });
    let flags = heartbeats(messages);
    let spoken = items.iter().zip(flags).rfind(|(_, is_check)| !is_check);
    spoken.map(|(item, _)| item.at)
}

/// What an entry says, where that is a message.
pub(crate) fn said(entry: &Entry) -> Option<&Message> {
    if let Payload::Message(stored) = &entry.payload {
        Some(&stored.message)
    } else {
        None
    }
}

fn mark(found: &mut [bool], from: Option<usize>) {
    if let Some(from) = from {
        found.iter_mut().skip(from).for_each(|flag| *flag = true);
    }
}

/// Marks around it do not count; another word does.
fn says_all_is_well(message: &Message) -> bool {
    let is_mark = |character: char| !character.is_alphanumeric();
    matches!(message, Message::Assistant(_))
        && message.tool_calls().next().is_none()
        && message.text().trim_matches(is_mark) == ALL_WELL
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(messages: &[Message], expected: &[bool]) {
        assert_eq!(heartbeats(messages.iter().map(Some)), expected, "{messages:?}");
    }

    #[test]
    fn a_check_that_found_nothing_is_known_by_its_whole_answer() {
        let [ask, well, talk] = [
            Message::user("Health check"),
            Message::assistant("`HEARTBEAT_OK`\n"),
            Message::assistant("HEARTBEAT_OK, but the disk is full"),
        ];
        check(&[], &[]);
        check(&[ask.clone()], &[false]);
        check(&[ask.clone(), well.clone()], &[true, true]);
        check(&[ask.clone(), talk.clone()], &[false, false]);
        check(&[ask.clone(), talk, ask.clone(), well.clone(), ask.clone()], &[false, false, true, true, false]);
        // Nobody asked: a quotation.
        check(&[well.clone()], &[false]);
        check(&[Message::user("HEARTBEAT_OK")], &[false]);
        // What was said between the question and the answer belongs to it.
        let look = Message::assistant("Let me look.");
        check(&[ask, look, well], &[true, true, true]);
    }
}
