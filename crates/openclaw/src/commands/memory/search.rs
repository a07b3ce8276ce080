//! `openclaw memory search`: searches memory for a question, best results first.
//!
//! Never waits for a large sync: it answers, and warns that results may be missing.

use std::cell::RefCell;
use std::collections::BTreeMap;

use agent::ops::{OpContext, OpEvent, Operation, Search, SearchReply, SearchSource};
use base::{Day, Locator};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use cli::output::{size, wrap, wrap_indented};
use memory::Misread;
use search::{Degraded, Explanation, NothingFound, SearchAnswer, SearchResult, Unread};

use super::known::{Bar, MemoryContext};
use crate::commands::past::tell_past;
use crate::prelude::*;
use crate::repository;

#[derive(Debug, Default, Args)]
#[command(after_help = "\
Examples:
  openclaw memory search \"When is the train to Lyon?\"
  openclaw memory search invoice --after 2026-04-01 --source memory
  openclaw memory search \"Where do I live?\" --as-of 2026-04-20")]
pub(crate) struct Arguments {
    /// A question or some words
    #[arg(required = true, value_name = "QUESTION")]
    pub(crate) question: Vec<String>,
    /// Return at most N results
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) limit: u32,
    /// Return at most this many tokens of text
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<u64>,
    /// Only from this day on, as in 2026-04-20
    #[arg(long, value_name = "DAY")]
    pub(crate) after: Option<Day>,
    /// Only up to this day
    #[arg(long, value_name = "DAY")]
    pub(crate) before: Option<Day>,
    /// Search what was known at this time, as in 2026-04-20, "2026-04-20 14:30"
    /// or yesterday
    #[arg(long, value_name = "TIME")]
    pub(crate) as_of: Option<String>,
    /// Only notes (memory) or only conversations (session)
    #[arg(long, value_parser = PossibleValuesParser::new(SearchSource::ALL.map(SearchSource::as_str)).try_map(|word| SearchSource::parse(&word).ok_or("unknown source")))]
    pub(crate) source: Option<SearchSource>,
    /// Show only what programs in this repository see; `none`: programs outside any repository
    #[arg(long, value_name = "PATH|REMOTE|none", value_parser = repository::scope)]
    pub(crate) scope: Option<String>,
    /// Explain each score
    #[arg(long)]
    pub(crate) explain: bool,
    /// Exit with 3 if results may be incomplete
    #[arg(long)]
    pub(crate) strict: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let query = question(&arguments.question, "search")?;
    check_days(arguments)?;
    let known = MemoryContext::find(context)?;
    let knowledge = known.knowledge(context)?;
    let viewer = repository::viewer(arguments.scope.as_deref());
    let operations = context.operations_with(&known.home, knowledge)?;
    let bar = RefCell::new(Bar::new(context));
    let on_event = |event| {
        if let OpEvent::Sync(progress) = event {
            bar.borrow_mut().tell(progress);
        }
    };
    let at = OpContext {
        on_event: &on_event,
        ..operations.context(&viewer)
    };
    let reply = request(arguments, query).run(&at)?;
    drop(bar);
    tell_past(
        reply.as_of.as_ref(),
        operations.home.timezone,
        context.output,
    );
    let answer = &reply.answer;
    if let Some(unread) = unread_in_words(&answer.unread) {
        context.output.warn(&format!(
            "{unread} not indexed yet and may hold more; `openclaw memory index` indexes the rest"
        ));
    } else if let Some(warning) = answer.degraded.and_then(warning) {
        context.output.warn(warning);
    }
    if !answer.unreadable.is_empty() {
        context.output.warn(&unreadable_warning(&answer.unreadable));
    }
    if let Some(warning) = left_out_warning(answer) {
        context.output.warn(&warning);
    }
    for note in spelling_notes(answer) {
        context.output.warn(&note);
    }
    if let Some(reason) = answer.nothing
        && !answer.results.is_empty()
    {
        context.output.warn(reason.as_str());
    }
    context.emit_reply(&reply, human)?;
    if let Some(warning) = asked_warning(&reply) {
        context.output.warn(&warning);
    }
    if answer.results.is_empty() {
        warn_of_misread(context, &known)?;
        if let Some(hint) = bounds_hint(arguments) {
            context.output.warn(&hint);
        }
    }
    Ok(match answer.degraded {
        Some(_) if arguments.strict => Exit::Degraded,
        Some(_) | None => Exit::Done,
    })
}

