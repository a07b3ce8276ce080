//! Looks for model servers on this machine, in the places where such servers usually are.
//!
//! Sends nobody's text anywhere, and asks no other machine.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::{Client, Url};

use super::Dialect;
use super::client::with_cryptography;
use super::limits::list;

/// How long a server on the same machine may think.
const PATIENCE: Duration = Duration::from_secs(1);

/// The most models that are told of one server.
const MODELS_MAX: usize = 20;

/// Where servers usually are: Ollama; llama.cpp; LM Studio; vLLM.
pub const USUAL_PLACES: [(Dialect, &str); 4] = [
    (Dialect::Ollama, "http://localhost:11434/"),
    (Dialect::OpenAiCompatible, "http://localhost:8080/v1/"),
    (Dialect::OpenAiCompatible, "http://localhost:1234/v1/"),
    (Dialect::OpenAiCompatible, "http://localhost:8000/v1/"),
];

/// A server that answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalServer {
    /// How it wants to be spoken to.
    pub dialect: Dialect,
    /// Where it is.
    pub base_url: String,
    /// The models that it has.
    pub models: Vec<String>,
}

/// The servers at these places that list models, in the same order.
pub async fn local_servers(places: &[(Dialect, &str)]) -> Vec<LocalServer> {
    let client = with_cryptography()
        .no_proxy()
        .connect_timeout(PATIENCE)
        .timeout(PATIENCE)
        .build();
    let Ok(client) = client else {
        return Vec::new();
    };
    let asked = places.iter().map(|place| server(&client, place));
    join_all(asked).await.into_iter().flatten().collect()
}

async fn server(client: &Client, (dialect, base_url): &(Dialect, &str)) -> Option<LocalServer> {
    let (path, models, name) = match dialect {
        Dialect::Ollama => ("api/tags", "models", "name"),
        Dialect::Anthropic | Dialect::OpenAi | Dialect::OpenAiCompatible | Dialect::Gemini => {
            ("models", "data", "id")
        }
    };
    let url = Url::parse(base_url).ok()?.join(path).ok()?;
    let response = client.get(url).send().await.ok()?;
    let answer = list(response.error_for_status().ok()?).await?;
    let models = answer.get(models)?.as_array()?.iter();
    let models: Vec<String> = models
        .filter_map(|model| Some(model.get(name)?.as_str()?.to_owned()))
        .take(MODELS_MAX)
        .collect();
    (!models.is_empty()).then(|| LocalServer {
        dialect: *dialect,
        base_url: (*base_url).to_owned(),
        models,
    })
}
