//! Which lines of `MEMORY.md` a dream compares with what it found.
//!
//! Compares nothing itself.

use memory::curated::{CuratedLine, memory_lines};

/// The most lines of the owner that are compared: reading one closely takes much longer than reading it, and
/// a file that a prompt shows whole has far fewer.
const OWNER_LINES_MAX: usize = 10_000;

/// All lines of ours, and the last ones of the owner's.
pub fn compared_lines(memory: &str) -> Vec<CuratedLine> {
    let mut lines = memory_lines(memory);
    let n_left_out = lines.len().saturating_sub(OWNER_LINES_MAX);
    let mut places = 0..n_left_out;
    lines.retain(|line| places.next().is_none() || line.id().is_some());
    lines
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn long_memory_is_compared_by_its_last_lines_and_ours() {
        let hash = base::short_hash("I prefer tea");
        let mut memory = format!(
            "# Memory\n\n- I prefer tea <!-- n:c7f3 e:sessions/main.jsonl#e1 h:{hash} o:owner d:2026-04-20 -->\n"
        );
        for number in 0..OWNER_LINES_MAX + 50 {
            writeln!(memory, "- line {number}").unwrap();
        }
        let lines = compared_lines(&memory);
        assert_eq!(lines.len(), OWNER_LINES_MAX + 1);
        assert!(lines[0].id().is_some());
        let short = "- one\n- two\n";
        assert_eq!(compared_lines(short), memory_lines(short));
    }
}
