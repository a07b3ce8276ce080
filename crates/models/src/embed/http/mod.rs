//! An embedder on a server with OpenAI's embeddings API.
//!
//! Reads no environment and writes no files; the caller passes in everything.

mod cache;
mod failure;
mod pace;
mod wire;

mod ask;
mod worker;

mod embedder;

pub use embedder::HttpEmbedder;
