//! Keeps the index fresh while a chat goes on, on a thread of its own.
//!
//! Holds nobody up: whoever asks meanwhile is answered from what is indexed already.

use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use agent::{Event, Knowledge};
use memory::search::Degraded;
use memory::sync::SyncReport;
use memory::{IndexError, QUIET_DEFAULT, Watch, Workspace};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use super::telling::Teller;
use crate::executor::interrupt;
use crate::prelude::*;

/// How long the end of a chat waits for a sync; one that takes longer is left, and the next process
/// heals what it had begun.
const END_WAIT: Duration = Duration::from_secs(30);

/// After so long the owner is told what the end waits for.
const END_SILENCE: Duration = Duration::from_secs(1);

/// A thread that syncs when it is asked to, and a watch over the notes that asks.
pub(super) struct Freshness {
    wishes: Wishes,
    news: UnboundedReceiver<News>,
    watch: Option<Watch>,
}

/// What came of a sync.
pub(super) type News = Result<SyncReport, IndexError>;

#[derive(Debug, Clone)]
struct Wishes {
    wanted: Sender<()>,
    /// Those that no sync has met yet.
    n_open: Arc<AtomicUsize>,
}

impl Wishes {
    fn want(&self) {
        self.n_open.fetch_add(1, Ordering::SeqCst);
        if self.wanted.send(()).is_err() {
            // A thread that has ended meets none.
            self.n_open.store(0, Ordering::SeqCst);
        }
    }

    fn are_met(&self) -> bool {
        self.n_open.load(Ordering::SeqCst) == 0
    }
}

impl Freshness {
    /// Starts the thread; it has an index of its own, so that no recall waits for it.
    pub(super) fn start(knowledge: Knowledge) -> Self {
        let (wanted, wants) = channel::<()>();
        let (tell, news) = unbounded_channel();
        let n_open = Arc::new(AtomicUsize::new(0));
        let wishes = Wishes {
            wanted,
            n_open: Arc::clone(&n_open),
        };
        thread::spawn(move || {
            while wants.recv().is_ok() {
                // Several wishes are met by one sync.
                let n_met = 1 + wants.try_iter().count();
                let news = knowledge.sync(&mut |_| {});
                n_open.fetch_sub(n_met, Ordering::SeqCst);
                if tell.send(news).is_err() {
                    return;
                }
            }
        });
        Self {
            wishes,
            news,
            watch: None,
        }
    }

    /// The same, which syncs whenever a note was changed; where the notes cannot be watched, each
    /// question finds what changed by itself.
    pub(super) fn watching(mut self, workspace: &Workspace) -> Self {
        let wishes = self.wishes.clone();
        self.watch = Watch::start(workspace, QUIET_DEFAULT, move |_| wishes.want()).ok();
        self
    }

    pub(super) fn want(&self) {
        self.wishes.want();
    }

    pub(super) async fn next(&mut self) -> News {
        match self.news.recv().await {
            Some(news) => news,
            None => pending().await,
        }
    }

    /// Lets the sync that is under way come to its end, but not for ever; Ctrl-C leaves it.
    pub(super) async fn end(mut self, output: &mut Output<'_>) {
        self.watch = None;
        let is_done = tokio::select! {
            biased;
            is_done = self.wait(output) => is_done,
            () = interrupt() => false,
        };
        while let Ok(news) = self.news.try_recv() {
            warn(news, output);
        }
        if !is_done {
            output.warn(
                "the index is still behind your notes; `openclaw memory index` brings it up to date",
            );
        }
    }

    /// Waits until every wish is met; whether that came in time.
    async fn wait(&mut self, output: &mut Output<'_>) -> bool {
        if timeout(END_SILENCE, self.meet(output)).await.is_ok() {
            return true;
        }
        output.tell_aside("Indexing what is new... Ctrl-C leaves it for the next time.");
        timeout(END_WAIT, self.meet(output)).await.is_ok()
    }

    async fn meet(&mut self, output: &mut Output<'_>) {
        while !self.wishes.are_met() {
            warn(self.next().await, output);
        }
    }
}

fn warn(news: News, output: &mut Output) {
    if let Some(warning) = news.err().and_then(failed) {
        output.warn(&warning);
    }
}

/// What is told of a sync that failed; where another process syncs, that is nothing.
fn failed(error: IndexError) -> Option<String> {
    let is_elsewhere = matches!(error, IndexError::Locked { .. });
    let reason = CliError::from(error).one_line();
    (!is_elsewhere).then(|| format!("the index is not up to date: {reason}"))
}

/// Tells what came of a sync; nothing where nothing was new.
pub(super) fn tell_news(news: News, teller: &mut Teller) {
    match news {
        Ok(synced) => {
            let unreadable = synced.unreadable();
            if synced.n_changed > 0 || synced.n_gone > 0 || !unreadable.is_empty() {
                teller.object(&json!({
                    "event": "indexed",
                    "changed": synced.n_changed,
                    "gone": synced.n_gone,
                    "unreadable": unreadable,
                }));
            }
        }
        Err(error) => {
            if let Some(warning) = failed(error) {
                teller.tell(&Event::Warning(warning));
            }
        }
    }
}

pub(super) async fn next_news(freshness: Option<&mut Freshness>) -> News {
    match freshness {
        Some(freshness) => freshness.next().await,
        None => pending().await,
    }
}

/// Whether a sync mends what an answer lacked.
pub(super) fn helps(degraded: Degraded) -> bool {
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

pub(super) async fn catch_up(knowledge: Knowledge, output: &mut Output<'_>) {
    let freshness = Freshness::start(knowledge);
    freshness.want();
    freshness.end(output).await;
}
