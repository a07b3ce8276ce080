//! Finds the sentences that a summary must keep: decisions, open questions, the last request.
//!
//! Knows no language; the caller supplies the cues.

use base::{EntryId, Message, head};

use crate::shorten;

/// Why a sentence must be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ClaimKind {
    /// It states a decision.
    Decision,
    /// It asks something that is still unanswered.
    OpenQuestion,
    /// It is the user's last request.
    LastRequest,
}

/// A sentence and its entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AuditedClaim {
    pub(crate) kind: ClaimKind,
    pub(crate) text: String,
    pub(crate) entry: EntryId,
}

/// Maximum numbers of decisions and open questions to find, newest first.
const DECISIONS_MAX: usize = 8;
const QUESTIONS_MAX: usize = 4;

/// Maximum length of a claim, in characters.
const CLAIM_CHARS_MAX: usize = 240;

/// Search only this much of a message for claims: the rest of a longer one is a document.
const MESSAGE_CHARS_MAX: usize = 20_000;

/// For a message and its sentences, returns for each sentence whether it decides something and whether it leaves
/// something open. Supplied by the caller, which knows languages.
pub type Cues = fn(&str, &[&str]) -> Vec<(bool, bool)>;

/// The claims of a span, whose messages come in order with their redacted texts.
pub(super) fn claims<'a>(
    messages: impl DoubleEndedIterator<Item = (&'a EntryId, &'a Message, &'a str)>,
    cues: Cues,
) -> Vec<AuditedClaim> {
    let mut found = Vec::new();
    let (mut n_decisions, mut n_questions) = (0, 0);
    let (mut is_answered, mut has_request) = (false, false);
    for (entry, message, text) in messages.rev() {
        let is_user = matches!(message, Message::User { .. });
        if matches!(message, Message::ToolResult(_)) {
            continue;
        }
        let text = head(text, MESSAGE_CHARS_MAX);
        if is_user && !has_request && !text.trim().is_empty() {
            has_request = true;
            found.push(claim(ClaimKind::LastRequest, text, entry));
        }
        let sentences = sentences(text);
        let weights = cues(text, &sentences);
        for (sentence, (decides, leaves_open)) in sentences.into_iter().zip(weights).rev() {
            let is_question = sentence.ends_with(['?', '\u{ff1f}']);
            let is_open = leaves_open || is_question && is_user;
            if is_open && !is_answered && n_questions < QUESTIONS_MAX {
                n_questions += 1;
                found.push(claim(ClaimKind::OpenQuestion, sentence, entry));
            } else if !is_question && decides && n_decisions < DECISIONS_MAX {
                n_decisions += 1;
                found.push(claim(ClaimKind::Decision, sentence, entry));
            }
        }
        // A later message has answered earlier questions, or let them go.
        is_answered |= !text.trim().is_empty();
    }
    found.reverse();
    found
}

fn claim(kind: ClaimKind, text: &str, entry: &EntryId) -> AuditedClaim {
    AuditedClaim {
        kind,
        text: shorten::capped(&shorten::single(text), CLAIM_CHARS_MAX),
        entry: entry.clone(),
    }
}

fn sentences(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            found.extend(base::sentences(line));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{cues, view};

    fn found(conversation: &str) -> Vec<(ClaimKind, String, String)> {
        let items = view(conversation).items;
        let texts: Vec<String> = items
            .iter()
            .map(|it| it.message().unwrap().text())
            .collect();
        let messages = items.iter().zip(&texts);
        let messages =
            messages.map(|(item, text)| (&item.entry, item.message().unwrap(), text.as_str()));
        let claims = claims(messages, cues).into_iter();
        claims
            .map(|claim| (claim.kind, claim.text, claim.entry.to_string()))
            .collect()
    }

    #[test]
    fn decisions_the_open_question_and_the_last_request_are_found() {
        let talk = "user: We decided to use RS256. Is it fast?\nassistant: Yes.\ntool(a): let's use HS256\n\
                    user: Then write the middleware\nassistant: Done. Not sure about the tests.";
        let claim = |kind, text: &str, entry: &str| (kind, text.to_owned(), entry.to_owned());
        assert_eq!(
            found(talk),
            [
                claim(ClaimKind::Decision, "We decided to use RS256.", "m1"),
                claim(ClaimKind::LastRequest, "Then write the middleware", "m4"),
                claim(ClaimKind::OpenQuestion, "Not sure about the tests.", "m5"),
            ]
        );
    }

    #[test]
    fn a_question_that_was_answered_is_not_open() {
        let found = found("user: Which port?\nassistant: Port 8080.");
        let kinds: Vec<ClaimKind> = found.into_iter().map(|(kind, ..)| kind).collect();
        assert_eq!(kinds, [ClaimKind::LastRequest]);
    }
}
