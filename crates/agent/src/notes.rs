//! Asks for the notes of a span, of one engine after the other, and makes of them a block of the daily log.
//!
//! Writes nothing, and never shows an engine more than its window takes.

use base::model::{Evidence, Excerpt, Model, Quoting, Request, complete, complete_telling};
use base::{Message, SessionId, StopReason, Timestamp, TokenCount};
use compaction::{
    AsOf, FlushMode, FlushNote, FlushNotes, FlushSection, NoteRefusal, ProposedNote, SMALL_WINDOW,
    Settled, flush_request, flush_retry_request, quoted_notes, read_notes, sentence_request,
    settle_notes,
};
use memory::{BlockKind, FlushBlock, Note};
use session::FlushIntent;

use crate::event::Event;
use crate::grounds::MessageGrounds;
use crate::summarise::{Engines, Writers};

/// What notes are made from, frozen: a job may hold it while the chat goes on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NotesBrief {
    /// What was said.
    pub(crate) excerpts: Vec<Excerpt>,
    /// Why it is written down.
    pub(crate) mode: FlushMode,
    /// The moment on the owner's clock.
    pub(crate) as_of: AsOf,
}

/// Notes on this evidence by the first engine that gives usable ones; else why none did.
pub(crate) async fn notes(
    brief: &NotesBrief,
    writers: &Writers,
    engines: Engines,
) -> Result<FlushNotes, String> {
    if brief.excerpts.is_empty() {
        return Ok(FlushNotes::default());
    }
    let mut failures: Vec<String> = Vec::new();
    let told_of = |failures: &[String], name: &str| -> Vec<String> {
        let fell = failures.iter();
        fell.map(|failure| format!("{failure}; {name} writes the notes instead"))
            .collect()
    };
    for model in writers.remote(engines) {
        let name = model.profile().name;
        let model = &**model;
        let asking = Asking {
            brief,
            writers,
            model,
        };
        match asking.notes().await {
            Ok(mut notes) => {
                notes.told.splice(0..0, told_of(&failures, &name));
                return Ok(notes);
            }
            Err(reason) => failures.push(format!("{name}: {reason}")),
        }
    }
    let name = writers.offline().profile().name;
    match quoted(brief, writers).await {
        Ok(mut notes) => {
            notes.told = told_of(&failures, &name);
            Ok(notes)
        }
        Err(reason) => {
            failures.push(format!("{name}: {reason}"));
            Err(failures.join("; "))
        }
    }
}

/// The notes of the offline engine, which quotes.
async fn quoted(brief: &NotesBrief, writers: &Writers) -> Result<FlushNotes, String> {
    let evidence = Evidence::from(brief.excerpts.clone());
    let model = Quoting {
        extractor: writers.offline(),
        evidence: &evidence,
    };
    let window = writers.window_of(writers.offline());
    let request = flush_request(&brief.excerpts, brief.mode, brief.as_of, window);
    let reply = writers.patience().wait(complete(&model, &request)).await?;
    let text = Message::Assistant(reply.map_err(|error| error.to_string())?).text();
    quoted_notes(&text, &brief.excerpts).map_err(|error| error.to_string())
}

/// More sentences are not sent to a small model one by one; the others stay as they were said.
const SENTENCES_ASKED_MAX: usize = 16;

/// A model that is asked for notes.
#[derive(Clone, Copy)]
struct Asking<'a> {
    brief: &'a NotesBrief,
    writers: &'a Writers,
    model: &'a dyn Model,
}

