//! `/v1/embeddings`: vectors from the embedder that memory search uses.
//!
//! Stores nothing.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use base::{EmbedRole, TokenCount, estimate_text};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::http::body::JsonBody;
use crate::http::error::HttpError;
use crate::http::state::HttpState;

/// Maximum number of texts per request.
const TEXTS_MAX: usize = 2_048;

/// Texts to embed.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct EmbeddingRequest {
    #[schemars(schema_with = "one_or_several")]
    input: EmbeddingInput,
    /// `float` by default; clients ask for `base64` to send less.
    encoding_format: Option<VectorFormat>,
    /// Length of each vector; it cannot be chosen, so it must be that of the embedder.
    dimensions: Option<usize>,
}

/// The format of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum VectorFormat {
    /// Numbers.
    Float,
    /// Little-endian 32-bit floats, in base64.
    Base64,
}

/// The schema of `input`: a text or several, none of them empty.
fn one_or_several(_: &mut SchemaGenerator) -> Schema {
    let text = json!({ "type": "string", "minLength": 1 });
    json_schema!({
        "oneOf": [
            text,
            { "type": "array", "items": text, "minItems": 1, "maxItems": TEXTS_MAX },
        ],
    })
}

/// One text or several.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "input: must be a text or a list of texts, not of tokens"
)]
pub(crate) enum EmbeddingInput {
    One(String),
    /// Several.
    Many(Vec<String>),
}

/// The vectors.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct EmbeddingList {
    #[schemars(example = &"list")]
    object: &'static str,
    data: Vec<Embedded>,
    model: String,
    usage: EmbeddingUsage,
}

/// The vector of one text.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Embedded {
    #[schemars(example = &"embedding")]
    object: &'static str,
    index: usize,
    embedding: VectorValue,
}

/// The numbers of a vector.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum VectorValue {
    /// As numbers.
    Floats(Vec<f32>),
    /// As little-endian 32-bit floats, in base64.
    Base64(String),
}

/// Tokens of the texts.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct EmbeddingUsage {
    prompt_tokens: u64,
    total_tokens: u64,
}

/// Embeds texts.
pub(crate) async fn embed(
    State(state): State<Arc<HttpState>>,
    JsonBody(request): JsonBody<EmbeddingRequest>,
) -> Result<Json<EmbeddingList>, HttpError> {
    let texts = match request.input {
        EmbeddingInput::One(text) => vec![text],
        EmbeddingInput::Many(texts) => texts,
    };
    if texts.is_empty() || texts.len() > TEXTS_MAX || texts.iter().any(String::is_empty) {
        let message = format!("input: must be 1 to {TEXTS_MAX} texts, none of them empty");
        return Err(HttpError::bad_request(message));
    }
    let Some(embedder) = state.embedder.clone() else {
        let message = "no embedder is set: memory.embedding.provider is none";
        return Err(HttpError::new(StatusCode::SERVICE_UNAVAILABLE, message));
    };
    let asked = request.dimensions;
    let tokens: TokenCount = texts.iter().map(|text| estimate_text(text)).sum();
    let (vectors, model) = state
        .work(move |_| {
            let refs: Vec<&str> = texts.iter().map(String::as_str).collect();
            let profile = embedder.profile();
            let mut vectors = Vec::new();
            for batch in refs.chunks(profile.batch_max.max(1)) {
                let made = embedder.embed(EmbedRole::Passage, batch);
                let made = made.map_err(|error| HttpError::of(StatusCode::BAD_GATEWAY, &error))?;
                if let (Some(asked), Some(own)) = (asked, made.first().map(Vec::len))
                    && asked != own
                {
                    let why = format!("the vectors of this embedder have {own}");
                    return Err(HttpError::cannot_meet("dimensions", &why));
                }
                vectors.extend(made);
            }
            Ok((vectors, profile.name))
        })
        .await?;
    let is_packed = request.encoding_format == Some(VectorFormat::Base64);
    let data = vectors
        .into_iter()
        .enumerate()
        .map(|(index, vector)| Embedded {
            object: "embedding",
            index,
            embedding: if is_packed {
                packed(&vector)
            } else {
                VectorValue::Floats(vector)
            },
        });
    Ok(Json(EmbeddingList {
        object: "list",
        data: data.collect(),
        model,
        usage: EmbeddingUsage {
            prompt_tokens: tokens.0,
            total_tokens: tokens.0,
        },
    }))
}

fn packed(vector: &[f32]) -> VectorValue {
    let bytes: Vec<u8> = vector
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    VectorValue::Base64(BASE64_STANDARD.encode(bytes))
}
