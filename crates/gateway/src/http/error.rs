//! Error responses, as JSON in the format of the OpenAI API; `page` shows them to browsers.
//!
//! Never repeats a token from a request.

use std::error::Error;
use std::time::Duration;

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base::with_causes;
use schemars::JsonSchema;
use serde::Serialize;
use tokio::task::JoinError;

/// An error response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpError {
    pub(crate) status: StatusCode,
    message: String,
    hints: Vec<String>,
    retry_after: Option<u64>,
    param: Option<&'static str>,
}

/// The body of an error response.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ErrorBody {
    error: ErrorContent,
}

/// What failed and what to do about it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ErrorContent {
    /// What failed, and why.
    message: String,
    /// The class of the error.
    #[schemars(example = &"invalid_request_error")]
    r#type: &'static str,
    /// The parameter at fault, if it is one.
    param: Option<&'static str>,
    /// The reason phrase of the status, in snake case.
    code: Option<String>,
    /// What to do about it.
    hints: Vec<String>,
}

impl HttpError {
    /// Work on another thread panicked. The panic's own message may hold private text.
    pub fn aborted(_: JoinError) -> Self {
        let message = "the work was aborted; this is a bug";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// An error with a status and a message.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            hints: Vec::new(),
            retry_after: None,
            param: None,
        }
    }

    /// An error with the messages of `error` and its causes.
    pub(crate) fn of(status: StatusCode, error: &dyn Error) -> Self {
        Self::new(status, with_causes(error))
    }

    /// 404: the thing asked for does not exist.
    pub(crate) fn missing(error: &dyn Error) -> Self {
        Self::of(StatusCode::NOT_FOUND, error)
    }

    /// 409: the request does not fit the current state.
    pub(crate) fn conflict(error: &dyn Error) -> Self {
        Self::of(StatusCode::CONFLICT, error)
    }

    /// 400: the request is malformed or unsupported.
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// 404: the thing asked for does not exist.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// 500: something failed in this service.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// 503: the request may succeed after `wait`.
    pub fn unavailable(message: impl Into<String>, wait: Duration) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message).after(wait.as_secs())
    }

    /// Adds a hint: what to do about the error.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// 400 for a parameter that is not supported.
    pub(crate) fn cannot_meet(param: &'static str, why: &str) -> Self {
        Self {
            param: Some(param),
            ..Self::bad_request(format!("{param}: {why}"))
        }
    }

    /// Whether the same request may succeed later.
    pub fn is_temporary(&self) -> bool {
        self.status == StatusCode::SERVICE_UNAVAILABLE
    }

    /// Sets `Retry-After`, in seconds.
    #[must_use]
    pub(crate) fn after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// The JSON body.
    pub(crate) fn body(&self) -> ErrorBody {
        let word = self.status.canonical_reason();
        ErrorBody {
            error: ErrorContent {
                message: self.message.clone(),
                r#type: self.class(),
                param: self.param,
                code: word.map(|word| word.to_lowercase().replace(' ', "_")),
                hints: self.hints.clone(),
            },
        }
    }

    /// What failed and what to do about it, for a person.
    pub(crate) fn sentence(&self) -> String {
        let mut parts = vec![self.message.clone()];
        parts.extend(self.hints.iter().cloned());
        parts.extend(
            self.retry_after
                .map(|seconds| format!("try again in {seconds} s")),
        );
        parts.join("; ")
    }

    /// The status, when to try again, and how to authenticate, for a response with any body.
    pub(crate) fn head(&self) -> (StatusCode, HeaderMap) {
        let mut headers = HeaderMap::new();
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        (self.status, headers)
    }

    fn class(&self) -> &'static str {
        match self.status {
            StatusCode::UNAUTHORIZED => "authentication_error",
            StatusCode::FORBIDDEN => "permission_error",
            StatusCode::TOO_MANY_REQUESTS => "rate_limit_error",
            status if status.is_server_error() => "server_error",
            _ => "invalid_request_error",
        }
    }
}

/// 500: the client cannot do anything about it.
impl<E: Error> From<E> for HttpError {
    fn from(error: E) -> Self {
        Self::of(StatusCode::INTERNAL_SERVER_ERROR, &error)
    }
}

impl IntoResponse for HttpError {
    /// JSON; the error is also an extension of the response, for the page.
    fn into_response(self) -> Response {
        let (status, headers) = self.head();
        let mut response = (status, headers, Json(self.body())).into_response();
        response.extensions_mut().insert(self);
        response
    }
}
