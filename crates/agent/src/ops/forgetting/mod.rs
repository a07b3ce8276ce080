//! Forgetting: a plan that shows what goes, its confirmation, the undo, and the list of forgotten texts.
//!
//! Nothing is forgotten without a plan that was made before.

mod confirm;
mod for_good;
mod list;
mod plan;
mod plans;
mod undo;

pub use confirm::{Forget, ForgetReply};
pub use list::{ForgottenItem, ForgottenReply, ListForgotten};
pub use plan::{ForgetItem, ForgetPlanReply, NearPassage, PlanForget};
pub(crate) use plans::ForgetPlans;
pub use undo::{UndoForget, UndoForgetReply};
