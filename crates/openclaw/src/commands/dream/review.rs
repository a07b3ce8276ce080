//! `openclaw dream review`: reviews the waiting candidates one by one, with a key for each decision.
//!
//! Holds no lock while the owner thinks.

use std::collections::BTreeMap;

use agent::ops::{CandidateReply, NearLine};
use agent::review::{EvidenceContext, ReviewOrder, waiting_among};
use memory::candidates::{Candidate, CandidateId, Status};

use super::candidate::{shown, whole_sources};
use super::decided::{render_beside, render_near, waiting};
use super::desk::DreamContext;
use super::keys::{KEYS_EXPLAINED, Wish, ask, ask_beside_older, asks_to_undo, new_words};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw dream review")]
pub(super) struct Arguments {}

/// A review in progress.
struct Round<'k> {
    known: &'k DreamContext,
    /// Candidates that may be about the same subject are adjacent, newest first.
    ids: Vec<CandidateId>,
    /// For each, the older ones that may be about the same subject.
    older: BTreeMap<CandidateId, Vec<CandidateId>>,
    sources: EvidenceContext,
    at: usize,
    /// Decisions in order: the position in `ids`, and the original candidate if the owner reworded it.
    decided: Vec<(usize, Option<Candidate>)>,
}

pub(super) fn run(_: &Arguments, context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("a review")?;
    if context.output.format() == OutputFormat::Json {
        let failure = "a review is interactive and has no JSON output";
        return Err(CliError::new(ErrorKind::Usage, failure)
            .hint("`openclaw dream list --json`, then `openclaw dream accept ID` or `reject ID`"));
    }
    let known = DreamContext::find(context)?;
    let pending = known.desk(context)?.state().pending.clone();
    let ReviewOrder { ids, older } = ReviewOrder::of(&pending);
    let mut round = Round {
        sources: known.sources(&pending, context),
        known: &known,
        ids,
        older,
        at: 0,
        decided: Vec::new(),
    };
    loop {
        while let Some(shown) = round.next(context)? {
            if round.decide(&shown, context)? == Wish::Quit {
                round.sum_up(context)?;
                return Ok(Exit::Done);
            }
        }
        round.sum_up(context)?;
        // The last decision can be undone like any other.
        if round.decided.is_empty() || !asks_to_undo(context)? || !round.undo(context)? {
            return Ok(Exit::Done);
        }
    }
}

