//! The binary record of a stretch in the store; its texts are stored next to it.
//!
//! Accepts only what it wrote; anything else is damage.

use std::ops::Range;

use base::{FLUSH_SECTIONS, LineRange, MEMORY_SECTIONS, Origin};

use crate::passage::{Passage, PassageKind, Stretch, ends_in_question};
use crate::terms::WishCues;

/// Fewest bytes of a passage: one for each of its numbers.
const PASSAGE_BYTES_MIN: usize = 7;

/// A stretch in the store, without its texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct StretchRecord {
    pub(crate) speakers: Vec<String>,
    pub(crate) passages: Vec<PassageRecord>,
    pub(crate) pieces: Vec<PieceRecord>,
}

/// A passage of a stretch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PassageRecord {
    pub(crate) kind: PassageKind,
    pub(crate) origin: Origin,
    pub(crate) lines: LineRange,
    /// Index into the speakers.
    pub(crate) speaker: Option<usize>,
    /// Indexes of its pieces.
    pub(crate) pieces: Range<usize>,
    /// Its byte range in the texts of the stretch.
    pub(crate) text: Range<usize>,
}

/// A piece of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PieceRecord {
    /// Index of its passage.
    pub(crate) passage: usize,
    /// Its byte range in the texts of the stretch.
    pub(crate) text: Range<usize>,
    /// Number of words.
    pub(crate) n_words: u32,
    /// Whether it ends in a question.
    pub(crate) asks: bool,
    /// Whether it may be a standing wish.
    pub(crate) wish: bool,
}

impl StretchRecord {
    /// The record of a stretch and its concatenated texts; words are not counted yet.
    pub(crate) fn of(stretch: &Stretch, cues: WishCues) -> (Self, String) {
        let mut record = Self::default();
        let is_of_wishes = stretch.heading.path.lines().any(is_of_wishes);
        let mut texts = String::new();
        for (passage_idx, passage) in stretch.passages.iter().enumerate() {
            let base = texts.len();
            let first_piece = record.pieces.len();
            for piece in &passage.pieces {
                let text = passage.text.get(piece.clone()).unwrap_or("");
                record.pieces.push(PieceRecord {
                    passage: passage_idx,
                    text: base + piece.start..base + piece.end,
                    n_words: 0,
                    asks: ends_in_question(text),
                    wish: may_wish(passage) && (is_of_wishes || (cues.wish)(text)),
                });
            }
            let speaker = passage.speaker.as_ref();
            let speaker = speaker.map(|name| record.speaker_idx(name));
            record.passages.push(PassageRecord {
                kind: passage.kind,
                origin: passage.origin,
                lines: passage.lines,
                speaker,
                pieces: first_piece..record.pieces.len(),
                text: base..base + passage.text.len(),
            });
            texts.push_str(&passage.text);
        }
        (record, texts)
    }

    /// Sets the word count of each piece, in order.
    pub(crate) fn count_words(&mut self, counts: &[u32]) {
        for (piece, n_words) in self.pieces.iter_mut().zip(counts) {
            piece.n_words = *n_words;
        }
    }

    fn speaker_idx(&mut self, name: &str) -> usize {
        let found = self.speakers.iter().position(|speaker| speaker == name);
        found.unwrap_or_else(|| {
            self.speakers.push(name.to_owned());
            self.speakers.len() - 1
        })
    }

    /// The passage of a piece.
    pub(crate) fn passage_of(&self, piece: &PieceRecord) -> Option<&PassageRecord> {
        self.passages.get(piece.passage)
    }

    /// The speaker of a passage.
    pub(crate) fn speaker_of(&self, passage: &PassageRecord) -> Option<&str> {
        self.speakers.get(passage.speaker?).map(String::as_str)
    }

    /// Whether it is running text, where one thought spans many lines. The items of a list or a table next to text are
    /// separate thoughts, so they say nothing about the text.
    pub(crate) fn is_running_text(&self) -> bool {
        let kinds = || self.passages.iter().map(|passage| passage.kind);
        let is_item = |kind| matches!(kind, PassageKind::Bullet | PassageKind::TableRow);
        kinds().any(|kind| kind == PassageKind::Paragraph) && !kinds().any(is_item)
    }

    /// Number of words in the stretch.
    pub(crate) fn n_words(&self) -> u64 {
        let counts = self.pieces.iter().map(|piece| u64::from(piece.n_words));
        counts.sum()
    }

