//! Has Ollama fetch a model, by its own API.
//!
//! Asks Ollama alone; what it fetches, and from where, is its own affair. Ollama keeps a part that it has fetched.

use std::collections::BTreeMap;

use reqwest::Response;
use serde::Deserialize;
use serde_json::json;
use tokio::time::timeout;

use super::client::{address, http_client};
use super::limits::{BodyError, body};
use super::said::said;
use super::{Patience, SetUpError, first_line, innermost, shown_address};

/// Longest line of news, in bytes.
const LINE_BYTES_MAX: usize = 64 * 1024;

/// How far a model is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PullProgress {
    /// Bytes that are there.
    pub done: u64,
    /// Bytes of all that is known by now to be needed.
    pub total: u64,
}

/// A model that was not fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PullError {
    /// The address is none.
    #[error(transparent)]
    SetUp(#[from] SetUpError),
    /// Ollama is gone, or has said nothing for long.
    #[error("the download broke off: {0}")]
    Broken(String),
    /// Ollama does not find the model, or has no room for it.
    #[error("Ollama did not fetch the model: {0}")]
    Refused(String),
}

/// A line of what Ollama tells.
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

/// Has the Ollama at `base_url` fetch a model; dropping this breaks it off.
pub async fn pull_model(
    base_url: &str,
    model: &str,
    on_progress: &mut (dyn FnMut(PullProgress) + Send),
) -> Result<(), PullError> {
    let url = address(base_url)?;
    let client = http_client(Patience::default(), &url)?;
    let url = url.join("api/pull").map_err(|error| SetUpError::BaseUrl {
        url: shown_address(base_url),
        problem: error.to_string(),
    })?;
    let request = client.post(url);
    let asked = request.json(&json!({ "model": model, "stream": true }));
    let response = patiently(asked.send()).await?;
    if !response.status().is_success() {
        let refusal = body(response, LINE_BYTES_MAX).await.map_err(|error| {
            PullError::Broken(match error {
                BodyError::Broken(error) => cause(&error),
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
            // A line that is none says nothing; the last one tells the end.
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
            let reason = format!("a line of more than {LINE_BYTES_MAX} bytes came");
            return Err(PullError::Broken(reason));
        }
    }
    if is_done {
        Ok(())
    } else {
        Err(PullError::Broken(
            "Ollama did not say that it is whole".to_owned(),
        ))
    }
}

/// Waits for what Ollama says next, for as long as for a model.
async fn patiently<T>(
    said: impl Future<Output = Result<T, reqwest::Error>>,
) -> Result<T, PullError> {
    let silence = Patience::default().silence;
    let Ok(said) = timeout(silence, said).await else {
        let reason = format!("Ollama said nothing for {silence:?}");
        return Err(PullError::Broken(reason));
    };
    said.map_err(|error| PullError::Broken(cause(&error)))
}

fn cause(error: &reqwest::Error) -> String {
    first_line(&innermost(error).to_string())
}
