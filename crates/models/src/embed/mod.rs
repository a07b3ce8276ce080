//! Embedders behind the port: the bundled static model, and servers of vectors.
//!
//! Knows no index and no ranking.

mod tokens;
mod weights;

mod bundled;

mod http;

pub use bundled::BundledEmbedder;
pub use http::{EmbeddingServer, HttpEmbedder};
