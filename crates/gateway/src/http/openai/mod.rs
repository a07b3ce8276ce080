//! The OpenAI API: chat completions, responses, models and embeddings.
//!
//! Holds no policy: a turn is that of a chat, in `agent`.

mod chat;
mod chunks;
mod embeddings;
mod models;
mod reply_wire;
mod response_wire;
mod responses;
mod running;
mod wire;

pub(crate) use chat::complete;
pub(crate) use embeddings::{EmbeddingList, EmbeddingRequest, embed};
pub(crate) use models::{ListedModel, ModelList, list_models, show_model};
pub(crate) use reply_wire::ChatCompletion;
pub(crate) use response_wire::ResponseBody;
pub(crate) use responses::{ResponseRequest, respond};
pub(crate) use running::{BusySessions, failed as turn_failed};
pub(crate) use wire::ChatRequest;
