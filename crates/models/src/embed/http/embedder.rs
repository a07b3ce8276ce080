//! The HTTP embedder as the port shows it.
//!
//! Sends only the texts it is given, and only to the configured server.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use base::{Clock, EmbedError, EmbedRole, Embedder, EmbedderProfile, WordVectors};
use reqwest::Url;

use super::ask::EmbeddingClient;
use super::cache::VectorCache;
use super::failure::Failure;
use super::pace::Pace;
use super::worker::Worker;
use crate::embed::BundledEmbedder;
use crate::remote::http_client;
use crate::{Connection, Patience, SetUpError, shown_address};

/// Maximum texts per request.
const BATCH_MAX: usize = 64;

/// Timeouts for a question, for whose answer somebody waits.
const QUESTION: Patience = Patience {
    silence: Duration::from_secs(5),
    first_wait: Duration::from_millis(200),
    n_retries: 1,
    ..Patience::LONG
};

/// Questions fail at once for this long after a failure: each would only wait for a timeout.
const REST: Duration = Duration::from_secs(30);

/// An embedder on a server.
#[derive(Debug)]
pub struct HttpEmbedder {
    server: Connection,
    url: Url,
    /// Maximum requests per minute; `None` means no limit.
    requests_per_minute: Option<NonZeroU32>,
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
    /// Prepares an embedder for a server of the OpenAI dialect, which is asked at most `requests_per_minute` times;
    /// nothing is sent. The patience is that for passages; questions have less.
    pub fn new(
        server: Connection,
        requests_per_minute: Option<NonZeroU32>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, SetUpError> {
        Ok(Self {
            url: server.address()?,
            server,
            requests_per_minute,
            clock,
            worker: OnceLock::new(),
            state: Mutex::default(),
            words: BundledEmbedder::new(),
        })
    }

    fn state(&self) -> MutexGuard<'_, EmbedderState> {
        base::locked(&self.state)
    }

    fn worker(&self) -> &Worker {
        self.worker.get_or_init(|| {
            let (server, url) = (self.server.clone(), self.url.clone());
            let (per_minute, clock) = (self.requests_per_minute, Arc::clone(&self.clock));
            Worker::start(move || asker(server, &url, per_minute, clock))
        })
    }

    /// The vectors of texts, in order; `ask` is given those that the cache lacks.
    fn vectors(
        &self,
        texts: &[&str],
        ask: impl FnOnce(Vec<String>) -> Result<Vec<Vec<f32>>, Failure>,
    ) -> Result<Vec<Vec<f32>>, Failure> {
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
            let vectors = ask(unknown.clone())?;
            let mut state = self.state();
            for (text, vector) in unknown.iter().zip(vectors) {
                // The cache may keep none of them.
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
        failure.told(self.profile().name, self.server.key.as_ref())
    }
}

fn asker(
    server: Connection,
    url: &Url,
    requests_per_minute: Option<NonZeroU32>,
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
        pace: Pace::of(requests_per_minute).into(),
        for_questions: QUESTION,
        for_passages: server.patience,
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
            let asked = self.vectors(batch, |unknown| self.worker().vectors(role, unknown));
            let asked = asked.map_err(|failure| {
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

#[cfg(test)]
mod tests {
    use base::SystemClock;

    use super::*;
    use crate::Dialect;

    #[test]
    fn batch_larger_than_cache_keeps_every_vector() {
        let server = Connection {
            base_url: Some("http://127.0.0.1:9/v1".to_owned()),
            ..Connection::new(Dialect::OpenAiCompatible, "some-model")
        };
        let embedder = HttpEmbedder::new(server, None, Arc::new(SystemClock::new())).unwrap();
        embedder.state().cache = VectorCache::within(2);
        let vector = |text: &str| vec![f32::from(text.as_bytes()[0]), 1.0];
        let ask = |texts: Vec<String>| Ok(texts.iter().map(|text| vector(text)).collect());
        for texts in [&["a"][..], &["a", "b", "c", "b"]] {
            let found = embedder.vectors(texts, ask).unwrap();
            let expected: Vec<Vec<f32>> = texts.iter().map(|text| vector(text)).collect();
            assert_eq!(found, expected);
        }
    }
}
