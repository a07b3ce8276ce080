//! Cuts the messages of a document into passages.
//!
//! Never shows more of a message than it can score.

use base::{LineRange, redact};

use super::model::{Heading, Passage, PassageKind};
use super::split::{PIECE_CHARS_MAX, split};
use super::stretch::{ResumePlace, Stretch, Stretches};
use crate::passage_source::SourceMessage;

/// Most pieces of one passage; a longer message is several passages of the same line.
const MESSAGE_PIECES_MAX: usize = 64;

/// Gathers messages; a section is what was said on one day.
#[derive(Debug, Default)]
pub(crate) struct MessageCutter {
    stretches: Stretches,
}

impl MessageCutter {
    /// Adds a message and gives each stretch that it ended to `sink`.
    pub(crate) fn push(&mut self, message: &SourceMessage, sink: &mut dyn FnMut(Stretch)) {
        let text = redact(&message.text);
        let heading = Heading {
            path: String::new(),
            day: message.day,
        };
        let mut resume = Some(message.place);
        for pieces in split(&text, PIECE_CHARS_MAX).chunks(MESSAGE_PIECES_MAX) {
            let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
                continue;
            };
            let passage = Passage {
                kind: PassageKind::Message,
                lines: LineRange {
                    start: message.place.line,
                    end: message.place.line,
                },
                text: text.get(first.start..last.end).unwrap_or("").to_owned(),
                pieces: pieces
                    .iter()
                    .map(|piece| piece.start - first.start..piece.end - first.start)
                    .collect(),
                speaker: Some(message.speaker.clone()),
                origin: message.origin,
            };
            if let Some(ended) = self.stretches.push(&heading, passage, resume.take()) {
                sink(ended);
            }
        }
    }

    /// Gives the last stretch.
    pub(crate) fn end(mut self, sink: &mut dyn FnMut(Stretch)) {
        if let Some(ended) = self.stretches.end() {
            sink(ended);
        }
    }
}

impl ResumePlace {
    /// A place known by its line alone.
    pub fn at_line(line: usize) -> Self {
        Self { line, offset: 0 }
    }
}
