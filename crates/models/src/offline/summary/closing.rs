//! Finds where work stands at the end of the span: the last request, the last reply, the next step.
//!
//! Reads the end of the evidence only.

use super::super::bare::is_bare;
use super::super::clause::{NOTE_CHARS_MAX, shortened};
use super::super::earlier::Earlier;
use super::super::evidence::Evidence;
use super::super::rank::subject;
use super::super::signal::{Speaker, plain, signal};
use super::super::statement::Statement;
use super::super::template;
use super::page::{Item, Section};
use super::{ANNOUNCING, Ends, PENDING, REQUEST_WORDS_MIN, lasts, stated};

/// A line that must be there ranks above all others of its section.
const FIRST: i32 = 100;

/// Shorter sentences of a reply are courtesies or headings.
const GIST_WORDS_MIN: usize = 5;

/// What was asked last and what the assistant did last; what the next step says already is not repeated.
pub(super) fn last_actions(evidence: &Evidence, next: Option<&Item>) -> Vec<Item> {
    let is_next = |text: &str| next.is_some_and(|next| next.text.ends_with(text));
    let message = last_message(evidence).filter(|message| !is_next(&message.text));
    let message = message.map(|message| {
        let phrase = if message.is_request {
            template::LAST_REQUEST
        } else {
            template::LAST_MESSAGE
        };
        format!("{phrase}{}", message.text)
    });
    let reply = evidence
        .last_reply
        .as_ref()
        .and_then(|(_, prose)| gist(prose));
    let reply = reply.map(shortened).filter(|gist| !is_next(gist));
    let reply = reply.map(|gist| format!("{}{gist}", template::LAST_REPLY));
    let calls = evidence.last_tools.join(template::LIST_SEPARATOR);
    let calls = (!calls.is_empty()).then(|| format!("{}{calls}", template::LAST_TOOL_CALLS));
    let lines = [message, reply, calls].into_iter().flatten().enumerate();
    lines
        .map(|(order, text)| Item {
            section: Section::Active,
            text,
            score: FIRST,
            order: (2, order),
        })
        .collect()
}

/// The gist of the last message of a person.
struct Message {
    text: String,
    is_request: bool,
}

/// The last request in words that can be understood alone; what else the message says where it asks nothing.
///
/// `Can you fix it?` cannot: then the sentence of the same message that says most stands beside it.
fn last_message(evidence: &Evidence) -> Option<Message> {
    let (at, prose) = evidence.last_request.as_ref()?;
    let own = evidence
        .questions
        .iter()
        .filter(|question| question.excerpt == *at)
        .map(|question| question.text.as_str());
    let questions: Vec<&str> = own.collect();
    let is_clear = |text: &&&str| subject(text).n_words() >= REQUEST_WORDS_MIN;
    let text = match (questions.iter().rfind(is_clear), questions.last()) {
        (Some(clear), _) => shortened(clear).to_owned(),
        (None, Some(unclear)) => with_its_context(unclear, prose),
        (None, None) => shortened(fullest(prose)?).to_owned(),
    };
    let is_request = !questions.is_empty();
    let says_something = !text.is_empty() && (is_request || !is_bare(&text));
    says_something.then_some(Message { text, is_request })
}

/// A question and the sentence that says most of the others, in their order.
fn with_its_context(question: &str, prose: &[String]) -> String {
    let question = shortened(question);
    let asked_at = prose
        .iter()
        .position(|sentence| sentence.contains(question));
    let others: Vec<String> = prose
        .iter()
        .filter(|sentence| !sentence.contains(question))
        .cloned()
        .collect();
    let Some(context) = fullest(&others).map(shortened) else {
        return question.to_owned();
    };
    let stands_at = prose.iter().position(|sentence| sentence.contains(context));
    let both = if stands_at < asked_at {
        format!("{context} {question}")
    } else {
        format!("{question} {context}")
    };
    let is_short = both.chars().count() <= NOTE_CHARS_MAX;
    Some(both)
        .filter(|_| is_short)
        .unwrap_or_else(|| context.to_owned())
}

/// The sentence that says most.
fn fullest(prose: &[String]) -> Option<&str> {
    let worth = |sentence: &str| {
        let n_words = subject(sentence).n_words().min(REQUEST_WORDS_MIN);
        (signal(sentence, None, Speaker::Owner).score, n_words)
    };
    prose.iter().map(String::as_str).reduce(|best, next| {
        if worth(next) > worth(best) {
            next
        } else {
            best
        }
    })
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

/// The step that was announced last; else the request that nobody has answered, what an earlier summary
/// announced, or what the last message leaves open.
pub(super) fn next_step(
    evidence: &Evidence,
    statements: &[Statement],
    earlier: &Earlier,
    ends: &Ends,
) -> Option<Item> {
    let text = announced(evidence)
        .or_else(|| {
            let message = last_message(evidence).filter(|message| message.is_request)?;
            (!evidence.is_answered).then(|| format!("{}{}", template::CONTINUE_WITH, message.text))
        })
        .or_else(|| promised(evidence))
        .or_else(|| {
            let mut points = earlier.points.iter();
            let kept = points.find(|point| point.section == Section::Next && lasts(point, ends));
            kept.map(|point| point.text.clone())
        })
        .or_else(|| {
            let (asked_in, _) = evidence.last_request.as_ref()?;
            let open = statements
                .iter()
                .filter(|statement| is_persons(statement) && statement.last_excerpt() >= *asked_in)
                .filter_map(|statement| stated(statement, ends));
            let open = open.filter(|item| item.section == Section::Open);
            open.max_by_key(|item| item.order)
                .map(|item| format!("{}{}", template::CONTINUE_WITH, item.text))
        })?;
    Some(Item {
        section: Section::Next,
        text,
        score: FIRST,
        order: (2, 0),
    })
}

fn is_persons(statement: &Statement) -> bool {
    matches!(statement.speaker, Speaker::Owner | Speaker::Other)
}

fn announces(text: &str) -> bool {
    let words = plain(text);
    let mut phrases = ANNOUNCING.iter().chain(PENDING);
    phrases.any(|phrase| words.0.contains(phrase))
}

/// What a person said last to do next.
fn announced(evidence: &Evidence) -> Option<String> {
    let asked_in = evidence.last_request.as_ref().map_or(0, |(at, _)| *at);
    let announced = evidence.statements.iter().rev().find(|statement| {
        let is_open = !statement.is_finished && statement.last_excerpt() >= asked_in;
        is_open && is_persons(statement) && announces(&statement.text)
    });
    announced.map(|statement| statement.text.clone())
}

/// What the assistant said last to do next; an offer is no promise.
fn promised(evidence: &Evidence) -> Option<String> {
    let asked_in = evidence.last_request.as_ref().map_or(0, |(at, _)| *at);
    let (_, prose) = evidence
        .last_reply
        .as_ref()
        .filter(|(at, _)| *at >= asked_in)?;
    let promised = prose.iter().rev().find(|sentence| {
        let is_offer = plain(sentence).0.contains(" you ") || sentence.ends_with(['?', ':']);
        announces(sentence) && !is_offer && !is_bare(sentence)
    })?;
    Some(format!("{}{}", template::ASSISTANT, shortened(promised)))
}

#[cfg(test)]
#[path = "closing_tests.rs"]
mod tests;
