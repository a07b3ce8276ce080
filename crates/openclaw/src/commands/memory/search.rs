//! `openclaw memory search`: what is known about a question, best first.
//!
//! Waits for no large change of the notes: it answers and says that something may be missing.

use std::time::Duration;

use base::{Day, TokenCount};
use clap::Args;
use memory::search::{Degraded, Weights};
use memory::{Misread, SearchOptions, Source};

use super::known::{Bar, Known};
use crate::app::Context;
use crate::assistant;
use crate::error::{CliError, ErrorKind};
use crate::exit_code::Exit;
use crate::output::{Format, SearchReport, render_search, unreadable_warning};

/// Arguments of `openclaw memory search`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// What is looked for: a question or some words
    #[arg(required = true, value_name = "QUESTION")]
    pub(crate) question: Vec<String>,
    /// Give at most so many results
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) limit: u32,
    /// Give at most so many tokens of text
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<u64>,
    /// Only what is of this day or later, as in 2026-04-20
    #[arg(long, value_name = "DAY")]
    pub(crate) after: Option<Day>,
    /// Only what is of this day or earlier
    #[arg(long, value_name = "DAY")]
    pub(crate) before: Option<Day>,
    /// Only notes (memory) or only what was said (session)
    #[arg(long)]
    pub(crate) source: Option<SearchedSource>,
    /// Say how each score came about
    #[arg(long)]
    pub(crate) explain: bool,
    /// End with code 3 where something may be missing
    #[arg(long)]
    pub(crate) strict: bool,
}

// The values have no help of their own: the help of the option says what they mean.
/// What is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SearchedSource {
    Memory,
    Session,
}

impl From<SearchedSource> for Source {
    fn from(source: SearchedSource) -> Self {
        match source {
            SearchedSource::Memory => Self::Memory,
            SearchedSource::Session => Self::Session,
        }
    }
}

/// Searches.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let question = question(&arguments.question, "search")?;
    check_days(arguments)?;
    let known = Known::find(context)?;
    let clock = &context.host.clock;
    let began_at = clock.monotonic();
    let knowledge = known.knowledge(context);
    let mut bar = Bar::new(context.output, context.host.environment.stderr);
    let mut on_progress = |progress| bar.tell(progress);
    let answer = knowledge.search(&question, &options(arguments), &mut on_progress)?;
    drop(bar);
    let took = clock.monotonic().saturating_sub(began_at);
    let degraded = answer.degraded;
    if let Some(warning) = degraded.and_then(warning) {
        context.output.warn(warning);
    }
    if !answer.unreadable.is_empty() {
        context.output.warn(&unreadable_warning(&answer.unreadable));
    }
    let report = SearchReport::new(question, answer, milliseconds(took));
    if let Some(warning) = report.left_out_warning() {
        context.output.warn(&warning);
    }
    for note in report.spelling_notes() {
        context.output.warn(&note);
    }
    let stdout = context.host.environment.stdout();
    match context.output.format() {
        Format::Json => context.output.object(&report)?,
        Format::Human => context.output.text(&render_search(&report, stdout))?,
    }
    if let Some(warning) = report.asked_warning() {
        context.output.warn(&warning);
    }
    if report.is_empty() {
        warn_of_misread(context, &known)?;
    }
    if report.is_empty()
        && let Some(hint) = bounds_hint(arguments)
    {
        context.output.warn(&hint);
    }
    Ok(match degraded {
        Some(_) if arguments.strict => Exit::Degraded,
        Some(_) | None => Exit::Done,
    })
}

/// Names the files in which it may stand all the same.
fn warn_of_misread(context: &mut Context<'_, '_>, known: &Known) -> Result<(), CliError> {
    let misread = assistant::workspace(context.host, &known.home).misread_files()?;
    for Misread { path, line } in misread {
        context.output.warn(&format!(
            "{path} is not UTF-8 at line {line}, and only a part of it is searched; `openclaw doctor` says how \
             to convert it"
        ));
    }
    Ok(())
}

/// The words of a question, where there are any.
///
/// # Errors
///
/// Where nothing is asked.
pub(super) fn question(words: &[String], command: &str) -> Result<String, CliError> {
    let question = words.join(" ");
    if question.chars().any(char::is_alphanumeric) {
        return Ok(question);
    }
    let failure = "the question holds no word that can be looked for";
    let example = format!("openclaw memory {command} 'train to Lyon'");
    Err(CliError::new(ErrorKind::Input, failure)
        .hint(format!("name some words, as in `{example}`")))
}

fn check_days(arguments: &Arguments) -> Result<(), CliError> {
    match arguments.after.zip(arguments.before) {
        Some((after, before)) if after > before => {
            let failure = format!("no day is both {after} or later and {before} or earlier");
            let hint =
                format!("let `--after` name the earlier day: `--after {before} --before {after}`");
            Err(CliError::new(ErrorKind::Input, failure).hint(hint))
        }
        Some(_) | None => Ok(()),
    }
}

/// Which options kept passages out unseen, where some did.
fn bounds_hint(arguments: &Arguments) -> Option<String> {
    let given = [
        ("`--after`", arguments.after.is_some()),
        ("`--before`", arguments.before.is_some()),
        ("`--source`", arguments.source.is_some()),
    ];
    let given = given.iter().filter(|(_, is_given)| *is_given);
    let given: Vec<&str> = given.map(|(option, _)| *option).collect();
    (!given.is_empty()).then(|| {
        format!(
            "only a part of memory was searched; the same without {} searches all of it",
            given.join(" and ")
        )
    })
}

fn options(arguments: &Arguments) -> SearchOptions {
    SearchOptions {
        limit: usize::try_from(arguments.limit).unwrap_or(usize::MAX),
        budget: arguments.budget.map(TokenCount),
        after: arguments.after,
        before: arguments.before,
        // The day of the clock counts as today.
        today: None,
        source: arguments.source.map(Source::from),
        documents: Vec::new(),
        weights: Weights::default(),
        explain: arguments.explain,
        each_place: false,
        nearest: false,
    }
}

fn warning(degraded: Degraded) -> Option<&'static str> {
    match degraded {
        Degraded::Stale => Some(
            "much has changed since the index was written, and what is new may be missing; \
             `openclaw memory index` brings it up to date",
        ),
        Degraded::BeingWritten => Some(
            "another process is writing the index, and what is new may be missing; \
             ask again when it is done",
        ),
        Degraded::NotWritable => Some(
            "the index cannot be written, and what is new may be missing; \
             `openclaw memory index` says why",
        ),
        Degraded::VectorsIncomplete => Some(
            "not every passage has a vector yet, and words alone were compared; \
             `openclaw memory index` makes the rest",
        ),
        // Files that cannot be read are named one by one; an embedder that is missing is told where it
        // was chosen, with the reason.
        Degraded::Unreadable | Degraded::EmbedderMissing => None,
        Degraded::EmbedderFailed => Some(
            "the embedder did not answer, and words alone were compared; \
             `openclaw memory status` says which one it is",
        ),
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
