//! An embedder behind a network: any server that speaks like OpenAI about vectors.
//!
//! Reads no environment and writes no file; what it needs is passed in.

mod cache;
mod failure;
mod pace;
mod wire;

mod ask;
mod worker;

mod embedder;

pub use embedder::{EmbeddingServer, HttpEmbedder};
