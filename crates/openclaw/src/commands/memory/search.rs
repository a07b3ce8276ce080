//! `openclaw memory search`: searches memory for a question, best results first.
//!
//! Never waits for a large sync: it answers, and warns that results may be missing.

use std::collections::BTreeMap;
use std::time::Duration;

use base::{Day, Locator};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use cli::output::{milliseconds, size, without_empty, wrap, wrap_indented};
use memory::Misread;
use search::{
    Degraded, Explanation, Nearest, NothingFound, SearchAnswer, SearchOptions, SearchResult,
    Source, Unread,
};

use super::known::{Bar, MemoryContext};
use crate::prelude::*;
use crate::repository;

#[derive(Debug, Default, Args)]
#[command(after_help = "\
Examples:
  openclaw memory search \"When is the train to Lyon?\"
  openclaw memory search invoice --after 2026-04-01 --source memory")]
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
    /// Only notes (memory) or only conversations (session)
    #[arg(long, value_parser = PossibleValuesParser::new(Source::ALL.map(Source::as_str)).try_map(|word| Source::parse(&word).ok_or("unknown source")))]
    pub(crate) source: Option<Source>,
    /// Show only what programs in this repository see; `none`: outside any
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
    let question = question(&arguments.question, "search")?;
    check_days(arguments)?;
    let known = MemoryContext::find(context)?;
    let knowledge = known.knowledge(context)?;
    let clock = &context.host.clock;
    let began_at = clock.monotonic();
    let mut bar = Bar::new(context);
    let mut on_progress = |progress| bar.tell(progress);
    let viewer = repository::viewer(arguments.scope.as_deref());
    let options = options(arguments);
    let answer = knowledge.search_as(&viewer, &question, &options, &mut on_progress)?;
    drop(bar);
    let took = clock.monotonic().saturating_sub(began_at);
    let degraded = answer.degraded;
    if let Some(unread) = unread_in_words(&answer.unread) {
        context.output.warn(&format!(
            "{unread} not indexed yet and may hold more; `openclaw memory index` indexes the rest"
        ));
    } else if let Some(warning) = degraded.and_then(warning) {
        context.output.warn(warning);
    }
    if !answer.unreadable.is_empty() {
        context.output.warn(&unreadable_warning(&answer.unreadable));
    }
    let report = SearchReport {
        question,
        answer,
        took,
    };
    if let Some(warning) = report.left_out_warning() {
        context.output.warn(&warning);
    }
    for note in report.spelling_notes() {
        context.output.warn(&note);
    }
    if let Some(reason) = report.answer.nothing
        && !report.answer.results.is_empty()
    {
        context.output.warn(reason.as_str());
    }
    context.emit(&report)?;
    if let Some(warning) = report.asked_warning() {
        context.output.warn(&warning);
    }
    if report.answer.results.is_empty() {
        warn_of_misread(context, &known)?;
        if let Some(hint) = bounds_hint(arguments) {
            context.output.warn(&hint);
        }
    }
    Ok(match degraded {
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

fn options(arguments: &Arguments) -> SearchOptions {
    SearchOptions {
        limit: usize::try_from(arguments.limit).unwrap_or(usize::MAX),
        budget: arguments.budget.map(TokenCount),
        after: arguments.after,
        before: arguments.before,
        source: arguments.source,
        explain: arguments.explain,
        nearest: Nearest::InOtherLanguage,
        ..SearchOptions::default()
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

/// How much is not indexed yet, for programs; null if nothing is missing.
pub(crate) fn unread_json(unread: &Unread) -> Value {
    let Unread { n_files, n_bytes } = unread;
    if unread.is_nothing() {
        Value::Null
    } else {
        json!({ "files": n_files, "bytes": n_bytes })
    }
}

/// The warning about files that cannot be read, and what to do about it.
pub(crate) fn unreadable_warning(paths: &[String]) -> String {
    format!(
        "{} could not be read, or is a link out of the workspace, and was skipped; \
         `openclaw memory status` says why",
        printable(&paths.join(", "))
    )
}

struct SearchReport {
    question: String,
    answer: SearchAnswer,
    took: Duration,
}

impl SearchReport {
    /// The results of the days that the question names; they come first.
    fn of_span(&self) -> impl Iterator<Item = &SearchResult> {
        self.answer.results.iter().filter(|it| it.is_of_span)
    }

    /// The words that are found nowhere, and the spellings that were searched instead.
    fn spelling_notes(&self) -> impl Iterator<Item = String> {
        let spellings = &self.answer.spellings;
        let words = spellings.chunk_by(|left, right| left.asked == right.asked);
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
    fn asked_warning(&self) -> Option<String> {
        let query = self.question.replace('\'', " ");
        let what = match self.answer.n_asked {
            0 => return None,
            1 => "one earlier question matches".to_owned(),
            n => format!("{n} earlier questions match"),
        };
        Some(format!(
            "{what}; `openclaw memory search 'questions {query}'` shows them"
        ))
    }

    /// The best passage that exceeded the budget, and the option that makes it fit.
    fn left_out_warning(&self) -> Option<String> {
        let left_out = self.answer.left_out.as_ref()?;
        let what = if self.answer.results.is_empty() {
            "the best passage is"
        } else {
            "a better passage than some of these is"
        };
        let (place, budget) = (left_out.result.place(), left_out.budget.0);
        Some(format!(
            "{what} over the budget: {place}; `--budget {budget}` includes it"
        ))
    }
}

impl Report for SearchReport {
    fn json(&self) -> Value {
        let answer = &self.answer;
        let spellings = answer.spellings.iter();
        let spellings = spellings.map(|it| json!({ "asked": it.asked, "meant": it.meant }));
        let object = json!({
            "query": self.question,
            "mode": answer.mode.as_str(),
            "degraded": answer.degraded.map(Degraded::as_str),
            "unread": unread_json(&answer.unread),
            "tookMs": milliseconds(self.took),
            "results": answer.results.iter().map(found_json).collect::<Vec<_>>(),
            "nothing": answer.nothing.map(NothingFound::as_str),
            "asked": Some(answer.n_asked).filter(|n_asked| *n_asked > 0),
            "leftOut": answer.left_out.as_ref().map(|it| json!({
                "path": it.result.path,
                "startLine": it.result.start_line,
                "endLine": it.result.end_line,
                "budget": it.budget.0,
            })),
            "span": answer.span.map(|it| json!({
                "from": it.days.first,
                "to": it.days.last,
                "lines": it.n_lines,
                "days": it.n_days,
                "shown": self.of_span().count(),
            })),
            "spellings": spellings.collect::<Vec<_>>(),
        });
        without_empty(
            object,
            ["unread", "nothing", "asked", "leftOut", "span", "spellings"],
        )
    }

    fn human(&self, stdout: Stream) -> String {
        let results = &self.answer.results;
        if results.is_empty() {
            let reason = self.answer.nothing.map(NothingFound::as_str);
            let reason = reason.unwrap_or("nothing found");
            return wrap(reason, stdout.text_columns(), "  ") + "\n";
        }
        let mut shown: Vec<String> = results.iter().map(|found| shown(found, stdout)).collect();
        if let Some(span) = self.answer.span {
            let n_of_span = self.of_span().count();
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
}

fn found_json(found: &SearchResult) -> Value {
    let also: Vec<String> = found.also.iter().map(Locator::to_string).collect();
    let object = json!({
        "source": found.source.as_str(),
        "path": found.path,
        "startLine": found.start_line,
        "endLine": found.end_line,
        "text": found.text,
        "score": found.score,
        "origin": found.origin.as_str(),
        "day": found.day,
        "plannedFor": found.planned_for,
        "replacedOn": found.replaced_on,
        "lastConfirmed": last_confirmed(found),
        "renews": found.renews.as_ref().map(Locator::to_string),
        "also": also,
        "explanation": found.explanation.as_ref().map(|it| explanation_json(it, found.likelihood)),
    });
    let optional = [
        "plannedFor",
        "replacedOn",
        "lastConfirmed",
        "renews",
        "also",
        "explanation",
    ];
    without_empty(object, optional)
}

/// The day of the last confirmation, if it is not the result's own day.
fn last_confirmed(found: &SearchResult) -> Option<Day> {
    let last = found.last_confirmed;
    last.filter(|_| last != found.day)
}

/// What each kind of evidence contributed, which sums to the score, how each term counted, and how likely the passage
/// bears on the question, with the numbers that tell it.
fn explanation_json(explanation: &Explanation, likelihood: f64) -> Value {
    let terms = explanation.terms.iter();
    let terms = terms.map(|it| json!({ "term": it.term, "idf": it.idf, "count": it.count }));
    let bearing: BTreeMap<_, _> = explanation.bearing.iter().copied().collect();
    json!({ "parts": parts(explanation), "terms": terms.collect::<Vec<_>>(), "bearing": bearing, "likelihood": likelihood })
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
        found.day.map(|day| day.to_string()),
        found
            .speaker
            .as_ref()
            .map(|speaker| speaker.replace('\n', " ")),
        found.planned_for.map(|day| format!("(planned for {day})")),
        found.replaced_on.map(|day| format!("(replaced on {day})")),
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
        let confirmed = last_confirmed(found).map(|day| format!("[last confirmed {day}]\n"));
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
