//! Cuts the messages of a document into passages.
//!
//! Never shows text of a message that it does not score.

use std::ops::Range;

use base::{LineRange, redact};

use super::model::{Heading, Passage, PassageKind};
use super::split::{PIECE_CHARS_MAX, split};
use super::stretch::{ResumePlace, Stretch, Stretches};
use crate::passage_source::SourceMessage;

/// Most pieces of one passage; a longer message becomes several passages with the same line.
const MESSAGE_PIECES_MAX: usize = 64;

/// Collects messages into stretches; a section is one day.
#[derive(Debug, Default)]
pub(crate) struct MessageCutter {
    stretches: Stretches,
}

impl MessageCutter {
    /// Adds a message and passes each completed stretch to `sink`.
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
            let within = |it: &Range<usize>| it.start - first.start..it.end - first.start;
            let passage = Passage {
                kind: PassageKind::Message,
                lines: LineRange::line(message.place.line),
                text: text.get(first.start..last.end).unwrap_or("").to_owned(),
                pieces: pieces.iter().map(within).collect(),
                speaker: Some(message.speaker.clone()),
                origin: message.origin,
            };
            if let Some(ended) = self.stretches.push(&heading, passage, resume.take()) {
                sink(ended);
            }
        }
    }

    /// Passes the last stretch to `sink`.
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
