//! Answers a question from the index as it is.
//!
//! Reads one state of the index from beginning to end.

use base::Embedder;

use super::bounds::Bounds;
use super::gather::gather;
use super::meaning::Meaning;
use super::model::{NothingFound, SearchAnswer, SearchMode, SearchOptions};
use super::other_language::is_in_other_language;
use super::pack::pack;
use super::query::Question;
use super::ranked::rank;
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
    let results = ranked.results(&mut texts, &gathered, options)?;
    if results.is_empty() {
        return Ok(answer(results, Some(NothingFound::NothingRelevant)));
    }
    let (results, left_out) = match options.budget {
        Some(budget) => pack(results, budget),
        None => (results, None),
    };
    let over_budget = results.is_empty().then_some(NothingFound::OverBudget);
    let nothing = over_budget.or(unsure);
    let mut answer = answer(results, nothing);
    (answer.left_out, answer.spellings) = (left_out, gathered.spellings);
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
