//! Where a value comes from.
//!
//! Knows no setting.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "layer", rename_all = "camelCase")]
pub(crate) enum Origin {
    Default,
    User {
        #[serde(serialize_with = "shown")]
        path: PathBuf,
        line: u64,
    },
    Workspace {
        #[serde(serialize_with = "shown")]
        path: PathBuf,
        line: u64,
    },
    Environment {
        variable: String,
    },
    Set {
        assignment: String,
    },
}

impl Origin {
    /// A few words for a column of a listing.
    pub(crate) fn short(&self) -> String {
        match self {
            Self::Default => "default".to_owned(),
            Self::User { line, .. } => format!("user config, line {line}"),
            Self::Workspace { line, .. } => format!("workspace config, line {line}"),
            Self::Environment { variable } => variable.clone(),
            Self::Set { .. } => "--set".to_owned(),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => formatter.write_str("the defaults of the program"),
            Self::User { path, line } | Self::Workspace { path, line } => {
                write!(formatter, "line {line} of {}", path.display())
            }
            Self::Environment { variable } => write!(formatter, "the variable {variable}"),
            Self::Set { assignment } => write!(formatter, "`--set {assignment}`"),
        }
    }
}

/// A path that is not UTF-8 is written as well as it can be.
fn shown<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&path.display())
}
