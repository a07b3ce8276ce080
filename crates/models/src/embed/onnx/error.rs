//! Errors of ONNX models.
//!
//! Names what is missing and where; repairs nothing.

use std::path::PathBuf;

use base::disk::DiskError;

/// A model cannot run or cannot be downloaded.
#[derive(Debug, thiserror::Error)]
pub enum OnnxError {
    /// No known model has this name.
    #[error("fastembed knows no model {name:?}{}", known_names(.near))]
    UnknownModel {
        /// The name.
        name: String,
        /// Similar names.
        near: Vec<String>,
    },
    /// The runtime was not found.
    #[error("the ONNX runtime is not there: {0}")]
    NoRuntime(String),
    /// Files of the model are missing.
    #[error("the model {name} is not there: {} lacks {}", directory.display(), files.join(", "))]
    NoModel {
        /// The model.
        name: String,
        /// Its directory.
        directory: PathBuf,
        /// The missing files.
        files: Vec<String>,
    },
    /// The runtime or the model does not start.
    #[error("the model {name} does not run: {reason}")]
    NotStarted {
        /// The model.
        name: String,
        /// The error message.
        reason: String,
    },
    /// The download failed.
    #[error("cannot download {url}: {reason}")]
    Download {
        /// The requested address.
        url: String,
        /// The cause.
        reason: String,
    },
    /// A disk operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

fn known_names(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("; it knows {}", names.join(", ")),
    }
}
