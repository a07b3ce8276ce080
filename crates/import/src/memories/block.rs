//! The block that this program writes into the memory file of another program. It is updated in place, and never read
//! back as that program's memories.
//!
//! Pure; changes nothing outside the block.

use std::borrow::Cow;
use std::ops::Range;

use base::short_hash;

const BEGIN: &str = "<!-- openclaw memory:";
const BEGIN_LINE: &str = "<!-- openclaw memory: `openclaw memory sync` keeps this block up to date; write above it or below -->";
/// The start of the end line; the short hash of the content follows.
const END: &str = "<!-- /openclaw memory";
const MARK_END: &str = " -->";

/// The reason why the bounds of a block are unclear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// Its end marker is missing.
    #[error("the block has no end line {:?}", [END, MARK_END].concat())]
    NoEnd,
    /// Somebody wrote between its markers; the next sync would remove these lines.
    #[error(
        "lines inside the openclaw block were changed by hand; move yours above or below it, and delete the block"
    )]
    Changed,
    /// There are several blocks.
    #[error("it contains more than one openclaw block")]
    Several,
}

/// Replaces the content of the block; removes the block if `content` is empty. Appends a new block after `gap` if
/// there is none.
///
/// # Errors
///
/// [`BlockError`] if somebody changed the block or its markers.
pub fn with_block(text: &str, content: &str, gap: &str) -> Result<String, BlockError> {
    let mut blocks = blocks(text);
    blocks.retain(|block| !block.is_quoted);
    let place = match blocks.as_slice() {
        [] => None,
        [
            MarkedBlock {
                is_ended: false, ..
            },
        ] => return Err(BlockError::NoEnd),
        [block] if block.is_changed_in(text) => return Err(BlockError::Changed),
        [block] => Some(block.bytes.clone()),
        _ => return Err(BlockError::Several),
    };
    let hash = short_hash(content);
    let block = format!("{BEGIN_LINE}\n{content}\n{END} {hash}{MARK_END}\n");
    let around = |place: &Range<usize>| {
        let before = text.get(..place.start).unwrap_or_default();
        (before, text.get(place.end..).unwrap_or_default())
    };
    Ok(match place {
        None if content.is_empty() => text.to_owned(),
        None if text.is_empty() => block,
        None => {
            let ended = text.strip_suffix('\n').unwrap_or(text);
            format!("{ended}{gap}{block}")
        }
        Some(place) if content.is_empty() => {
            let (before, after) = around(&place);
            let before = before.strip_suffix(gap).map(|ended| format!("{ended}\n"));
            before.unwrap_or_else(|| around(&place).0.to_owned()) + after
        }
        Some(place) => {
            let (before, after) = around(&place);
            format!("{before}{block}{after}")
        }
    })
}

/// Replaces all blocks with blank lines. An unclosed block extends to the end.
pub(super) fn without_block(text: &str) -> Cow<'_, str> {
    let mut rest = Cow::Borrowed(text);
    for block in blocks(text).iter().rev() {
        let inside = text.get(block.bytes.clone()).unwrap_or_default();
        let blank = "\n".repeat(inside.matches('\n').count());
        rest.to_mut().replace_range(block.bytes.clone(), &blank);
    }
    rest
}

struct MarkedBlock {
    bytes: Range<usize>,
    is_ended: bool,
    /// Whether the marker is only quoted in a code block. A real marker begins its line.
    is_quoted: bool,
}

impl MarkedBlock {
    /// Whether the content differs from the hash in the end line. Earlier versions wrote no hash.
    fn is_changed_in(&self, text: &str) -> bool {
        let block = text.get(self.bytes.clone()).unwrap_or_default();
        let block = block.replace("\r\n", "\n");
        let (_, inside) = block.split_once('\n').unwrap_or_default();
        let (content, end) = inside.trim_end().rsplit_once('\n').unwrap_or_default();
        let hash = hash_in_end(end).filter(|hash| !hash.is_empty());
        hash.is_some_and(|hash| hash != short_hash(content))
    }
}

