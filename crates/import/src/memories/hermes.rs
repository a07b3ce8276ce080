//! Reads Hermes's `MEMORY.md` and `USER.md`: entries separated by lines with a section sign.
//!
//! Hermes writes both with its own tool, so the words are the assistant's.

use base::Origin;

use super::block::without_block;
use super::model::{Holds, Memory};

/// The names of Hermes's memory files.
pub(super) const FILES: [&str; 2] = ["MEMORY.md", "USER.md"];

const BETWEEN: &str = "\u{a7}";

pub(super) fn read(text: &str) -> Vec<Memory> {
    let text = without_block(text);
    let mut memories: Vec<Memory> = Vec::new();
    let mut is_new = true;
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        match memories.last_mut() {
            _ if line == BETWEEN => is_new = true,
            Some(last) if !is_new && !line.is_empty() => last.text.extend([" ", line]),
            _ if line.is_empty() => {}
            _ => {
                is_new = false;
                memories.push(Memory {
                    line: number,
                    text: line.to_owned(),
                    day: None,
                    origin: Origin::Agent,
                    holds: Holds::Everywhere,
                });
            }
        }
    }
    memories
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hermes_entries_are_split_at_section_signs() {
        let found = read("Likes tea\nand cake\n\u{a7}\n\u{a7}\nWorks at Acme\n");
        let found = found.iter().map(|it| (it.line, it.text.as_str()));
        assert_eq!(
            found.collect::<Vec<_>>(),
            [(1, "Likes tea and cake"), (5, "Works at Acme")]
        );
    }
}
