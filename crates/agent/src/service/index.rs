//! Keeps the index fresh, on a thread of its own.
//!
//! Blocks no search: the index answers from what it holds already.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use memory::{QUIET_DEFAULT, Watch, Workspace};
use search::{Degraded, IndexError, SyncReport};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::knowledge::Knowledge;
use crate::refresher::{Refresher, SyncOutcome};

/// The outcome of a refresh.
pub type IndexNews = Result<SyncReport, IndexError>;

/// A thread that syncs the index on request, and a watch over the notes that makes requests.
pub struct IndexRefresh {
    refresher: Arc<Refresher>,
    news: UnboundedReceiver<IndexNews>,
    watch: Option<Watch>,
    thread: JoinHandle<()>,
}

impl IndexRefresh {
    /// Starts the thread, which is the only user of `knowledge`.
    pub fn start(knowledge: Knowledge) -> Self {
        let refresher = Arc::new(Refresher::default());
        let (tell, news) = unbounded_channel();
        let own = Arc::clone(&refresher);
        let thread = thread::spawn(move || {
            let sync = || {
                let synced = knowledge.sync(&mut |_| {});
                let outcome = match &synced {
                    Ok(report) => SyncOutcome::Done {
                        unreadable: report.unreadable(),
                    },
                    Err(_) => SyncOutcome::Failed,
                };
                (outcome, synced)
            };
            // Whoever started this may have gone.
            own.serve(sync, |synced| drop(tell.send(synced)));
        });
        Self {
            refresher,
            news,
            watch: None,
            thread,
        }
    }

    /// Who asks for syncs from elsewhere.
    pub fn refresher(&self) -> Arc<Refresher> {
        Arc::clone(&self.refresher)
    }

    /// The same, which syncs whenever a note changes; where the notes cannot be watched, each question finds
    /// what changed by itself.
    #[must_use]
    pub fn watching(mut self, workspace: &Workspace) -> Self {
        let refresher = self.refresher();
        self.watch = Watch::start(workspace, QUIET_DEFAULT, move |_| refresher.request()).ok();
        self
    }

    /// Lets changed notes wait for the next request.
    pub fn stop_watching(&mut self) {
        self.watch = None;
    }

    /// Asks for a sync.
    pub fn request(&self) {
        self.refresher.request();
    }

    /// Whether a request waits for its sync.
    pub fn is_behind(&self) -> bool {
        self.refresher.is_behind()
    }

    /// Waits for the end of a sync.
    pub async fn next(&mut self) -> IndexNews {
        match self.news.recv().await {
            Some(news) => news,
            None => std::future::pending().await,
        }
    }

    /// Waits for the end of the sync under way and closes the index, so that the disk holds nothing half done.
    pub fn close(self) {
        drop(self.watch);
        self.refresher.close();
        // A thread that panicked has closed it, too.
        drop(self.thread.join());
    }

    /// A sync that has ended already.
    pub fn try_next(&mut self) -> Option<IndexNews> {
        self.news.try_recv().ok()
    }
}

/// Whether a sync mends what an answer lacked.
pub fn is_mended_by_refresh(degraded: Degraded) -> bool {
    match degraded {
        Degraded::Stale | Degraded::VectorsIncomplete => true,
        // Who writes it brings it up to date.
        Degraded::BeingWritten
        | Degraded::Unreadable
        | Degraded::NotWritable
        | Degraded::EmbedderFailed
        | Degraded::EmbedderMissing => false,
    }
}