/// The hash in an end line, empty if the line has none; `None` for any other line.
fn hash_in_end(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix(END)?;
    Some(rest.strip_suffix(MARK_END)?.trim())
}

fn blocks(text: &str) -> Vec<MarkedBlock> {
    let mut found: Vec<MarkedBlock> = Vec::new();
    let (mut start, mut is_code) = (0, false);
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        match found.last_mut().filter(|block| !block.is_ended) {
            Some(block) => {
                block.bytes.end = end;
                block.is_ended = hash_in_end(line).is_some();
            }
            None if line.trim_start().starts_with(BEGIN) => found.push(MarkedBlock {
                bytes: start..end,
                is_ended: false,
                is_quoted: is_code || !line.starts_with(BEGIN),
            }),
            None => is_code ^= is_fence(line),
        }
        start = end;
    }
    found
}

/// Whether a line opens or closes a code block.
fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAP: &str = "\n\n";

    #[test]
    fn block_is_added_updated_and_removed_among_other_text() {
        for text in ["", "# Mine\n\n- tea\n", "- tea", "a\r\nb\r\n"] {
            let first = with_block(text, "- one", GAP).unwrap();
            assert!(first.contains("- one\n"), "{first}");
            let below = format!("{first}\n- below\n");
            let second = with_block(&below, "- two\n- three", GAP).unwrap();
            let (one, other) = (short_hash("- one"), short_hash("- two\n- three"));
            let expected = below.replace("- one", "- two\n- three");
            assert_eq!(second, expected.replace(&one, &other));
            assert_eq!(with_block(&second, "- two\n- three", GAP).unwrap(), second);
            let blank = without_block(&second);
            assert_eq!(blank.lines().count(), second.lines().count());
            let words: Vec<&str> = blank.split_whitespace().collect();
            let own = format!("{text}\n- below\n");
            assert_eq!(words, own.split_whitespace().collect::<Vec<_>>());
            let gone = with_block(&first, "", GAP).unwrap();
            assert_eq!(gone.trim_end_matches('\n'), text.trim_end_matches('\n'));
        }
    }

    #[test]
    fn block_with_changed_marks_is_neither_replaced_nor_imported() {
        let whole = with_block("- tea\n", "- one", GAP).unwrap();
        let torn = whole.replace(END, "<!-- ");
        assert_eq!(with_block(&torn, "- two", GAP), Err(BlockError::NoEnd));
        assert_eq!(without_block(&torn).trim(), "- tea");
        let twice = whole.repeat(2);
        assert_eq!(with_block(&twice, "- two", GAP), Err(BlockError::Several));
        assert_eq!(without_block(&twice).matches("tea").count(), 2);
    }

    #[test]
    fn quoted_block_is_unchanged_and_not_imported() {
        let block = with_block("", "- old", GAP).unwrap();
        let indented = block.replace('\n', "\n    ");
        for quoted in [format!("```\n{block}```\n"), format!("    {indented}\n")] {
            let synced = with_block(&quoted, "- new", GAP).unwrap();
            assert!(synced.starts_with(quoted.trim_end()), "{synced}");
            assert!(synced.contains("- new\n"), "{synced}");
            assert_eq!(with_block(&synced, "- new", GAP).unwrap(), synced);
            assert!(!without_block(&synced).contains("- old"), "{synced}");
        }
    }

    #[test]
    fn block_edited_by_others_is_not_replaced() {
        let block = with_block("- tea\n", "- one\n- two", GAP).unwrap();
        let edited = block.replace("- two", "- two\n- mine");
        assert_eq!(
            with_block(&edited, "- three", GAP),
            Err(BlockError::Changed)
        );
        // Blocks of earlier versions have no hash.
        let hash = format!(" {}", short_hash("- one\n- two"));
        let earlier = edited.replace(&hash, "");
        assert!(
            with_block(&earlier, "- three", GAP)
                .unwrap()
                .contains("- three\n")
        );
        let windows = block.replace('\n', "\r\n");
        assert!(
            with_block(&windows, "- three", GAP)
                .unwrap()
                .contains("- three\n")
        );
    }
}
