//! Errors of ONNX models.
//!
//! Names what is missing and where; repairs nothing.

use std::path::PathBuf;

use base::disk::DiskError;

/// A model cannot run or cannot be downloaded.
#[derive(Debug, thiserror::Error)]
pub enum OnnxError {
    /// No known model has this name.
    #[error("fastembed has no model {name:?}{}", known_names(.near))]
    UnknownModel {
        name: String,
        /// Similar names.
        near: Vec<String>,
    },
    /// The runtime was not found.
    #[error("cannot find the ONNX runtime: {0}")]
    NoRuntime(String),
    /// Files of the model are missing.
    #[error("the embedding model {name} is incomplete: {} has no {}", directory.display(), files.join(", "))]
    NoModel {
        /// The model.
        name: String,
        directory: PathBuf,
        /// The missing files.
        files: Vec<String>,
    },
    /// The runtime or the model does not start.
    #[error("cannot run the embedding model {name}: {reason}")]
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
        names => format!("; similar names: {}", names.join(", ")),
    }
}
