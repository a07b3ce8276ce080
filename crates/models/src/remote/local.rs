//! Looks for model servers on this machine, at their usual ports.
//!
//! Sends no user text, and asks no other machine.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Url;

use super::client::is_this_machine;
use super::listing::listed;
use super::question::is_same_model;
use super::{Connection, Dialect, Patience};

/// Timeout for a server on this machine.
const PATIENCE: Duration = Duration::from_secs(1);

/// Usual addresses of servers other than Ollama: llama.cpp; LM Studio; vLLM.
const USUAL_PLACES: [&str; 3] = [
    "http://localhost:8080/v1/",
    "http://localhost:1234/v1/",
    "http://localhost:8000/v1/",
];

/// The default port of Ollama.
const OLLAMA_PORT: u16 = 11434;

/// A model server that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalServer {
    /// Its protocol.
    pub dialect: Dialect,
    /// Its address.
    pub base_url: String,
    /// Its models; Ollama may have none yet.
    pub models: Vec<String>,
}

impl LocalServer {
    /// Whether it can download a model.
    pub fn is_ollama(&self) -> bool {
        self.dialect == Dialect::Ollama
    }

    /// Whether it has a model of that name.
    pub fn has(&self, name: &str) -> bool {
        self.models.iter().any(|model| is_same_model(model, name))
    }
}

/// The servers that list models, Ollama first; `ollama_host` is the value of `OLLAMA_HOST`.
pub async fn local_servers(ollama_host: Option<&str>) -> Vec<LocalServer> {
    let ollama = ollama_url(ollama_host).map(|url| (Dialect::Ollama, url));
    let others = USUAL_PLACES.map(|url| (Dialect::OpenAiCompatible, url.to_owned()));
    let asked = ollama.into_iter().chain(others).map(server);
    join_all(asked).await.into_iter().flatten().collect()
}

async fn server((dialect, base_url): (Dialect, String)) -> Option<LocalServer> {
    let connection = Connection {
        base_url: Some(base_url.clone()),
        patience: Patience {
            connect: PATIENCE,
            ..Patience::default()
        },
        ..Connection::new(dialect, "")
    };
    let models = listed(&connection, PATIENCE).await.ok().flatten()?;
    // Only Ollama can download a model.
    let is_useful = dialect == Dialect::Ollama || !models.is_empty();
    is_useful.then_some(LocalServer {
        dialect,
        base_url,
        models,
    })
}

/// The local address of Ollama. `OLLAMA_HOST` may hold a host, a port or both, or the wildcard address; `None` if it
/// points to another machine.
fn ollama_url(host: Option<&str>) -> Option<String> {
    let usual = Dialect::Ollama.default_base_url()?;
    let Some(host) = host.map(str::trim).filter(|host| !host.is_empty()) else {
        return Some(usual.to_owned());
    };
    let (scheme, place) = host.split_once("://").unwrap_or(("http", host));
    let place = match place.strip_prefix(':') {
        Some(port) => format!("localhost:{port}"),
        None => place.to_owned(),
    };
    let mut url = Url::parse(&format!("{scheme}://{place}")).ok()?;
    if matches!(url.host_str(), Some("0.0.0.0" | "[::]")) {
        url.set_host(Some("localhost")).ok()?;
    }
    if url.port().is_none() && !host.contains("://") {
        url.set_port(Some(OLLAMA_PORT)).ok()?;
    }
    is_this_machine(&url).then(|| url.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ollama_url_is_limited_to_this_machine() {
        for (host, expected) in [
            (None, Some("http://localhost:11434/")),
            (Some(" "), Some("http://localhost:11434/")),
            (Some("127.0.0.1:4000"), Some("http://127.0.0.1:4000/")),
            (Some("localhost"), Some("http://localhost:11434/")),
            (Some(":4000"), Some("http://localhost:4000/")),
            (Some("0.0.0.0"), Some("http://localhost:11434/")),
            (Some("http://[::1]:4000"), Some("http://[::1]:4000/")),
            (Some("http://192.0.2.7:11434"), None),
            (Some("models.example"), None),
            (Some("no host"), None),
        ] {
            assert_eq!(ollama_url(host).as_deref(), expected, "{host:?}");
        }
    }
}
