//! The HTTP embedder as the port shows it.
//!
//! Sends only the texts it is given, and only to the configured server.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use base::{Clock, EmbedError, EmbedRole, Embedder, EmbedderProfile, WordVectors};
use reqwest::Url;

use super::ask::{EmbeddingClient, Waits};
use super::cache::VectorCache;
use super::failure::Failure;
use super::pace::Pace;
use super::worker::Worker;
use crate::embed::BundledEmbedder;
use crate::remote::{address, http_client};
use crate::{ApiKey, Patience, SetUpError, shown_address};

/// An embedding server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddingServer {
    /// The address above `embeddings`, such as `http://localhost:8080/v1`.
    pub base_url: String,
    /// The model, as the server names it.
    pub model: String,
    /// The key, if needed.
    pub key: Option<ApiKey>,
    /// Where the key comes from, for error messages.
    pub key_source: String,
    /// Maximum requests per minute; `None` means no limit.
    pub requests_per_minute: Option<NonZeroU32>,
    /// Timeouts for passages; questions have shorter ones.
    pub patience: Patience,
}

/// Maximum texts per request.
const BATCH_MAX: usize = 64;

/// Timeouts for a question, for whose answer somebody waits.
const QUESTION: Waits = Waits {
    answer: Duration::from_secs(5),
    first: Duration::from_millis(200),
    n_retries: 1,
};

/// Questions fail at once for this long after a failure: each would only wait for a timeout.
const REST: Duration = Duration::from_secs(30);

/// An embedder on a server.
#[derive(Debug)]
pub struct HttpEmbedder {
    server: EmbeddingServer,
    url: Url,
    clock: Arc<dyn Clock>,
    worker: OnceLock<Worker>,
    state: Mutex<EmbedderState>,
    /// The bundled model compares single words: the server would need a request for each.
    words: Option<BundledEmbedder>,
}

#[derive(Debug, Default)]
struct EmbedderState {
    cache: VectorCache,
    /// Time and reason of the last failure.
    failed: Option<(Duration, Failure)>,
}

impl HttpEmbedder {
    /// Prepares an embedder; nothing is sent.
    pub fn new(server: EmbeddingServer, clock: Arc<dyn Clock>) -> Result<Self, SetUpError> {
        let url = address(&server.base_url)?;
        Ok(Self {
            server,
            url,
            clock,
            worker: OnceLock::new(),
            state: Mutex::default(),
            words: BundledEmbedder::new(),
        })
    }

    fn state(&self) -> MutexGuard<'_, EmbedderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn worker(&self) -> &Worker {
        self.worker.get_or_init(|| {
            let (server, url) = (self.server.clone(), self.url.clone());
            let clock = Arc::clone(&self.clock);
            Worker::start(move || asker(server, &url, clock))
        })
    }

    fn ask(&self, role: EmbedRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, Failure> {
        let mut known: HashMap<&str, Vec<f32>> = HashMap::new();
        let mut unknown: Vec<String> = Vec::new();
        for text in texts {
            if let Some(vector) = self.state().cache.get(text) {
                known.insert(text, vector.to_vec());
            } else if !unknown.iter().any(|known| known == text) {
                unknown.push((*text).to_owned());
            }
        }
        if !unknown.is_empty() {
            let vectors = self.worker().vectors(role, unknown.clone())?;
            let mut state = self.state();
            for (text, vector) in unknown.iter().zip(vectors) {
                state.cache.put(text, vector.clone());
                known.insert(text, vector);
            }
        }
        let found = texts.iter().filter_map(|text| known.get(text).cloned());
        Ok(found.collect())
    }

    /// The recent failure, while questions are suspended.
    fn rests(&self) -> Option<Failure> {
        let now = self.clock.monotonic();
        let state = self.state();
        let (failed_at, failure) = state.failed.as_ref()?;
        (now.saturating_sub(*failed_at) < REST).then(|| failure.clone())
    }

    fn told(&self, mut failure: Failure) -> EmbedError {
        if let Failure::Lasting(reason) = &mut failure
            && reason.contains("the key")
        {
            *reason = format!("{reason}; {}", self.server.key_source);
        }
        failure.told(&self.profile().name, |reason| {
            let reason = base::redact(reason);
            match &self.server.key {
                Some(key) => key.strike_from(&reason),
                None => reason.into_owned(),
            }
        })
    }
}

fn asker(
    server: EmbeddingServer,
    url: &Url,
    clock: Arc<dyn Clock>,
) -> Result<EmbeddingClient, Failure> {
    let client = http_client(server.patience, url);
    let client = client.map_err(|error| Failure::Lasting(error.to_string()))?;
    let url = url.join("embeddings");
    let url = url.map_err(|error| Failure::Lasting(error.to_string()))?;
    Ok(EmbeddingClient {
        client,
        url,
        model: server.model,
        key: server.key,
        clock,
        pace: Pace::of(server.requests_per_minute).into(),
        for_questions: QUESTION,
        for_passages: Waits {
            answer: server.patience.silence,
            first: server.patience.first_wait,
            n_retries: server.patience.n_retries,
        },
    })
}

impl Embedder for HttpEmbedder {
    fn profile(&self) -> EmbedderProfile {
        let model = &self.server.model;
        EmbedderProfile {
            name: format!("http ({model})"),
            identity: format!("http:{}:{model}", shown_address(self.url.as_str())),
            dimensions: None,
            batch_max: BATCH_MAX,
        }
    }

    fn embed(&self, role: EmbedRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        if role == EmbedRole::Question
            && let Some(failure) = self.rests()
        {
            return Err(self.told(failure));
        }
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH_MAX) {
            let asked = self.ask(role, batch).map_err(|failure| {
                self.state().failed = Some((self.clock.monotonic(), failure.clone()));
                self.told(failure)
            });
            vectors.extend(asked?);
        }
        self.state().failed = None;
        Ok(vectors)
    }

    fn words(&self) -> Option<&dyn WordVectors> {
        Some(self.words.as_ref()?)
    }
}
