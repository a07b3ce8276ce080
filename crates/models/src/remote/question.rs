//! Queries about models, without any user text.
//!
//! Asks once; no answer is not an error.

use std::time::Duration;

use reqwest::{Client, RequestBuilder, Url};
use serde_json::Value;

use super::client::{Route, route};
use super::limits::list;
use super::{ApiKey, Connection, Dialect, SetUpError};

/// The server cannot be reached, so no other query will succeed.
#[derive(Debug)]
pub(super) struct Unreachable;

pub(super) type ServerReport<T> = Result<Option<T>, Unreachable>;

/// The server to query.
pub(super) struct ServerQuestion<'a> {
    pub(super) client: Client,
    pub(super) url: Url,
    pub(super) connection: &'a Connection,
    /// Timeout per request.
    pub(super) patience: Duration,
}

impl<'a> ServerQuestion<'a> {
    pub(super) fn new(connection: &'a Connection, patience: Duration) -> Result<Self, SetUpError> {
        let Route { http, base_url, .. } = route(connection)?;
        Ok(Self {
            client: http,
            url: base_url,
            connection,
            patience,
        })
    }

    /// The JSON at a path below the address, or at the root of the host if the path starts with a slash.
    pub(super) async fn get(&self, path: &str) -> ServerReport<Value> {
        let Ok(url) = self.url.join(path) else {
            return Ok(None);
        };
        let request = self.client.get(url);
        let key = self.connection.key.as_ref().map(ApiKey::reveal);
        let request = match (key, self.connection.dialect) {
            (None, _) => request,
            (Some(key), Dialect::Anthropic) => request
                .header("x-api-key", key)
                .header("anthropic-version", "2023-06-01"),
            (Some(key), Dialect::Gemini) => request.header("x-goog-api-key", key),
            (Some(key), Dialect::OpenAi | Dialect::OpenAiCompatible | Dialect::Ollama) => {
                request.bearer_auth(key)
            }
        };
        answer(request, self.patience).await
    }
}

pub(super) async fn answer(request: RequestBuilder, patience: Duration) -> ServerReport<Value> {
    match request.timeout(patience).send().await {
        Ok(response) if response.status().is_success() => Ok(list(response).await),
        Err(error) if error.is_connect() => Err(Unreachable),
        Ok(_) | Err(_) => Ok(None),
    }
}

/// Ollama adds the tag `:latest` to a name without one.
pub(super) fn is_same_model(named: &str, asked: &str) -> bool {
    named == asked || named.strip_suffix(":latest") == Some(asked)
}
