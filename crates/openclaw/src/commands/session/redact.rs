//! `openclaw session redact`: takes what was said out of a transcript, and what was made of it out of memory.
//!
//! Shows first; does nothing without the owner's word.

use std::sync::Arc;

use clap::Args;
use memory::{
    Because, ForgetPlan, ForgottenEntry, OwnerLines, PlannedEntry, StillKept, TextHash, drop_kept,
    forget,
};
use session::{RedactedKind, RedactedLine, Redaction, SessionName, SessionStore};

use super::explained;
use super::traces::{drop_index, drop_typed, shown, still_in};
use crate::app::Context;
use crate::assistant;
use crate::commands::dream::{take_in_dreams, warn_of_candidates};
use crate::error::{CliError, ErrorKind};
use crate::exit_code::Exit;
use crate::home::Home;
use crate::output::{Format, RedactReport, render_redact};

/// Arguments of `openclaw session redact`.
#[derive(Debug, Args)]
#[command(
    after_help = "What is taken out is gone for good: copies that backups, traces and the disk itself hold stay there."
)]
pub(crate) struct Arguments {
    /// The session
    #[arg(value_name = "NAME")]
    session: SessionName,
    /// Entries that are to say nothing any more: their ids, or the beginnings of them
    #[arg(value_name = "ENTRY", required_unless_present = "text")]
    entries: Vec<String>,
    /// Words that are to stand nowhere any more, to the letter; may be repeated
    #[arg(long, value_name = "TEXT", value_parser = words)]
    text: Vec<String>,
    /// Do it; without this it is shown and nothing is changed
    #[arg(long)]
    yes: bool,
}

/// Fewer characters stand in everything.
const WORDS_CHARS_MIN: usize = 3;

fn words(text: &str) -> Result<String, String> {
    if text.trim().chars().count() < WORDS_CHARS_MIN {
        return Err(format!("at least {WORDS_CHARS_MIN} characters are needed"));
    }
    Ok(text.to_owned())
}

/// Shows or does it.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    if arguments.yes {
        context.refuse_in_sandbox("redacting")?;
    }
    let home = context.home()?;
    let store = assistant::sessions(context.host, &home, Arc::clone(&context.host.clock));
    let name = &arguments.session;
    store.check_writable(name)?;
    let entries = store.entries_named(name, &arguments.entries);
    let redaction = Redaction {
        entries: entries.map_err(|error| explained(&store, error))?,
        words: arguments.text.clone(),
    };
    let lines = store.plan_redaction(name, &redaction)?;
    if lines.is_empty() {
        let failure = format!("nothing of that stands in session {name}");
        return Err(CliError::new(ErrorKind::NotFound, failure)
            .hint("`openclaw memory search WORDS` names the sessions that say something"));
    }
    let entries = redaction.entries.clone();
    let said = lines
        .iter()
        .filter(|line| line.kind == RedactedKind::Message);
    let touched = entries
        .into_iter()
        .chain(said.filter_map(|line| line.entry.clone()))
        .collect();
    let forks = store.copied_by(name, Some(&touched))?;
    let memory = plan_memory(context, &home, (name, &lines, &redaction))?;
    let mut report = RedactReport::new(name, &lines, &memory, &forks);
    if arguments.yes {
        let found = (lines.as_slice(), &memory);
        let kept = carry_out(context, &home, &store, (name, &redaction), found)?;
        report.is_done = true;
        report.still_in = still_in(context.host, &home, &store, &redaction.words)?;
        let kept_in = kept.files.iter().map(|path| shown(&home, path));
        report.still_in.extend(kept_in);
        report.still_in.sort();
        warn_of_candidates(kept.candidates, context);
    }
    let stdout = context.host.environment.stdout();
    match context.output.format() {
        Format::Json => context.output.object(&report)?,
        Format::Human => context.output.text(&render_redact(&report, stdout))?,
    }
    Ok(Exit::Done)
}

/// What memory made of it.
fn plan_memory(
    context: &mut Context<'_, '_>,
    home: &Home,
    (name, lines, redaction): (&SessionName, &[RedactedLine], &Redaction),
) -> Result<ForgetPlan, CliError> {
    let config = context.config(home)?;
    let timezone = context.timezone(&config);
    let access = assistant::access(&config);
    let path = agent::SessionSource::path_of(name);
    let said = lines
        .iter()
        .filter(|line| line.kind == RedactedKind::Message);
    let entries = said.filter_map(|line| {
        let id = line.entry.clone()?;
        Some(PlannedEntry {
            entry: ForgottenEntry {
                id,
                path: path.clone(),
                line: usize::try_from(line.number).unwrap_or(usize::MAX),
            },
            text: line.text.clone(),
            hash: line
                .text
                .split_once(": ")
                .and_then(|(_, text)| TextHash::of(text)),
            because: Because::Chosen,
        })
    });
    let knowledge = assistant::knowledge(context.host, home, timezone, access);
    Ok(knowledge.plan_entries(entries.collect(), redaction.words.clone())?)
}

/// Hides it everywhere first, and takes it out of the transcript last: after a crash in the middle memory
/// tells nothing of it, and the same command finds it again and does the rest.
fn carry_out(
    context: &mut Context<'_, '_>,
    home: &Home,
    store: &SessionStore,
    (name, redaction): (&SessionName, &Redaction),
    (lines, plan): (&[RedactedLine], &ForgetPlan),
) -> Result<StillKept, CliError> {
    let config = context.config(home)?;
    let _background = store.lock_background(name)?;
    let turn = store.begin_turn(name, assistant::resume_limit(&config))?;
    take_in_dreams(context)?;
    let workspace = assistant::workspace(context.host, home);
    let now = context.host.clock.now();
    let mut gone = plan.gone(&redaction.words);
    if !plan.is_empty() {
        let forgotten = forget(&workspace, plan, OwnerLines::Leave, now)?;
        gone.forgettings.insert(forgotten.id);
    }
    // One place that fails keeps no other from being tried, but the transcript: it tells the next run what to look for.
    let kept = drop_kept(&workspace, &gone, now).map_err(CliError::from);
    let typed = drop_typed(context, home, &redaction.words, lines);
    let index = drop_index(context, home);
    let kept = typed.and(index).and(kept).map_err(|error| {
        error
            .doing("redacting; the transcript still says it")
            .hint("run the same command again: it does the rest")
    })?;
    turn.redact(redaction)?;
    Ok(kept)
}
