//! Takes away what was kept so that forgetting could be taken back, where it is to be gone for good.
//!
//! Never touches a note.

use super::model::{ForgetError, ForgetPlan, ForgetReport};
use super::notes::passages;
use super::preimage;
use crate::Workspace;
use crate::curated::preimages;

/// Drops the notes as they were before, and what `MEMORY.md` held before a change where it said any of
/// what was forgotten.
///
/// # Errors
///
/// [`ForgetError::Disk`]; another call drops the rest.
pub fn drop_kept(
    workspace: &Workspace,
    plan: &ForgetPlan,
    report: &ForgetReport,
) -> Result<(), ForgetError> {
    for index in 0..report.files.len() {
        preimage::drop_one(workspace, &report.id, index)?;
    }
    let texts = plan.texts();
    let kept = preimages(workspace);
    for id in kept.ids()? {
        let before = kept.read(id)?.and_then(|preimage| preimage.before);
        let found = passages(before.as_deref().unwrap_or_default());
        if found.iter().any(|passage| texts.contains(&passage.hash)) {
            kept.drop_one(id)?;
        }
    }
    Ok(())
}
