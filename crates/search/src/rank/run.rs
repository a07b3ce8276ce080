//! Answers a question from the index as it is.
//!
//! Reads one state of the index from beginning to end.

use base::Embedder;
use base::dates::planned_for;

use super::bounds::Bounds;
use super::gather::gather;
use super::meaning::Meaning;
use super::model::{NothingFound, SearchAnswer, SearchMode, SearchOptions};
use super::other_language::is_in_other_language;
use super::pack::pack;
use super::query::Question;
use super::ranked::{Best, Ranked, rank};
use super::span::{counted_span, in_order};
use super::texts::Texts;
use crate::index::{Index, IndexError};

/// Answers a question from the index as it is; [`refresh`](super::refresh) makes it say what is there.
///
/// # Errors
///
/// [`IndexError`]; where [`IndexError::is_damage`] holds, [`Index::rebuild`] helps.
pub fn search(
    index: &Index,
    question: &str,
    options: &SearchOptions,
) -> Result<SearchAnswer, IndexError> {
    let text = question;
    let question = Question {
        asks_for_advice: (index.wish_cues.advice)(text),
        ..Question::parse(text, options.today, index.common)
    };
    let question = question.about(&(index.wish_cues.subject)(text), options.today);
    let snapshot = index.snapshot()?;
    let meaning = Meaning::of(index, &snapshot, text)?;
    let words = index.embedder.as_deref().and_then(Embedder::words);
    let degraded = meaning.as_ref().err().copied();
    let meaning = meaning.ok().flatten();
    let answer = |results, nothing| SearchAnswer {
        mode: match meaning {
            Some(_) => SearchMode::Hybrid,
            None => SearchMode::Keyword,
        },
        degraded,
        unreadable: Vec::new(),
        results,
        nothing,
        n_asked: 0,
        left_out: None,
        span: None,
        spellings: Vec::new(),
    };
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
    let unsure = if ranked.answers(snapshot.totals.n_pieces) {
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
        if n_asked > 0 && unsure.is_none() && !ranked.answers(snapshot.totals.n_pieces) {
            let nothing = answer(Vec::new(), Some(NothingFound::OnlyAsked));
            return Ok(SearchAnswer { n_asked, ..nothing });
        }
    }
    ranked.put_wishes_first();
    ranked.leave_out_far();
    ranked.put_newer_first(&mut texts, &gathered, index.common)?;
    let shown = |ranked: &Ranked, best: &[Best], texts: &mut Texts<'_>, limit| {
        let options = SearchOptions {
            limit,
            ..options.clone()
        };
        ranked.results(best, texts, &gathered, &options)
    };
    let (mut span, mut results) = (None, Vec::new());
    let days = question.long_span();
    if let Some(days) = days.filter(|_| unsure.is_none() && !options.each_place)
        && let Some(held) = ranked.held(&question, &gathered)
    {
        let best = ranked.take_span(days, &held);
        results = shown(&ranked, &best, &mut texts, usize::MAX)?;
        span = counted_span(days, &mut results);
    }
    results.truncate(options.limit);
    let n_left = options.limit - results.len();
    results.extend(shown(&ranked, &ranked.best, &mut texts, n_left)?);
    if results.is_empty() {
        return Ok(answer(results, Some(NothingFound::NothingRelevant)));
    }
    let (mut results, left_out) = match options.budget {
        Some(budget) => pack(results, budget),
        None => (results, None),
    };
    in_order(&mut results);
    for result in &mut results {
        let said = result.day.zip(options.today);
        result.planned_for = said.and_then(|(day, today)| planned_for(&result.text, day, today));
    }
    let over_budget = results.is_empty().then_some(NothingFound::OverBudget);
    let nothing = over_budget.or(unsure);
    let mut answer = answer(results, nothing);
    (answer.left_out, answer.span) = (left_out, span);
    answer.spellings = gathered.spellings;
    answer.keep_shown_spellings();
    Ok(answer)
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;

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
