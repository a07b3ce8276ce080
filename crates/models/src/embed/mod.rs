//! Embedders: the bundled static model, local ONNX models, and embedding servers.
//!
//! Independent of the index and the ranking.

mod near;
mod tokens;
mod weights;

mod bundled;

mod http;
mod onnx;

pub use bundled::BundledEmbedder;
pub use http::HttpEmbedder;
pub use onnx::{FastEmbedder, ModelLoad, OnnxError, OnnxModel, OnnxRuntime};
