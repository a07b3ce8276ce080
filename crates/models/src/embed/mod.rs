//! Embedders behind the port: the bundled static model, models of the owner, and servers of vectors.
//!
//! Knows no index and no ranking.

mod near;
mod tokens;
mod weights;

mod bundled;

mod http;
mod onnx;

pub use bundled::BundledEmbedder;
pub use http::{EmbeddingServer, HttpEmbedder};
pub use onnx::{FastEmbedder, Held, OnnxError, OnnxModel, OnnxRuntime};
