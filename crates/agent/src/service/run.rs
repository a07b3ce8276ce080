//! The service: runs due work and reports the results.

use std::sync::Arc;

use dreaming::DreamSettings;

use super::backups::{BackUp, BackupNews, Backups};
use super::dreams::{DreamNews, Dreams};
use super::edits::{EditsNews, EditsWatch};
use super::index::{IndexNews, IndexRefresh};
use super::notes::{IdleNotes, NotesNews};
use super::promises::{Notify, PromiseNews, Promises, QuietHours};
use crate::jobs::idle::LOOK_EVERY;
use crate::runtime::Runtime;

/// The background work of a service.
pub struct Service {
    dreams: Dreams,
    edits: EditsWatch,
    notes: IdleNotes,
    index: IndexRefresh,
    backups: Backups,
    promises: Promises,
}

/// A result of the service's work.
#[derive(Debug)]
pub enum ServiceNews {
    /// A dream ended.
    Dream(DreamNews),
    /// The owner has decided about candidates in `DREAMS.md`, or it could not be read.
    Edits(EditsNews),
    /// An idle session was flushed, or could not be.
    Notes(NotesNews),
    /// The index was brought up to date.
    Index(IndexNews),
    /// A backup was made, or failed.
    Backup(BackupNews),
    /// A reminder was shown, or could not be.
    Promise(PromiseNews),
}

impl Service {
    /// Starts with the work that is due now, and watches the notes to keep the index fresh and to take in the owner's
    /// decisions.
    pub fn begin(runtime: &Runtime, settings: DreamSettings, index: IndexRefresh) -> Self {
        let beside = Arc::new(runtime.beside());
        let edits = EditsWatch::begin(runtime.home.clone());
        let index = index.watching(&runtime.home.workspace, edits.listener());
        Self {
            edits,
            dreams: Dreams::begin(runtime, settings).at_once(),
            notes: IdleNotes::new(beside),
            index,
            backups: Backups::new(Arc::new(|| None), Arc::clone(&runtime.home.clock)),
            promises: Promises::new(runtime.home.clone()),
        }
    }

    /// Also makes backups when they are due.
    #[must_use]
    pub fn backing_up(mut self, back_up: Arc<BackUp>) -> Self {
        self.backups.back_up = back_up;
        self
    }

    /// Also tells reminders when they are due.
    #[must_use]
    pub fn notifying(mut self, notify: Option<Arc<Notify>>, quiet: Option<QuietHours>) -> Self {
        if let Some(notify) = notify {
            self.promises.through(notify, quiet);
        }
        self
    }

    /// Runs what is due, and returns the next result.
    pub async fn next(&mut self) -> ServiceNews {
        loop {
            self.dreams.begin_if_due();
            self.backups.begin_if_due();
            self.promises.begin_if_due();
            if self.notes.begin_if_due() {
                self.index.request();
            }
            tokio::select! {
                biased;
                news = self.edits.next() => return ServiceNews::Edits(news),
                news = self.dreams.next() => return ServiceNews::Dream(news),
                news = self.notes.next() => return ServiceNews::Notes(news),
                news = self.index.next() => return ServiceNews::Index(news),
                news = self.backups.next() => return ServiceNews::Backup(news),
                news = self.promises.next() => if let Some(news) = news {
                    return ServiceNews::Promise(news);
                },
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
        }
    }

    /// Aborts the running dream and flush; the next service or chat starts them again. Returns the index, whose sync
    /// may still be running.
    pub async fn stop(mut self) -> IndexRefresh {
        self.dreams.stop().await;
        self.notes.stop().await;
        self.index
    }
}
