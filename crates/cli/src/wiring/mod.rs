//! Builds the runtime of commands from settings, environment and home.
//!
//! Makes no decisions of its own, and sends only requests about models, for example for their context window.

mod endpoint;

mod embedder;
mod encryption;
mod model_choice;
mod models;
mod onnx;
mod tool_servers;
mod trial;

mod runtime;

pub use embedder::ChosenEmbedder;
pub use encryption::{KeyOptions, NewKeyOptions, backup_recipients, homes_key, in_home};
pub use model_choice::{
    Choice, ModelSource, OLLAMA_HOST_VARIABLE, choose, known_keys, suggested_model,
};
pub use models::{lacking, server};
pub use onnx::{model_to_fetch, unusable_model};
pub use runtime::{
    OFFLINE_NOTICE, access, access_of, change_models, check_room, door, dreaming_settings,
    embedder, make_workspace, note_folders, resume_limit, runtime, runtime_as_it_is, settings,
    warn_of_misread,
};
pub use tool_servers::tool_servers;
pub use trial::try_model;
