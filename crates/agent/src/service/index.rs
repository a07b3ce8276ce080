//! Keeps the index fresh on its own thread.
//!
//! Never blocks a search: the index answers from its current state.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use memory::{QUIET_DEFAULT, Watch, Workspace, WorkspaceEvent};
use search::{Degraded, IndexError, SyncReport};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::knowledge::index::Knowledge;
use crate::knowledge::refresher::Refresher;

/// The result of a sync.
pub type IndexNews = Result<SyncReport, IndexError>;

/// A thread that syncs the index on request, and a file watch on the notes that requests syncs.
pub struct IndexRefresh {
    refresher: Arc<Refresher>,
    news: UnboundedReceiver<IndexNews>,
    watch: Option<Watch>,
    thread: JoinHandle<()>,
}

impl IndexRefresh {
    /// Starts the thread, which takes over `knowledge`.
    pub fn start(knowledge: Knowledge) -> Self {
        let refresher = Arc::new(Refresher::default());
        let (tell, news) = unbounded_channel();
        let own = Arc::clone(&refresher);
        let thread = thread::spawn(move || {
            let sync = || {
                let synced = knowledge.sync(&mut |_| {});
                let unreadable = synced.as_ref().ok().map(SyncReport::unreadable);
                (unreadable, synced)
            };
            // The receiver may be gone already.
            own.serve(sync, |synced| drop(tell.send(synced)));
        });
        Self {
            refresher,
            news,
            watch: None,
            thread,
        }
    }

    /// A handle that requests syncs.
    pub fn refresher(&self) -> Arc<Refresher> {
        Arc::clone(&self.refresher)
    }

    /// Also syncs whenever a note changes, after `also` heard of the change; if the notes cannot be watched, each
    /// search finds the changes itself.
    #[must_use]
    pub fn watching(
        mut self,
        workspace: &Workspace,
        also: impl Fn(&WorkspaceEvent) + Send + 'static,
    ) -> Self {
        let refresher = self.refresher();
        let on_event = move |event| {
            also(&event);
            refresher.request();
        };
        self.watch = Watch::start(workspace, QUIET_DEFAULT, on_event).ok();
        self
    }

    /// Stops the watch; changed notes then wait for the next request.
    pub fn stop_watching(&mut self) {
        self.watch = None;
    }

    /// Requests a sync.
    pub fn request(&self) {
        self.refresher.request();
    }

    /// Whether a request is still waiting for its sync.
    pub fn is_behind(&self) -> bool {
        self.refresher.is_behind()
    }

    /// Waits for the next sync to end.
    pub async fn next(&mut self) -> IndexNews {
        match self.news.recv().await {
            Some(news) => news,
            None => std::future::pending().await,
        }
    }

    /// Waits for the running sync and closes the index, so that nothing half-written stays on disk.
    pub fn close(self) {
        drop(self.watch);
        self.refresher.close();
        // A panicked thread has closed the index too.
        drop(self.thread.join());
    }

    /// The result of a sync that has already ended.
    pub fn try_next(&mut self) -> Option<IndexNews> {
        self.news.try_recv().ok()
    }
}

/// Whether a sync can fix this degradation.
pub fn is_mended_by_refresh(degraded: Degraded) -> bool {
    match degraded {
        Degraded::Stale | Degraded::VectorsIncomplete => true,
        // The process that writes the index brings it up to date.
        Degraded::BeingWritten
        | Degraded::Unreadable
        | Degraded::NotWritable
        | Degraded::EmbedderFailed
        | Degraded::EmbedderMissing => false,
    }
}
