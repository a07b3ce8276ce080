//! Parses YAML into values with line numbers.
//!
//! Limits the work that a hostile file can cause.

use std::fmt;

use indexmap::IndexMap;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};
use serde_saphyr::{MergeKeyPolicy, MessageFormatter, Spanned, UserMessageFormatter};

/// Maximum nesting of a configuration.
const DEPTH_MAX: usize = 32;

/// Maximum number of nodes in a configuration, including those that aliases repeat.
const N_NODES_MAX: usize = 10_000;

/// Maximum number of anchors, and maximum number of aliases.
const N_ALIASES_MAX: usize = 100;

/// The reason why a text is not valid YAML or not a group of settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct YamlError {
    pub problem: String,
    /// The line, from 1; 0 if unknown.
    pub line: u64,
    /// The column in characters, from 1; 0 if unknown.
    pub column: u64,
}

/// A value or a group, and the line of its key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lined {
    pub line: u64,
    pub node: YamlNode,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum YamlNode {
    Group(IndexMap<String, Lined>),
    Value(Value),
}

impl YamlNode {
    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Value(value) => value,
            Self::Group(group) => {
                let values = group.into_iter();
                let values = values.map(|(name, inner)| (name, inner.node.into_value()));
                Value::Object(values.collect())
            }
        }
    }
}

/// Parses a whole file; an empty one is an empty group.
pub(crate) fn parse_file(text: &str) -> Result<Lined, YamlError> {
    let read = parse(text)?;
    match read.node {
        YamlNode::Group(_) => Ok(read),
        YamlNode::Value(Value::Null) => Ok(Lined {
            node: YamlNode::Group(IndexMap::default()),
            ..read
        }),
        YamlNode::Value(_) => Err(YamlError {
            problem: "expected settings such as `timezone: UTC`".to_owned(),
            line: read.line,
            column: 1,
        }),
    }
}

/// Parses one value, such as that of a variable.
pub(crate) fn parse(text: &str) -> Result<Lined, YamlError> {
    serde_saphyr::from_str_with_options::<Spanned<YamlNode>>(text, options())
        .map(Lined::from)
        .map_err(|error| {
            let location = error.location();
            YamlError {
                problem: UserMessageFormatter
                    .format_message(error.without_snippet())
                    .into_owned(),
                line: location.map_or(0, |at| at.line()),
                column: location.map_or(0, |at| at.column()),
            }
        })
}

fn options() -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEPTH_MAX,
            max_nodes: N_NODES_MAX,
            max_anchors: N_ALIASES_MAX,
            max_aliases: N_ALIASES_MAX,
            // Two documents are allowed here, because the parser itself rejects a second document with a clearer
            // message.
            max_documents: 2,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: N_NODES_MAX,
        },
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        reject_unsupported_tags: true,
        with_snippet: false,
    }
}

impl From<Spanned<YamlNode>> for Lined {
    fn from(spanned: Spanned<YamlNode>) -> Self {
        Self {
            line: spanned.referenced.line(),
            node: spanned.value,
        }
    }
}

impl<'de> Deserialize<'de> for YamlNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = YamlNode;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value, a list or a group of settings")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(YamlNode::Value(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(YamlNode::Value(Value::Bool(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(YamlNode::Value(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(YamlNode::Value(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Self::Value, E> {
        Number::from_f64(value)
            .map(|number| YamlNode::Value(number.into()))
            .ok_or_else(|| E::custom("a number must be finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(YamlNode::Value(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element::<YamlNode>()? {
            list.push(item.into_value());
        }
        Ok(YamlNode::Value(Value::Array(list)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut group = IndexMap::default();
        // The line of the key is used, because the value of a group begins only at its first member, a line later.
        while let Some((key, node)) = entries.next_entry::<Spanned<String>, YamlNode>()? {
            let (line, key) = (key.referenced.line(), key.value);
            if group.contains_key(&key) {
                return Err(A::Error::custom(format!("duplicate key {key:?}")));
            }
            group.insert(key, Lined { line, node });
        }
        Ok(YamlNode::Group(group))
    }
}

#[cfg(test)]
#[path = "yaml_tests.rs"]
mod tests;
