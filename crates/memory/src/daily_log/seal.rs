//! Closes blocks again after lines of ours were taken out of them.
//!
//! Never closes a block that the owner changed.

use base::short_hash;

use super::lines::{Line, closing, lines, same_length_text};
use super::parse::{Extent, content_of, extents};

/// `after`, which is `before` without some lines between the marks, where each block that was as it was
/// written is so again.
pub(crate) fn sealed_again(before: &[u8], after: Vec<u8>) -> Vec<u8> {
    let (before, text) = (
        same_length_text(before),
        same_length_text(&after).into_owned(),
    );
    let (before, text) = (lines(&before), lines(&text));
    let mut sealed = after;
    for (was, is) in extents(&before).iter().zip(extents(&text)) {
        let hash = short_hash(&content_of(&is, &text));
        let is_as_written = was.closing_hash == Some(short_hash(&content_of(was, &before)));
        if is_as_written && was.opening == is.opening {
            put_hash(&mut sealed, &is, &text, &hash);
        }
    }
    sealed
}

fn put_hash(bytes: &mut [u8], extent: &Extent, lines: &[Line<'_>], hash: &str) {
    let last = extent
        .lines
        .end
        .checked_sub(1)
        .and_then(|idx| lines.get(idx));
    let Some((line, found)) = last.and_then(|line| Some((line, closing(line.text)?))) else {
        return;
    };
    let start = line
        .text
        .find(found)
        .map(|offset| line.bytes.start + offset);
    let place = start.and_then(|start| bytes.get_mut(start..start + found.len()));
    if let Some(place) = place.filter(|place| place.len() == hash.len()) {
        place.copy_from_slice(hash.as_bytes());
    }
}
