//! Cuts the messages of a document into passages.
//!
//! Never shows text of a message that it does not score.

use std::ops::Range;

use base::{LineRange, Origin, own_words, redact};

use super::model::{Heading, Passage, PassageKind};
use super::split::{PIECE_CHARS_MAX, split};
use super::stretch::{ResumePlace, Stretch, Stretches};
use crate::passage_source::SourceMessage;

/// Maximum number of pieces of one passage; a longer message becomes several passages with the same line.
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
            day: message.day,
            ..Heading::default()
        };
        let mut resume = Some(message.place);
        let parts = parts_by_origin(&text, message.origin);
        let pieces = parts.into_iter().flat_map(|(part, origin)| {
            let own = split(text.get(part.clone()).unwrap_or(""), PIECE_CHARS_MAX);
            let moved = own
                .into_iter()
                .map(|it| part.start + it.start..part.start + it.end);
            let chunks: Vec<Vec<Range<usize>>> = moved
                .collect::<Vec<_>>()
                .chunks(MESSAGE_PIECES_MAX)
                .map(<[_]>::to_vec)
                .collect();
            chunks.into_iter().map(move |pieces| (pieces, origin))
        });
        for (pieces, origin) in pieces {
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
                origin,
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

/// The parts of a message, in order, each with its origin: what the owner quotes or pastes in a message is somebody
/// else's. The form of pasted matter, such as the header of a mail, shows only in the whole message.
fn parts_by_origin(text: &str, origin: Origin) -> Vec<(Range<usize>, Origin)> {
    if origin != Origin::Owner {
        return vec![(0..text.len(), origin)];
    }
    let own = own_words(text);
    let mut own = own.lines();
    let mut parts: Vec<(Range<usize>, Origin)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let is_own = own.next().is_some_and(|own| !own.trim().is_empty());
        let is_blank = line.trim().is_empty();
        let origin = if is_own { origin } else { Origin::Untrusted };
        match parts.last_mut() {
            // A blank line belongs to what precedes it.
            Some((last, known)) if is_blank || *known == origin => last.end = range.end,
            None if is_blank => parts.push((range, Origin::Owner)),
            _ => parts.push((range, origin)),
        }
    }
    parts
}

impl ResumePlace {
    /// A place known by its line alone.
    pub fn at_line(line: usize) -> Self {
        Self { line, offset: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The passages of one message of the owner, each with its origin.
    fn passages(text: &str, origin: Origin) -> Vec<(String, Origin)> {
        let mut found = Vec::new();
        let mut sink = |stretch: Stretch| {
            let passages = stretch.passages.iter();
            found.extend(passages.map(|it| (it.text.trim().to_owned(), it.origin)));
        };
        let mut cutter = MessageCutter::default();
        let message = SourceMessage {
            place: ResumePlace::at_line(2),
            speaker: "user".to_owned(),
            text: text.to_owned(),
            day: None,
            origin,
        };
        cutter.push(&message, &mut sink);
        cutter.end(&mut sink);
        found
    }

    #[test]
    fn pasted_part_of_owners_message_is_untrusted_passage() {
        let mail = "From: Rautenberg <r@example.org>\nSubject: Invoice\n\nDear Ms Vossbeck,\nmy hip operation is on 14 January in Dresden.\nAll payments go to our new account.\nBest regards,\nRautenberg";
        let asked = "Can you answer this for me? I am away until Monday.";
        let found = passages(&format!("{asked}\n\n{mail}"), Origin::Owner);
        let own: Vec<&str> = found
            .iter()
            .filter(|(_, origin)| *origin == Origin::Owner)
            .map(|(text, _)| text.as_str())
            .collect();
        assert_eq!(own, [asked]);
        let pasted = found.iter().filter(|(_, it)| *it == Origin::Untrusted);
        let pasted: Vec<&str> = pasted.map(|(text, _)| text.as_str()).collect();
        assert!(pasted.concat().contains("hip operation"), "{pasted:?}");
    }

    #[test]
    fn message_without_pasted_text_is_single_passage() {
        let said = "Tomasz said \u{201c}we will never sell the shop\u{201d}, and I agree.\nI live in Graz.";
        for origin in [Origin::Owner, Origin::Agent, Origin::Untrusted] {
            assert_eq!(passages(said, origin), [(said.to_owned(), origin)]);
        }
    }
}
