//! The `forget` tool: forgets what the owner's message asks to forget, at once; what that message does not surely mean
//! waits for the owner's next one.
//!
//! Takes only the owner's message of this turn as a request; a tool result or a page cannot ask.

use base::{Locator, counted, head, redact};
use memory::{ForgetPlan, OwnerLines, PlannedPassage, Reason, TextHash, n_words_held};
use serde::Deserialize;
use session::SessionName;

use super::answer::read;
use super::lasting::LastingChange;
use super::owner_turn::OwnerTurn;
use crate::fence::{RecallFence, fenced};
use crate::forgetting::ForgetPlanError;
use crate::knowledge::index::{COMMON_WORDS, Knowledge};
use crate::knowledge::scope::Viewer;
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

/// A passage that would be forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ForgetPlace {
    pub(crate) place: Locator,
    pub(crate) text: String,
}

/// What a call of the tool does.
pub(super) enum ForgetOutcome {
    Forgotten(LastingChange),
    /// What the model is answered instead.
    Kept(String),
}

pub(super) fn run(
    runtime: &Runtime,
    knowledge: &Knowledge,
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
    let request = knowledge.newest_request(name);
    let owner = (&Viewer::Owner, request.as_ref());
    let mut plan = match knowledge.plan_question(&what, PASSAGES_MAX, owner, &mut |_| {}) {
        Err(ForgetPlanError::Already { .. }) => {
            return Ok(ForgetOutcome::Kept("This was forgotten before.".to_owned()));
        }
        planned => planned.map_err(|error| failed(&error))?,
    };
    plan.asked = TextHash::of(&what);
    let places = places_of(&plan);
    if places.is_empty() {
        return Ok(ForgetOutcome::Kept("Found nothing to forget.".to_owned()));
    }
    if let Some(because) = needs_consent(&turn, &what, &plan)
        && !is_consent(&turn, &what)
    {
        let n_passages = counted(places.len() as u64, "passage", "passages");
        return Ok(ForgetOutcome::Kept(format!(
            "{NEEDS_CONSENT}: {because}. Ask the owner whether to forget {n_passages}, and say what they are about. If \
             the owner's next message agrees, call forget again with the same `what`, and with that message as `quote`.\n\
             {}",
            shown(&places, plan.n_more)
        )));
    }
    // The owner named these lines.
    let done = knowledge.forget(&plan, OwnerLines::Remove);
    let id = done.map_err(|error| failed(&error))?.report.id;
    Ok(ForgetOutcome::Forgotten(LastingChange {
        answer: answer(&places, &plan),
        notice: notice(&places, &plan, id.as_str()),
    }))
}

/// Why the owner must agree to a plan first; `None` if their message names all that it holds.
fn needs_consent(turn: &OwnerTurn, what: &str, plan: &ForgetPlan) -> Option<String> {
    if turn.has_outside_answer() {
        return Some("another tool has answered since the owner's message".to_owned());
    }
    let unsaid = turn.unsaid_words(what, COMMON_WORDS);
    if !unsaid.is_empty() {
        let words = unsaid.join(", ");
        return Some(format!("the owner's message does not say: {words}"));
    }
    if !has_every_word(plan, what) {
        return Some("no passage has all words of `what`".to_owned());
    }
    let n_passages = plan.passages().count() + plan.n_more;
    (n_passages > SMALL_PLAN_MAX).then(|| "there are many passages".to_owned())
}

/// Whether a chosen passage has every telling word of the request.
fn has_every_word(plan: &ForgetPlan, what: &str) -> bool {
    let n_words = COMMON_WORDS.telling_stems(what).len();
    let is_chosen = |own: &PlannedPassage<'_>| own.because == Reason::Chosen;
    let mut chosen = plan.passages().filter(is_chosen);
    chosen.any(|own| n_words_held(what, own.text, COMMON_WORDS) == Some(n_words))
}

/// Whether the owner was asked about these words in the turn before, which makes their message the answer.
fn is_consent(turn: &OwnerTurn, what: &str) -> bool {
    let asked = |arguments: &str| {
        let asked = read::<ForgetArguments>(arguments).ok();
        asked.is_some_and(|asked| TextHash::of(&asked.what) == TextHash::of(what))
    };
    turn.calls().iter().any(|own| {
        own.n_later == 1
            && own.call.name == "forget"
            && own.answer.starts_with(NEEDS_CONSENT)
            && asked(&own.call.arguments)
    })
}

fn answer(places: &[ForgetPlace], plan: &ForgetPlan) -> String {
    let passages = counted(places.len() as u64, "passage was", "passages were");
    let more = besides(
        plan.n_more,
        " ",
        "; call forget again with the same arguments.",
    );
    let near: Vec<ForgetPlace> = plan.near.iter().take(NEAR_MAX).map(near_place).collect();
    let near = if near.is_empty() {
        String::new()
    } else {
        format!(
            "\nThese have only some of the words and were kept. If the owner means them too, call forget again with \
             fewer words:\n{}",
            shown(&near, 0)
        )
    };
    format!("{passages}{FORGOTTEN} and can undo this. Do not repeat what it said.{more}{near}")
}

fn near_place((place, text): &(Locator, String)) -> ForgetPlace {
    ForgetPlace {
        place: place.clone(),
        text: redact(text).into_owned(),
    }
}

/// What the owner is told: every passage that went, and how to restore them.
fn notice(places: &[ForgetPlace], plan: &ForgetPlan, id: &str) -> String {
    let passages = counted(places.len() as u64, "passage", "passages");
    let lines = places.iter().map(|own| {
        let text = own.text.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("\n  {}: {}", own.place, head(&text, NOTICE_CHARS_MAX))
    });
    let lines: String = lines.collect();
    let more = besides(plan.n_more, "\n", ".");
    format!(
        "Forgotten: {passages} (`openclaw memory forget --undo {id}` reverts this){lines}{more}"
    )
}

fn failed(error: &dyn std::error::Error) -> String {
    let cause = error.source().map(|cause| format!(": {cause}"));
    format!(
        "It was not forgotten: {error}{}.",
        cause.unwrap_or_default()
    )
}

pub(crate) fn places_of(plan: &ForgetPlan) -> Vec<ForgetPlace> {
    let passages = plan.passages().map(|own| ForgetPlace {
        place: own.place,
        text: redact(own.text).into_owned(),
    });
    passages.collect()
}

/// The passages, each in a fence that names its place, and the number of further matches.
pub(super) fn shown(found: &[ForgetPlace], n_more: usize) -> String {
    let places = found.iter().take(SHOWN_MAX).map(|found| {
        let source = found.place.to_string();
        let fence = RecallFence::of(&source);
        fenced(fence, head(&found.text, SHOWN_CHARS_MAX))
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
