//! The most that is taken of what a server sends, whatever it says of itself.
//!
//! Reads within these bounds; knows no dialect.

use reqwest::Response;

/// The text, thoughts and arguments of calls of one reply, in bytes: many times what any model writes at once.
pub(super) const REPLY_BYTES_MAX: usize = 8 * 1024 * 1024;

/// An answer that tells of models and not of the conversation, in bytes: the longest known lists have two million.
const LIST_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Vectors for one request, in bytes: more than the largest batch of the longest vectors.
pub(crate) const VECTORS_BYTES_MAX: usize = 64 * 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub(crate) enum BodyError {
    #[error(transparent)]
    Broken(#[from] reqwest::Error),
    #[error("an answer of more than {0} bytes")]
    TooLong(usize),
}

/// A body as it comes, given up as soon as it is too long.
pub(crate) async fn body(mut response: Response, bytes_max: usize) -> Result<Vec<u8>, BodyError> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await? {
        if body.len() + piece.len() > bytes_max {
            return Err(BodyError::TooLong(bytes_max));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// An answer that tells of models; `None` where it is none, or too long.
pub(super) async fn list(response: Response) -> Option<serde_json::Value> {
    let body = body(response, LIST_BYTES_MAX).await.ok()?;
    serde_json::from_slice(&body).ok()
}
