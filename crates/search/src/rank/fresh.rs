//! Brings the index up to date before a search, or reports why it is stale.
//!
//! Never waits for a large change: a prompt answer is worth more.

use base::{Locator, Timestamp};

use super::model::{Degraded, NothingFound, SearchAnswer, SearchOptions, SearchResult};
use super::run::search;
use crate::index::{Index, IndexError, fill};
use crate::note_source::{ForgottenFilter, NoteSource};
use crate::passage_source::Source;
use crate::sync::{
    Corpus, Difference, FIRST_BYTES_MAX, SMALL_BYTES_MAX, SMALL_FILES_MAX, SyncPreview,
    SyncProblem, SyncProgress, SyncReport, Unread, difference, look, run_plan,
};

/// Maximum number of embedder calls that a search makes for pieces without a vector; the rest is left to
/// [`sync`](crate::sync::sync).
const CALLS_SMALL_MAX: u64 = 4;

/// What [`refresh`] did.
#[derive(Debug, Default)]
pub struct Freshness {
    /// Why the answer may be incomplete.
    pub degraded: Option<Degraded>,
    /// What was indexed and what failed.
    pub report: SyncReport,
    /// What is left to a later sync.
    pub unread: Unread,
}

impl Freshness {
    /// The result if nothing was indexed.
    fn as_it_was(degraded: Option<Degraded>, problems: Vec<SyncProblem>) -> Self {
        let report = SyncReport {
            problems,
            ..SyncReport::default()
        };
        Self {
            degraded,
            report,
            unread: Unread::default(),
        }
    }
}

/// A question and the context for answering it from a possibly stale index.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    pub question: &'a str,
    /// Limits and filters of the answer.
    pub options: &'a SearchOptions,
    /// The current time; a file modified just before it may still change without a new stamp.
    pub now: Timestamp,
}

/// Refreshes the index if the change is small, and searches it.
///
/// Rebuilds a damaged index on the way.
///
/// # Errors
///
/// [`IndexError`]. A lock held by another process is not an error if the index can be searched.
pub fn answer(
    index: &mut Index,
    corpus: &Corpus<'_>,
    ask: Ask<'_>,
    progress: &mut dyn FnMut(SyncProgress),
) -> Result<(SearchAnswer, SyncReport), IndexError> {
    match answer_once(index, corpus, ask, progress) {
        Err(error) if error.is_damage() => {
            index.rebuild()?;
            answer_once(index, corpus, ask, progress)
        }
        done => done,
    }
}

fn answer_once(
    index: &Index,
    corpus: &Corpus<'_>,
    ask: Ask<'_>,
    progress: &mut dyn FnMut(SyncProgress),
) -> Result<(SearchAnswer, SyncReport), IndexError> {
    let Freshness {
        degraded,
        report,
        unread,
    } = refresh(index, corpus, ask.now, progress)?;
    let found = search_remembered(index, (ask.question, ask.options), corpus.notes)?;
    let answer = SearchAnswer {
        degraded: degraded.or(found.degraded),
        unreadable: report.unreadable(),
        unread,
        ..found
    };
    Ok((answer, report))
}

/// How often a search is repeated to judge what is left without forgotten passages.
const ROUNDS_MAX: usize = 4;

/// Like [`search`], without results that were forgotten since the index was written. What is left is judged by itself:
/// a hidden passage does not answer the question.
///
/// # Errors
///
/// [`IndexError`]; [`IndexError::Forgotten`] if the tombstones cannot be read.
pub fn search_remembered(
    index: &Index,
    (question, options): (&str, &SearchOptions),
    notes: &dyn NoteSource,
) -> Result<SearchAnswer, IndexError> {
    let mut options = options.clone();
    let mut answer = search(index, question, &options)?;
    for _ in 1..ROUNDS_MAX {
        let hidden = hide_forgotten(&mut answer, notes)?;
        if hidden.is_empty() {
            return Ok(answer);
        }
        options.hidden_lines.extend(hidden);
        answer = search(index, question, &options)?;
    }
    hide_forgotten(&mut answer, notes)?;
    Ok(answer)
}

