//! Whole numbers with a range, so that nonsense is refused where it is read.
//!
//! Never corrects a value.

use std::borrow::Cow;
use std::fmt;

use base::TokenCount;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Unexpected, Visitor};

/// What a setting may be in the schema, in the place where it stands.
macro_rules! inline_schema {
    ($setting:ty, $schema:tt) => {
        impl schemars::JsonSchema for $setting {
            fn inline_schema() -> bool {
                true
            }

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
pub(crate) struct Limited<const MIN: u64, const MAX: u64>(u64);

impl<const MIN: u64, const MAX: u64> Limited<MIN, MAX> {
    pub(crate) const MOST: Self = Self(MAX);

    pub(crate) const fn get(self) -> u64 {
        self.0
    }
}

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for Limited<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u64(LimitedVisitor)
    }
}

struct LimitedVisitor<const MIN: u64, const MAX: u64>;

impl<const MIN: u64, const MAX: u64> Visitor<'_> for LimitedVisitor<MIN, MAX> {
    type Value = Limited<MIN, MAX>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "a whole number from {} to {}, in digits alone and without quotes",
            TokenCount(MIN),
            TokenCount(MAX)
        )
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
        if (MIN..=MAX).contains(&number) {
            Ok(Limited(number))
        } else {
            Err(E::invalid_value(Unexpected::Unsigned(number), &self))
        }
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }
}

impl<const MIN: u64, const MAX: u64> JsonSchema for Limited<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("WholeNumberFrom{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}
