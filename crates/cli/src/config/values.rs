//! Settings by key, each with its value and origin.
//!
//! Reading and validating layers happens elsewhere.

use std::fmt;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::yaml::{Lined, YamlNode};

/// A setting's value and origin; a list is one value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Setting {
    pub value: Value,
    pub origin: ValueOrigin,
}

/// Settings by dotted key, in file order.
pub type Values = IndexMap<String, Setting>;

/// Flattens a parsed file: descends into groups, and keeps any other value as it is.
pub(super) fn values_of(
    read: Lined,
    is_group: &dyn Fn(&str) -> bool,
    origin: &dyn Fn(u64) -> ValueOrigin,
) -> Values {
    let mut values = Values::default();
    let mut waiting = vec![(None, read)];
    while let Some((key, Lined { line, node })) = waiting.pop() {
        match node {
            YamlNode::Group(group) if key.as_deref().is_none_or(is_group) => {
                let inner = group.into_iter();
                let inner = inner.map(|(name, inner)| (Some(below(key.as_deref(), name)), inner));
                // The order is reversed because `pop` takes the last.
                waiting.extend(inner.rev());
            }
            node @ (YamlNode::Group(_) | YamlNode::Value(_)) => {
                let (value, origin) = (node.into_value(), origin(line));
                values.insert(key.unwrap_or_default(), Setting { value, origin });
            }
        }
    }
    values
}

/// The key of a member of a group, or of the root. A name that contains dots is quoted, so that it does not match any
/// setting.
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

/// Whether `key` is inside `group`.
pub(super) fn is_above(group: &str, key: &str) -> bool {
    key.strip_prefix(group)
        .is_some_and(|rest| rest.starts_with('.'))
}

/// The origin of the setting at `key`, or of the setting whose value `key` points into.
pub fn origin_of(values: &Values, key: &str) -> ValueOrigin {
    let ends = key.match_indices(['.', '[']).map(|(at, _)| at);
    let mut ends = ends.chain([key.len()]);
    let found = ends.find_map(|end| values.get(key.get(..end)?));
    found.map_or(ValueOrigin::Default, |setting| setting.origin.clone())
}

/// All settings as one nested object.
pub(super) fn object_of(values: &Values) -> Value {
    let empty = Value::Object(Map::new());
    values.iter().fold(empty, |object, (key, setting)| {
        with_value(object, key, &setting.value)
    })
}

/// Sets one key in a nested object. Values on the way that are not objects are replaced.
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
pub enum ValueOrigin {
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

impl ValueOrigin {
    /// A short description for a column of a table.
    pub fn short(&self) -> String {
        match self {
            Self::Default => "default".to_owned(),
            Self::User { line, .. } => format!("user config, line {line}"),
            Self::Workspace { line, .. } => format!("workspace config, line {line}"),
            Self::Environment { variable } => variable.clone(),
            Self::Set { .. } => "--set".to_owned(),
        }
    }
}

impl fmt::Display for ValueOrigin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => formatter.write_str("the built-in defaults"),
            Self::User { path, line } | Self::Workspace { path, line } => {
                write!(formatter, "line {line} of {}", path.display())
            }
            Self::Environment { variable } => write!(formatter, "the variable {variable}"),
            Self::Set { assignment } => write!(formatter, "`--set {assignment}`"),
        }
    }
}

/// Serializes a path; invalid UTF-8 is replaced.
fn shown<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&path.display())
}
