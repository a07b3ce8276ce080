//! A read-only sandbox, whose notices are each given once.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use base::TokenCount;

use crate::event::{Event, OnEvent};

const NO_FLUSH: &str = "Sandbox read-only mode: skipping memory flush";
const NO_COMPACTION: &str = "Sandbox read-only mode: skipping compaction";
const PRESSURE: &str =
    "Context Window pressure high in read-only sandbox; consider increasing contextWindow";

/// Settings and state of a run that writes nothing.
#[derive(Debug, Clone, Default)]
pub struct Sandbox {
    pub(crate) warn_at: Option<TokenCount>,
    /// Notices already given.
    reported: Arc<Mutex<BTreeSet<&'static str>>>,
}

impl Sandbox {
    /// Warns the owner of requests of this size; with `None`, of those that would trigger a compaction.
    pub fn new(warn_at: Option<TokenCount>) -> Self {
        Self {
            warn_at,
            reported: Arc::default(),
        }
    }

    /// Reports that notes are not written.
    pub(crate) fn report_no_flush(&self, on_event: OnEvent<'_>) {
        self.report_once(NO_FLUSH, Event::Notice, on_event);
    }

    /// Reports that nothing leaves the conversation.
    pub(crate) fn report_no_compaction(&self, on_event: OnEvent<'_>) {
        self.report_once(NO_COMPACTION, Event::Notice, on_event);
    }

    /// Warns that requests have become too large.
    pub(crate) fn warn_of_pressure(&self, on_event: OnEvent<'_>) {
        self.report_once(PRESSURE, Event::Warning, on_event);
    }

    /// Reports a condition only the first time it occurs.
    fn report_once(&self, words: &'static str, event: fn(String) -> Event, on_event: OnEvent<'_>) {
        let mut reported = base::locked(&self.reported);
        if reported.insert(words) {
            on_event(event(words.to_owned()));
        }
    }
}

/// Reports that a compaction requested by the owner is skipped.
pub(crate) fn report_no_compaction(on_event: OnEvent<'_>) {
    on_event(Event::Notice(NO_COMPACTION.to_owned()));
}

#[cfg(test)]
#[path = "sandbox_tests.rs"]
mod tests;
