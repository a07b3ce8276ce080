//! A read-only sandbox, and the notices of it, each given once.
//!
//! Never writes anything.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use base::TokenCount;

use crate::event::{Event, OnEvent};

const NO_FLUSH: &str = "Sandbox read-only mode: skipping memory flush";
const NO_COMPACTION: &str = "Sandbox read-only mode: skipping compaction";
const PRESSURE: &str =
    "Context Window pressure high in read-only sandbox; consider increasing contextWindow";

/// What is different where nothing may be written.
#[derive(Debug, Clone, Default)]
pub struct Sandbox {
    pub(crate) warn_at: Option<TokenCount>,
    /// What the owner knows already.
    reported: Arc<Mutex<BTreeSet<&'static str>>>,
}

impl Sandbox {
    /// One in which the owner is warned of requests of this size; where it is `None`, of those that would
    /// call for a compaction.
    pub fn new(warn_at: Option<TokenCount>) -> Self {
        Self {
            warn_at,
            reported: Arc::default(),
        }
    }

    /// Tells that no notes are written.
    pub(crate) fn report_no_flush(&self, on_event: OnEvent<'_>) {
        self.report_once(NO_FLUSH, Event::Notice, on_event);
    }

    /// Tells that nothing leaves the conversation.
    pub(crate) fn report_no_compaction(&self, on_event: OnEvent<'_>) {
        self.report_once(NO_COMPACTION, Event::Notice, on_event);
    }

    /// Warns that the requests have become too large.
    pub(crate) fn warn_of_pressure(&self, on_event: OnEvent<'_>) {
        self.report_once(PRESSURE, Event::Warning, on_event);
    }

    /// What holds for every request from here on is reported with the first.
    fn report_once(&self, words: &'static str, event: fn(String) -> Event, on_event: OnEvent<'_>) {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if reported.insert(words) {
            on_event(event(words.to_owned()));
        }
    }
}

/// Tells the owner, who asked for it, that nothing leaves the conversation.
pub(crate) fn report_no_compaction(on_event: OnEvent<'_>) {
    on_event(Event::Notice(NO_COMPACTION.to_owned()));
}

#[cfg(test)]
#[path = "sandbox_tests.rs"]
mod tests;
