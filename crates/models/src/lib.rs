//! Models and embedders behind the ports: the offline engine that extracts, remote models, and the
//! bundled static model.
//!
//! Holds no agent policy and never reads the environment.

mod embed;
mod offline;

mod remote;

mod trace;

pub use embed::{
    BundledEmbedder, EmbeddingServer, FastEmbedder, Held, HttpEmbedder, OnnxError, OnnxModel,
    OnnxRuntime,
};
pub use offline::{
    Matter, OfflineEngine, asks_about_owner, asks_for_own, is_for_another, matters_asked, n_facts,
    names_asked, tells_conduct, told_about_owner,
};
pub use remote::{
    ApiKey, Asked, Connection, Dialect, LocalServer, NoKey, Patience, RemoteModel, SetUpError,
    USUAL_PLACES, ask_window, local_servers, shown_address,
};
pub use trace::{RecordingModel, ReplayingModel, TraceError};
