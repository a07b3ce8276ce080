//! Detects health checks that found nothing: turns whose whole answer is `HEARTBEAT_OK`. Flushes, dreams and the idle
//! check skip them.

use std::collections::BTreeSet;

use base::{EntryId, Message, n_words, words};
use session::{Entry, Payload, ViewItem};

/// The reply that means "nothing needs the owner's attention".
const ALL_WELL: &str = "HEARTBEAT_OK";

/// For each message, in order, whether it belongs to such a check, as the question, a tool call or the answer.
fn heartbeats<'m>(messages: impl IntoIterator<Item = Option<&'m Message>>) -> Vec<bool> {
    let mut turns = Turns::default();
    let mut n_taken = 0;
    for message in messages {
        turns.take(n_taken, message);
        n_taken += 1;
    }
    let found = turns.found();
    (0..n_taken).map(|at| found.contains(&at)).collect()
}

/// Lists what the owner wants checked.
pub(crate) const CHECK_FILE: &str = "HEARTBEAT.md";

/// Whether the newest user message asks for the check in this file: it names the file or quotes its first heading.
pub(crate) fn asks_for_check(items: &[ViewItem], file: &str) -> bool {
    let mut messages = items.iter().rev().filter_map(ViewItem::message);
    let question = messages.find(|message| matches!(message, Message::User { .. }));
    let question = question.map(|message| plain(&message.text()));
    let heading = file.lines().find_map(|line| line.strip_prefix("# "));
    let (name, heading) = (CHECK_FILE.strip_suffix(".md"), heading.map(plain));
    let name = name.map(plain).unwrap_or_default();
    question.is_some_and(|question| {
        // A one-word heading such as `Notes` occurs in many questions, so it must be the whole question.
        let is_heading =
            |own: &String| *own == question || n_words(own) > 1 && question.contains(own.as_str());
        question.contains(&name) || heading.as_ref().is_some_and(is_heading)
    })
}

/// The offline engine's answer to a health check. It cannot look at anything, so it quotes the items of the file; if
/// the file lists nothing, nothing needs attention.
pub(crate) fn offline_answer(file: &str) -> String {
    let mut is_comment = false;
    let mut listed = Vec::new();
    for line in file.lines().map(str::trim) {
        is_comment |= line.starts_with("<!--");
        let is_told = is_comment || line.starts_with('#') || line.contains(ALL_WELL);
        if !is_told && !line.is_empty() {
            listed.push(line);
        }
        is_comment &= !line.ends_with("-->");
    }
    if listed.is_empty() {
        return ALL_WELL.to_owned();
    }
    format!("{CHECK_FILE}:\n\n{}", listed.join("\n"))
}

/// Lowercase words, each between spaces, so that "health-check" matches "Health check".
fn plain(text: &str) -> String {
    let words: Vec<&str> = words(text).collect();
    format!(" {} ", words.join(" ").to_lowercase())
}

/// Finds health checks in a stream of entries.
#[derive(Debug, Default)]
pub(crate) struct Heartbeats(Turns<EntryId>);

impl Heartbeats {
    pub(crate) fn take(&mut self, entry: &Entry) {
        if let Some(message) = said(entry) {
            self.0.take(entry.id.clone(), Some(message));
        }
    }

    /// Ids of the entries of all checks found.
    pub(crate) fn found(self) -> BTreeSet<EntryId> {
        self.0.found()
    }
}

/// Groups messages into turns; buffers only the current turn.
#[derive(Debug)]
struct Turns<K> {
    found: BTreeSet<K>,
    /// Keys of the current turn; `None` before the first question.
    current: Option<Vec<K>>,
    is_all_well: bool,
}

impl<K> Default for Turns<K> {
    fn default() -> Self {
        Self {
            found: BTreeSet::new(),
            current: None,
            is_all_well: false,
        }
    }
}

impl<K: Ord> Turns<K> {
    fn take(&mut self, key: K, message: Option<&Message>) {
        match message {
            Some(Message::User { .. }) => {
                self.end();
                self.current = Some(Vec::new());
            }
            Some(message) => self.is_all_well = says_all_is_well(message),
            None => {}
        }
        if let Some(current) = &mut self.current {
            current.push(key);
        }
    }

