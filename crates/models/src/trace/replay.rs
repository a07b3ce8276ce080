//! A model that answers out of a trace.
//!
//! Thinks of nothing itself: beyond the trace it refuses.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use base::disk::read_all;
use base::model::{Model, ModelError, ModelProfile, ReplyStream, Request};
use base::{Disk, TokenCount};
use futures_util::{StreamExt, stream};

use super::TraceError;
use super::format::{Exchange, Pieces};

/// The largest trace that is read.
const BYTES_MAX: u64 = 256 << 20;

/// The name in its profile.
const NAME: &str = "trace";

/// A model that gives the answers of a trace, those for each purpose in their order.
#[derive(Debug)]
pub struct ReplayingModel {
    context_window: Option<TokenCount>,
    left: Mutex<Vec<Exchange>>,
}

impl ReplayingModel {
    /// Reads a trace; the window is that of the model which was recorded, where it matters.
    ///
    /// # Errors
    ///
    /// [`TraceError`] where the file cannot be read or holds something else.
    pub fn open(
        disk: &dyn Disk,
        path: &Path,
        context_window: Option<TokenCount>,
    ) -> Result<Self, TraceError> {
        let bytes = read_all(disk, path, BYTES_MAX)?;
        let lines = bytes.split(|byte| *byte == b'\n');
        let lines = (1..).zip(lines).filter(|(_, line)| !line.is_empty());
        let exchanges: Result<Vec<Exchange>, TraceError> = lines
            .map(|(number, line)| Exchange::read(number, line))
            .collect();
        Ok(Self {
            context_window,
            left: Mutex::new(exchanges?),
        })
    }

    fn next(&self, request: &Request) -> Pieces {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let place = left.iter().position(|it| it.is_for(request.purpose));
        match place {
            Some(place) => left.remove(place).pieces(),
            None => vec![Err(ModelError::Refused {
                model: NAME.to_owned(),
                reason: format!("the trace holds no more answers for {:?}", request.purpose),
            })],
        }
    }
}

impl Model for ReplayingModel {
    fn profile(&self) -> ModelProfile {
        ModelProfile {
            name: NAME.to_owned(),
            context_window: self.context_window,
            concurrency: 1,
        }
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        stream::iter(self.next(request)).boxed()
    }
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
