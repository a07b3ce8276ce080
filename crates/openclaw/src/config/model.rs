//! The settings of models, as the configuration file names them.
//!
//! Holds no default: those stand in `config/default.yaml`.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use super::limited::{Limited, WINDOW_MAX};

/// Most calls at a time.
const CALLS_MAX: u64 = 10;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct ModelSettings {
    /// Who answers: anthropic, openai, gemini, ollama, openai-compatible for any other server that speaks
    /// like OpenAI, or offline for the built-in engine that needs no key and no network. With auto it is
    /// offline until a provider is chosen here: nothing is sent where the owner did not send it.
    pub(crate) provider: ProviderSetting,
    /// The model, as its server names it.
    pub(crate) name: Option<String>,
    /// Where the server is, such as `http://localhost:8080/v1`; null for the usual place of the
    /// provider.
    pub(crate) base_url: Option<String>,
    /// The variable that holds the key. Null is `ANTHROPIC_API_KEY`, `OPENAI_API_KEY` or
    /// `GEMINI_API_KEY` where the provider is asked in its usual place, and no key elsewhere.
    pub(crate) api_key_env: Option<String>,
    /// A file that holds the key and nothing else, beginning with ~/ or relative to the home. It counts
    /// where no variable is named.
    pub(crate) api_key_file: Option<String>,
    /// The context window of the model. Null asks the server, where it can tell. Below 16,000 a window
    /// that a server told is refused; one that is set here is taken.
    #[schemars(extend("x-unit" = "tokens"))]
    pub(crate) context_window: Option<Limited<1, WINDOW_MAX>>,
    /// How many calls the server answers at a time; 1 for most servers on one's own machine.
    #[schemars(extend("x-unit" = "calls"))]
    pub(crate) concurrency: Limited<1, CALLS_MAX>,
    /// Models that answer where the one above does not, in the order in which they are asked. Each has
    /// provider, name, baseUrl, `apiKeyEnv`, `apiKeyFile`, contextWindow and concurrency of its own; without a
    /// provider it is another model of the one above, asked in the same place with the same key.
    pub(crate) fallbacks: ModelList,
    /// Models for what the owner does not see.
    pub(crate) purposes: PurposeSettings,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct PurposeSettings {
    /// Who writes notes: one model such as {name: NAME}, or a list in the order in which they are asked.
    /// An empty list leaves it to those that answer. The offline engine stands in where all fail.
    pub(crate) flush: ModelList,
    /// Who writes summaries, likewise.
    pub(crate) summarise: ModelList,
    /// Who says in a dream what deserves to last, likewise.
    pub(crate) consolidate: ModelList,
}

/// A model besides the first.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct OtherModel {
    /// Who runs it; that of `model` where none is named.
    #[serde(default)]
    pub(crate) provider: Option<ProviderSetting>,
    /// The model, as its server names it.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// Where the server is.
    #[serde(default)]
    pub(crate) base_url: Option<String>,
    /// The variable that holds the key.
    #[serde(default)]
    pub(crate) api_key_env: Option<String>,
    /// A file that holds the key.
    #[serde(default)]
    pub(crate) api_key_file: Option<String>,
    /// Its context window; null asks the server.
    #[serde(default)]
    #[schemars(extend("x-unit" = "tokens"))]
    pub(crate) context_window: Option<Limited<1, WINDOW_MAX>>,
    /// How many calls its server answers at a time.
    #[serde(default)]
    #[schemars(extend("x-unit" = "calls"))]
    pub(crate) concurrency: Option<Limited<1, CALLS_MAX>>,
}

/// Models in the order in which they are asked; one alone needs no list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ModelList(pub(crate) Vec<OtherModel>);

impl<'de> Deserialize<'de> for ModelList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ModelListVisitor)
    }
}

struct ModelListVisitor;

impl<'de> Visitor<'de> for ModelListVisitor {
    type Value = ModelList;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a model such as {name: NAME}, or a list of models")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let one = OtherModel::deserialize(MapAccessDeserializer::new(map))?;
        Ok(ModelList(vec![one]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(ModelList)
    }
}

impl JsonSchema for ModelList {
    fn inline_schema() -> bool {
        true
    }

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
#[schemars(inline)]
pub(crate) enum ProviderSetting {
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
