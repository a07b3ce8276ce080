//! `openclaw dream review`: reviews the waiting candidates one by one, with a key for each decision.
//!
//! Holds no lock while the owner thinks.

use std::collections::BTreeMap;

use agent::Viewer;
use agent::ops::{CandidateReply, Decide, DreamDecision, UndoChange};
use agent::review::{EvidenceContext, ReviewOrder, waiting_among};
use memory::candidates::{Candidate, CandidateId, Status};

use super::candidate::{shown, whole_sources};
use super::decided::{render_beside, render_near, waiting};
use super::desk::{DreamContext, carry_out};
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
    /// Decisions in order.
    decided: Vec<Decided>,
}

/// A decision of this review.
struct Decided {
    /// Its position in `ids`.
    at: usize,
    /// Identifies the change, so that its undo reverts nothing else.
    left: String,
    /// The original candidate if the owner reworded it.
    reworded: Option<Candidate>,
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
        let (decision, done) = if wish == Wish::Reject {
            (DreamDecision::Reject, "rejected")
        } else if wish == Wish::Newer {
            let done = "accepted; the older ones are rejected";
            (DreamDecision::Newer, done)
        } else {
            (DreamDecision::Accept, "accepted")
        };
        let reworded = words.is_some().then(|| candidate.clone());
        let request = Decide {
            finding: words,
            ..Decide::about(candidate.id.to_string(), decision)
        };
        let reply = carry_out(request, &Viewer::Owner, context)?;
        self.at += 1;
        if let Some(already) = reply.already.first() {
            let text = format!("it is {} already\n", already.status);
            tell(&text, "  ", context)?;
            return Ok(true);
        }
        let near = render_near(&reply.beside);
        tell(&format!("{done}\n{near}"), "  ", context)?;
        self.decided.push(Decided {
            at: self.at - 1,
            left: reply.left,
            reworded,
        });
        Ok(true)
    }

    /// Undoes the last decision of this review; returns whether that was possible.
    fn undo(&mut self, context: &mut Context) -> Result<bool> {
        let Some(last) = self.decided.last() else {
            let text = "nothing was decided in this review yet; `openclaw dream undo` undoes the last change before it\n";
            let text = context.output.at_home(text);
            tell(&text, "  ", context)?;
            return Ok(false);
        };
        let request = UndoChange {
            left: Some(last.left.clone()),
            reworded: last.reworded.clone(),
            ..UndoChange::default()
        };
        match carry_out(request, &Viewer::Owner, context) {
            Ok(reply) => {
                self.at = last.at;
                self.decided.pop();
                let what = reply.taken_back;
                tell(&format!("undone: {what}\n"), "  ", context)?;
                Ok(true)
            }
            Err(error) => {
                context.output.report(&error);
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
