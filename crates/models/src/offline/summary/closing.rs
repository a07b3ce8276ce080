//! Finds where work stands at the end of the span: the last request, the last reply, the next step.
//!
//! Reads the end of the evidence only.

use super::super::clause::shortened;
use super::super::earlier::Earlier;
use super::super::evidence::Evidence;
use super::super::rank::subject;
use super::super::signal::{Speaker, plain, signal};
use super::super::template;
use super::page::{Item, Section};
use super::{ANNOUNCING, Ends, PENDING, REQUEST_WORDS_MIN};

/// A line that must be there ranks above all others of its section.
const FIRST: i32 = 100;

/// Shorter sentences of a reply are courtesies or headings.
const GIST_WORDS_MIN: usize = 5;

/// What was asked last and what the assistant did last.
pub(super) fn last_actions(evidence: &Evidence) -> Vec<Item> {
    let request =
        last_request(evidence).map(|request| format!("{}{request}", template::LAST_REQUEST));
    let reply = evidence
        .last_reply
        .as_ref()
        .and_then(|(_, prose)| gist(prose));
    let reply = reply.map(|gist| format!("{}{}", template::LAST_REPLY, shortened(gist)));
    let names = evidence.last_tools.join(template::LIST_SEPARATOR);
    let tools = (!names.is_empty()).then(|| format!("{}{names}", template::LAST_TOOL_CALLS));
    let lines = [request, reply, tools].into_iter().flatten().enumerate();
    lines
        .map(|(order, text)| Item {
            section: Section::Active,
            text,
            score: FIRST,
            order: (2, order),
        })
        .collect()
}

/// The last request in words that can be understood alone.
///
/// `Can you fix it?` cannot: then the sentence of the same message that says most stands for it.
fn last_request(evidence: &Evidence) -> Option<String> {
    let (at, prose) = evidence.last_request.as_ref()?;
    let own = evidence
        .questions
        .iter()
        .rev()
        .filter(|question| question.excerpt == *at);
    let clear = own
        .map(|question| question.text.as_str())
        .find(|text| subject(text).n_words() >= REQUEST_WORDS_MIN);
    let worth = |sentence: &str| {
        let n_words = subject(sentence).n_words().min(REQUEST_WORDS_MIN);
        (signal(sentence, None, Speaker::Owner).score, n_words)
    };
    let fullest = || {
        prose.iter().reduce(|best, next| {
            if worth(next) > worth(best) {
                next
            } else {
                best
            }
        })
    };
    let text = clear.or_else(|| fullest().map(String::as_str))?;
    Some(shortened(text).to_owned()).filter(|text| !text.is_empty())
}

/// The sentence of a reply that says most; the first that is no courtesy where none stands out.
fn gist(prose: &[String]) -> Option<&str> {
    let full = prose.iter().filter(|sentence| {
        let is_long = sentence.split_whitespace().count() >= GIST_WORDS_MIN || !sentence.is_ascii();
        is_long && !sentence.ends_with([':', '?'])
    });
    let scored = full.map(|sentence| {
        (
            signal(sentence, None, Speaker::Assistant).score,
            sentence.as_str(),
        )
    });
    let best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, sentence)| sentence)
        .or(prose.first().map(String::as_str))
}

/// The step that was announced last; else the last request, or the next step of the earlier summary.
pub(super) fn next_step(evidence: &Evidence, earlier: &Earlier, ends: &Ends) -> Option<Item> {
    let asked_in = evidence.last_request.as_ref().map_or(0, |(at, _)| *at);
    let announced = evidence.statements.iter().rev().find(|statement| {
        let words = plain(&statement.text);
        let mut phrases = ANNOUNCING.iter().chain(PENDING);
        let announces = phrases.any(|phrase| words.0.contains(phrase));
        let is_persons = matches!(statement.speaker, Speaker::Owner | Speaker::Other);
        announces && is_persons && !statement.is_finished && statement.last_excerpt() >= asked_in
    });
    let mut points = earlier
        .points
        .iter()
        .filter(|point| point.section == Section::Next);
    let kept = points.find(|point| !ends.close(&point.text, None));
    let is_asked = evidence
        .questions
        .last()
        .is_some_and(|question| question.excerpt == asked_in);
    let request = || last_request(evidence).filter(|_| is_asked);
    let text = announced
        .map(|statement| statement.text.clone())
        .or_else(|| request().map(|request| format!("{}{request}", template::CONTINUE_WITH)))
        .or_else(|| kept.map(|point| point.text.clone()))?;
    Some(Item {
        section: Section::Next,
        text,
        score: FIRST,
        order: (2, 0),
    })
}
