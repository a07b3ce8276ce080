//! Makes the index fresh enough to answer from, or says why it is not.
//!
//! Never waits for a large change: an answer now is worth more.

use base::Timestamp;

use super::model::{Degraded, NothingFound, SearchAnswer, SearchOptions, SearchResult};
use super::run::search;
use crate::index::{Index, IndexError, OpenState, fill};
use crate::note_source::{Forgotten, NoteSource};
use crate::passage_source::Source;
use crate::sync::{
    Corpus, Difference, Look, SyncProblem, SyncProgress, SyncReport, difference, look, run_plan,
};

/// So many calls of the embedder may give vectors to pieces without one before a search; more are left
/// to [`sync`](crate::sync::sync).
const CALLS_SMALL_MAX: u64 = 4;

/// What [`refresh`] did.
#[derive(Debug, Default)]
pub struct Freshness {
    /// Why the answer may lack something.
    pub degraded: Option<Degraded>,
    /// What was indexed.
    pub report: SyncReport,
}

impl Freshness {
    /// Nothing was indexed.
    fn as_it_was(degraded: Option<Degraded>, problems: Vec<SyncProblem>) -> Self {
        let report = SyncReport {
            problems,
            ..SyncReport::default()
        };
        Self { degraded, report }
    }
}

/// A question with what is needed to answer it from an index that may be behind.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The question.
    pub question: &'a str,
    /// What bounds the answer.
    pub options: &'a SearchOptions,
    /// The present instant; tells whether a file may still change unseen.
    pub now: Timestamp,
}

/// Answers a question: makes the index fresh, or says that it is not, and searches it.
///
/// A damaged index is built anew on the way.
///
/// # Errors
///
/// [`IndexError`]; that another process writes is no error where something can be found.
pub fn answer(
    index: &mut Index,
    corpus: &Corpus<'_>,
    ask: Ask<'_>,
    progress: &mut dyn FnMut(SyncProgress),
) -> Result<(SearchAnswer, SyncReport), IndexError> {
    match answer_once(index, corpus, ask, progress) {
        Err(error) if error.is_damage() => {
            index.rebuild(error.to_string())?;
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
    let Freshness { degraded, report } = refresh(index, corpus, ask.now, progress)?;
    let mut found = search(index, ask.question, ask.options)?;
    hide_forgotten(&mut found, corpus.notes)?;
    let answer = SearchAnswer {
        degraded: degraded.or(found.degraded),
        unreadable: report.unreadable(),
        ..found
    };
    Ok((answer, report))
}

/// Takes out of an answer what was forgotten since the index was written.
///
/// # Errors
///
/// [`IndexError::Forgotten`] where it is not known what was forgotten.
pub fn hide_forgotten(answer: &mut SearchAnswer, notes: &dyn NoteSource) -> Result<(), IndexError> {
    let forgotten = notes.forgotten().map_err(IndexError::Forgotten)?;
    let n_found = answer.results.len();
    answer
        .results
        .retain(|result| !is_hidden(result, &*forgotten));
    if answer.results.len() < n_found {
        answer.keep_shown_span();
    }
    let left_out = answer.left_out.take();
    answer.left_out = left_out.filter(|it| !is_hidden(&it.result, &*forgotten));
    answer.keep_shown_spellings();
    if answer.results.is_empty() && answer.nothing.is_none() {
        answer.nothing = Some(NothingFound::NoMatch);
    }
    Ok(())
}

fn is_hidden(result: &SearchResult, forgotten: &dyn Forgotten) -> bool {
    match result.source {
        Source::Memory => forgotten.hides_text(&result.text),
        Source::Session => forgotten.hides_line(&result.path, result.start_line),
    }
}

/// Brings a small difference between corpus and index into the index; a large one is left to [`sync`](crate::sync::sync).
///
/// An index that never held everything is built first, and `progress` told how far it is.
///
/// # Errors
///
/// [`IndexError`]; that another process writes is no error where something can be found.
pub fn refresh(
    index: &Index,
    corpus: &Corpus<'_>,
    now: Timestamp,
    progress: &mut dyn FnMut(SyncProgress),
) -> Result<Freshness, IndexError> {
    if *index.state() == OpenState::ReadOnly {
        return compare(index, corpus);
    }
    let Look {
        plan,
        forgotten,
        problems,
    } = look(index, corpus)?;
    let is_complete = index.is_complete()?;
    if is_complete && !plan.is_small() {
        return Ok(Freshness::as_it_was(Some(Degraded::Stale), problems));
    }
    let plan = plan.with_suspects();
    let n_pieces_max = match &index.embedder {
        Some(embedder) if is_complete => embedder.profile().batch_max as u64 * CALLS_SMALL_MAX,
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
            let is_whole = report.problems.is_empty();
            Ok(Freshness {
                degraded: (!is_whole).then_some(Degraded::Unreadable),
                report,
            })
        }
        Err(error) => {
            let degraded = if matches!(error, IndexError::Locked(..)) {
                Degraded::BeingWritten
            } else {
                Degraded::NotWritable
            };
            let is_known = degraded == Degraded::BeingWritten || error.obstacle().is_some();
            if !is_known || !is_complete {
                return Err(error);
            }
            Ok(Freshness::as_it_was(Some(degraded), problems))
        }
    }
}

/// Tells what an index that may not be written lacks.
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
