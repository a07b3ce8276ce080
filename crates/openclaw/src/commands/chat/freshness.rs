//! Keeps the index fresh while a chat goes on, on a thread of its own.
//!
//! Holds nobody up: whoever asks meanwhile is answered from what is indexed already.

use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use agent::Knowledge;
use memory::search::Degraded;
use memory::sync::SyncReport;
use memory::{IndexError, QUIET_DEFAULT, Watch, Workspace};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use super::event::ChatEvent;
use super::interrupt::interrupt;
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum News {
    Indexed {
        n_changed: usize,
        n_gone: usize,
        unreadable: Vec<String>,
    },
    Left,
    Failed(String),
}

/// Asks for syncs.
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
                let news = News::of(knowledge.sync(&mut |_| {}));
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

    /// Asks for a sync; returns at once.
    pub(super) fn want(&self) {
        self.wishes.want();
    }

    /// What came of the next sync.
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
            news.warn(output);
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
            self.next().await.warn(output);
        }
    }
}

impl News {
    fn of(synced: Result<SyncReport, IndexError>) -> Self {
        match synced {
            Ok(report) => Self::Indexed {
                n_changed: report.n_changed,
                n_gone: report.n_gone,
                unreadable: report.unreadable(),
            },
            Err(IndexError::Locked(..)) => Self::Left,
            Err(error) => Self::Failed(CliError::from(error).one_line()),
        }
    }

    /// What of it is told; nothing where nothing was new.
    pub(super) fn event(self) -> Option<ChatEvent> {
        match self {
            Self::Indexed {
                n_changed,
                n_gone,
                unreadable,
            } => {
                let is_news = n_changed > 0 || n_gone > 0 || !unreadable.is_empty();
                is_news.then_some(ChatEvent::Indexed {
                    changed: n_changed as u64,
                    gone: n_gone as u64,
                    unreadable,
                })
            }
            Self::Left => None,
            Self::Failed(reason) => Some(ChatEvent::Warning {
                message: not_up_to_date(&reason),
            }),
        }
    }

    fn warn(self, output: &mut Output) {
        if let Self::Failed(reason) = self {
            output.warn(&not_up_to_date(&reason));
        }
    }
}

fn not_up_to_date(reason: &str) -> String {
    format!("the index is not up to date: {reason}")
}

/// Waits for what comes of a sync, where there are any.
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

/// Lets an index that is far behind catch up once.
pub(super) async fn catch_up(knowledge: Knowledge, output: &mut Output<'_>) {
    let freshness = Freshness::start(knowledge);
    freshness.want();
    freshness.end(output).await;
}
