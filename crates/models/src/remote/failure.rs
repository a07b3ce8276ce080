//! Translates errors of the client library into those of the port.
//!
//! Pure; retries nothing.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the library adds errors; the rest are reported in its own words"
)]

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use base::model::{ModelError, SaidSizes};
use base::with_causes;
use chrono::DateTime;
use genai::{Error, ModelIden};
use reqwest::header::{DATE, HeaderMap, LOCATION, RETRY_AFTER};
use reqwest::{StatusCode, Url};
use serde_json::Value;

use super::client::is_this_machine;
use super::key::clean;
use super::overflow::sizes;
use super::refusal::Refusal;
use super::relay::{Relay, RelayError};
use super::retry::{After, Failed};
use super::said::{ServerMessage, said, said_in};
use super::{Connection, shown_address};

/// Maximum wait a server may ask for; a longer one is a wrong clock or header.
const RETRY_AFTER_MAX: Duration = Duration::from_hours(24);

/// The model and server of a failed request.
#[derive(Debug, Clone, Copy)]
pub(super) struct AskedServer<'a> {
    pub(super) connection: &'a Connection,
    /// The address to show to people.
    pub(super) base_url: &'a str,
}

struct FailedResponse<'a> {
    status: StatusCode,
    headers: &'a HeaderMap,
    said: ServerMessage,
}

impl AskedServer<'_> {
    /// Classifies an error for a retry.
    pub(super) fn failed(self, error: Error) -> Failed {
        let error = innermost_answer(error);
        let status = error.status();
        let after = if self.is_nobody(&error) {
            After::Nobody
        } else if status.is_some_and(|status| {
            Refusal::of(Some(status.as_u16()), &said(body_of(&error))) == Refusal::Form
        }) {
            After::Form
        } else {
            After::Word
        };
        let error = self.failure(error);
        Failed { error, after }
    }

    /// Classifies an error of a request that went through a relay.
    pub(super) fn failed_behind(self, relay: &Relay, error: Error) -> Failed {
        match relay.take_failure() {
            Some(RelayError::Http(behind)) => {
                let model = self.connection.model.as_str();
                self.failed(Error::WebStream {
                    model_iden: ModelIden::new(self.connection.dialect.adapter(), model),
                    cause: behind.to_string(),
                    error: Box::new(behind),
                })
            }
            Some(too_long) => self.broken(&too_long.to_string()).into(),
            None => self.failed(error),
        }
    }

    /// No content came through a relay in time.
    pub(super) fn silent(self, relay: &Relay) -> Failed {
        let silence = self.connection.patience.silence;
        let base_url = self.base_url;
        let error = if relay.has_answered() {
            self.broken(&format!("{base_url} sent no content for {silence:?}"))
        } else {
            self.unavailable(&format!("{base_url} did not respond within {silence:?}"))
        };
        let after = After::Silence;
        Failed { error, after }
    }

    /// Whether a port of this machine refused the connection.
    fn is_nobody(self, error: &Error) -> bool {
        let Error::WebStream { error, .. } = error else {
            return false;
        };
        let url = Url::parse(self.base_url).ok();
        let is_here = url.is_some_and(|url| is_this_machine(&url));
        let innermost = innermost(error.as_ref());
        let cause = innermost.downcast_ref::<io::Error>();
        is_here && cause.is_some_and(|cause| cause.kind() == io::ErrorKind::ConnectionRefused)
    }

    fn failure(self, error: Error) -> ModelError {
        if let (Some(status), Some(headers)) = (error.status(), error.headers()) {
            return self.refusal(&FailedResponse {
                status,
                headers,
                said: said(body_of(&error)),
            });
        }
        match error {
            Error::WebStream { error, .. } => self.failure_of_connection(&*error),
            Error::ChatResponse { body, .. } => self.failure_in_stream(&body),
            Error::StreamParse { serde_error, .. } => {
                self.broken(&format!("a chunk is not valid JSON: {serde_error}"))
            }
            Error::JsonValueExt(error) => {
                self.broken(&format!("a chunk has an unexpected form: {error}"))
            }
            Error::Resolver { .. } | Error::RequiresApiKey { .. } | Error::NoAuthData { .. } => {
                self.refused(&format!("it needs a key: {}", self.connection.key_source))
            }
            error => self.refused(&first_line(&error.to_string())),
        }
    }

    fn refusal(self, response: &FailedResponse<'_>) -> ModelError {
        let FailedResponse { status, said, .. } = response;
        let message = &said.message;
        match Refusal::of(Some(status.as_u16()), said) {
            Refusal::TooLarge => self.overflow(sizes(said)),
            Refusal::WrongKey => self.refused(&format!(
                "{} rejected the key ({status}: {message}); {}",
                self.base_url, self.connection.key_source
            )),
            Refusal::NoSuchPath => self.refused(&format!(
                "{} has no such model or path ({status}: {message}); check `model.name` \
                 and `model.baseUrl`",
                self.base_url
            )),
            Refusal::Redirect => self.refused(&format!(
                "{} redirects ({status}{}), and your words are not sent there; check `model.baseUrl`, \
                 or log in with a browser if the network requires it",
                self.base_url,
                response
                    .headers
                    .get(LOCATION)
                    .and_then(|to| to.to_str().ok())
                    .map_or_else(String::new, |to| format!(" to {}", shown_address(to)))
            )),
            Refusal::EmptyAccount => self.refused(message),
            Refusal::RateLimit => self.rate_limited(retry_after(response.headers)),
            Refusal::Overloaded if status.is_server_error() && status.canonical_reason().is_some() => {
                self.unavailable(&format!("{status}: {message}"))
            }
            Refusal::Overloaded => self.unavailable(&format!("{}: {message}", status.as_u16())),
            Refusal::Form | Refusal::Other => self.refused(&format!("{status}: {message}")),
        }
    }

    /// An error sent instead of a piece of the reply.
    fn failure_in_stream(self, body: &Value) -> ModelError {
        let said = said_in(body);
        match Refusal::of(None, &said) {
            Refusal::TooLarge => self.overflow(sizes(&said)),
            Refusal::RateLimit => self.rate_limited(None),
            Refusal::Overloaded => self.unavailable(&said.message),
            _ => self.broken(&said.message),
        }
    }

    fn failure_of_connection(
        self,
        error: &(dyn std::error::Error + Send + Sync + 'static),
    ) -> ModelError {
        let sent = error.downcast_ref::<reqwest::Error>();
        let began = sent.is_none_or(|error| error.is_body() || error.is_decode());
        if sent.is_some_and(reqwest::Error::is_builder) {
            let causes = with_causes(error);
            return self.refused(&format!("cannot build the request: {causes}"));
        }
        if began {
            self.broken(&with_causes(error))
        } else {
            let (base_url, cause) = (self.base_url, root_cause(error));
            self.unavailable(&format!("cannot reach {base_url}: {cause}"))
        }
    }

    /// A web page arrived with a success status.
    pub(super) fn page(self) -> ModelError {
        self.refused(&format!(
            "{} returned a web page (text/html), not a model reply; check `model.baseUrl`, or log in with a \
             browser if the network requires it",
            self.base_url
        ))
    }

    /// The request exceeds the window; `said` are the sizes that the provider reported.
    pub(super) fn overflow(self, said: SaidSizes) -> ModelError {
        ModelError::ContextOverflow {
            model: self.connection.model.clone(),
            said,
        }
    }

    fn rate_limited(self, retry_after: Option<Duration>) -> ModelError {
        ModelError::RateLimited {
            model: self.connection.model.clone(),
            retry_after,
        }
    }

    fn refused(self, reason: &str) -> ModelError {
        ModelError::Refused {
            model: self.connection.model.clone(),
            reason: self.clean(reason),
        }
    }

    pub(super) fn unavailable(self, reason: &str) -> ModelError {
        ModelError::Unavailable {
            model: self.connection.model.clone(),
            reason: self.clean(reason),
        }
    }

    fn broken(self, reason: &str) -> ModelError {
        ModelError::Broken {
            model: self.connection.model.clone(),
            reason: self.clean(reason),
        }
    }

    /// Redacts a reason.
    fn clean(self, reason: &str) -> String {
        clean(self.connection.key.as_ref(), reason)
    }
}

