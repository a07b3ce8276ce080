//! `openclaw dream review`: what waits, one candidate after the other, a key for each decision.
//!
//! Holds no lock while the owner thinks.

use std::io::{self, BufRead, IsTerminal};

use clap::Args;
use console::Term;
use memory::candidates::{Candidate, CandidateId, Status};

use super::desk::Known;
use super::source::source_of;
use crate::app::Context;
use crate::environment::Stream;
use crate::error::{CliError, ErrorKind};
use crate::exit_code::Exit;
use crate::output::{CandidateShown, Format, render_candidate};

/// Arguments of `openclaw dream review`.
#[derive(Debug, Args)]
pub(super) struct Arguments {}

const KEYS: &str = "[a]ccept  [e]dit  [r]eject  [s]kip  [o]pen the source  [u]ndo  [q]uit > ";

/// What the owner wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Accept,
    Edit,
    Reject,
    Skip,
    Open,
    Undo,
    Quit,
}

/// Goes through them.
pub(super) fn run(_: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    if context.output.format() == Format::Json {
        return Err(CliError::new(
            ErrorKind::Usage,
            "a review is a conversation, not an object",
        )
        .hint("`openclaw dream list --json`, then `openclaw dream accept ID` or `reject ID`"));
    }
    let known = Known::find(context)?;
    let ids: Vec<CandidateId> = {
        let desk = known.desk(context)?;
        desk.state()
            .pending
            .iter()
            .map(|own| own.id.clone())
            .collect()
    };
    let mut at = 0;
    while let Some(id) = ids.get(at) {
        let Some(candidate) = show(&known, id, (at + 1, ids.len()), context)? else {
            at += 1;
            continue;
        };
        match decide(&known, &candidate, context)? {
            Wish::Quit => break,
            Wish::Undo => at = at.saturating_sub(1),
            Wish::Accept | Wish::Edit | Wish::Reject | Wish::Skip | Wish::Open => at += 1,
        }
    }
    // What was taken back is not told.
    let (text, n_waiting) = {
        let desk = known.desk(context)?;
        let state = desk.state();
        let count = |status| {
            let own = ids.iter().filter_map(|id| state.candidate(id));
            own.filter(|own| own.status == status).count()
        };
        let (accepted, rejected) = (count(Status::Accepted), count(Status::Rejected));
        let text = format!("accepted {accepted}, rejected {rejected}");
        (text, state.pending.len())
    };
    let text = format!("{text}; {n_waiting} wait\n");
    context.output.text(&text)?;
    Ok(Exit::Done)
}

/// Shows a candidate; `None` where it waits no more, as when it was decided in an editor meanwhile.
fn show(
    known: &Known,
    id: &CandidateId,
    (number, n_all): (usize, usize),
    context: &mut Context<'_, '_>,
) -> Result<Option<Candidate>, CliError> {
    let desk = known.desk(context)?;
    let Some(candidate) = desk.state().candidate(id).cloned() else {
        return Ok(None);
    };
    if candidate.status != Status::Pending {
        return Ok(None);
    }
    let after = desk.preview(id)?;
    let mut shown = CandidateShown::new(&candidate, Some((desk.memory(), &after)));
    shown.signals = None;
    let columns = context.host.environment.stdout.text_columns();
    let text = render_candidate(&shown, columns);
    context
        .output
        .text(&format!("\n{number} of {n_all}: {text}"))?;
    Ok(Some(candidate))
}

/// Asks until there is a decision.
fn decide(
    known: &Known,
    candidate: &Candidate,
    context: &mut Context<'_, '_>,
) -> Result<Wish, CliError> {
    let own = [candidate.id.clone()];
    loop {
        let wish = ask(context)?;
        match wish {
            Wish::Accept => {
                known.desk(context)?.accept(&own)?;
            }
            Wish::Reject => {
                known.desk(context)?.reject(&own)?;
            }
            Wish::Edit => {
                let Some(words) = new_words(context)? else {
                    continue;
                };
                let mut desk = known.desk(context)?;
                desk.reword(&candidate.id, &words)?;
                desk.accept(&own)?;
            }
            Wish::Open => {
                let text = source_of(known, candidate, context);
                context.output.text(&text)?;
                continue;
            }
            Wish::Undo => {
                let undone = known.desk(context)?.undo();
                match undone {
                    Ok(what) => context.output.text(&format!("taken back: {what}\n"))?,
                    Err(error) => {
                        context.output.report(&error.into());
                        continue;
                    }
                }
            }
            Wish::Skip | Wish::Quit => {}
        }
        return Ok(wish);
    }
}

/// Asks for a key at a terminal, for a line elsewhere; the end of input ends the review.
fn ask(context: &mut Context<'_, '_>) -> Result<Wish, CliError> {
    loop {
        context.output.text(KEYS)?;
        let Some(typed) = key(context)? else {
            context.output.text("\n")?;
            return Ok(Wish::Quit);
        };
        let wish = match typed.to_ascii_lowercase() {
            'a' => Wish::Accept,
            'e' => Wish::Edit,
            'r' => Wish::Reject,
            's' => Wish::Skip,
            'o' => Wish::Open,
            'u' => Wish::Undo,
            'q' | '\u{3}' | '\u{4}' | '\u{1b}' => Wish::Quit,
            _ => continue,
        };
        return Ok(wish);
    }
}

fn key(context: &mut Context<'_, '_>) -> Result<Option<char>, CliError> {
    let is_at_terminal =
        matches!(context.host.environment.stdin, Stream::Terminal(_)) && io::stdin().is_terminal();
    if !is_at_terminal {
        let line = line()?;
        // A script is easier to read where its answers are shown.
        let shown = line.as_deref().unwrap_or_default();
        context.output.text(&format!("{shown}\n"))?;
        return Ok(line.map(|line| line.trim().chars().next().unwrap_or(' ')));
    }
    match Term::stdout().read_char() {
        Ok(typed) => {
            let shown = if typed.is_control() { ' ' } else { typed };
            context.output.text(&format!("{shown}\n"))?;
            Ok(Some(typed))
        }
        // Ctrl-C is a wish to stop, not a failure.
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The words that the owner wants instead; `None` where none are typed.
fn new_words(context: &mut Context<'_, '_>) -> Result<Option<String>, CliError> {
    context
        .output
        .text("in your words, or nothing to leave it > ")?;
    let words = line()?.unwrap_or_default().trim().to_owned();
    Ok(Some(words).filter(|words| !words.is_empty()))
}

fn line() -> Result<Option<String>, CliError> {
    let mut line = String::new();
    let n_read = io::stdin().lock().read_line(&mut line)?;
    Ok((n_read > 0).then(|| line.trim_end().to_owned()))
}
