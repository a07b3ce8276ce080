//! Implementations of the model and embedder ports: the offline engine, remote models, and embedders.
//!
//! Holds no agent policy and never reads the environment.

mod embed;
mod offline;

mod remote;

pub use embed::{
    BundledEmbedder, FastEmbedder, HttpEmbedder, ModelLoad, OnnxError, OnnxModel, OnnxRuntime,
};
pub use offline::OfflineEngine;
pub use remote::{
    ApiKey, Connection, Dialect, LocalServer, NoKey, Patience, PullError, PullProgress,
    RemoteModel, SetUpError, WindowReply, address, ask_window, list_models, local_servers,
    post_json, pull_model, shown_address,
};