impl Asking<'_> {
    /// The notes that stand up to the messages; for those that do not, it is asked once more.
    async fn notes(self) -> Result<FlushNotes, String> {
        let Self { brief, writers, .. } = self;
        let window = writers.window_of(self.model);
        let own = self.model.profile().context_window;
        if own.is_some_and(|own| own <= SMALL_WINDOW) {
            return self.one_by_one(window).await;
        }
        let request = flush_request(&brief.excerpts, brief.mode, brief.as_of, window);
        let mut told = Vec::new();
        let mut settled = self.settled(&request, &mut told).await?;
        if !settled.refused.is_empty() {
            let again = flush_retry_request(&request, &settled.refused);
            match self.settled(&again, &mut told).await {
                Ok(second) => settled = settled.mended_by(second),
                Err(reason) => told.push(format!(
                    "{} did not mend its notes: {reason}",
                    self.model.profile().name
                )),
            }
        }
        // What the next engine quotes is better than nothing.
        if let ([], [first, ..]) = (settled.notes.as_slice(), settled.refused.as_slice()) {
            let n_notes = settled.refused.len();
            return Err(format!(
                "none of its {n_notes} notes can be taken: {}",
                first.why
            ));
        }
        let notes = FlushNotes::of(settled);
        Ok(FlushNotes { told, ..notes })
    }

    /// A note on each sentence that the offline engine chose; the sentence itself where the model has no better one.
    async fn one_by_one(self, window: TokenCount) -> Result<FlushNotes, String> {
        let Self { brief, writers, .. } = self;
        let name = self.model.profile().name;
        let mut sentences = quoted(brief, writers).await?.notes.into_iter();
        let n_chosen = sentences.len();
        let mut told = Vec::new();
        let mut notes = Vec::new();
        let mut n_answered = 0;
        let mut unusable = Vec::new();
        for sentence in sentences.by_ref().take(SENTENCES_ASKED_MAX) {
            let request = sentence_request(&sentence, &brief.excerpts, brief.as_of, window);
            let Some(request) = request else {
                notes.push(sentence);
                continue;
            };
            match self.phrased(&request, &mut told).await {
                Ok(Phrased::Note(note)) => notes.push(note),
                Ok(Phrased::NotWorthIt) => {}
                Ok(Phrased::Unusable(why)) => {
                    unusable.push(why);
                    notes.push(sentence);
                }
                Err(reason) if n_answered == 0 => return Err(reason),
                // What was answered is kept.
                Err(reason) => {
                    told.push(format!(
                        "{name} answered for {n_answered} of {n_chosen} sentences, the others stay as they were said: \
                         {reason}"
                    ));
                    notes.push(sentence);
                    break;
                }
            }
            n_answered += 1;
        }
        if let Some(why) = unusable.first() {
            let n_unusable = unusable.len();
            told.push(format!(
                "{name} gave no usable note on {n_unusable} of {n_answered} sentences, which stay as they were said: \
                 {why}"
            ));
        }
        notes.extend(sentences);
        let settled = Settled {
            notes,
            ..Settled::default()
        };
        let notes = FlushNotes::of(settled);
        Ok(FlushNotes { told, ..notes })
    }

    /// What the model makes of one sentence; a reply that cannot be taken is sent back once.
    async fn phrased(self, request: &Request, told: &mut Vec<String>) -> Result<Phrased, String> {
        let first = self.attempt(request, told).await?;
        if let Some(note) = first.notes.into_iter().next() {
            return Ok(Phrased::Note(note));
        }
        let Some(wrong) = first.refused.first() else {
            return Ok(Phrased::NotWorthIt);
        };
        let again = flush_retry_request(request, &first.refused);
        let second = self.attempt(&again, told).await?;
        let mended = second.notes.into_iter().next();
        Ok(mended.map_or(Phrased::Unusable(wrong.why), Phrased::Note))
    }

    /// What one reply on a sentence gives.
    async fn attempt(self, request: &Request, told: &mut Vec<String>) -> Result<Settled, String> {
        let reply = self.reply(request, told).await?;
        let unreadable = |_| vec![Err(reply.text.clone())];
        Ok(self.judged(read_notes(&reply.text).unwrap_or_else(unreadable)))
    }

    /// What one reply gives.
    async fn settled(self, request: &Request, told: &mut Vec<String>) -> Result<Settled, String> {
        let reply = self.reply(request, told).await?;
        let found = read_notes(&reply.text).map_err(|error| error.to_string())?;
        let mut settled = self.judged(found);
        if reply.is_cut {
            // What it left out would otherwise count as written down.
            settled.cut();
        }
        Ok(settled)
    }

    fn judged(self, found: Vec<Result<ProposedNote, String>>) -> Settled {
        let grounds = MessageGrounds {
            timezone: self.brief.as_of.timezone,
        };
        settle_notes(found, &self.brief.excerpts, &grounds)
    }

    /// One reply; `told` gets why it was asked for in another form.
    async fn reply(self, request: &Request, told: &mut Vec<String>) -> Result<Reply, String> {
        let mut on_fall = |reason: String| told.push(reason);
        let asked = complete_telling(self.model, request, &mut on_fall);
        let reply = self.writers.patience().wait(asked).await?;
        let reply = reply.map_err(|error| error.to_string())?;
        let is_cut = match reply.stop {
            StopReason::Stop | StopReason::ToolUse => false,
            StopReason::Length => true,
            StopReason::Error | StopReason::Aborted => return Err("it was broken off".to_owned()),
        };
        let text = Message::Assistant(reply).text();
        Ok(Reply { text, is_cut })
    }
}

/// What a model makes of a sentence.
enum Phrased {
    Note(FlushNote),
    NotWorthIt,
    Unusable(NoteRefusal),
}

/// What a model answered.
struct Reply {
    text: String,
    /// Whether it ended at its length limit.
    is_cut: bool,
}

/// What the owner should know of how notes were made, and each note that was left out with the reason.
pub(crate) fn warnings(notes: &FlushNotes) -> impl Iterator<Item = Event> {
    let refused = notes.refused.iter();
    let refused = refused.map(|note| format!("a note was left out, {}: {:?}", note.why, note.text));
    let told = notes.told.iter().cloned();
    told.chain(refused).map(Event::Warning)
}

/// The block that a flush writes.
pub(crate) fn block(
    session: &SessionId,
    intent: &FlushIntent,
    at: Timestamp,
    notes: FlushNotes,
) -> FlushBlock {
    let kind = if intent.before_compaction {
        BlockKind::PreFlush
    } else {
        BlockKind::SessionNotes
    };
    let mut notes = notes.notes;
    let sections = FlushSection::ALL.map(|section| {
        let own = notes.extract_if(.., |note| note.section == section);
        let own = own.map(|note| Note {
            text: note.text,
            evidence: note.evidence,
            origin: note.origin,
        });
        (section.heading().to_owned(), own.collect::<Vec<_>>())
    });
    FlushBlock {
        session: session.clone(),
        epoch: intent.epoch.0,
        span: intent.span.clone(),
        kind,
        at,
        sections: sections.into(),
    }
}

#[cfg(test)]
#[path = "notes_tests.rs"]
mod tests;
