//! Requests vectors from a server, with retries.
//!
//! Caches nothing.

use std::cell::RefCell;
use std::iter;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use backon::Retryable;
use base::{Clock, EmbedRole};
use reqwest::{Client, Url};

use super::failure::Failure;
use super::pace::Pace;
use super::wire::{EmbeddingBody, vectors};
use crate::remote::{BodyError, VECTORS_BYTES_MAX, body, root_cause, waits};
use crate::{ApiKey, Patience, shown_address};

pub(super) struct EmbeddingClient {
    pub(super) client: Client,
    pub(super) url: Url,
    pub(super) model: String,
    pub(super) key: Option<ApiKey>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) pace: RefCell<Pace>,
    pub(super) for_questions: Patience,
    pub(super) for_passages: Patience,
}

impl EmbeddingClient {
    /// The vectors of texts, in order; splits a request that is too large.
    pub(super) async fn vectors(
        &self,
        role: EmbedRole,
        texts: &[&str],
    ) -> Result<Vec<Vec<f32>>, Failure> {
        let mut found = Vec::with_capacity(texts.len());
        let mut left: Vec<Range<usize>> = iter::once(0..texts.len()).collect();
        while let Some(range) = left.pop() {
            let part = texts.get(range.clone()).unwrap_or_default();
            match self.patiently(role, part).await {
                Ok(vectors) => found.extend(vectors),
                Err(Failure::TooMuch(_)) if range.len() > 1 => {
                    let middle = range.start + range.len() / 2;
                    left.push(middle..range.end);
                    left.push(range.start..middle);
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(found)
    }

    async fn patiently(&self, role: EmbedRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, Failure> {
        let patience = match role {
            EmbedRole::Question => self.for_questions,
            EmbedRole::Passage => self.for_passages,
        };
        (|| self.once(patience.silence, texts))
            .retry(waits(patience))
            .adjust(|failure: &Failure, planned| failure.wait(planned, patience.first_wait))
            .await
    }

    async fn once(&self, patience: Duration, texts: &[&str]) -> Result<Vec<Vec<f32>>, Failure> {
        let wait = self.pace.borrow_mut().wait(self.clock.monotonic());
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
        let request = EmbeddingBody {
            model: &self.model,
            input: texts,
            encoding_format: "float",
        };
        let request = self.client.post(self.url.clone()).json(&request);
        let request = match &self.key {
            Some(key) => request.bearer_auth(key.reveal()),
            None => request,
        };
        let sent = request.timeout(patience).send().await;
        let response = sent.map_err(|error| self.failure(&error))?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = body(response, VECTORS_BYTES_MAX).await;
        let body = body.map_err(|error| match error {
            BodyError::Broken(error) => self.failure(&error),
            BodyError::TooLong(_) => Failure::Unusable(error.to_string()),
        })?;
        if !status.is_success() {
            let said = String::from_utf8_lossy(&body);
            return Err(Failure::of_status(status, &headers, &said));
        }
        vectors(&body, texts.len()).map_err(Failure::Unusable)
    }

    fn failure(&self, error: &reqwest::Error) -> Failure {
        let url = shown_address(self.url.as_str());
        let cause = if error.is_timeout() {
            "the request timed out".to_owned()
        } else {
            root_cause(error)
        };
        let reason = format!("cannot reach {url}: {cause}");
        if error.is_connect() || error.is_timeout() {
            Failure::Unreachable(reason)
        } else {
            Failure::Passing(reason, None)
        }
    }
}
