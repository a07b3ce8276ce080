//! The token estimator; nothing else may convert characters to tokens.
//!
//! Errs on the high side for scripts that tokenizers split finely.

use crate::message::{Block, Message};
use crate::tokens::{QUARTERS_PER_TOKEN, TokenCount};

/// Tokens that a provider adds per message for role and separators. OpenAI documents four for its chat format.
const MESSAGE_OVERHEAD: TokenCount = TokenCount(4);

/// An image counts as 4,800 characters, as in pi-coding-agent.
const IMAGE: TokenCount = TokenCount(1_200);

/// Estimates the tokens of a text.
///
/// The UTF-8 length of a character decides its quarters of a token: 1 for ASCII, 2 for two bytes (Greek, Cyrillic), 4
/// for three (CJK), 8 for four (emoji). The sum is rounded up.
pub fn estimate_text(text: &str) -> TokenCount {
    TokenCount(quarters(text).div_ceil(QUARTERS_PER_TOKEN))
}

/// Estimates the tokens of a message, including its overhead.
pub fn estimate_message(message: &Message) -> TokenCount {
    let own = match message {
        Message::User { name, .. } => name.as_deref().map_or(TokenCount::ZERO, estimate_text),
        Message::Assistant(_) => TokenCount::ZERO,
        Message::ToolResult(result) => {
            estimate_text(&result.tool_name) + estimate_text(result.call_id.as_str())
        }
    };
    let content: TokenCount = message.content().iter().map(estimate_block).sum();
    MESSAGE_OVERHEAD + own + content
}

fn estimate_block(block: &Block) -> TokenCount {
    match block {
        Block::Text(text) | Block::Thinking(text) => estimate_text(text),
        Block::Image(_) => IMAGE,
        Block::ToolCall(call) => {
            estimate_text(call.id.as_str())
                + estimate_text(&call.name)
                + estimate_text(&call.arguments)
        }
        Block::Unknown { kind, n_bytes } => {
            let bytes = u64::try_from(*n_bytes).unwrap_or(u64::MAX);
            estimate_text(kind) + TokenCount(bytes.div_ceil(QUARTERS_PER_TOKEN))
        }
    }
}

fn quarters(text: &str) -> u64 {
    let quarters = text.chars().map(|character| match character.len_utf8() {
        1 => 1,
        2 => 2,
        3 => 4,
        _ => 8,
    });
    quarters.sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn estimate_text_counts_quarter_tokens_by_script() {
        let texts = ["", "a", "abcd", "abcde", "привет", "日本", "🙂"];
        let counts = texts.map(|text| estimate_text(text).0);
        assert_eq!(counts, [0, 1, 1, 2, 3, 2, 2]);
    }

    #[test]
    fn token_count_display_separates_thousands() {
        let counts = [0, 999, 1_000, 176_000, 1_234_567];
        let shown = counts.map(|n| TokenCount(n).to_string());
        assert_eq!(shown, ["0", "999", "1,000", "176,000", "1,234,567"]);
    }

    proptest! {
        #[test]
        fn estimate_of_part_never_exceeds_whole(left in ".*", right in ".*") {
            let whole = estimate_text(&format!("{left}{right}"));
            prop_assert!(estimate_text(&left) <= whole);
            prop_assert!(whole <= estimate_text(&left) + estimate_text(&right));
        }
    }
}
