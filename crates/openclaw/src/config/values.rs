//! Settings by key, each with its value and where that comes from.
//!
//! Reads no layer and checks none; knows no setting.

use std::fmt;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::yaml::{Lined, Node};

/// What a setting says; a list is one value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Setting {
    pub(crate) value: Value,
    pub(crate) origin: Origin,
}

/// Settings by key, which is its names from the root joined by dots, in the order of their file.
pub(crate) type Values = IndexMap<String, Setting>;

/// What was read: each setting of what is a group, anything else as one value.
pub(super) fn values_of(
    read: Lined,
    is_group: &dyn Fn(&str) -> bool,
    origin: &dyn Fn(u64) -> Origin,
) -> Values {
    let mut values = Values::default();
    let mut waiting = vec![(None, read)];
    while let Some((key, Lined { line, node })) = waiting.pop() {
        match node {
            Node::Group(group) if key.as_deref().is_none_or(is_group) => {
                let inner = group.into_iter();
                let inner = inner.map(|(name, inner)| (Some(below(key.as_deref(), name)), inner));
                // The last is taken first.
                waiting.extend(inner.rev());
            }
            node @ (Node::Group(_) | Node::Value(_)) => {
                let (value, origin) = (node.into_value(), origin(line));
                values.insert(key.unwrap_or_default(), Setting { value, origin });
            }
        }
    }
    values
}

/// The key of what a group, or the root, holds; a name that has dots itself is none of a setting.
fn below(group: Option<&str>, name: String) -> String {
    let name = if name.contains('.') {
        format!("{name:?}")
    } else {
        name
    };
    match group {
        Some(group) => format!("{group}.{name}"),
        None => name,
    }
}

/// Whether a key is that of a group in which the other one stands.
pub(super) fn is_above(group: &str, key: &str) -> bool {
    key.strip_prefix(group)
        .is_some_and(|rest| rest.starts_with('.'))
}

/// Where the setting at a key comes from, or the one in whose value the key leads on.
pub(crate) fn origin_of(values: &Values, key: &str) -> Origin {
    let ends = key.match_indices(['.', '[']).map(|(at, _)| at);
    let mut ends = ends.chain([key.len()]);
    let found = ends.find_map(|end| values.get(key.get(..end)?));
    found.map_or(Origin::Default, |setting| setting.origin.clone())
}

/// All settings as one object of groups.
pub(super) fn object_of(values: &Values) -> Value {
    let empty = Value::Object(Map::new());
    values.iter().fold(empty, |object, (key, setting)| {
        with_value(object, key, &setting.value)
    })
}

/// The settings with one of them put in; a group without content is one all the same.
pub(super) fn with_value(mut settings: Value, key: &str, value: &Value) -> Value {
    let mut place = &mut settings;
    for name in key.split('.') {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        place = &mut place[name];
    }
    place.clone_from(value);
    settings
}

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
