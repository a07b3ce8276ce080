//! Events of turns that a browser could not show at once; the page of the conversation shows them later.
//!
//! Bounded: the newest lines of the newest conversations stay.

use std::collections::VecDeque;
use std::sync::Mutex;

use base::locked;
use session::SessionName;

/// The largest number of lines kept, over all conversations.
const LINES_MAX: usize = 200;

/// Lines for the pages of conversations, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Untold {
    /// Lines that no page has shown yet.
    waiting: Mutex<Lines>,
    /// Reminders that each page shows until the next message: a reload does not hide them.
    reminders: Mutex<Lines>,
}

type Lines = VecDeque<(SessionName, String)>;

impl Untold {
    /// Keeps a line for the page of a conversation.
    pub(crate) fn keep(&self, name: &SessionName, line: String) {
        keep(&self.waiting, name, line);
    }

    /// Keeps a reminder for the page of a conversation, until the next message.
    pub(crate) fn remind(&self, name: &SessionName, line: String) {
        keep(&self.reminders, name, line);
    }

    /// Drops the reminders that an earlier message brought up.
    pub(crate) fn drop_reminders(&self, name: &SessionName) {
        drop(take(&self.reminders, name));
    }

    /// Takes the lines of a conversation; the page that takes them shows them, and the reminders.
    pub(crate) fn take(&self, name: &SessionName) -> Vec<String> {
        let mut lines = take(&self.waiting, name);
        let reminders = locked(&self.reminders);
        for (_, line) in reminders.iter().filter(|(own, _)| own == name) {
            if !lines.contains(line) {
                lines.push(line.clone());
            }
        }
        lines
    }
}

fn keep(lines: &Mutex<Lines>, name: &SessionName, line: String) {
    let mut lines = locked(lines);
    if lines.len() == LINES_MAX {
        lines.pop_front();
    }
    lines.push_back((name.clone(), line));
}

fn take(lines: &Mutex<Lines>, name: &SessionName) -> Vec<String> {
    let mut lines = locked(lines);
    let all = std::mem::take(&mut *lines).into_iter();
    let (own, others): (Lines, Lines) = all.partition(|(own, _)| own == name);
    *lines = others;
    own.into_iter().map(|(_, line)| line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unshown_lines_appear_once_on_page_of_their_conversation() {
        let (main, other): (SessionName, SessionName) =
            ("main".parse().unwrap(), "other".parse().unwrap());
        let untold = Untold::default();
        untold.keep(&main, "one".to_owned());
        untold.keep(&other, "two".to_owned());
        untold.keep(&main, "three".to_owned());
        assert_eq!(untold.take(&main), ["one", "three"]);
        assert_eq!(untold.take(&main), Vec::<String>::new());
        assert_eq!(untold.take(&other), ["two"]);
        for n in 0..=LINES_MAX {
            untold.keep(&main, n.to_string());
        }
        assert_eq!(untold.take(&main).len(), LINES_MAX);
    }

    #[test]
    fn reminder_is_shown_by_each_page_until_the_next_message() {
        let main: SessionName = "main".parse().unwrap();
        let untold = Untold::default();
        untold.remind(&main, "one".to_owned());
        untold.keep(&main, "one".to_owned());
        for _ in 0..2 {
            assert_eq!(untold.take(&main), ["one"]);
        }
        untold.drop_reminders(&main);
        assert_eq!(untold.take(&main), Vec::<String>::new());
    }
}
