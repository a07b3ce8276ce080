//! Answers a question from the index as it is.
//!
//! Uses one snapshot of the index throughout.

use base::{Embedder, head};

use super::bounds::Bounds;
use super::gather::gather;
use super::meaning::QuestionVector;
use super::model::{Degraded, NothingFound, SearchAnswer, SearchMode, SearchOptions, SearchResult};
use super::other_language::is_in_other_language;
use super::pack::pack;
use super::query::Question;
use super::ranked::{Best, Ranked, rank};
use super::span::{counted_span, in_order};
use super::texts::Texts;
use crate::index::{Index, IndexError};
use crate::sync::Unread;

/// How much of a question is read: as much as a page, since more text would take long without changing the result.
const QUESTION_CHARS_MAX: usize = 16_000;

/// If no result is at least this likely to bear on the question, the answer says so.
const LIKELY_MIN: f64 = 0.1;

/// Answers a question from the index as it is; call [`refresh`](super::refresh) first to bring it up to date.
///
/// # Errors
///
/// [`IndexError`]; if [`IndexError::is_damage`] holds, call [`Index::rebuild`].
pub fn search(
    index: &Index,
    text: &str,
    options: &SearchOptions,
) -> Result<SearchAnswer, IndexError> {
    let asked = head(text, QUESTION_CHARS_MAX);
    let text = &*(index.wish_cues.plain)(asked);
    let question = parsed(index, (asked, text), options);
    let snapshot = index.snapshot()?;
    let meaning = QuestionVector::of(index, &snapshot, text);
    let words = index.embedder.as_deref().and_then(Embedder::words);
    let degraded = meaning.as_ref().err().copied();
    let meaning = meaning.ok().flatten();
    let mode = meaning
        .as_ref()
        .map_or(SearchMode::Keyword, |_| SearchMode::Hybrid);
    let answer = |results, nothing| answer_of((mode, degraded), results, nothing);
    if question.terms.is_empty() {
        return Ok(answer(Vec::new(), Some(NothingFound::NoWords)));
    }
    let bounds = Bounds::of(options, &snapshot)?;
    let gathered = gather(&snapshot, &question, (meaning.as_ref(), words), &bounds)?;
    if gathered.shortlist.is_empty() {
        return Ok(answer(Vec::new(), Some(NothingFound::NoMatch)));
    }
    let mut texts = Texts::of(&snapshot);
    let known = (&gathered, meaning.as_ref());
    let mut ranked = rank((&snapshot, &mut texts), &question, known, options)?;
    ranked.leave_out_hidden(&options.hidden_lines);
    let is_sure = |ranked: &Ranked| ranked.answers(snapshot.totals.n_pieces);
    let unsure = if is_sure(&ranked) {
        None
    } else if meaning.is_some() && is_in_other_language(&snapshot, index.common, text)? {
        Some(NothingFound::OtherLanguage)
    } else {
        Some(gathered.why_nothing())
    };
    if unsure.is_some_and(|why| !options.nearest.is_shown(why)) {
        return Ok(answer(Vec::new(), unsure));
    }
    if !options.each_place {
        let n_asked = ranked.take_echoes(&mut texts, &question)?;
        if n_asked > 0 && unsure.is_none() && !is_sure(&ranked) {
            let nothing = answer(Vec::new(), Some(NothingFound::OnlyAsked));
            return Ok(SearchAnswer { n_asked, ..nothing });
        }
    }
    ranked.arrange(&mut texts, index.common, (&gathered, options))?;
    let days = question.long_span();
    let days = days.filter(|_| unsure.is_none() && !options.each_place);
    let of_span = days.and_then(|days| ranked.take_span(days, &question, &gathered));
    let limit = options.limit;
    let mut shown =
        |best: &[Best], limit| ranked.results(best, &mut texts, (&gathered, options), limit);
    let (span, mut results) = match days.zip(of_span) {
        Some((days, best)) => counted_span(days, shown(&best, usize::MAX)?),
        None => (None, Vec::new()),
    };
    results.truncate(limit);
    results.extend(shown(&ranked.best, limit - results.len())?);
    if results.is_empty() {
        return Ok(answer(results, Some(NothingFound::NothingRelevant)));
    }
    let (mut results, left_out) = match options.budget {
        Some(budget) => pack(results, budget),
        None => (results, None),
    };
    in_order(&mut results);
    let over_budget = results.is_empty().then_some(NothingFound::OverBudget);
    let nothing = over_budget.or(unsure).or_else(|| unlikely(&results));
    let mut answer = answer(results, nothing);
    (answer.left_out, answer.span, answer.spellings) = (left_out, span, gathered.spellings);
    answer.keep_shown_spellings();
    Ok(answer)
}

fn answer_of(
    (mode, degraded): (SearchMode, Option<Degraded>),
    results: Vec<SearchResult>,
    nothing: Option<NothingFound>,
) -> SearchAnswer {
    SearchAnswer {
        mode,
        degraded,
        unreadable: Vec::new(),
        unread: Unread::default(),
        results,
        nothing,
        n_asked: 0,
        left_out: None,
        span: None,
        spellings: Vec::new(),
    }
}

/// Why results are unsure though some match.
fn unlikely(results: &[SearchResult]) -> Option<NothingFound> {
    let is_likely = |it: &SearchResult| it.is_of_span || it.likelihood >= LIKELY_MIN;
    (!results.iter().any(is_likely)).then_some(NothingFound::Unlikely)
}

/// Parses a question, `text` being what was `asked` without courtesy, with the index's cues.
fn parsed(index: &Index, (asked, text): (&str, &str), options: &SearchOptions) -> Question {
    let cues = &index.wish_cues;
    let question = Question {
        asks_for_advice: (cues.advice)(asked),
        asks: !options.is_message || (cues.asks)(asked),
        ..Question::parse(text, options.today, index.common)
    };
    question.about(text, cues.subject, options.today)
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "holding_tests.rs"]
mod holding_tests;

#[cfg(test)]
#[path = "edits_tests.rs"]
mod edits_tests;

#[cfg(test)]
#[path = "readers_tests.rs"]
mod readers_tests;

#[cfg(test)]
#[path = "where_found_tests.rs"]
mod where_found_tests;

#[cfg(test)]
#[path = "near_words_tests.rs"]
mod near_words_tests;

#[cfg(test)]
#[path = "slips_tests.rs"]
mod slips_tests;

#[cfg(test)]
#[path = "other_language_tests.rs"]
mod other_language_tests;

#[cfg(test)]
#[path = "asking_tests.rs"]
mod asking_tests;
