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
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, Type};

use crate::http::body::JsonBody;
use crate::http::error::{ErrorBody, HttpError};
use crate::http::openapi::BodyRefusals;
use crate::http::state::HttpState;

/// Most texts per request.
const TEXTS_MAX: usize = 2_048;

/// Texts to embed.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct EmbeddingRequest {
    #[schema(schema_with = one_or_several)]
    input: EmbeddingInput,
    /// `float` by default; clients ask for `base64` to send less.
    encoding_format: Option<VectorFormat>,
    /// Length of each vector; it cannot be chosen, so it must be that of the embedder.
    dimensions: Option<usize>,
}

/// The format of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum VectorFormat {
    /// Numbers.
    Float,
    /// Little-endian 32-bit floats, in base64.
    Base64,
}

/// The schema of `input`: a text or several, none of them empty.
fn one_or_several() -> Schema {
    let text = || {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
    };
    let several = ArrayBuilder::new()
        .items(text())
        .min_items(Some(1))
        .max_items(Some(TEXTS_MAX));
    Schema::OneOf(OneOfBuilder::new().item(text()).item(several).build())
}

/// One text or several.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "input: must be a text or a list of texts, not of tokens"
)]
pub(crate) enum EmbeddingInput {
    /// One.
    One(String),
    /// Several.
    Many(Vec<String>),
}

/// The vectors.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EmbeddingList {
    #[schema(example = "list")]
    object: &'static str,
    data: Vec<Embedded>,
    model: String,
    usage: EmbeddingUsage,
}

/// The vector of one text.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Embedded {
    #[schema(example = "embedding")]
    object: &'static str,
    index: usize,
    embedding: VectorValue,
}

/// The numbers of a vector.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum VectorValue {
    /// As numbers.
    Floats(Vec<f32>),
    /// As little-endian 32-bit floats, in base64.
    Base64(String),
}

/// Tokens of the texts.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EmbeddingUsage {
    prompt_tokens: u64,
    total_tokens: u64,
}

/// Embeds texts.
#[utoipa::path(
    post, path = "/v1/embeddings", tag = "openai", request_body = EmbeddingRequest,
    responses(
        (status = 200, description = "The vectors, in the order of the texts", body = EmbeddingList),
        (status = 502, description = "The embedder does not answer", body = ErrorBody),
        (status = 503, description = "No embedder is set", body = ErrorBody),
        BodyRefusals,
    )
)]
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
