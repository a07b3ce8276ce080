//! A model that answers from a trace.
//!
//! Generates nothing: refuses requests that differ from the trace or go beyond it.

use std::path::Path;
use std::sync::Mutex;

use base::disk::read_all;
use base::model::{Model, ModelError, ModelProfile, ReplyStream, Request};
use base::{Disk, TokenCount};
use futures_util::{StreamExt, stream};

use super::TraceError;
use super::format::{Exchange, TracePieces};

/// Maximum bytes of a trace.
const BYTES_MAX: u64 = 256 << 20;

/// The name of the model if the trace is empty.
const NAME: &str = "trace";

/// Replays the recorded answers, in order for each purpose, if the request equals the recorded one.
#[derive(Debug)]
pub struct ReplayingModel {
    profile: ModelProfile,
    /// Each with the number of its line.
    left: Mutex<Vec<(usize, Exchange)>>,
}

impl ReplayingModel {
    /// Reads a trace; takes name and window from the recorded model.
    pub fn open(disk: &dyn Disk, path: &Path) -> Result<Self, TraceError> {
        let bytes = read_all(disk, path, BYTES_MAX)?;
        let lines = bytes.split(|byte| *byte == b'\n');
        let lines = (1..).zip(lines).filter(|(_, line)| !line.is_empty());
        let exchanges: Result<Vec<(usize, Exchange)>, TraceError> = lines
            .map(|(number, line)| Ok((number, Exchange::read(number, line)?)))
            .collect();
        let exchanges = exchanges?;
        let first = exchanges.first().map(|(_, exchange)| exchange);
        let window = first.and_then(|exchange| exchange.context_window);
        let profile = ModelProfile {
            name: first.map_or_else(|| NAME.to_owned(), |exchange| exchange.model.clone()),
            context_window: window.map(TokenCount),
            concurrency: 1,
            only_quotes: false,
        };
        Ok(Self {
            profile,
            left: Mutex::new(exchanges),
        })
    }

    fn next(&self, request: &Request) -> TracePieces {
        let mut left = base::locked(&self.left);
        let mut waiting = left.iter().zip(0_usize..);
        let next = waiting.find(|((_, exchange), _)| exchange.purpose == request.purpose);
        let Some(((line, exchange), place)) = next else {
            let purpose = format!("{:?}", request.purpose).to_lowercase();
            let reason = format!("the trace has no more answers for the purpose {purpose}");
            return vec![Err(self.refusal(reason))];
        };
        let asked = Exchange::new(&self.profile, request, &TracePieces::new());
        if let Some(difference) = exchange.difference(&asked) {
            let reason = format!(
                "it differs from line {line} of the trace: {difference}; record a new one with OPENCLAW_RECORD"
            );
            return vec![Err(self.refusal(reason))];
        }
        left.remove(place).1.pieces()
    }

    fn refusal(&self, reason: String) -> ModelError {
        ModelError::Refused {
            model: self.profile.name.clone(),
            reason,
        }
    }
}

impl Model for ReplayingModel {
    fn profile(&self) -> ModelProfile {
        self.profile.clone()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        stream::iter(self.next(request)).boxed()
    }
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
