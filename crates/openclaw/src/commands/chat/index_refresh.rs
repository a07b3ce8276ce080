//! Reports the results of background syncs of the index, and waits for them at the end of a chat.
//!
//! Syncs nothing itself.

use std::future::pending;
use std::time::Duration;

use agent::service::{EditsNews, EditsWatch, IndexNews, IndexRefresh};
use agent::{Event, Knowledge};
use cli::executor::interrupt;
use cli::serving::refresh_failure;
use tokio::time::timeout;

use super::event_printer::EventPrinter;
use crate::prelude::*;

/// How long the end of a chat or service waits for a sync; the next process completes one that takes longer.
const END_WAIT: Duration = Duration::from_secs(30);

/// How long the exit waits before a message says why.
const END_SILENCE: Duration = Duration::from_secs(1);

/// Waits a limited time for the running sync to end; Ctrl-C abandons it.
pub(crate) async fn finish(mut index: IndexRefresh, output: &mut Output<'_>) {
    index.stop_watching();
    let is_done = tokio::select! {
        biased;
        is_done = wait(&mut index, output) => is_done,
        () = interrupt() => false,
    };
    while let Some(news) = index.try_next() {
        warn(news, output);
    }
    if is_done {
        index.close();
    } else {
        output.warn("the index is still out of date; run `openclaw memory index` to update it");
    }
}

/// Waits until every request is served; returns whether that happened in time.
async fn wait(index: &mut IndexRefresh, output: &mut Output<'_>) -> bool {
    if timeout(END_SILENCE, meet(index, output)).await.is_ok() {
        return true;
    }
    output.tell_aside("Updating the index... Ctrl-C postpones the rest.");
    timeout(END_WAIT, meet(index, output)).await.is_ok()
}

async fn meet(index: &mut IndexRefresh, output: &mut Output<'_>) {
    while index.is_behind() {
        warn(index.next().await, output);
    }
}

fn warn(news: IndexNews, output: &mut Output) {
    if let Some(warning) = news.err().and_then(refresh_failure) {
        output.warn(&warning);
    }
}

/// Reports the result of a sync, unless it found nothing new.
pub(super) fn tell_news(news: IndexNews, teller: &mut EventPrinter) {
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
            if let Some(warning) = refresh_failure(error) {
                teller.tell(&Event::Warning(warning));
            }
        }
    }
}

pub(super) async fn next_news(index: Option<&mut IndexRefresh>) -> IndexNews {
    match index {
        Some(index) => index.next().await,
        None => pending().await,
    }
}

pub(super) async fn next_edits(edits: Option<&mut EditsWatch>) -> EditsNews {
    match edits {
        Some(edits) => edits.next().await,
        None => pending().await,
    }
}

pub(super) async fn catch_up(knowledge: Knowledge, output: &mut Output<'_>) {
    let index = IndexRefresh::start(knowledge);
    index.request();
    finish(index, output).await;
}
