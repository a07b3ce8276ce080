//! Where a job lays down what it has made, until somebody with the lock of a turn takes it.
//!
//! Knows nothing of transcripts.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use compaction::{FlushNotes, Rung, SummaryBrief};
use tokio::sync::Notify;

use crate::extract::{extract, is_one_reading};
use crate::notes::{NotesBrief, notes};
use crate::summarise::{Engines, Made, Writers, summarise};

/// What a job is to make.
#[derive(Debug)]
pub(super) struct Order {
    /// Notes, first.
    pub(super) notes: Option<NotesBrief>,
    /// A summary by this rung or one below it.
    pub(super) summary: Option<(SummaryBrief, Rung)>,
    /// Who makes them.
    pub(super) writers: Writers,
}

/// What has been made and not been taken.
#[derive(Debug, Default)]
struct Tray {
    notes: Option<Result<FlushNotes, String>>,
    made: Option<Made>,
    is_over: bool,
}

/// The desk of one job.
#[derive(Debug, Default)]
pub(super) struct Desk {
    tray: Mutex<Tray>,
    bell: Notify,
}

impl Desk {
    /// The notes, once.
    pub(super) fn take_notes(&self) -> Option<Result<FlushNotes, String>> {
        self.tray().notes.take()
    }

    /// What came of the summary, once.
    pub(super) fn take_made(&self) -> Option<Made> {
        self.tray().made.take()
    }

    /// Whether nothing more will come; what was made may still lie there.
    pub(super) fn is_over(&self) -> bool {
        self.tray().is_over
    }

    /// Whether there is something to take, or nothing more to wait for.
    pub(super) fn has_news(&self) -> bool {
        let tray = self.tray();
        tray.notes.is_some() || tray.made.is_some() || tray.is_over
    }

    /// Waits until there is something to take, or nothing more to wait for.
    pub(super) async fn news(&self) {
        loop {
            let bell = self.bell.notified();
            if self.has_news() {
                return;
            }
            bell.await;
        }
    }

    fn put(&self, put: impl FnOnce(&mut Tray)) {
        put(&mut self.tray());
        self.bell.notify_waiters();
    }

    fn tray(&self) -> MutexGuard<'_, Tray> {
        // What lies here is whole at any moment.
        self.tray.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says that nothing more will come, however the job ends.
pub(super) struct Leaving(pub(super) Arc<Desk>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.put(|tray| tray.is_over = true);
    }
}

/// Makes what is ordered; touches nothing but the desk. `leaving` exists before the work begins, for a job may be ended
/// before its first step.
pub(super) async fn work(order: Order, leaving: Leaving) {
    let desk = &leaving.0;
    if let (Some(noted), Some((brief, rung))) = (&order.notes, &order.summary)
        && is_one_reading(&brief.plan.strategy, *rung)
    {
        let (notes, made) = extract(noted, brief, &order.writers).await;
        desk.put(|tray| {
            tray.notes = Some(notes);
            tray.made = Some(made);
        });
        return;
    }
    if let Some(brief) = &order.notes {
        let notes = notes(brief, &order.writers, Engines::All).await;
        desk.put(|tray| tray.notes = Some(notes));
    }
    if let Some((brief, rung)) = &order.summary {
        let made = summarise(brief, &order.writers, *rung).await;
        desk.put(|tray| tray.made = Some(made));
    }
}
