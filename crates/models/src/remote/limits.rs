//! Size limits for responses, whatever the server declares.
//!
//! Reads within these limits; does not depend on a dialect.

use reqwest::Response;

/// Text, reasoning and call arguments of one reply, in bytes: far more than any model writes at once.
pub(super) const REPLY_BYTES_MAX: usize = 8 * 1024 * 1024;

/// A response about models, in bytes; the longest known list has two million.
const LIST_BYTES_MAX: usize = 16 * 1024 * 1024;

/// The vectors of one request, in bytes: more than the largest batch of the longest vectors.
pub(crate) const VECTORS_BYTES_MAX: usize = 64 * 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub(crate) enum BodyError {
    #[error(transparent)]
    Broken(#[from] reqwest::Error),
    #[error("the response is larger than {0} bytes")]
    TooLong(usize),
}

/// Reads a body, and stops as soon as it is too long.
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

/// The JSON of a response about models; `None` if it is too long or not JSON.
pub(super) async fn list(response: Response) -> Option<serde_json::Value> {
    let body = body(response, LIST_BYTES_MAX).await.ok()?;
    serde_json::from_slice(&body).ok()
}
