//! Classifies failures of an embedding server, and decides whether to retry.
//!
//! Pure; does not retry itself.

use std::time::Duration;

use base::EmbedError;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use crate::ApiKey;
use crate::remote::{Refusal, clean, retry_after, said, within_reason};

/// Why there are no vectors, with the reason in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// Temporary; with the wait that the server asks for.
    Passing(String, Option<Duration>),
    /// The server cannot be reached now.
    Unreachable(String),
    /// Too many or too long texts for one request.
    TooMuch(String),
    /// Permanent: a retry fails as well.
    Lasting(String),
    /// The answer is not a list of vectors.
    Unusable(String),
}

impl Failure {
    /// Classifies an error status.
    pub(super) fn of_status(status: StatusCode, headers: &HeaderMap, body: &str) -> Self {
        let said = said(body);
        let message = &said.message;
        let said_so = || format!("{status}: {message}");
        match Refusal::of(Some(status.as_u16()), &said) {
            Refusal::WrongKey => Self::Lasting(format!("it rejected the key ({})", said_so())),
            Refusal::NoSuchPath => {
                Self::Lasting(format!("it has no such model or path ({})", said_so()))
            }
            Refusal::EmptyAccount => Self::Lasting(message.clone()),
            Refusal::RateLimit => {
                let reason = format!("too many requests ({message})");
                Self::Passing(reason, retry_after(headers))
            }
            Refusal::TooLarge | Refusal::Form => Self::TooMuch(said_so()),
            Refusal::Overloaded => Self::Passing(said_so(), None),
            Refusal::Redirect | Refusal::Other => Self::Lasting(said_so()),
        }
    }

    /// The wait before the next attempt, where `first` is the first planned wait; `None` if a retry would not help or
    /// the server asks for too long a wait.
    pub(super) fn wait(&self, planned: Option<Duration>, first: Duration) -> Option<Duration> {
        let planned = planned?;
        match self {
            // Retry an unreachable server only once: somebody may be waiting.
            Self::Unreachable(_) => (planned < first * 2).then_some(planned),
            Self::Passing(_, retry_after) => within_reason(planned, *retry_after),
            Self::TooMuch(_) | Self::Lasting(_) | Self::Unusable(_) => None,
        }
    }

    /// Converts into the error of the port, and redacts the reason.
    pub(super) fn told(self, name: String, key: Option<&ApiKey>) -> EmbedError {
        let is_unusable = matches!(self, Self::Unusable(_));
        let (Self::Passing(reason, _)
        | Self::Unreachable(reason)
        | Self::TooMuch(reason)
        | Self::Lasting(reason)
        | Self::Unusable(reason)) = self;
        let reason = clean(key, &reason);
        if is_unusable {
            return EmbedError::Unusable { name, reason };
        }
        EmbedError::Unavailable { name, reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wait_applies_only_to_temporary_failures() {
        let second = Duration::from_secs(1);
        let wait = |status: u16, headers: &[(&'static str, &str)]| {
            let headers = headers.iter().map(|(name, value)| {
                let name = reqwest::header::HeaderName::from_static(name);
                (name, value.parse().unwrap())
            });
            let status = StatusCode::from_u16(status).unwrap();
            Failure::of_status(status, &headers.collect(), "{}").wait(Some(second), second)
        };
        let after = |seconds: &str| wait(429, &[("retry-after", seconds)]);
        let waits = [500, 503, 429, 408].map(|status| wait(status, &[]));
        assert_eq!(waits, [Some(second); 4]);
        assert_eq!(after("7"), Some(Duration::from_secs(7)));
        assert_eq!(after("61"), None);
        let waits = [400, 401, 403, 404, 413, 418, 422].map(|status| wait(status, &[]));
        assert_eq!(waits, [None; 7]);
        let gone = Failure::Unreachable(String::new());
        let planned = [Some(second), Some(2 * second), None];
        let waits = planned.map(|planned| gone.wait(planned, second));
        assert_eq!(waits, [Some(second), None, None]);
    }
}
