//! Why a model cannot be run here.
//!
//! Says what is missing and where it was looked for; mends nothing.

use std::path::PathBuf;

use base::disk::DiskError;

/// A model cannot be run, or not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum OnnxError {
    /// Nobody knows a model of this name.
    #[error("fastembed knows no model {name:?}{}", known_names(.near))]
    UnknownModel {
        /// The name.
        name: String,
        /// Names that are like it.
        near: Vec<String>,
    },
    /// The runtime is not where it was looked for.
    #[error("the ONNX runtime is not there: {0}")]
    NoRuntime(String),
    /// Files of the model are not there.
    #[error("the model {name} is not there: {} lacks {}", directory.display(), files.join(", "))]
    NoModel {
        /// The model.
        name: String,
        /// Where it would lie.
        directory: PathBuf,
        /// What is missing.
        files: Vec<String>,
    },
    /// The runtime or the model does not run.
    #[error("the model {name} does not run: {reason}")]
    NotStarted {
        /// The model.
        name: String,
        /// What was said.
        reason: String,
    },
    /// The model could not be fetched.
    #[error("cannot download {url}: {reason}")]
    Download {
        /// What was asked for.
        url: String,
        /// What happened.
        reason: String,
    },
    /// The disk refused.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

fn known_names(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("; it knows {}", names.join(", ")),
    }
}
