//! Finds the blocks of a log by their opening and closing marks.
//!
//! Never looks at the content between the marks.

use std::ops::Range;

use super::lines::{LogLine, Opening, closing, opening};

/// The lines of a block, from its opening mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) opening: Opening,
    /// Line indexes, from 0. Without a closing mark, up to the next opening mark or the end of the log.
    pub(crate) lines: Range<usize>,
    /// The hash in the closing mark, if there is one.
    pub(crate) closing_hash: Option<String>,
}

/// The blocks of a log, in order.
pub(crate) fn extents(lines: &[LogLine<'_>]) -> Vec<Extent> {
    let mut extents: Vec<Extent> = Vec::new();
    let mut open: Option<Extent> = None;
    for (line_idx, line) in lines.iter().enumerate() {
        if let Some(opening) = opening(line.text) {
            extents.extend(open.replace(Extent {
                opening,
                lines: line_idx..line_idx + 1,
                closing_hash: None,
            }));
        } else if let Some(extent) = &mut open {
            extent.lines.end = line_idx + 1;
            extent.closing_hash = closing(line.text).map(str::to_owned);
            if extent.closing_hash.is_some() {
                extents.extend(open.take());
            }
        }
    }
    extents.extend(open);
    extents
}

/// The content between the marks of a block, as hashed in the closing mark.
pub(crate) fn content_of(extent: &Extent, lines: &[LogLine<'_>]) -> String {
    let inside = lines.get(extent.lines.clone()).unwrap_or_default();
    let between = inside
        .get(1..inside.len().saturating_sub(1))
        .unwrap_or_default();
    // Hash with `\n`, so that an editor may convert the line ends.
    between.iter().flat_map(|line| [line.text, "\n"]).collect()
}
