//! Flushes notes while a chat is idle, applies the results of background jobs, and dreams at the end.
//!
//! Never keeps the owner waiting for a line that is typed.

use std::future::pending;
use std::pin::pin;
use std::time::Duration;

use agent::service::{Activity, Dreams, DueWatch, UnflushedState};
use agent::{FlushReason, PollOutcome, TurnError, flush, poll_jobs, tell_due};
use cli::error::{CliError, ErrorKind};
use cli::executor::interrupt;
use cli::serving::news_in_words;

use super::event_printer::EventPrinter;
use super::input::{Input, InputEvent, InputPlace};
use super::opening::Opened;
use super::talk::Talk;

/// A dream at the end of a chat that takes longer is announced.
const ANNOUNCED_AFTER: Duration = Duration::from_secs(1);

impl Talk<'_, '_, '_> {
    /// Flushes the messages that an earlier process left, if the session is idle; Ctrl-C postpones it.
    pub(super) async fn flush_rested(&mut self) -> Result<(), CliError> {
        let mut teller = EventPrinter::new(self.context);
        let mut on_event = |event| teller.tell(&event);
        let Opened { runtime, name, .. } = &self.opened;
        let flushed = tokio::select! {
            biased;
            flushed = flush(runtime, name, FlushReason::Idle, &mut on_event) => flushed.map(|_| ()),
            () = interrupt() => Ok(()),
        };
        teller.finish()?;
        self.tell_unless_locked(flushed)
    }

    /// Flushes notes while the prompt waits. Input cancels the flush, is returned at once, and leaves the rest for
    /// the next flush.
    pub(super) async fn flush_waiting(&mut self) -> Result<Option<InputEvent>, CliError> {
        let Input { heard, place, .. } = &mut self.input;
        let mut teller = EventPrinter::above(self.context.output, place);
        let mut on_event = |event| teller.tell(&event);
        let Opened { runtime, name, .. } = &self.opened;
        let flushed = tokio::select! {
            biased;
            heard = heard.recv() => Err(heard.unwrap_or(InputEvent::Ended)),
            flushed = flush(runtime, name, FlushReason::ChatEnd, &mut on_event) => Ok(flushed.map(|_| ())),
        };
        teller.finish()?;
        match flushed {
            Err(heard) => Ok(Some(heard)),
            Ok(flushed) => {
                self.activity =
                    Activity::now(self.opened.activity_snapshot(), UnflushedState::Tried);
                self.tell_unless_locked(flushed)?;
                Ok(None)
            }
        }
    }

    /// Applies finished background jobs while the prompt waits.
    pub(super) fn tend(&mut self) -> Result<PollOutcome, CliError> {
        let mut teller = EventPrinter::above(self.context.output, &mut self.input.place);
        let mut on_event = |event| teller.tell(&event);
        let Opened { runtime, name, .. } = &self.opened;
        let tended = poll_jobs(runtime, name, &mut on_event);
        teller.finish()?;
        // Our own writes do not count as activity.
        self.activity.seen.len = self.opened.activity_snapshot().len;
        match tended {
            Ok(tended) => Ok(tended),
            Err(error) => {
                self.report_and_continue(error.into())?;
                Ok(PollOutcome::Held)
            }
        }
    }

    /// Prints the reminders that are due above the prompt.
    pub(super) fn show_due(&mut self) -> Result<(), CliError> {
        let mut teller = EventPrinter::above(self.context.output, &mut self.input.place);
        let mut on_event = |event| teller.tell(&event);
        tell_due(&self.opened.runtime, &self.opened.name, &mut on_event);
        teller.finish()
    }

    /// Runs a due dream over the earlier notes, as `chat -m` does: an owner who never leaves a chat open gets dreams
    /// too. Ctrl-C postpones it.
    pub(super) async fn dream_if_due(&mut self) {
        let dreams = Dreams::begin(&self.opened.runtime, self.opened.dreaming.clone()).at_once();
        let mut news = pin!(dreams.once(interrupt()));
        let is_at_terminal = self.is_at_terminal();
        let mut is_announced = !is_at_terminal;
        let news = loop {
            tokio::select! {
                biased;
                news = &mut news => break news,
                () = tokio::time::sleep(ANNOUNCED_AFTER), if !is_announced => {
                    is_announced = true;
                    self.aside("A dream is due and reads your notes... Ctrl-C postpones it.");
                }
            }
        };
        if let Some(news) = news {
            self.aside(&news_in_words(news));
        }
    }

    /// Reports a failed flush unless another turn holds the session: that turn, or a later flush, writes the notes.
    pub(super) fn tell_unless_locked(
        &mut self,
        flushed: Result<(), TurnError>,
    ) -> Result<(), CliError> {
        match flushed.map_err(CliError::from) {
            Err(error) if error.kind != ErrorKind::Locked => self.report_and_continue(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

/// Watches the reminders that a session shows at a terminal; elsewhere the next turn shows them.
pub(super) fn due_watch(opened: &Opened, place: &InputPlace) -> Option<DueWatch> {
    let runtime = &opened.runtime;
    let is_at_terminal = matches!(place, InputPlace::Terminal(_));
    let may_show = runtime.sandbox.is_none() && runtime.is_primary(&opened.name);
    (is_at_terminal && may_show).then(|| DueWatch::begin(runtime.home.clone()))
}

/// Waits until a reminder is due; never returns without a watch.
pub(super) async fn next_due(watch: Option<&mut DueWatch>) {
    match watch {
        Some(watch) => watch.due().await,
        None => pending().await,
    }
}
