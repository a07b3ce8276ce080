//! The settings of models.
//!
//! Defaults are in `config/default.yaml`.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use super::limited::{Limited, WINDOW_MAX};

/// The largest number of concurrent calls.
const CALLS_MAX: u64 = 10;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelSettings {
    pub provider: ProviderSetting,
    pub name: Option<String>,
    pub base_url: Option<String>,
    pub api_key_env: Option<String>,
    pub api_key_file: Option<String>,
    pub context_window: Option<Limited<1, WINDOW_MAX>>,
    pub concurrency: Limited<1, CALLS_MAX>,
    pub fallbacks: FallbackModels,
    /// Models for work that the owner does not see.
    pub purposes: PurposeSettings,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PurposeSettings {
    pub flush: FallbackModels,
    pub summarise: FallbackModels,
    pub consolidate: FallbackModels,
}

/// A model other than the first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct OtherModel {
    /// The provider; that of `model` if omitted.
    pub provider: Option<ProviderSetting>,
    /// The model, by the server's name for it.
    pub name: Option<String>,
    /// The server's address.
    pub base_url: Option<String>,
    /// The environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// A file that holds the key.
    pub api_key_file: Option<String>,
    /// Its context window; null asks the server.
    #[schemars(extend("x-unit" = "tokens"))]
    pub context_window: Option<Limited<1, WINDOW_MAX>>,
    /// How many calls its server handles at a time.
    #[schemars(extend("x-unit" = "calls"))]
    pub concurrency: Option<Limited<1, CALLS_MAX>>,
}

/// Models in the order in which they are tried; a single model needs no list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FallbackModels(pub Vec<OtherModel>);

impl<'de> Deserialize<'de> for FallbackModels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ModelListVisitor)
    }
}

struct ModelListVisitor;

impl<'de> Visitor<'de> for ModelListVisitor {
    type Value = FallbackModels;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a model such as {name: NAME}, or a list of models")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let one = OtherModel::deserialize(MapAccessDeserializer::new(map))?;
        Ok(FallbackModels(vec![one]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(FallbackModels)
    }
}

impl JsonSchema for FallbackModels {
    fn schema_name() -> Cow<'static, str> {
        "ModelList".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = OtherModel::json_schema(generator);
        json_schema!({ "anyOf": [one, { "type": "array", "items": one }] })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProviderSetting {
    Auto,
    Anthropic,
    #[serde(rename = "openai")]
    OpenAi,
    #[serde(rename = "openai-compatible")]
    OpenAiCompatible,
    Gemini,
    Ollama,
    Offline,
}
