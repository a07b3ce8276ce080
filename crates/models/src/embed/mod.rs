//! Embedders behind the port: the bundled static model.
//!
//! Knows no index and no ranking.

mod tokens;
mod weights;

mod bundled;

pub use bundled::BundledEmbedder;
