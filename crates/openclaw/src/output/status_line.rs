//! How a chat stands, in one line above the prompt.
//!
//! Renders what it is given; finds nothing out.

use super::ChatStatus;
use super::chat_context::percent;
use super::human::printable;
use super::session_list::grouped;

/// Parts of the line are set apart by this.
const APART: &str = " \u{b7} ";

/// Whether something goes on beside the chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Nothing does.
    None,
    /// Notes or a summary are being made.
    UnderWay,
}

/// The line: session, model, what the next request takes of the window, epoch, work in the background.
pub(crate) fn render(status: &ChatStatus, work: Work) -> String {
    let percent = percent(status.used, status.window);
    let mut parts = vec![
        printable(&status.session),
        printable(&status.model),
        format!("{} of {} tokens ({percent}%)", status.used, status.window),
    ];
    if status.epoch > 0 {
        parts.push(format!("epoch {}", grouped(status.epoch)));
    }
    match work {
        Work::None => {}
        Work::UnderWay => parts.push("notes in the making".to_owned()),
    }
    parts.join(APART)
}

#[cfg(test)]
mod tests {
    use agent::Counts;
    use base::TokenCount;

    use super::*;

    #[test]
    fn one_line_says_how_the_chat_stands() {
        let status = ChatStatus {
            session: "main".to_owned(),
            id: None,
            model: "some-model".to_owned(),
            epoch: 0,
            n_messages: 4,
            used: TokenCount(12_345),
            window: TokenCount(64_000),
            flushed_at: None,
            n_waiting: 2,
            cut_files: Vec::new(),
            spent: None,
            daily_tokens: TokenCount(0),
            memory: "",
            counts: Counts::default(),
            strategy: "",
        };
        assert_eq!(
            render(&status, Work::None),
            "main \u{b7} some-model \u{b7} 12,345 of 64,000 tokens (19%)"
        );
        let later = ChatStatus { epoch: 3, ..status };
        assert_eq!(
            render(&later, Work::UnderWay),
            "main \u{b7} some-model \u{b7} 12,345 of 64,000 tokens (19%) \u{b7} epoch 3 \u{b7} notes in \
             the making"
        );
    }
}