    /// Encodes the record.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        number(&mut out, self.speakers.len());
        for speaker in &self.speakers {
            number(&mut out, speaker.len());
            out.extend_from_slice(speaker.as_bytes());
        }
        number(&mut out, self.passages.len());
        let mut line = 0;
        for passage in &self.passages {
            number(&mut out, passage.kind as usize);
            number(&mut out, passage.origin as usize);
            number(&mut out, passage.lines.start.saturating_sub(line));
            number(&mut out, passage.lines.end - passage.lines.start);
            line = passage.lines.start;
            number(&mut out, passage.speaker.map_or(0, |idx| idx + 1));
            number(&mut out, passage.text.len());
            number(&mut out, passage.pieces.len());
            let mut at = passage.text.start;
            for piece in self.pieces.get(passage.pieces.clone()).unwrap_or_default() {
                number(&mut out, piece.text.start - at);
                number(&mut out, piece.text.len());
                number(&mut out, piece.n_words as usize);
                out.push(u8::from(piece.asks) | u8::from(piece.wish) << 1);
                at = piece.text.end;
            }
        }
        out
    }

    /// Decodes a record; `None` if the bytes are damaged.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let mut record = Self::default();
        for _ in 0..take(&mut rest)? {
            let n_bytes = take(&mut rest)?;
            let (name, after) = rest.split_at_checked(n_bytes)?;
            let name = std::str::from_utf8(name).ok()?;
            record.speakers.push(name.to_owned());
            rest = after;
        }
        let n_passages = take(&mut rest)?;
        // Most passages are one piece; a damaged number must not exhaust memory.
        let n_probable = n_passages.min(rest.len() / PASSAGE_BYTES_MIN);
        record.passages.reserve_exact(n_probable);
        record.pieces.reserve_exact(n_probable);
        let (mut line, mut at) = (0, 0);
        for passage_idx in 0..n_passages {
            let kind = *PassageKind::ALL.get(take(&mut rest)?)?;
            let origin = *Origin::ALL.get(take(&mut rest)?)?;
            line = usize::checked_add(line, take(&mut rest)?)?;
            let end = line.checked_add(take(&mut rest)?)?;
            let speaker = take(&mut rest)?.checked_sub(1);
            let text = at..usize::checked_add(at, take(&mut rest)?)?;
            let first_piece = record.pieces.len();
            for _ in 0..take(&mut rest)? {
                let start = usize::checked_add(at, take(&mut rest)?)?;
                let piece_end = start.checked_add(take(&mut rest)?)?;
                at = piece_end;
                let n_words = u32::try_from(take(&mut rest)?).ok()?;
                let (signs, after) = rest.split_first()?;
                rest = after;
                record.pieces.push(PieceRecord {
                    passage: passage_idx,
                    text: start..piece_end,
                    n_words,
                    asks: signs & 1 != 0,
                    wish: signs & 2 != 0,
                });
            }
            at = text.end;
            record.passages.push(PassageRecord {
                kind,
                origin,
                lines: LineRange { start: line, end },
                speaker,
                pieces: first_piece..record.pieces.len(),
                text,
            });
        }
        rest.is_empty().then_some(record)
    }
}

/// Whether this is one of our headings for wishes.
fn is_of_wishes(heading: &str) -> bool {
    let [_, _, _, in_log, _] = FLUSH_SECTIONS;
    let [instructions, preferences, ..] = MEMORY_SECTIONS;
    let heading = heading.trim_matches(['*', ':', ' ']);
    [in_log, instructions, preferences].contains(&heading)
}

/// Whether the kind and speaker of a passage allow a wish of the owner.
fn may_wish(passage: &Passage) -> bool {
    let is_said = match passage.kind {
        PassageKind::Bullet | PassageKind::Message | PassageKind::Paragraph => true,
        PassageKind::TableRow | PassageKind::Code | PassageKind::Heading => false,
    };
    is_said && passage.speaker.as_deref() != Some("assistant")
}

/// LEB128: seven bits per byte, lowest first; the high bit marks continuation.
fn number(out: &mut Vec<u8>, mut value: usize) {
    loop {
        let low = u8::try_from(value & 0x7f).unwrap_or(0);
        value >>= 7;
        if value == 0 {
            return out.push(low);
        }
        out.push(low | 0x80);
    }
}

fn take(rest: &mut &[u8]) -> Option<usize> {
    let mut value = 0_usize;
    for shift in (0..usize::BITS).step_by(7) {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        value |= usize::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
