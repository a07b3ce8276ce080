//! Detects a web page in place of a model server: a wrong address, or a captive portal.
//!
//! Sends no user text and no key.

use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Method, Url};
use serde_json::json;

use super::Dialect;

/// Timeout of the probe.
const PATIENCE: Duration = Duration::from_secs(5);

/// Run after an empty reply: a page has no marks of a stream, so the client library reports nothing.
pub(super) async fn is_page(client: &Client, base_url: &Url, dialect: Dialect) -> bool {
    let (path, method) = match dialect {
        Dialect::OpenAi | Dialect::OpenAiCompatible => ("chat/completions", Method::POST),
        Dialect::Ollama => ("api/chat", Method::POST),
        Dialect::Anthropic | Dialect::Gemini => ("models", Method::GET),
    };
    let Ok(url) = base_url.join(path) else {
        return false;
    };
    let mut request = client.request(method.clone(), url);
    if method == Method::POST {
        request = request.json(&json!({}));
    }
    let Ok(response) = request.timeout(PATIENCE).send().await else {
        return false;
    };
    let kind = response.headers().get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    response.status().is_success() && kind.to_ascii_lowercase().starts_with("text/html")
}
