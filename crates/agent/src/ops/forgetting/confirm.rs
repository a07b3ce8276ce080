//! Carries out a plan that was shown before.
//!
//! Never takes a plan that somebody else was shown.

use base::{Hint, with_causes};
use memory::{ForgetReport, OwnerLines, Tombstone, TombstoneId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::for_good::{drop_index, remove_for_good};
use super::plan::ForgetItem;
use super::plans::PlannedForget;
use crate::forgetting::{Forgot, already};
use crate::ops::hints::hint_of_txn;
use crate::ops::{OpContext, OpError, Operation};
use crate::proof::{ProofReply, Sought, prove};

/// Confirms a plan.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Forget {
    /// The token of the plan; it serves once.
    pub token: String,
    /// Whether lines in the owner's own words leave their files; as the plan says by default.
    pub remove_own_lines: Option<bool>,
    /// Whether it is removed for good at once: no undo, and the transcripts lose it too.
    #[serde(default)]
    pub now: bool,
    /// Whether every byte of the home is read afterwards to say where the text still is; the search index is rebuilt.
    #[serde(default)]
    pub prove: bool,
}

/// What was forgotten.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ForgetReply {
    /// The id for the undo.
    pub id: String,
    /// The passages, with what was done to each.
    pub items: Vec<ForgetItem>,
    /// The command that restores it; for 30 days also what left its file. Empty if it was removed for good.
    pub undo: String,
    /// What is left to do, in words. Everything is hidden all the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What reading every byte of the home has shown, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofReply>,
}

impl Operation for Forget {
    type Reply = ForgetReply;

    fn run(self, at: &OpContext<'_>) -> Result<ForgetReply, OpError> {
        let knowledge = at.knowledge()?;
        let planned = knowledge.plans().take(&self.token, at.viewer);
        let planned = planned.ok_or(OpError::NoPlan)?;
        let lines = self.remove_own_lines.map(Into::into);
        let lines = lines.unwrap_or(planned.owner_lines);
        let removal = (self.now || self.prove).then(|| planned.removal(lines, at));
        let removal = removal.transpose()?.unwrap_or_default();
        let sought = removal.texts.iter().map(String::as_str);
        let sought = Sought::of(sought).map_err(OpError::invalid_proof)?;
        let items = planned.items(lines, self.now.then_some(&removal), at)?;
        let (tombstones, mut warnings) = carry_out(&planned, lines, at)?;
        let newest = tombstones.last().ok_or(OpError::NoPlan)?;
        let (id, forgotten_at) = (newest.id.clone(), newest.at);
        if self.now {
            warnings.extend(remove_for_good(&tombstones, &removal, at)?);
        } else if planned.plan.is_empty() {
            return Err(already(&at.home.workspace, &id).into());
        } else if self.prove {
            warnings.extend(drop_index(at)?);
        }
        let proof = self
            .prove
            .then(|| prove(at.home, &sought, Some(forgotten_at)));
        Ok(ForgetReply {
            items,
            undo: if self.now {
                String::new()
            } else {
                undo_command(&id, at)
            },
            warnings,
            id: id.to_string(),
            proof: proof.transpose()?,
        })
    }
}

/// Hides what a plan has, unless it was hidden before; returns the tombstones that hide it, and what is left to do.
fn carry_out(
    planned: &PlannedForget,
    lines: OwnerLines,
    at: &OpContext<'_>,
) -> Result<(Vec<Tombstone>, Vec<String>), OpError> {
    let mut tombstones = planned.earlier.clone();
    if planned.plan.is_empty() {
        return Ok((tombstones, Vec::new()));
    }
    let knowledge = at.knowledge()?;
    let forgot = knowledge.forget(&planned.plan, lines)?;
    let made = knowledge.tombstones()?;
    let mut made = made.all().iter();
    tombstones.extend(made.find(|own| own.id == forgot.report.id).cloned());
    Ok((tombstones, warnings(forgot, at)))
}

/// The command that undoes the forget with this id.
fn undo_command(id: &TombstoneId, at: &OpContext<'_>) -> String {
    let invocation = &at.home.invocation;
    invocation.command(&format!("memory forget --undo {id}"))
}

/// The work that a request to forget has left undone.
fn warnings(forgot: Forgot, at: &OpContext<'_>) -> Vec<String> {
    let Forgot { report, unindexed } = forgot;
    let ForgetReport {
        candidates, left, ..
    } = report;
    let invocation = &at.home.invocation;
    let candidates = candidates.map(|error| {
        let hint = hint_of_txn(&error).map(|hint| format!("; {}", hint.at(invocation)));
        format!(
            "candidates were not changed and may still say it: {}{}",
            with_causes(&error),
            hint.unwrap_or_default()
        )
    });
    let unindexed = unindexed.map(|error| {
        format!(
            "{}; what was forgotten stays hidden, and the next search removes it from the index",
            with_causes(&error)
        )
    });
    let left = left.map(|error| {
        let next = Hint::new("the next dream or `openclaw doctor --fix` removes it there");
        format!(
            "it is hidden everywhere, but some of it is still in a file: {}; {}",
            with_causes(&error),
            next.at(invocation)
        )
    });
    candidates
        .into_iter()
        .chain(unindexed)
        .chain(left)
        .collect()
}
