//! Asks one engine after another for the notes of a span, and builds a block of the daily log from them.
//!
//! Writes nothing, and never sends an engine more than its window takes.

use base::model::{Excerpt, ExtractorInput, Model, Quoting, Request};
use base::{SessionId, Timestamp};
use compaction::{
    AsOf, FlushMode, FlushNotes, FlushSection, NoteRefusal, ProposedNote, SMALL_WINDOW,
    flush_request, flush_retry_request, quoted_notes, read_notes, sentence_request, settle_notes,
};
use memory::{BlockKind, FlushBlock, Note};
use session::FlushIntent;

use crate::event::Event;
use crate::writers::asking::{Account, Phrased, TextReply};
use crate::writers::grounds::MessageGrounds;
use crate::writers::summarise::{Engines, Writers};

/// The frozen input of notes; a job may hold it while the chat continues.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NotesBrief {
    /// The messages of the span.
    pub(crate) excerpts: Vec<Excerpt>,
    /// The kind of flush.
    pub(crate) mode: FlushMode,
    /// The time of the span's end, with the owner's time zone.
    pub(crate) as_of: AsOf,
    /// Earlier notes; a note may repeat their figures and names.
    pub(crate) noted: Vec<String>,
}

/// The notes of the first engine that gives usable ones, or why none did.
pub(crate) async fn notes(
    brief: &NotesBrief,
    writers: &Writers,
    engines: Engines,
) -> Result<FlushNotes, String> {
    if brief.excerpts.is_empty() {
        return Ok(FlushNotes::default());
    }
    let evidence = ExtractorInput::from(brief.excerpts.clone());
    let offline = Quoting {
        extractor: writers.offline(),
        evidence: &evidence,
    };
    let mut failures: Vec<String> = Vec::new();
    let remote = writers.remote(engines).into_iter().map(|model| &**model);
    for model in remote.chain([&offline as &dyn Model]) {
        let name = model.profile().name;
        let asking = NotesEngine {
            brief,
            writers,
            model,
            offline: &offline,
        };
        match asking.notes().await {
            Ok(mut notes) => {
                let fell = failures.iter();
                let fell = fell.map(|failure| format!("{failure}; falling back to {name}"));
                notes.warnings.splice(0..0, fell);
                return Ok(notes);
            }
            Err(reason) => failures.push(format!("{name}: {reason}")),
        }
    }
    Err(failures.join("; "))
}

#[derive(Clone, Copy)]
struct NotesEngine<'a> {
    brief: &'a NotesBrief,
    writers: &'a Writers,
    model: &'a dyn Model,
    offline: &'a dyn Model,
}

