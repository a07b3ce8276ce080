//! An embedder that runs a model of the owner's choice on this machine, by fastembed and the ONNX runtime.
//!
//! Reads no environment, and sends nothing but the request for a model that the owner named.

mod error;
mod model;
mod runtime;

mod download;

mod engine;

mod embedder;

pub use embedder::{FastEmbedder, Held};
pub use error::OnnxError;
pub use model::OnnxModel;
pub use runtime::OnnxRuntime;