    fn end(&mut self) {
        let ended = self.current.take().unwrap_or_default();
        if self.is_all_well {
            self.found.extend(ended);
        }
        self.is_all_well = false;
    }

    fn found(mut self) -> BTreeSet<K> {
        self.end();
        self.found
    }
}

pub(crate) fn without_heartbeats(entries: &[Entry]) -> Vec<&Entry> {
    let flags = heartbeats(entries.iter().map(said));
    let kept = entries.iter().zip(flags).filter(|(_, is_check)| !is_check);
    kept.map(|(entry, _)| entry).collect()
}

/// The newest message that is not part of a health check.
pub(crate) fn last_spoken(items: &[ViewItem]) -> Option<&ViewItem> {
    let flags = heartbeats(items.iter().map(ViewItem::message));
    let spoken = items.iter().zip(flags).rfind(|(_, is_check)| !is_check);
    spoken.map(|(item, _)| item)
}

fn said(entry: &Entry) -> Option<&Message> {
    let Payload::Message(stored) = &entry.payload else {
        return None;
    };
    Some(&stored.message)
}

/// Whether the reply is `HEARTBEAT_OK` alone; surrounding punctuation is ignored.
fn says_all_is_well(message: &Message) -> bool {
    let is_mark = |character: char| !character.is_alphanumeric();
    matches!(message, Message::Assistant(_))
        && message.tool_calls().next().is_none()
        && message.text().trim_matches(is_mark) == ALL_WELL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_kit::items;

    fn check(messages: &[Message], expected: &[bool]) {
        let found = heartbeats(messages.iter().map(Some));
        assert_eq!(found, expected, "{messages:?}");
    }

    #[test]
    fn health_check_is_recognised_by_file_name_or_heading() {
        let asks =
            |question: &str, file: &str| asks_for_check(&items([Message::user(question)]), file);
        let file = "# Health check\n\nLook at the oven.";
        assert!(asks("Health-check, please", file));
        assert!(asks("Is there a HEARTBEAT?", file));
        assert!(asks("Rundgang!", "# Rundgang\n"));
        assert!(asks("heartbeat", "Look at the oven."));
        assert!(!asks("I remember my notes", "# Me\n"));
        assert!(!asks("Where are my notes?", "# Notes\n"));
        assert!(!asks("How is my health?", file));
        assert!(!asks("Health check", "Look at the oven."));
        assert!(!asks("Hello", ""));
    }

    #[test]
    fn offline_health_check_quotes_items_of_file() {
        let template = "# Health check\n\nIf nothing needs attention, answer exactly `HEARTBEAT_OK`.\n\n\
                        <!-- List here, one line each,\nwhat to look at. -->\n";
        assert_eq!(offline_answer(template), "HEARTBEAT_OK");
        let file = format!("{template}- Is the oven off?\n- Is the door locked?\n");
        assert_eq!(
            offline_answer(&file),
            "HEARTBEAT.md:\n\n- Is the oven off?\n- Is the door locked?"
        );
    }

    #[test]
    fn clean_health_check_is_recognised_by_its_whole_answer() {
        let [ask, well, talk] = [
            Message::user("Health check"),
            Message::assistant("`HEARTBEAT_OK`\n"),
            Message::assistant("HEARTBEAT_OK, but the disk is full"),
        ];
        check(&[], &[]);
        check(std::slice::from_ref(&ask), &[false]);
        check(&[ask.clone(), well.clone()], &[true, true]);
        check(&[ask.clone(), talk.clone()], &[false, false]);
        check(
            &[ask.clone(), talk, ask.clone(), well.clone(), ask.clone()],
            &[false, false, true, true, false],
        );
        // Without a question it is a quotation.
        check(std::slice::from_ref(&well), &[false]);
        check(&[Message::user("HEARTBEAT_OK")], &[false]);
        // What was said between the question and the answer belongs to it.
        let look = Message::assistant("Let me look.");
        check(&[ask, look, well], &[true, true, true]);
    }
}
