//! Decides whether to retry a request, and after how long.
//!
//! Pure; does not wait itself.

use std::time::Duration;

use backon::ExponentialBuilder;
use base::model::ModelError;

use super::Patience;

/// Maximum wait; the owner decides about longer ones.
const WAIT_MAX: Duration = Duration::from_mins(1);

/// The waits between attempts: doubling, with jitter so that many clients do not return at once.
pub(crate) fn waits(patience: Patience) -> ExponentialBuilder {
    ExponentialBuilder::default()
        .with_min_delay(patience.first_wait)
        .with_max_delay(WAIT_MAX)
        .with_max_times(patience.n_retries)
        .with_jitter()
}

#[derive(Debug)]
pub(super) struct Failed {
    pub(super) error: ModelError,
    pub(super) after: After,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// A reported error.
    Word,
    /// The server does not accept the form of the request.
    Form,
    /// No response, or no content in one, before the timeout.
    Silence,
    /// This machine refused the connection: nothing listens there.
    Nobody,
}

impl From<ModelError> for Failed {
    fn from(error: ModelError) -> Self {
        let after = After::Word;
        Self { error, after }
    }
}

impl Failed {
    pub(super) fn wait(&self, planned: Option<Duration>) -> Option<Duration> {
        match self.after {
            After::Word | After::Form => wait(&self.error, planned),
            // A second attempt would most likely time out as well, and only the owner can start a program that does not
            // run on this machine.
            After::Silence | After::Nobody => None,
        }
    }
}

/// The wait before the next attempt; `None` if a retry would not help or the server asks for too long a wait.
pub(super) fn wait(error: &ModelError, planned: Option<Duration>) -> Option<Duration> {
    let planned = planned?;
    match error {
        ModelError::Unavailable { .. } => Some(planned),
        ModelError::RateLimited { retry_after, .. } => within_reason(planned, *retry_after),
        ModelError::ContextOverflow { .. }
        | ModelError::Refused { .. }
        | ModelError::Broken { .. } => None,
    }
}

/// The longer of the planned wait and that asked for; `None` if the server asks for too long a wait.
pub(crate) fn within_reason(planned: Duration, asked: Option<Duration>) -> Option<Duration> {
    let asked = asked.unwrap_or_default();
    (asked <= WAIT_MAX).then(|| planned.max(asked))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[track_caller]
    fn check(error: &ModelError, expected: Option<Duration>) {
        assert_eq!(wait(error, Some(SECOND)), expected, "{error}");
        assert_eq!(wait(error, None), None, "{error}");
    }

    fn limited(retry_after: Option<u64>) -> ModelError {
        ModelError::RateLimited {
            model: "m".to_owned(),
            retry_after: retry_after.map(Duration::from_secs),
        }
    }

    #[test]
    fn retry_honours_retry_after_up_to_limit() {
        let (model, reason) = ("m".to_owned(), "r".to_owned());
        let unavailable = ModelError::Unavailable {
            model: model.clone(),
            reason: reason.clone(),
        };
        check(&unavailable, Some(SECOND));
        check(&limited(None), Some(SECOND));
        check(&limited(Some(0)), Some(SECOND));
        check(&limited(Some(60)), Some(Duration::from_mins(1)));
        check(&limited(Some(61)), None);
        let broken = ModelError::Broken {
            model: model.clone(),
            reason: reason.clone(),
        };
        let refused = ModelError::Refused {
            model: model.clone(),
            reason,
        };
        let said = base::model::SaidSizes::default();
        for error in [broken, refused, ModelError::ContextOverflow { model, said }] {
            check(&error, None);
        }
    }
}
