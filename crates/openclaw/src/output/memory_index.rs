//! What an index holds after it was brought up to date.
//!
//! Renders what it is given; reads no index.

use base::counted;
use serde::Serialize;

use super::session_list::grouped;

/// What was done and what the index holds now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IndexReport {
    /// Files and sessions that are indexed.
    pub(crate) files: u64,
    /// Passages that can be found.
    pub(crate) passages: u64,
    /// Files and sessions that were read because they had changed.
    pub(crate) changed: u64,
    /// Files and sessions that are there no more.
    pub(crate) gone: u64,
    /// What could not be read.
    pub(crate) unreadable: Vec<Unreadable>,
    /// Why some passages have no vector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) no_vectors: Option<String>,
}

/// A file or session that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Unreadable {
    /// Its path.
    pub(crate) path: String,
    /// Why.
    pub(crate) message: String,
    /// Whether it was left out because it leads out of the workspace.
    #[serde(skip)]
    pub(crate) is_outside: bool,
}

/// The report for people; what could not be read is warned of elsewhere.
pub(crate) fn render(report: &IndexReport) -> String {
    let IndexReport {
        files,
        passages,
        changed,
        gone,
        unreadable,
        // Warned of elsewhere too.
        no_vectors: _,
    } = report;
    let problems = match unreadable.len() {
        0 => String::new(),
        n_unreadable => format!(", {n_unreadable} could not be read"),
    };
    format!(
        "{}, {}; {} read anew, {} gone{problems}\n",
        counted(*files, "file", "files"),
        counted(*passages, "passage", "passages"),
        grouped(*changed),
        grouped(*gone)
    )
}