/// Removes results that were forgotten since the index was written; returns their places.
///
/// # Errors
///
/// [`IndexError::Forgotten`] if the tombstones cannot be read.
fn hide_forgotten(
    answer: &mut SearchAnswer,
    notes: &dyn NoteSource,
) -> Result<Vec<Locator>, IndexError> {
    let forgotten = notes.forgotten().map_err(IndexError::Forgotten)?;
    let hidden = answer.results.iter();
    let hidden = hidden.filter(|result| is_hidden(result, &*forgotten));
    let hidden: Vec<Locator> = hidden.map(SearchResult::place).collect();
    answer
        .results
        .retain(|result| !is_hidden(result, &*forgotten));
    if !hidden.is_empty() {
        answer.keep_shown_span();
    }
    let left_out = answer.left_out.take();
    answer.left_out = left_out.filter(|it| !is_hidden(&it.result, &*forgotten));
    answer.keep_shown_spellings();
    if answer.results.is_empty() && answer.nothing.is_none() {
        answer.nothing = Some(NothingFound::NoMatch);
    }
    Ok(hidden)
}

fn is_hidden(result: &SearchResult, forgotten: &dyn ForgottenFilter) -> bool {
    match result.source {
        Source::Memory => forgotten.hides_text(&result.text),
        Source::Session => forgotten.hides_line(&result.path, result.start_line, &result.text),
    }
}

/// Indexes a small difference between corpus and index, and of a large one a small part, so that a program that only
/// searches catches up with many small files; [`sync`](crate::sync::sync) does all at once.
///
/// If the index is incomplete, it first builds as much as takes about a second, reporting to `progress`.
///
/// # Errors
///
/// [`IndexError`]. A lock held by another process is not an error if the index can be searched.
pub fn refresh(
    index: &Index,
    corpus: &Corpus<'_>,
    now: Timestamp,
    progress: &mut dyn FnMut(SyncProgress),
) -> Result<Freshness, IndexError> {
    if index.is_read_only() {
        return compare(index, corpus);
    }
    let SyncPreview {
        plan,
        forgotten,
        problems,
    } = look(index, corpus)?;
    let is_complete = index.is_complete()?;
    let is_small = plan.is_small();
    let plan = plan.with_suspects();
    let plan = match (is_complete, is_small) {
        (false, _) => plan.up_to(FIRST_BYTES_MAX, usize::MAX),
        (true, true) => plan,
        (true, false) => plan.up_to(SMALL_BYTES_MAX, SMALL_FILES_MAX),
    };
    let (unread, all_unread) = (plan.unread, plan.all_unread());
    let is_whole = unread.is_nothing();
    let n_pieces_max = match &index.embedder {
        Some(embedder) if is_complete || !is_whole => {
            embedder.profile().batch_max as u64 * CALLS_SMALL_MAX
        }
        Some(_) | None => u64::MAX,
    };
    let done = run_plan(index, corpus, now, (&plan, &*forgotten), progress).and_then(|report| {
        let unembedded = fill(index, n_pieces_max)?;
        Ok(SyncReport {
            unembedded,
            ..report
        })
    });
    match done {
        Ok(mut report) => {
            report.problems.extend(problems);
            let unreadable = (!report.problems.is_empty()).then_some(Degraded::Unreadable);
            let behind = (!is_whole).then_some(Degraded::Stale);
            Ok(Freshness {
                degraded: behind.or(unreadable),
                report,
                unread,
            })
        }
        Err(error) => {
            let degraded = if matches!(error, IndexError::Locked(..)) {
                Degraded::BeingWritten
            } else {
                Degraded::NotWritable
            };
            let is_locked = degraded == Degraded::BeingWritten;
            // Of an index whose first build continues elsewhere, the part that is there can be searched.
            let can_answer = is_complete || is_locked && index.n_pieces()? > 0;
            if !can_answer || !is_locked && error.obstacle().is_none() {
                return Err(error);
            }
            Ok(Freshness {
                unread: all_unread,
                ..Freshness::as_it_was(Some(degraded), problems)
            })
        }
    }
}

/// Compares a read-only index with the corpus.
fn compare(index: &Index, corpus: &Corpus<'_>) -> Result<Freshness, IndexError> {
    let Difference {
        unread,
        gone,
        problems,
    } = difference(Some(index), corpus)?;
    let degraded = if !unread.is_empty() || !gone.is_empty() || !index.is_complete()? {
        Some(Degraded::NotWritable)
    } else {
        (!problems.is_empty()).then_some(Degraded::Unreadable)
    };
    Ok(Freshness::as_it_was(degraded, problems))
}
