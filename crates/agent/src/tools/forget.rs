//! The `forget` tool: forgets passages, but never without the owner's consent.

use base::{counted, head, redact};
use memory::ForgetPlan;
use serde::Deserialize;

use super::access::{ForgetPlace, Forgetting, OwnerAnswer};
use super::answer::{ToolReply, read};
use crate::fence::{RecallFence, fenced};

/// Maximum length of a passage in an answer.
const SHOWN_CHARS_MAX: usize = 300;

#[derive(Deserialize)]
struct ForgetArguments {
    what: String,
}

pub(super) fn run(forgetting: &dyn Forgetting, arguments: &str) -> ToolReply {
    let ForgetArguments { what } = read(arguments)?;
    let found = forgetting.find(&what)?;
    let (n_more, found) = (found.n_more, found.places);
    if found.is_empty() {
        return Ok("Found nothing to forget.".to_owned());
    }
    match forgetting.ask(&found) {
        OwnerAnswer::Yes => {
            forgetting.forget(&found)?;
            let passages = counted(found.len() as u64, "passage was", "passages were");
            let again = "; call forget again with the same words to continue.";
            let rest = besides(n_more, " ", again);
            Ok(format!("The owner agreed; {passages} forgotten.{rest}"))
        }
        OwnerAnswer::No => Ok("The owner said no; nothing was forgotten.".to_owned()),
        OwnerAnswer::NobodyThere => {
            let shown = shown(&found, n_more);
            Err(format!(
                "The owner cannot be asked here, so nothing was forgotten. The owner can run: {}\n\
                 It would forget:\n{shown}",
                forgetting.command(&what),
            ))
        }
    }
}

pub(crate) fn places_of(plan: &ForgetPlan) -> Vec<ForgetPlace> {
    let lines = plan.lines.iter().map(|line| ForgetPlace {
        place: line.place(),
        text: line.text.clone(),
    });
    let candidates = plan.candidates.iter().map(|own| ForgetPlace {
        place: own.place(),
        text: redact(&own.finding).into_owned(),
    });
    let entries = plan.entries.iter().map(|entry| ForgetPlace {
        place: entry.place(),
        text: entry.text.clone(),
    });
    lines.chain(candidates).chain(entries).collect()
}

/// The passages, each in a fence that names its place, and the number of further matches.
pub(super) fn shown(found: &[ForgetPlace], n_more: usize) -> String {
    let places = found.iter().map(|found| {
        let source = found.place.to_string();
        let fence = RecallFence::of(&source);
        fenced(fence, head(&found.text, SHOWN_CHARS_MAX))
    });
    let places: Vec<String> = places.collect();
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
