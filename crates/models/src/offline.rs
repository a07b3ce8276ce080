//! The offline engine behind the model port: renders extracts in the reply formats that callers expect.
//!
//! Selects nothing itself: `extract` decides what to quote.

use std::sync::Arc;

use base::model::{
    Excerpt, Extractor, ExtractorInput, Model, ModelError, ModelProfile, Purpose, ReplyEvent,
    ReplyStream, Request, Spelling,
};
use base::{
    Block, CLIENT_NAME, Embedder, FLUSH_SECTIONS, Message, NOTHING_TO_FLUSH, NOTHING_TO_KEEP,
    StopReason, Tz,
};
use extract::{Extract, ExtractedNote, NoteSection, OwnerQuestion, QuotedAnswer, QuotedPassage};
use futures_util::StreamExt;
use futures_util::stream;
use serde_json::json;

use crate::BundledEmbedder;

const NAME: &str = "offline";

/// Maximum number of earlier messages that may decide the language of a short one.
const EARLIER_MAX: usize = 8;

/// Answers and writes notes and summaries by quotation, without a key or a network.
#[derive(Debug, Clone)]
pub struct OfflineEngine {
    extract: Extract,
}

impl OfflineEngine {
    /// An engine that shows days in the owner's time zone.
    pub fn new(timezone: Tz) -> Self {
        let embedder = BundledEmbedder::new().map(|it| Arc::new(it) as Arc<dyn Embedder>);
        Self {
            extract: Extract::new(timezone, embedder),
        }
    }

    /// The complete reply.
    fn reply(
        &self,
        request: &Request,
        evidence: &ExtractorInput,
    ) -> Result<QuotedAnswer, ModelError> {
        let excerpts = &evidence.excerpts;
        let text = match request.purpose {
            Purpose::Flush => {
                let notes = self.extract.notes(excerpts, request.output_max);
                rendered(&notes, excerpts)
            }
            Purpose::Summarise => {
                let summary = self.extract.summary(excerpts, request.output_max);
                if summary.is_empty() {
                    return Err(ModelError::Refused {
                        model: NAME.into(),
                        reason: "the offline engine found nothing to summarise".into(),
                    });
                }
                summary
            }
            Purpose::Consolidate => self.candidates(excerpts),
            Purpose::Chat => return Ok(self.answer(request, evidence)),
        };
        // Notes and summaries are a selection, whole at any size.
        Ok(QuotedAnswer {
            text,
            is_cut: false,
        })
    }

    /// Operations as JSON Lines; lines of long-term memory serve only for comparison, never as evidence.
    fn candidates(&self, excerpts: &[Excerpt]) -> String {
        let candidates = self.extract.candidates(excerpts).into_iter();
        let lines: Vec<String> = candidates
            .filter_map(|candidate| {
                let label = &excerpts.get(candidate.excerpt)?.label;
                let mut operation = json!({
                    "op": "add",
                    "section": candidate.section,
                    "text": candidate.text,
                    "importance": candidate.importance,
                    "asked": candidate.is_asked_for,
                    "evidence": [label],
                });
                if let (Some(quote), Some(keys)) = (candidate.quote, operation.as_object_mut()) {
                    keys.insert("quote".to_owned(), quote.into());
                }
                Some(operation.to_string())
            })
            .collect();
        if lines.is_empty() {
            return NOTHING_TO_KEEP.to_owned();
        }
        lines.join("\n")
    }

    /// Answers the owner's newest message; its first text block holds the owner's words.
    fn answer(&self, request: &Request, evidence: &ExtractorInput) -> QuotedAnswer {
        let mut owners = request.messages.iter().rev().filter(
            |message| matches!(message, Message::User { name, .. } if !is_of_client(name.as_ref())),
        );
        let words = owners.next().and_then(first_text);
        let earlier: Vec<&str> = owners.filter_map(first_text).take(EARLIER_MAX).collect();
        let passages: Vec<QuotedPassage> = evidence.excerpts.iter().filter_map(passage).collect();
        let question = OwnerQuestion {
            text: &corrected(words.unwrap_or_default(), &evidence.spellings),
            earlier: &earlier.join("\n"),
            reach: evidence.reach,
            room: request.output_max,
        };
        match &evidence.listing {
            Some(listing) => self.extract.listing(&question, listing),
            None => self.extract.answer(&question, &passages),
        }
    }
}