/// Warns about files that are searched only in part and may hold the answer.
fn warn_of_misread(context: &mut Context, known: &MemoryContext) -> Result<()> {
    let misread = context.host.workspace(&known.home).misread_files()?;
    for Misread { path, line } in misread {
        context.output.warn(&format!(
            "{path} is not UTF-8 at line {line}, so only part of it was searched; `openclaw doctor` says how \
             to convert it"
        ));
    }
    Ok(())
}

/// The question; fails if it has no word to search for.
pub(super) fn question(words: &[String], command: &str) -> Result<String> {
    let question = words.join(" ");
    if question.chars().any(char::is_alphanumeric) {
        return Ok(question);
    }
    let failure = "the question has no words to search for";
    let example = format!("openclaw memory {command} 'train to Lyon'");
    Err(CliError::new(ErrorKind::Input, failure)
        .hint(format!("type some words, as in `{example}`")))
}

fn check_days(arguments: &Arguments) -> Result<()> {
    match arguments.after.zip(arguments.before) {
        Some((after, before)) if after > before => {
            let failure = format!("`--after {after}` is later than `--before {before}`");
            let hint = format!("swap the days: `--after {before} --before {after}`");
            Err(CliError::new(ErrorKind::Input, failure).hint(hint))
        }
        Some(_) | None => Ok(()),
    }
}

/// A hint that names the options that limited the search, if any.
fn bounds_hint(arguments: &Arguments) -> Option<String> {
    let given = [
        ("`--after`", arguments.after.is_some()),
        ("`--before`", arguments.before.is_some()),
        ("`--source`", arguments.source.is_some()),
        ("`--scope`", arguments.scope.is_some()),
    ];
    let given = given.iter().filter(|(_, is_given)| *is_given);
    let given: Vec<&str> = given.map(|(option, _)| *option).collect();
    (!given.is_empty()).then(|| {
        format!(
            "only part of memory was searched; drop {} to search all of it",
            given.join(" and ")
        )
    })
}

fn request(arguments: &Arguments, query: String) -> Search {
    Search {
        query,
        limit: Some(usize::try_from(arguments.limit).unwrap_or(usize::MAX)),
        budget: arguments.budget,
        source: arguments.source,
        after: arguments.after,
        before: arguments.before,
        explain: arguments.explain,
        as_of: arguments.as_of.clone(),
    }
}

fn warning(degraded: Degraded) -> Option<&'static str> {
    match degraded {
        Degraded::Stale => Some(
            "the index is far behind, so recent changes may be missing; \
             `openclaw memory index` updates it",
        ),
        Degraded::BeingWritten => Some(
            "another process is writing the index, so recent changes may be missing; \
             search again when it is done",
        ),
        Degraded::NotWritable => Some(
            "the index cannot be written, so recent changes may be missing; \
             `openclaw memory index` says why",
        ),
        Degraded::VectorsIncomplete => Some(
            "some passages have no vector yet, so it was searched by words only; \
             `openclaw memory index` computes them",
        ),
        // Unreadable files are named one by one; the choice of the embedder has already reported why it is missing.
        Degraded::Unreadable | Degraded::EmbedderMissing => None,
        Degraded::EmbedderFailed => Some(
            "the embedder did not answer, so it was searched by words only; \
             `openclaw memory status` shows which one is set",
        ),
    }
}

/// How much is not indexed yet, as the beginning of a sentence; `None` if nothing is missing.
pub(crate) fn unread_in_words(unread: &Unread) -> Option<String> {
    let files = counted(unread.n_files, "file", "files");
    let are = if unread.n_files == 1 { "is" } else { "are" };
    let size = size(unread.n_bytes);
    (!unread.is_nothing()).then(|| format!("{size} in {files} {are}"))
}

/// The warning about files that cannot be read, and what to do about it.
pub(crate) fn unreadable_warning(paths: &[String]) -> String {
    format!(
        "{} could not be read, or is a link out of the workspace, and was skipped; \
         `openclaw memory status` says why",
        printable(&paths.join(", "))
    )
}

