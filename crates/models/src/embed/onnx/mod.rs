//! An embedder that runs ONNX models on this machine, with fastembed and the ONNX runtime.
//!
//! Reads no environment, and sends nothing except requests for the files of a model.

mod error;
mod model;
mod runtime;

mod download;

mod engine;

mod embedder;

pub use embedder::{FastEmbedder, ModelLoad};
pub use error::OnnxError;
pub use model::OnnxModel;
pub use runtime::OnnxRuntime;
