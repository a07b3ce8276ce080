//! Makes Ollama download a model, through its own API.
//!
//! Talks to Ollama only. Ollama chooses the source, and keeps a partial download.

use std::collections::BTreeMap;

use reqwest::Response;
use serde::Deserialize;
use serde_json::json;
use tokio::time::timeout;

use super::client::{address, http_client};
use super::limits::{BodyError, body};
use super::said::said;
use super::{Patience, SetUpError, first_line, root_cause};

/// Maximum bytes of a progress line.
const LINE_BYTES_MAX: usize = 64 * 1024;

/// Download progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PullProgress {
    /// Bytes downloaded.
    pub done: u64,
    /// Bytes needed, as far as known.
    pub total: u64,
}

/// A failed download.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PullError {
    /// The address is invalid.
    #[error(transparent)]
    SetUp(#[from] SetUpError),
    /// Ollama disconnected or timed out.
    #[error("the download broke off: {0}")]
    Broken(String),
    /// Ollama cannot find the model or has no space for it.
    #[error("Ollama cannot pull the model: {0}")]
    Refused(String),
}

/// A progress line of Ollama.
#[derive(Deserialize)]
struct News {
    #[serde(default)]
    status: String,
    digest: Option<String>,
    #[serde(default)]
    total: u64,
    #[serde(default)]
    completed: u64,
    error: Option<String>,
}

/// Makes the Ollama at `base_url` download a model; dropping the future cancels it.
pub async fn pull_model(
    base_url: &str,
    model: &str,
    on_progress: &mut (dyn FnMut(PullProgress) + Send),
) -> Result<(), PullError> {
    let url = address(base_url)?;
    let client = http_client(Patience::default(), &url)?;
    let url = url.join("api/pull");
    let url = url.map_err(|error| SetUpError::address(base_url, &error))?;
    let request = client.post(url);
    let asked = request.json(&json!({ "model": model, "stream": true }));
    let response = patiently(asked.send()).await?;
    if !response.status().is_success() {
        let refusal = body(response, LINE_BYTES_MAX).await.map_err(|error| {
            PullError::Broken(match error {
                BodyError::Broken(error) => root_cause(&error),
                BodyError::TooLong(_) => error.to_string(),
            })
        })?;
        let refusal = String::from_utf8_lossy(&refusal);
        return Err(PullError::Refused(said(&refusal).message));
    }
    follow(response, on_progress).await
}

async fn follow(
    mut response: Response,
    on_progress: &mut (dyn FnMut(PullProgress) + Send),
) -> Result<(), PullError> {
    let mut layers = BTreeMap::new();
    let mut pending = Vec::new();
    let mut is_done = false;
    while let Some(piece) = patiently(response.chunk()).await? {
        pending.extend_from_slice(&piece);
        while let Some(end) = pending.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = pending.drain(..=end).collect();
            // Skip unreadable lines; the last line reports the result.
            let Ok(news) = serde_json::from_slice::<News>(&line) else {
                continue;
            };
            if let Some(error) = news.error {
                return Err(PullError::Refused(first_line(&error)));
            }
            is_done = news.status == "success";
            if let Some(digest) = news.digest {
                layers.insert(digest, (news.completed, news.total));
                on_progress(PullProgress {
                    done: layers.values().map(|(done, _)| done).sum(),
                    total: layers.values().map(|(_, total)| total).sum(),
                });
            }
        }
        if pending.len() > LINE_BYTES_MAX {
            let reason = format!("received a line longer than {LINE_BYTES_MAX} bytes");
            return Err(PullError::Broken(reason));
        }
    }
    if is_done {
        Ok(())
    } else {
        Err(PullError::Broken(
            "Ollama did not confirm that it is complete".to_owned(),
        ))
    }
}

/// Waits for Ollama's next response, with the timeout of a model.
async fn patiently<T>(
    said: impl Future<Output = Result<T, reqwest::Error>>,
) -> Result<T, PullError> {
    let silence = Patience::default().silence;
    let Ok(said) = timeout(silence, said).await else {
        let reason = format!("Ollama sent nothing for {silence:?}");
        return Err(PullError::Broken(reason));
    };
    said.map_err(|error| PullError::Broken(root_cause(&error)))
}
