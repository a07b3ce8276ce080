//! Forgetting in a conversation: what the assistant wants to forget, shown to the owner and done.
//!
//! Never forgets what the asker was not shown.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use memory::{ForgetPlan, OwnerLines, TextHash};
use session::SessionName;

use crate::knowledge::Knowledge;
use crate::tools::access::{ForgetFound, ForgetPlace, ForgetToolError, Forgetting, OwnerAnswer};
use crate::tools::forget::places_of;

/// Shows the owner what was found and asks.
pub type Asker = Box<dyn Fn(&[ForgetPlace]) -> OwnerAnswer + Send + Sync>;

/// Most passages that one request of the assistant forgets.
const PASSAGES_MAX: usize = 5;

/// Finds, asks and forgets over the memory of a home.
pub struct OwnerForgetting {
    knowledge: Arc<Knowledge>,
    /// The session in which the owner asks for it.
    session: SessionName,
    asker: Asker,
    /// What was found last: just this is forgotten, and nothing that was found since.
    plan: Mutex<ForgetPlan>,
}

impl OwnerForgetting {
    /// Over this memory, in a turn of `session`; `asker` shows places and asks.
    pub fn new(knowledge: Arc<Knowledge>, session: SessionName, asker: Asker) -> Self {
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
    fn find(&self, what: &str) -> Result<ForgetFound, ForgetToolError> {
        let request = self.knowledge.newest_request(&self.session);
        let found =
            self.knowledge
                .plan_question_without(what, PASSAGES_MAX, request.as_ref(), &mut |_| {});
        let mut plan = found.map_err(|error| failed(&error))?;
        plan.asked = TextHash::of(what);
        let found = ForgetFound {
            places: places_of(&plan),
            n_more: plan.n_more,
        };
        *self.plan.lock().unwrap_or_else(PoisonError::into_inner) = plan;
        Ok(found)
    }

    fn ask(&self, found: &[ForgetPlace]) -> OwnerAnswer {
        (self.asker)(found)
    }

    fn forget(&self, _found: &[ForgetPlace]) -> Result<(), ForgetToolError> {
        let plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        // The owner saw these lines and agreed.
        let done = self.knowledge.forget(&plan, OwnerLines::Remove);
        done.map(drop).map_err(|error| failed(&error))
    }

    fn command(&self, what: &str) -> String {
        format!("openclaw memory forget '{}'", what.replace('\'', "'\\''"))
    }
}

fn failed(error: &dyn std::error::Error) -> ForgetToolError {
    let cause = error.source().map(|cause| format!(": {cause}"));
    ForgetToolError {
        reason: format!("{error}{}", cause.unwrap_or_default()),
    }
}