impl NotesEngine<'_> {
    async fn notes(self) -> Result<FlushNotes, String> {
        let mut account = Account::new(self.writers.timeout());
        let own = self.model.profile().context_window;
        let notes = if std::ptr::addr_eq(self.model, self.offline) {
            self.quoted(&mut account).await
        } else if own.is_some_and(|own| own <= SMALL_WINDOW) {
            self.small_steps(&mut account).await
        } else {
            self.proposed(&mut account).await
        };
        let warnings = account.warnings;
        notes.map(|notes| FlushNotes { warnings, ..notes })
    }

    async fn quoted(self, account: &mut Account) -> Result<FlushNotes, String> {
        let Self { brief, writers, .. } = self;
        let window = writers.window_of(writers.offline());
        let request = flush_request(&brief.excerpts, brief.mode, brief.as_of, window);
        let reply = account.reply(self.offline, &request).await?;
        quoted_notes(&reply.text, &brief.excerpts).map_err(|error| error.to_string())
    }

    /// The notes that their messages support, after one retry for those that are refused.
    async fn proposed(self, account: &mut Account) -> Result<FlushNotes, String> {
        let Self { brief, writers, .. } = self;
        let window = writers.window_of(self.model);
        let request = flush_request(&brief.excerpts, brief.mode, brief.as_of, window);
        let mut settled = self.settled(&request, account).await?;
        if !settled.refused.is_empty() {
            let again = flush_retry_request(&request, &settled.refused);
            match self.settled(&again, account).await {
                Ok(second) => settled = settled.mended_by(second),
                Err(reason) => {
                    let name = self.model.profile().name;
                    let warning = format!("{name} did not correct its notes: {reason}");
                    account.warnings.push(warning);
                }
            }
        }
        let settled = settled.with_sentences();
        // Fail if every note was refused: the next engine's quotes are better than nothing.
        if let ([], [first, ..]) = (settled.notes.as_slice(), settled.refused.as_slice()) {
            let n_notes = settled.refused.len();
            return Err(format!(
                "none of its {n_notes} notes is usable: {}",
                first.why
            ));
        }
        Ok(settled.sorted())
    }

    async fn settled(self, request: &Request, account: &mut Account) -> Result<FlushNotes, String> {
        let reply = account.reply(self.model, request).await?;
        let found = read_notes(&reply.text).map_err(|error| error.to_string())?;
        let mut settled = self.judged(found);
        if reply.is_cut {
            // Otherwise the entries that it left out would count as noted.
            settled.cut();
        }
        Ok(settled)
    }

    fn judged(self, found: Vec<Result<ProposedNote, String>>) -> FlushNotes {
        let grounds = MessageGrounds {
            timezone: self.brief.as_of.timezone,
            noted: &self.brief.noted,
        };
        settle_notes(found, &self.brief.excerpts, &grounds)
    }

    /// Has a small model write a note on each sentence that the offline engine chose.
    async fn small_steps(self, account: &mut Account) -> Result<FlushNotes, String> {
        let Self { brief, writers, .. } = self;
        let window = writers.window_of(self.model);
        let chosen = self.quoted(account).await?.notes.into_iter().map(|note| {
            let request = sentence_request(&note, &brief.excerpts, brief.as_of, window);
            (note, request)
        });
        let read = |request: &Request, reply: &TextReply| {
            let unreadable = |_| vec![Err(reply.text.clone())];
            let found = self.judged(read_notes(&reply.text).unwrap_or_else(unreadable));
            match (found.notes.into_iter().next(), found.refused.first()) {
                (Some(note), _) => Phrased::Item(note),
                (None, None) => Phrased::NotWorthIt,
                // A model that has nothing to note leaves the text empty.
                (None, Some(wrong)) if wrong.why == NoteRefusal::Empty => Phrased::NotWorthIt,
                (None, Some(wrong)) => {
                    let again = flush_retry_request(request, &found.refused);
                    Phrased::Unusable(format!(": {}", wrong.why), Some(again))
                }
            }
        };
        let says = "gave no usable note on";
        let notes = account
            .one_by_one(self.model, says, chosen.collect(), read)
            .await?;
        let notes = FlushNotes {
            notes,
            ..FlushNotes::default()
        };
        Ok(notes.sorted())
    }
}

/// The warnings of how notes were made, and one for each reason for which notes were refused.
pub(crate) fn warnings(notes: &FlushNotes) -> impl Iterator<Item = Event> {
    let mut by_reason: Vec<(String, &str, usize)> = Vec::new();
    for note in &notes.refused {
        let why = note.why.to_string();
        match by_reason.iter_mut().find(|(known, ..)| *known == why) {
            Some((.., n_notes)) => *n_notes += 1,
            None => by_reason.push((why, &note.text, 1)),
        }
    }
    let refused = by_reason
        .into_iter()
        .map(|(why, text, n_notes)| match n_notes {
            1 => format!("a note was dropped because {why}: {text:?}"),
            _ => format!("{n_notes} notes were dropped, such as {text:?}: {why}"),
        });
    let refused: Vec<String> = refused.collect();
    let warnings = notes.warnings.iter().cloned();
    warnings.chain(refused).map(Event::Warning)
}

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