/// The words that are found nowhere, and the spellings that were searched instead.
fn spelling_notes(answer: &SearchAnswer) -> impl Iterator<Item = String> {
    let words = answer
        .spellings
        .chunk_by(|left, right| left.asked == right.asked);
    words.filter_map(|of_word| {
        let asked = &of_word.first()?.asked;
        let meant: Vec<String> = of_word.iter().map(|it| format!("`{}`", it.meant)).collect();
        let meant = meant.join(" and ");
        Some(format!(
            "nothing mentions `{asked}`; searched for {meant} instead"
        ))
    })
}

/// How many earlier questions match if nothing else does, and the command that shows them.
fn asked_warning(reply: &SearchReply) -> Option<String> {
    let query = reply.query.replace('\'', " ");
    let what = match reply.answer.n_asked {
        0 => return None,
        1 => "one earlier question matches".to_owned(),
        n => format!("{n} earlier questions match"),
    };
    Some(format!(
        "{what}; `openclaw memory search 'questions {query}'` shows them"
    ))
}

/// The best passage that exceeded the budget, and the option that makes it fit.
fn left_out_warning(answer: &SearchAnswer) -> Option<String> {
    let left_out = answer.left_out.as_ref()?;
    let what = if answer.results.is_empty() {
        "the best passage is"
    } else {
        "a better match is"
    };
    let (place, budget) = (left_out.result.place(), left_out.budget.0);
    Some(format!(
        "{what} over the budget: {place}; `--budget {budget}` includes it"
    ))
}

fn human(reply: &SearchReply, stdout: Stream) -> String {
    let results = &reply.answer.results;
    if results.is_empty() {
        let reason = reply.answer.nothing.map(NothingFound::as_str);
        let reason = reason.unwrap_or("nothing found");
        return wrap(reason, stdout.text_columns(), "  ") + "\n";
    }
    let mut shown: Vec<String> = results.iter().map(|found| shown(found, stdout)).collect();
    if let Some(span) = reply.answer.span {
        let n_of_span = reply.of_span().count();
        let wrapped = |text: &str| wrap(text, stdout.text_columns(), "  ") + "\n";
        if n_of_span < shown.len() {
            shown.insert(n_of_span, wrapped("other results, best first:"));
        }
        if n_of_span > 0 {
            shown.insert(0, wrapped(&format!("{}:", span.in_words(results))));
        }
    }
    shown.join("\n")
}

fn parts(explanation: &Explanation) -> BTreeMap<&'static str, f64> {
    let parts = explanation.parts.iter();
    parts
        .map(|(evidence, value)| (evidence.as_str(), *value))
        .collect()
}

fn shown(found: &SearchResult, stdout: Stream) -> String {
    let columns = stdout.columns();
    let also: Vec<String> = found.also.iter().map(Locator::to_string).collect();
    let title: Vec<String> = [
        Some(found.place().to_string()),
        found.section.as_ref().map(|section| format!("[{section}]")),
        found.day.map(|day| day.to_string()),
        found
            .speaker
            .as_ref()
            .map(|speaker| speaker.replace('\n', " ")),
        found.planned_for.map(|day| format!("(planned for {day})")),
        found.ended().map(|what| format!("({what})")),
        found
            .renews
            .as_ref()
            .map(|older| format!("(newer than {older})")),
        (!also.is_empty()).then(|| format!("(also {})", also.join(", "))),
    ]
    .into_iter()
    .flatten()
    .collect();
    // In a file a place stays on one line, so that tools can find it.
    let mut text = wrap(&printable(&title.join("  ")), stdout.text_columns(), "  ") + "\n";
    text.push_str(&wrap_indented(&printable(&found.text), columns, "    "));
    if let Some(explanation) = &found.explanation {
        let confirmed = found
            .last_confirmed
            .map(|day| format!("[last confirmed {day}]\n"));
        let explained = confirmed.unwrap_or_default() + &explained(explanation, found.score);
        text.push_str(&wrap_indented(&explained, columns, "    "));
    }
    text
}

fn explained(explanation: &Explanation, score: f64) -> String {
    let parts = parts(explanation).into_iter();
    let parts = parts.map(|(evidence, value)| format!("{evidence} {value:.2}"));
    let terms = explanation.terms.iter().map(|it| {
        let term = printable(&it.term);
        format!("{term} (idf {:.2}, {:.2} times)", it.idf, it.count)
    });
    let (parts, terms): (Vec<String>, Vec<String>) = (parts.collect(), terms.collect());
    format!(
        "[score {score:.2}: {}]\n[found: {}]",
        parts.join(", "),
        terms.join(", ")
    )
}
