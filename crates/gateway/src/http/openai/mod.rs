//! The API for clients of OpenAI.
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

pub(crate) use chat::{__path_complete, complete};
pub(crate) use embeddings::{__path_embed, embed};
pub(crate) use models::{__path_list_models, __path_show_model, list_models, show_model};
pub(crate) use responses::{__path_respond, respond};
pub(crate) use running::BusySessions;
