//! Makes the index fresh enough to answer from, or says why it is not.
//!
//! Never waits for a large change: an answer now is worth more.

use base::Timestamp;

use super::model::Degraded;
use crate::index::{Index, IndexError};
use crate::sync::{Corpus, SyncProgress, SyncReport, look, run_plan};

/// What [`refresh`] did.
#[derive(Debug, Default)]
pub struct Freshness {
    /// Why the answer may lack something.
    pub degraded: Option<Degraded>,
    /// What was indexed.
    pub report: SyncReport,
}

/// Brings a small difference between corpus and index into the index; a large one is left to [`sync`](crate::sync::sync).
///
/// An index that never held everything is built first, and `progress` told how far it is.
///
/// # Errors
///
/// [`IndexError`]; that another process writes is no error where something can be found.
pub fn refresh(
    index: &Index,
    corpus: &Corpus<'_>,
    now: Timestamp,
    progress: &mut dyn FnMut(SyncProgress),
) -> Result<Freshness, IndexError> {
    let (plan, problems) = look(index, corpus)?;
    let is_complete = index.is_complete()?;
    if is_complete && !plan.is_small() {
        let report = SyncReport {
            problems,
            ..SyncReport::default()
        };
        return Ok(Freshness {
            degraded: Some(Degraded::Stale),
            report,
        });
    }
    let plan = plan.with_suspects();
    match run_plan(index, corpus, now, &plan, progress) {
        Ok(mut report) => {
            report.problems.extend(problems);
            Ok(Freshness {
                degraded: None,
                report,
            })
        }
        Err(IndexError::Locked { .. }) if is_complete => {
            let report = SyncReport {
                problems,
                ..SyncReport::default()
            };
            Ok(Freshness {
                degraded: Some(Degraded::BeingWritten),
                report,
            })
        }
        Err(error) => Err(error),
    }
}
