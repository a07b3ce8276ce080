//! A step of a flush or a compaction as data: what models are to make of what was frozen, and where they lay it down.
//!
//! Borrows no turn: whoever holds one awaits the step or spawns it as a job, and puts what was made in its place.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use compaction::{FlushNotes, FlushOutcome, Rung, SummaryBrief};
use session::Turn;
use tokio::sync::Notify;

use crate::event::OnEvent;
use crate::extract::{extract, is_one_reading};
use crate::flush::{Announced, conclude};
use crate::notes::notes;
use crate::summarise::{Engines, Made, Writers, summarise};
use crate::{Runtime, TurnError};

/// What is to be made: notes, a summary, or both.
#[derive(Debug)]
pub(crate) struct Step {
    /// The flush that waits for its notes, which come first.
    pub(crate) announced: Option<Announced>,
    /// Who may write them.
    pub(crate) engines: Engines,
    /// What leaves, and the rung that is asked first for its summary.
    pub(crate) summary: Option<(SummaryBrief, Rung)>,
    /// Who makes all this.
    pub(crate) writers: Writers,
    /// When it began, on the monotonic clock.
    pub(crate) started: Duration,
}

impl Step {
    /// A step on what stands in a turn now.
    pub(crate) fn new(
        runtime: &Runtime,
        turn: &Turn,
        announced: Option<Announced>,
        summary: Option<(SummaryBrief, Rung)>,
    ) -> Self {
        Self {
            announced,
            engines: Engines::All,
            summary,
            writers: Writers::of(runtime, runtime.scale(turn.view())),
            started: runtime.clock.monotonic(),
        }
    }

    /// Asks the models, and lays down what each has made as soon as it is there.
    pub(crate) async fn make(&self, desk: &Desk) {
        let span = self.announced.as_ref().map(|announced| &announced.brief);
        if let (Some(span), Some((brief, rung))) = (span, &self.summary)
            && is_one_reading(&brief.plan.strategy, *rung)
        {
            let (notes, made) = extract(span, brief, &self.writers).await;
            desk.put(|tray| {
                tray.notes = Some(notes);
                tray.made = Some(made);
            });
            return;
        }
        if let Some(span) = span {
            let notes = notes(span, &self.writers, self.engines).await;
            desk.put(|tray| tray.notes = Some(notes));
        }
        if let Some((brief, rung)) = &self.summary {
            let made = summarise(brief, &self.writers, *rung).await;
            desk.put(|tray| tray.made = Some(made));
        }
    }

    /// Writes down the notes that lie on the desk; how that ended.
    pub(crate) fn write_notes(
        &self,
        runtime: &Runtime,
        turn: &mut Turn,
        desk: &Desk,
        on_event: OnEvent<'_>,
    ) -> Result<Option<FlushOutcome>, TurnError> {
        let notes = desk.tray().notes.take();
        match self.announced.as_ref().zip(notes) {
            Some(made) => conclude(runtime, turn, made, on_event).map(Some),
            None => Ok(None),
        }
    }
}

/// What has been made and not been taken.
#[derive(Debug, Default)]
struct Tray {
    notes: Option<Result<FlushNotes, String>>,
    made: Option<Made>,
    is_over: bool,
}

/// Where what was made lies until somebody with the lock of a turn takes it.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    tray: Mutex<Tray>,
    bell: Notify,
}

impl Desk {
    /// What came of the summary, once.
    pub(crate) fn take_made(&self) -> Made {
        self.tray().made.take().unwrap_or_default()
    }

    /// Nothing more will come.
    pub(crate) fn end(&self) {
        self.put(|tray| tray.is_over = true);
    }

    /// Whether nothing more will come; what was made may still lie there.
    pub(crate) fn is_over(&self) -> bool {
        self.tray().is_over
    }

    /// Whether there is something to take, or nothing more to wait for.
    pub(crate) fn has_news(&self) -> bool {
        let tray = self.tray();
        tray.notes.is_some() || tray.made.is_some() || tray.is_over
    }

    /// Waits until there is something to take, or nothing more to wait for.
    pub(crate) async fn news(&self) {
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
