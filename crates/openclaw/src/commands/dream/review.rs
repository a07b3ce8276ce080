//! `openclaw dream review`: what waits, one candidate after the other, a key for each decision.
//!
//! Holds no lock while the owner thinks.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use memory::candidates::{Candidate, CandidateId, DreamState, Reviewed, Status};

use super::candidate::{CandidateShown, Score};
use super::decided::{NearLine, render_beside, render_near, render_settled, waiting};
use super::desk::Known;
use super::keys::{KEYS_EXPLAINED, Wish, ask, new_words};
use super::source::Sources;
use crate::prelude::*;

#[derive(Debug, Args)]
pub(super) struct Arguments {}

/// A review under way.
struct Round<'k> {
    known: &'k Known,
    /// What may be about the same stands together, the newest first.
    ids: Vec<CandidateId>,
    /// Of each the older ones that may be about the same.
    older: BTreeMap<CandidateId, Vec<CandidateId>>,
    sources: Sources,
    at: usize,
    /// Where decisions were taken, the last one last.
    decided_at: Vec<usize>,
}

pub(super) fn run(_: &Arguments, context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("a review")?;
    if context.output.format() == Format::Json {
        return Err(CliError::new(
            ErrorKind::Usage,
            "a review is a conversation, not an object",
        )
        .hint("`openclaw dream list --json`, then `openclaw dream accept ID` or `reject ID`"));
    }
    let known = Known::find(context)?;
    let pending = known.desk(context)?.state().pending.clone();
    let (ids, older) = grouped(&pending);
    let mut round = Round {
        sources: Sources::of(&pending, &known, context),
        known: &known,
        ids,
        older,
        at: 0,
        decided_at: Vec::new(),
    };
    while let Some(shown) = round.next(context)? {
        if round.decide(&shown, context)? == Wish::Quit {
            break;
        }
    }
    round.sum_up(context)?;
    Ok(Exit::Done)
}

impl Round<'_> {
    /// Shows the next candidate; one that was decided elsewhere meanwhile, as in an editor, is left out.
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
            let shown = CandidateShown {
                number: Some((self.at + 1, self.ids.len())),
                change: Some((desk.memory(), &after)),
                ..self.shown(&candidate)
            };
            let text = shown.human(stdout);
            let older = waiting_of(desk.state(), self.older_than(id));
            let beside = render_beside(&older, stdout.text_columns());
            drop(desk);
            context.output.text(&format!("\n{text}{beside}"))?;
            return Ok(Some(candidate));
        }
        Ok(None)
    }

    fn shown<'c>(&'c self, candidate: &'c Candidate) -> CandidateShown<'c> {
        CandidateShown {
            candidate,
            sources: self.sources.around_all(candidate),
            number: None,
            score: Score::Alone,
            change: None,
        }
    }

    /// Asks until there is a decision.
    fn decide(&mut self, candidate: &Candidate, context: &mut Context) -> Result<Wish> {
        let own = [candidate.id.clone()];
        loop {
            let wish = ask(context)?;
            match wish {
                Wish::Accept => {
                    let mut desk = self.known.desk(context)?;
                    let before = desk.memory().to_owned();
                    let done = desk.accept(&own)?;
                    drop(desk);
                    tell_accepted(&done, &before, context)?;
                    self.decided();
                }
                Wish::Newer => {
                    let mut desk = self.known.desk(context)?;
                    let before = desk.memory().to_owned();
                    let older = waiting_of(desk.state(), self.older_than(&candidate.id));
                    let older: Vec<CandidateId> = older.into_iter().map(|own| own.id).collect();
                    let done = desk.prefer(&candidate.id, &older)?;
                    drop(desk);
                    tell_accepted(&done, &before, context)?;
                    self.decided();
                }
                Wish::Reject => {
                    self.known.desk(context)?.reject(&own)?;
                    self.decided();
                }
                Wish::Edit => {
                    let Some(words) = new_words(&candidate.finding, context)? else {
                        continue;
                    };
                    let mut desk = self.known.desk(context)?;
                    desk.reword(&candidate.id, &words)?;
                    let before = desk.memory().to_owned();
                    let done = desk.accept(&own)?;
                    drop(desk);
                    tell_accepted(&done, &before, context)?;
                    self.decided();
                }
                Wish::Skip => self.at += 1,
                Wish::Open => {
                    let columns = context.host.environment.stdout().text_columns();
                    let text = self.shown(candidate).whole_sources(columns);
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
                Wish::Quit => {}
            }
            return Ok(wish);
        }
    }

    fn older_than(&self, id: &CandidateId) -> &[CandidateId] {
        self.older.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    fn decided(&mut self) {
        self.decided_at.push(self.at);
        self.at += 1;
    }

    /// Takes the last decision of this review back; whether there was one.
    fn undo(&mut self, context: &mut Context) -> Result<bool> {
        let Some(at) = self.decided_at.last().copied() else {
            let text = "nothing was decided in this review yet; `openclaw dream undo` takes back what was before\n";
            tell(text, "  ", context)?;
            return Ok(false);
        };
        let undone = self.known.desk(context)?.undo();
        match undone {
            Ok(what) => {
                tell(&format!("taken back: {what}\n"), "  ", context)?;
                self.decided_at.pop();
                self.at = at;
                Ok(true)
            }
            Err(error) => {
                context.output.report(&error.into());
                Ok(false)
            }
        }
    }

    /// Says what was decided; what was taken back is not told.
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

/// Says it in lines that fit the screen as it is now.
fn tell(text: &str, indent: &str, context: &mut Context) -> Result<()> {
    let screen = context.host.environment.stdout();
    context.output.lines(text, screen, indent)
}

/// Says what an acceptance has settled besides, and which lines of `MEMORY.md` as it was may say otherwise.
fn tell_accepted(done: &Reviewed, before: &str, context: &mut Context) -> Result<()> {
    let near = NearLine::all(&done.accepted, before);
    let text = render_settled(&done.settled) + &render_near(&near);
    tell(&text, "  ", context)
}

/// The candidates with those together that may be about the same, the newest first, and of each the older ones.
fn grouped(pending: &[Candidate]) -> (Vec<CandidateId>, BTreeMap<CandidateId, Vec<CandidateId>>) {
    let mut rest: Vec<&Candidate> = pending.iter().collect();
    // Of one day what was proposed later comes first.
    rest.sort_by_key(|own| Reverse((own.day, own.proposed_at)));
    let (mut ids, mut older) = (Vec::new(), BTreeMap::new());
    while !rest.is_empty() {
        let newest = rest.remove(0);
        let findings: Vec<&str> = rest.iter().map(|own| own.finding.as_str()).collect();
        let near = dreaming::near(&newest.finding, &findings);
        let mut places = 0..;
        let (beside, others) = rest
            .iter()
            .partition(|_| places.next().is_some_and(|place| near.contains(&place)));
        rest = others;
        let group: Vec<&Candidate> = beside;
        ids.extend([newest].iter().chain(&group).map(|own| own.id.clone()));
        let mut members = [newest].into_iter().chain(group).map(|own| own.id.clone());
        while let Some(id) = members.next() {
            older.insert(id, members.clone().collect());
        }
    }
    (ids, older)
}

/// Those of the candidates that still wait.
fn waiting_of(state: &DreamState, ids: &[CandidateId]) -> Vec<Candidate> {
    let found = ids.iter().filter_map(|id| state.candidate(id));
    found
        .filter(|own| own.status == Status::Pending)
        .cloned()
        .collect()
}
