//! An embedder and a reranker that run ONNX models on this machine, with fastembed and the ONNX runtime.
//!
//! Reads no environment, and sends nothing except requests for the files of a model.

mod error;
mod model;
mod runtime;

mod download;

mod engine;

mod embedder;
mod reranker;

pub use embedder::{FastEmbedder, ModelLoad};
pub use error::OnnxError;
pub use model::OnnxModel;
pub use reranker::FastReranker;
pub use runtime::OnnxRuntime;
