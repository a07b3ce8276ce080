//! Keeps the index fresh, on a thread of its own.
//!
//! Holds nobody up: whoever asks meanwhile is answered from what is indexed already.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

use memory::{QUIET_DEFAULT, Watch, Workspace};
use search::{Degraded, IndexError, SyncReport};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::knowledge::Knowledge;

/// What came of a refresh.
pub type IndexNews = Result<SyncReport, IndexError>;

/// A thread that syncs the index on request, and a watch over the notes that makes requests.
pub struct IndexRefresh {
    requests: Requests,
    news: UnboundedReceiver<IndexNews>,
    watch: Option<Watch>,
    thread: JoinHandle<()>,
}

#[derive(Debug, Clone)]
struct Requests {
    sender: Sender<()>,
    /// Those that no sync has met yet.
    n_open: Arc<AtomicUsize>,
}

impl Requests {
    fn send(&self) {
        self.n_open.fetch_add(1, Ordering::SeqCst);
        if self.sender.send(()).is_err() {
            // A thread that has ended meets none.
            self.n_open.store(0, Ordering::SeqCst);
        }
    }
}

impl IndexRefresh {
    /// Starts the thread, which is the only user of `knowledge`, so that no recall waits for it.
    pub fn start(knowledge: Knowledge) -> Self {
        let (sender, requests) = channel::<()>();
        let (tell, news) = unbounded_channel();
        let n_open = Arc::new(AtomicUsize::new(0));
        let own = Requests {
            sender,
            n_open: Arc::clone(&n_open),
        };
        let thread = thread::spawn(move || {
            while requests.recv().is_ok() {
                // One sync meets several requests.
                let n_met = 1 + requests.try_iter().count();
                let news = knowledge.sync(&mut |_| {});
                n_open.fetch_sub(n_met, Ordering::SeqCst);
                if tell.send(news).is_err() {
                    return;
                }
            }
        });
        Self {
            requests: own,
            news,
            watch: None,
            thread,
        }
    }

    /// The same, which syncs whenever a note changes; where the notes cannot be watched, each question finds
    /// what changed by itself.
    #[must_use]
    pub fn watching(mut self, workspace: &Workspace) -> Self {
        let requests = self.requests.clone();
        self.watch = Watch::start(workspace, QUIET_DEFAULT, move |_| requests.send()).ok();
        self
    }

    /// Lets changed notes wait for the next request.
    pub fn stop_watching(&mut self) {
        self.watch = None;
    }

    /// Asks for a sync.
    pub fn request(&self) {
        self.requests.send();
    }

    /// Whether a request waits for its sync.
    pub fn is_behind(&self) -> bool {
        self.requests.n_open.load(Ordering::SeqCst) > 0
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
        drop((self.requests, self.watch));
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
