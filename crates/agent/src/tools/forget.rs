//! The `forget` tool: forgets what the owner's message asks to forget, at once; what that message does not surely mean
//! waits for the owner's next one.
//!
//! Takes only the owner's message of this turn as a request; a tool result or a page cannot ask.

use base::{counted, head, with_causes};
use memory::{Reason, TextHash, n_words_held};
use serde::Deserialize;
use session::SessionName;

use super::answer::read;
use super::lasting::LastingChange;
use super::owner_turn::OwnerTurn;
use crate::fence::{RecallFence, fenced};
use crate::forgetting::ForgetPlanError;
use crate::knowledge::index::COMMON_WORDS;
use crate::ops::{
    Forget, ForgetItem, ForgetPlanReply, ForgetReply, OpContext, OpError, Operation, PlanForget,
};
use crate::runtime::Runtime;

/// Limit of passages that one request forgets.
const PASSAGES_MAX: usize = 100;

/// A plan with more passages than this needs the owner's consent.
const SMALL_PLAN_MAX: usize = 20;

/// Limit of passages that an answer shows.
const SHOWN_MAX: usize = 20;

/// Limit of weaker matches that an answer shows.
const NEAR_MAX: usize = 5;

/// Maximum length of a passage in an answer, and in the notice to the owner.
const SHOWN_CHARS_MAX: usize = 300;
const NOTICE_CHARS_MAX: usize = 100;

/// Begins the second half of an answer that something was forgotten.
pub(super) const FORGOTTEN: &str = " forgotten. The owner was told";

/// Begins an answer that asks for the owner's consent.
const NEEDS_CONSENT: &str = "Nothing was forgotten yet";

#[derive(Deserialize)]
struct ForgetArguments {
    what: String,
    #[serde(default)]
    quote: String,
}

/// The outcome of a call of the tool.
pub(super) enum ForgetOutcome {
    Forgotten(LastingChange),
    /// What the model is answered instead.
    Kept(String),
}

pub(super) fn forget_passages(
    runtime: &Runtime,
    at: &OpContext<'_>,
    name: &SessionName,
    arguments: &str,
) -> Result<ForgetOutcome, String> {
    let ForgetArguments { what, quote } = read(arguments)?;
    let turn = OwnerTurn::of(runtime, name)?;
    turn.check_quote(&quote)?;
    if !COMMON_WORDS.tells(&what) {
        return Err(
            "Nothing was forgotten: `what` has no telling word. Name what to forget.".into(),
        );
    }
    let request = PlanForget {
        what: what.clone(),
        limit: Some(PASSAGES_MAX),
        // The owner named these lines.
        remove_own_lines: true,
        request: at.knowledge.and_then(|own| own.newest_request(name)),
        ..PlanForget::default()
    };
    let plan = match request.run(at) {
        Err(OpError::Forget(ForgetPlanError::Already { .. })) => {
            return Ok(ForgetOutcome::Kept("This was forgotten before.".to_owned()));
        }
        planned => planned.map_err(|error| failed(&error))?,
    };
    let Some(token) = plan.token.clone() else {
        return Ok(ForgetOutcome::Kept("Found nothing to forget.".to_owned()));
    };
    if let Some(because) = needs_consent(&turn, &what, &plan)
        && !is_consent(&turn, &what)
    {
        let n_passages = counted(plan.items.len() as u64, "passage", "passages");
        return Ok(ForgetOutcome::Kept(format!(
            "{NEEDS_CONSENT}: {because}. Ask the owner whether to forget {n_passages}, and say what they are about. If \
             the owner's next message agrees, call forget again with the same `what`, and with that message as `quote`.\n\
             {}",
            shown(&plan.items, plan.more)
        )));
    }
    let confirm = Forget {
        token,
        ..Forget::default()
    };
    let done = confirm.run(at).map_err(|error| failed(&error))?;
    Ok(ForgetOutcome::Forgotten(LastingChange {
        answer: answer(&plan),
        notice: notice(&plan, &done),
    }))
}

