//! Events of turns that a browser could not show at once; the page of the conversation shows them later.
//!
//! Bounded: the newest lines of the newest conversations stay.

use std::collections::VecDeque;
use std::sync::Mutex;

use base::locked;
use session::SessionName;

/// The largest number of lines kept, over all conversations.
const LINES_MAX: usize = 200;

/// Lines that no page has shown yet, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Untold(Mutex<VecDeque<(SessionName, String)>>);

impl Untold {
    /// Keeps a line for the page of a conversation.
    pub(crate) fn keep(&self, name: &SessionName, line: String) {
        let mut lines = locked(&self.0);
        if lines.len() == LINES_MAX {
            lines.pop_front();
        }
        lines.push_back((name.clone(), line));
    }

    /// Takes the lines of a conversation; the page that takes them shows them.
    pub(crate) fn take(&self, name: &SessionName) -> Vec<String> {
        let mut lines = locked(&self.0);
        let all = std::mem::take(&mut *lines).into_iter();
        let (own, others): (VecDeque<_>, VecDeque<_>) = all.partition(|(own, _)| own == name);
        *lines = others;
        own.into_iter().map(|(_, line)| line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untold_lines_are_shown_once_on_page_of_their_conversation() {
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
}
