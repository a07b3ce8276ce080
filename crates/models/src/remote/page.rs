//! Detects a web page in place of a model server: a wrong address, or a captive portal.
//!
//! Sends no user text and no key.

use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Url};
use serde_json::json;

use super::Dialect;

/// Timeout of the probe.
const PATIENCE: Duration = Duration::from_secs(5);

/// Run after an empty reply: a page has none of the marks of a stream, so the client library shows nothing of it.
pub(super) async fn is_page(client: &Client, base_url: &Url, dialect: Dialect) -> bool {
    let empty = json!({});
    let request = match dialect {
        Dialect::OpenAi | Dialect::OpenAiCompatible => base_url
            .join("chat/completions")
            .map(|url| client.post(url).json(&empty)),
        Dialect::Ollama => base_url
            .join("api/chat")
            .map(|url| client.post(url).json(&empty)),
        Dialect::Anthropic | Dialect::Gemini => base_url.join("models").map(|url| client.get(url)),
    };
    let Ok(request) = request else {
        return false;
    };
    let Ok(response) = request.timeout(PATIENCE).send().await else {
        return false;
    };
    let kind = response.headers().get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    response.status().is_success() && kind.to_ascii_lowercase().starts_with("text/html")
}