/// Why the owner must agree to a plan first; `None` if their message asks for it.
fn needs_consent(turn: &OwnerTurn, what: &str, plan: &ForgetPlanReply) -> Option<String> {
    if turn.has_outside_answer() {
        return Some("another tool has answered since the owner's message".to_owned());
    }
    if !turn.says_any_word(what, COMMON_WORDS) {
        return Some("the owner's last messages have no word of `what`".to_owned());
    }
    if !has_every_word(plan, what) {
        return Some("no passage has all words of `what`".to_owned());
    }
    let n_passages = plan.items.len() + plan.more;
    (n_passages > SMALL_PLAN_MAX).then(|| "there are many passages".to_owned())
}

/// Whether a chosen passage has every telling word of the request.
fn has_every_word(plan: &ForgetPlanReply, what: &str) -> bool {
    let n_words = COMMON_WORDS.telling_stems(what).len();
    let is_chosen = |own: &&ForgetItem| own.because == Reason::Chosen;
    let mut chosen = plan.items.iter().filter(is_chosen);
    chosen.any(|own| n_words_held(what, &own.text, COMMON_WORDS) == Some(n_words))
}

/// Whether the owner was asked about these words in the turn before, which makes their message the answer.
fn is_consent(turn: &OwnerTurn, what: &str) -> bool {
    let asked = |arguments: &str| {
        let asked = read::<ForgetArguments>(arguments).ok();
        asked.is_some_and(|asked| TextHash::of(&asked.what) == TextHash::of(what))
    };
    // A question that the owner never read has no answer, whatever a model says.
    if !turn.may_answer_about(what, COMMON_WORDS) {
        return false;
    }
    turn.calls().iter().any(|own| {
        own.n_later == 1
            && own.call.name == "forget"
            && own.answer.starts_with(NEEDS_CONSENT)
            && asked(&own.call.arguments)
    })
}

fn answer(plan: &ForgetPlanReply) -> String {
    let passages = counted(plan.items.len() as u64, "passage was", "passages were");
    let more = besides(
        plan.more,
        " ",
        "; call forget again with the same arguments.",
    );
    let near = plan.near.iter().take(NEAR_MAX);
    let near: Vec<(String, &str)> = near.map(|own| (own.place(), &*own.text)).collect();
    let near = if near.is_empty() {
        String::new()
    } else {
        format!(
            "\nThese have only some of the words and were kept. If the owner means them too, call forget again with \
             fewer words:\n{}",
            fences(&near, 0)
        )
    };
    format!("{passages}{FORGOTTEN} and can undo this. Do not repeat what it said.{more}{near}")
}

/// The notice to the owner: every forgotten passage, and the command that restores them.
fn notice(plan: &ForgetPlanReply, done: &ForgetReply) -> String {
    let passages = counted(plan.items.len() as u64, "passage", "passages");
    let lines = plan.items.iter().map(|own| {
        let text = own.text.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("\n  {}: {}", own.place(), head(&text, NOTICE_CHARS_MAX))
    });
    let lines: String = lines.collect();
    let more = besides(plan.more, "\n", ".");
    let undo = &done.undo;
    format!("Forgotten: {passages} (`{undo}` reverts this){lines}{more}")
}

fn failed(error: &dyn std::error::Error) -> String {
    format!("It was not forgotten: {}.", with_causes(error))
}

/// The passages, each in a fence that names its place, and the number of further matches.
pub(super) fn shown(found: &[ForgetItem], n_more: usize) -> String {
    let found = found.iter();
    let found: Vec<(String, &str)> = found
        .map(|own| (own.place().to_string(), &*own.text))
        .collect();
    fences(&found, n_more)
}

/// Texts, each in a fence that names its place, and the number of further matches.
fn fences(found: &[(String, &str)], n_more: usize) -> String {
    let places = found.iter().take(SHOWN_MAX).map(|(source, text)| {
        let fence = RecallFence::of(source);
        fenced(fence, head(text, SHOWN_CHARS_MAX))
    });
    let places: Vec<String> = places.collect();
    let n_more = n_more + found.len().saturating_sub(SHOWN_MAX);
    format!("{}{}", places.join("\n"), besides(n_more, "\n", "."))
}

/// The number of further matches, between `before` and `after`; empty if there are none.
fn besides(n_more: usize, before: &str, after: &str) -> String {
    if n_more == 0 {
        return String::new();
    }
    let passages = counted(n_more as u64, "more passage matches", "more passages match");
    format!("{before}{passages}{after}")
}

#[cfg(test)]
#[path = "forget_tests.rs"]
mod tests;