/// Whether a message is text that a client added to a question.
fn is_of_client(name: Option<&String>) -> bool {
    name.is_some_and(|name| name == CLIENT_NAME)
}

/// The first text block of a message.
fn first_text(message: &Message) -> Option<&str> {
    message.content().iter().find_map(|block| match block {
        Block::Text(text) => Some(text.as_str()),
        Block::Thinking(_) | Block::Image(_) | Block::ToolCall(_) | Block::Unknown { .. } => None,
    })
}

/// Applies the spelling corrections to a question.
fn corrected(question: &str, spellings: &[Spelling]) -> String {
    let is_mark = |c: char| !c.is_alphanumeric();
    let corrected = |piece: &str| {
        let word = piece.trim_end_matches(is_mark);
        let asked = word.to_lowercase();
        let meant = spellings.iter().find(|it| it.asked == asked);
        meant.map_or_else(|| piece.to_owned(), |it| piece.replacen(word, &it.meant, 1))
    };
    question.split_inclusive(is_mark).map(corrected).collect()
}

fn passage(excerpt: &Excerpt) -> Option<QuotedPassage> {
    let recalled = excerpt.recalled.as_ref()?;
    Some(QuotedPassage {
        text: excerpt.message.text(),
        place: recalled.place.clone(),
        day: recalled.day,
        planned_for: recalled.planned_for,
        renews: recalled.renews.clone(),
        is_assistants: matches!(excerpt.message, Message::Assistant(_)),
    })
}

/// Notes in the format of a flush reply: JSON Lines.
fn rendered(notes: &[ExtractedNote], excerpts: &[Excerpt]) -> String {
    if notes.is_empty() {
        return NOTHING_TO_FLUSH.to_owned();
    }
    let lines: Vec<String> = notes.iter().map(|note| line(note, excerpts)).collect();
    lines.join("\n")
}

fn line(note: &ExtractedNote, excerpts: &[Excerpt]) -> String {
    let mut headings = NoteSection::ALL.iter().zip(FLUSH_SECTIONS);
    let heading = headings.find(|(section, _)| **section == note.section);
    let cited = note.excerpts.iter().filter_map(|at| excerpts.get(*at));
    let labels: Vec<&str> = cited.map(|excerpt| excerpt.label.as_str()).collect();
    let section = heading.map(|(_, heading)| heading);
    json!({"section": section, "text": note.text, "evidence": labels}).to_string()
}

impl Model for OfflineEngine {
    fn profile(&self) -> ModelProfile {
        ModelProfile {
            name: NAME.into(),
            context_window: None,
            concurrency: usize::MAX,
            only_quotes: true,
        }
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        let events = stream::once(async move { self.reply(request, &ExtractorInput::default()) });
        events.flat_map(|reply| stream::iter(pieces(reply))).boxed()
    }
}

impl Extractor for OfflineEngine {
    fn quote<'a>(&'a self, request: &'a Request, evidence: &'a ExtractorInput) -> ReplyStream<'a> {
        let events = stream::once(async move { self.reply(request, evidence) });
        events.flat_map(|reply| stream::iter(pieces(reply))).boxed()
    }
}

/// Splits a reply into the pieces to stream: one per section, or for an answer one per quotation.
fn pieces(reply: Result<QuotedAnswer, ModelError>) -> Vec<Result<ReplyEvent, ModelError>> {
    let QuotedAnswer { text, is_cut } = match reply {
        Ok(reply) => reply,
        Err(error) => return vec![Err(error)],
    };
    let opening = if text.contains("## ") { "## " } else { "- " };
    let mut pieces: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        match pieces.last_mut() {
            Some(piece) if !line.starts_with(opening) => piece.push_str(line),
            _ => pieces.push(line.to_owned()),
        }
    }
    let done = ReplyEvent::Done {
        stop: if is_cut {
            StopReason::Length
        } else {
            StopReason::Stop
        },
        usage: None,
    };
    let events = pieces.into_iter().map(ReplyEvent::Text).chain([done]);
    events.map(Ok).collect()
}

#[cfg(test)]
#[path = "offline_tests.rs"]
mod tests;
