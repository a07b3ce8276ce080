//! Asks a server for the window of a model.
//!
//! Sends no user text; no answer is not an error.

use std::time::Duration;

use base::TokenCount;
use serde_json::{Value, json};

use super::question::{ServerQuestion, ServerReport, Unreachable, answer, is_same_model};
use super::{Connection, Dialect, SetUpError};

/// Timeout for so small a query.
const PATIENCE: Duration = Duration::from_secs(5);

/// Timeout for Ollama to load a model; only a loaded model has a window.
const LOADING_PATIENCE: Duration = Duration::from_mins(2);

/// Fields in which servers report a window, in order of preference: the configured size before the size that the
/// model was trained for.
const NAMES: [&str; 9] = [
    "/meta/n_ctx",                        // llama.cpp
    "/loaded_context_length",             // LM Studio
    "/max_model_len",                     // vLLM
    "/context_length",                    // OpenRouter, Ollama for loaded models
    "/context_window",                    // Groq
    "/max_input_tokens",                  // Anthropic
    "/inputTokenLimit",                   // Gemini
    "/max_context_length",                // Mistral
    "/default_generation_settings/n_ctx", // llama.cpp, for the whole server
];

/// A server's answer about a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowReply {
    /// Its size.
    Window(TokenCount),
    /// The server does not report it.
    Nothing,
    /// The server cannot be reached.
    Unreachable,
}

/// Asks the server for the window of the model.
pub async fn ask_window(connection: &Connection) -> Result<WindowReply, SetUpError> {
    let question = ServerQuestion::new(connection, PATIENCE)?;
    let told = match connection.dialect {
        Dialect::OpenAi => Ok(None),
        Dialect::Anthropic | Dialect::Gemini => {
            question
                .window_at(&format!("models/{}", connection.model))
                .await
        }
        Dialect::Ollama => question.of_loaded().await,
        // One timeout for all endpoints of a server that does not respond.
        Dialect::OpenAiCompatible => {
            let told = tokio::time::timeout(PATIENCE, question.of_compatible()).await;
            told.unwrap_or(Ok(None))
        }
    };
    Ok(match told {
        Ok(Some(window)) => WindowReply::Window(window),
        Ok(None) => WindowReply::Nothing,
        Err(Unreachable) => WindowReply::Unreachable,
    })
}

impl ServerQuestion<'_> {
    /// Any OpenAI-compatible server; each program reports the window at another path.
    async fn of_compatible(&self) -> ServerReport<TokenCount> {
        for path in ["models", "/api/v0/models"] {
            if let Some(window) = self.of_list(path, "data", "id").await? {
                return Ok(Some(window));
            }
        }
        self.window_at("/props").await
    }

    async fn window_at(&self, path: &str) -> ServerReport<TokenCount> {
        Ok(self.get(path).await?.and_then(|model| window_in(&model)))
    }

    async fn of_list(&self, path: &str, list: &str, name: &str) -> ServerReport<TokenCount> {
        let is_asked = |model: &&Value| {
            let named = model.get(name).and_then(Value::as_str);
            named.is_some_and(|named| is_same_model(named, &self.connection.model))
        };
        let answer = self.get(path).await?;
        let models = answer.as_ref().and_then(|it| it.get(list)?.as_array());
        Ok(models.and_then(|models| window_in(models.iter().find(is_asked)?)))
    }

    /// Ollama chooses a window for each loaded model, and silently truncates longer requests.
    async fn of_loaded(&self) -> ServerReport<TokenCount> {
        if let Some(window) = self.of_list("api/ps", "models", "name").await? {
            return Ok(Some(window));
        }
        let Ok(url) = self.url.join("api/generate") else {
            return Ok(None);
        };
        let load = json!({ "model": self.connection.model, "stream": false });
        let loaded = answer(self.client.post(url).json(&load), LOADING_PATIENCE).await?;
        if loaded.is_none() {
            return Ok(None);
        }
        self.of_list("api/ps", "models", "name").await
    }
}

fn window_in(model: &Value) -> Option<TokenCount> {
    let names = NAMES.iter();
    let mut windows = names.filter_map(|name| model.pointer(name)?.as_u64());
    windows.find(|window| *window > 0).map(TokenCount)
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;