/// The error of a response that came in place of a stream.
fn innermost_answer(error: Error) -> Error {
    let Error::WebStream {
        model_iden,
        cause,
        error,
    } = error
    else {
        return error;
    };
    match error.downcast() {
        Ok(error) => innermost_answer(*error),
        Err(error) => Error::WebStream {
            model_iden,
            cause,
            error,
        },
    }
}

fn body_of(error: &Error) -> &str {
    use genai::webc::Error::ResponseFailedStatus;
    match error {
        Error::HttpError { body, .. }
        | Error::WebModelCall {
            webc_error: ResponseFailedStatus { body, .. },
            ..
        } => body,
        _ => "",
    }
}

/// The wait that a server asks for: in milliseconds, in seconds, or until a date.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let milliseconds = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok());
    let seconds = milliseconds.map(|milliseconds| milliseconds / 1_000.0);
    let seconds = seconds.or_else(|| text(RETRY_AFTER.as_str())?.parse().ok());
    if let Some(seconds) = seconds {
        let wait = Duration::try_from_secs_f64(seconds).ok()?;
        return Some(wait.min(RETRY_AFTER_MAX));
    }
    // Relative to the server's own clock: ours may be wrong.
    let date = |name: &str| DateTime::parse_from_rfc2822(text(name)?).ok();
    let wait = date(RETRY_AFTER.as_str())? - date(DATE.as_str())?;
    Some(wait.to_std().unwrap_or_default().min(RETRY_AFTER_MAX))
}

/// An error and its causes, outermost first.
fn causes<'a>(
    error: &'a (dyn StdError + 'static),
) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |error| (*error).source())
}

/// The root cause: the errors around it only repeat the address.
fn innermost<'a>(error: &'a (dyn StdError + 'static)) -> &'a (dyn StdError + 'static) {
    causes(error).last().unwrap_or(error)
}

/// The root cause in words.
pub(crate) fn root_cause(error: &(dyn StdError + 'static)) -> String {
    first_line(&innermost(error).to_string())
}

pub(crate) fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}
