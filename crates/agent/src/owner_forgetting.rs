//! Forgetting on the assistant's request: finds passages, shows them to the owner, and forgets them on consent.
//!
//! Never forgets a passage that the owner has not seen.

use std::fmt;
use std::sync::{Arc, Mutex};

use memory::{ForgetPlan, OwnerLines, TextHash};
use session::SessionName;

use crate::knowledge::Knowledge;
use crate::scope::Viewer;
use crate::tools::access::{ForgetFound, ForgetPlace, Forgetting, OwnerAnswer};
use crate::tools::forget::places_of;

/// Shows the owner the passages found and asks for consent.
pub type OwnerPrompt = Box<dyn Fn(&[ForgetPlace]) -> OwnerAnswer + Send + Sync>;

/// Limit of passages that one request can forget.
const PASSAGES_MAX: usize = 20;

/// Implements [`Forgetting`] over the memory of a home.
pub struct OwnerForgetting {
    knowledge: Arc<Knowledge>,
    /// The session in which the owner asked.
    session: SessionName,
    asker: OwnerPrompt,
    /// The plan of the last search; only this is forgotten, nothing found later.
    plan: Mutex<ForgetPlan>,
}

impl OwnerForgetting {
    /// Forgets from `knowledge` in a turn of `session`; `asker` asks the owner for consent.
    pub fn new(knowledge: Arc<Knowledge>, session: SessionName, asker: OwnerPrompt) -> Self {
        Self {
            knowledge,
            session,
            asker,
            plan: Mutex::default(),
        }
    }
}

impl fmt::Debug for OwnerForgetting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("OwnerForgetting")
            .finish_non_exhaustive()
    }
}

impl Forgetting for OwnerForgetting {
    fn find(&self, what: &str) -> Result<ForgetFound, String> {
        let request = self.knowledge.newest_request(&self.session);
        let found = self.knowledge.plan_question(
            what,
            PASSAGES_MAX,
            (&Viewer::Owner, request.as_ref()),
            &mut |_| {},
        );
        let mut plan = found.map_err(|error| failed(&error))?;
        plan.asked = TextHash::of(what);
        let found = ForgetFound {
            places: places_of(&plan),
            n_more: plan.n_more,
        };
        *base::locked(&self.plan) = plan;
        Ok(found)
    }

    fn ask(&self, found: &[ForgetPlace]) -> OwnerAnswer {
        (self.asker)(found)
    }

    fn forget(&self, _found: &[ForgetPlace]) -> Result<(), String> {
        let plan = base::locked(&self.plan);
        // The owner has seen these lines and agreed.
        let done = self.knowledge.forget(&plan, OwnerLines::Remove);
        done.map(drop).map_err(|error| failed(&error))
    }

    fn command(&self, what: &str) -> String {
        format!("openclaw memory forget '{}'", what.replace('\'', "'\\''"))
    }
}

fn failed(error: &dyn std::error::Error) -> String {
    let cause = error.source().map(|cause| format!(": {cause}"));
    format!("it was not forgotten: {error}{}", cause.unwrap_or_default())
}
