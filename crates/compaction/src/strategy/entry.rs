//! The entry that a compaction becomes, whatever the strategy.
//!
//! Never appends it, and knows no byte of the file: whoever appends it finds the places.

use base::EntryId;
use session::{Artifacts, Compaction, CompactionDetails, Epoch, FileState};

use crate::{Rung, Summary, SummaryPlan};

/// The entry that lets the span of a plan leave the window; `epoch` is the one that it ends.
///
/// Where the plan keeps nothing, whoever appends it lets the entry name itself; where it keeps messages
/// before the summary, their places are to be added.
pub fn compaction_entry(plan: &SummaryPlan, summary: Summary, epoch: Epoch) -> Compaction {
    let details = CompactionDetails {
        span: plan.ends(),
        tokens_after: Some(plan.tokens_after(&summary.text)),
        ratio_percent: Some(plan.ratio_percent(&summary.text)),
        retention_percent: summary.retention_percent,
        strategy: Some(plan.strategy.as_str().to_owned()),
        rung: Some(summary.rung.as_str().to_owned()),
        failed_rungs: words(&summary.failed),
        read_files: paths(&summary.artifacts, FileState::Read),
        modified_files: paths(&summary.artifacts, FileState::Written),
        artifacts: summary.artifacts,
        ..CompactionDetails::default()
    };
    Compaction {
        epoch: Some(epoch),
        summary: summary.text,
        first_kept: plan.first_kept.clone().unwrap_or_else(|| EntryId::new("")),
        tokens_before: plan.tokens_before,
        details,
    }
}

fn words(rungs: &[Rung]) -> Vec<String> {
    rungs.iter().map(|rung| rung.as_str().to_owned()).collect()
}

fn paths(artifacts: &Artifacts, state: FileState) -> Vec<String> {
    let files = artifacts.files.iter();
    let files = files.filter(|file| file.state == state);
    files.map(|file| file.path.clone()).collect()
}
