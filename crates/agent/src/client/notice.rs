//! A notice at the end of a reply that lists what the turn changed in memory: a chat client shows nothing else to its
//! reader.
//!
//! The client sends the notice back with the conversation, and we remove it again, because the model did not write it.

use base::Block;
use base::Message;

/// Begins a notice, as a quotation below the reply.
const MARK: &str = "> openclaw: ";

/// Continues it.
const QUOTED: &str = "> ";

/// A notice for the end of a reply.
pub fn notice_in_reply(notice: &str) -> String {
    let lines: Vec<&str> = notice.lines().collect();
    format!("{MARK}{}", lines.join(&format!("\n{QUOTED}")))
}

/// A reply as it was before notices were put at its end.
pub(super) fn without_notices(reply: &Message) -> Message {
    let Message::Assistant(reply) = reply else {
        return reply.clone();
    };
    let mut reply = reply.clone();
    for block in &mut reply.content {
        if let Block::Text(text) = block {
            text.truncate(bare(text).len());
        }
    }
    Message::Assistant(reply)
}

fn bare(text: &str) -> &str {
    let mut bare = text;
    while let Some((before, notice)) = split(bare) {
        let is_quoted = notice.trim_end().lines().all(|line| line.starts_with('>'));
        if !is_quoted {
            break;
        }
        bare = before;
    }
    bare
}

/// The text before the last notice, and the notice.
fn split(text: &str) -> Option<(&str, &str)> {
    let at = text.rfind(MARK)?;
    let before = text.get(..at)?;
    let begins_line = before.is_empty() || before.ends_with('\n');
    begins_line.then(|| (before.trim_end(), text.get(at..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare_of(text: &str) -> String {
        let message = Message::Assistant(base::Assistant {
            content: vec![Block::Text(text.to_owned())],
            ..base::Assistant::default()
        });
        without_notices(&message).text()
    }

    #[test]
    fn notices_at_end_of_reply_are_removed_again() {
        let forgotten = notice_in_reply("Forgotten: 1 passage\n  memory/2026-03-01.md:1: the flat");
        assert_eq!(
            forgotten,
            "> openclaw: Forgotten: 1 passage\n>   memory/2026-03-01.md:1: the flat"
        );
        let remembered = notice_in_reply("Remembered: Bob likes tea");
        for said in ["Noted.", "Noted.\n\n> openclaw is a program", ""] {
            assert_eq!(bare_of(said), said);
            let told = format!("{said}\n\n{forgotten}\n\n{remembered}\n");
            assert_eq!(bare_of(&told), said);
        }
    }

    #[test]
    fn words_after_notice_are_kept() {
        let said = "> openclaw: Remembered: Bob likes tea\n\nThat is what it says.";
        assert_eq!(bare_of(said), said);
    }
}