impl Round<'_> {
    /// Shows the next candidate; skips those that were decided elsewhere, as in an editor.
    fn next(&mut self, context: &mut Context) -> Result<Option<Candidate>> {
        while let Some(id) = self.ids.get(self.at) {
            let desk = self.known.desk(context)?;
            let found = desk.state().candidate(id).cloned();
            let Some(candidate) = found.filter(|own| own.status == Status::Pending) else {
                self.at += 1;
                continue;
            };
            let after = desk.preview(id)?;
            let stdout = context.host.environment.stdout();
            let number = (self.at + 1, self.ids.len());
            let reply = self.shown(&candidate).with_change(desk.memory(), &after);
            let text = shown(&reply, Some(number), stdout);
            let older = waiting_among(desk.state(), self.older_than(id));
            let beside = render_beside(&older, stdout.text_columns());
            drop(desk);
            context.output.text(&format!("\n{text}{beside}"))?;
            return Ok(Some(candidate));
        }
        Ok(None)
    }

    fn shown(&self, candidate: &Candidate) -> CandidateReply {
        CandidateReply::from(candidate).with_sources(self.sources.around_all(candidate))
    }

    fn decide(&mut self, candidate: &Candidate, context: &mut Context) -> Result<Wish> {
        loop {
            let wish = if self.older_than(&candidate.id).is_empty() {
                ask(context)?
            } else {
                ask_beside_older(context)?
            };
            match wish {
                Wish::Accept | Wish::Newer | Wish::Reject | Wish::Edit => {
                    if !self.take(wish, candidate, context)? {
                        continue;
                    }
                }
                Wish::Skip => self.at += 1,
                Wish::Open => {
                    let columns = context.host.environment.stdout().text_columns();
                    let text = whole_sources(&self.shown(candidate), columns);
                    context.output.text(&text)?;
                    continue;
                }
                Wish::Undo => {
                    if !self.undo(context)? {
                        continue;
                    }
                }
                Wish::Explain => {
                    tell(KEYS_EXPLAINED, "     ", context)?;
                    continue;
                }
                Wish::Unknown => {
                    tell("unknown key; ? lists the keys\n", "  ", context)?;
                    continue;
                }
                Wish::Quit => {}
            }
            return Ok(wish);
        }
    }

    fn older_than(&self, id: &CandidateId) -> &[CandidateId] {
        self.older.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    /// Applies a decision; returns `false` if the owner gave no words for an edit.
    fn take(&mut self, wish: Wish, candidate: &Candidate, context: &mut Context) -> Result<bool> {
        let mut words = None;
        if wish == Wish::Edit {
            words = new_words(&candidate.finding, context)?;
            if words.is_none() {
                return Ok(false);
            }
        }
        let own = [candidate.id.clone()];
        let mut desk = self.known.desk(context)?;
        let before = desk.memory().clone();
        if let Some(words) = &words {
            desk.reword(&candidate.id, words)?;
        }
        let done = if wish == Wish::Reject {
            desk.reject(&own)?
        } else if wish == Wish::Newer {
            let older = waiting_among(desk.state(), self.older_than(&candidate.id));
            let older: Vec<CandidateId> = older.into_iter().map(|own| own.id).collect();
            desk.prefer(&candidate.id, &older)?
        } else {
            desk.accept(&own)?
        };
        drop(desk);
        let near = render_near(&NearLine::all(&done.accepted, &before));
        let done = if wish == Wish::Reject {
            "rejected"
        } else if wish == Wish::Newer {
            "accepted; the older ones are rejected"
        } else {
            "accepted"
        };
        tell(&format!("{done}\n{near}"), "  ", context)?;
        let reworded = words.map(|_| candidate.clone());
        self.decided.push((self.at, reworded));
        self.at += 1;
        Ok(true)
    }

    /// Undoes the last decision of this review; returns whether that was possible.
    fn undo(&mut self, context: &mut Context) -> Result<bool> {
        let Some((at, reworded)) = self.decided.last().cloned() else {
            let text = "nothing was decided in this review yet; `openclaw dream undo` undoes earlier changes\n";
            let text = context.output.at_home(text);
            tell(&text, "  ", context)?;
            return Ok(false);
        };
        let mut desk = self.known.desk(context)?;
        match desk.undo() {
            Ok(what) => {
                self.decided.pop();
                self.at = at;
                let restored = reworded.map(|before| desk.restore_words(&before));
                drop(desk);
                tell(&format!("undone: {what}\n"), "  ", context)?;
                if let Some(Err(error)) = restored {
                    context.output.report(&error.into());
                }
                Ok(true)
            }
            Err(error) => {
                context.output.report(&error.into());
                Ok(false)
            }
        }
    }

    /// Prints how many candidates were decided, without the undone ones.
    fn sum_up(&self, context: &mut Context) -> Result<()> {
        let text = {
            let desk = self.known.desk(context)?;
            let state = desk.state();
            let count = |status| {
                let own = self.ids.iter().filter_map(|id| state.candidate(id));
                own.filter(|own| own.status == status).count()
            };
            let (accepted, rejected) = (count(Status::Accepted), count(Status::Rejected));
            let waiting = waiting(state.pending.len());
            format!("accepted {accepted}, rejected {rejected}; {waiting}\n")
        };
        tell(&text, "  ", context)
    }
}

/// Prints `text`, wrapped to the current width of the terminal.
fn tell(text: &str, indent: &str, context: &mut Context) -> Result<()> {
    let screen = context.host.environment.stdout();
    context.output.lines(text, screen, indent)
}
