//! Whole numbers with a range that is checked on parsing.
//!
//! Rejects a value outside the range; never clamps it.

use std::borrow::Cow;

use base::TokenCount;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Unexpected};
use serde_json::Value;

/// The largest number of tokens in a setting.
pub(super) const TOKENS_MAX: u64 = 100_000_000;

/// The largest context window in a setting, in tokens; larger than that of any model.
pub(super) const WINDOW_MAX: u64 = 10_000_000;

/// The largest number of rounds in a setting.
pub(super) const ROUNDS_MAX: u64 = 1_000_000;

/// The longest wait in a setting, in seconds.
pub(super) const SECONDS_MAX: u64 = 86_400;

/// Implements `JsonSchema` with this schema.
macro_rules! inline_schema {
    ($setting:ty, $schema:tt) => {
        impl schemars::JsonSchema for $setting {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($setting).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    };
}

pub(super) use inline_schema;

/// A whole number from `MIN` to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limited<const MIN: u64, const MAX: u64>(u64);

impl<const MIN: u64, const MAX: u64> Limited<MIN, MAX> {
    pub const MOST: Self = Self(MAX);

    pub const fn get(self) -> u64 {
        self.0
    }
}

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for Limited<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = Value::deserialize(deserializer)?;
        let number = found.as_u64().filter(|it| (MIN..=MAX).contains(it));
        number.map(Self).ok_or_else(|| {
            let (least, most) = (TokenCount(MIN), TokenCount(MAX));
            let whole = format!("a whole number from {least} to {most}, digits only and unquoted");
            refused(&found, &whole)
        })
    }
}

/// The error for a value that is not a whole number in the range.
pub(super) fn refused<E: de::Error>(found: &Value, expected: &str) -> E {
    if found.is_u64() || found.is_i64() {
        E::invalid_value(seen(found), &expected)
    } else {
        E::invalid_type(seen(found), &expected)
    }
}

/// The value as serde's errors describe it.
pub(super) fn seen(found: &Value) -> Unexpected<'_> {
    match found {
        Value::Null => Unexpected::Unit,
        Value::Bool(value) => Unexpected::Bool(*value),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Unexpected::Unsigned(number),
            (None, Some(number)) => Unexpected::Signed(number),
            (None, None) => Unexpected::Float(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => Unexpected::Str(text),
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
    }
}

impl<const MIN: u64, const MAX: u64> JsonSchema for Limited<MIN, MAX> {
    fn schema_name() -> Cow<'static, str> {
        format!("WholeNumberFrom{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}
