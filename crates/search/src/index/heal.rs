//! Heals the index after a crash between the commits of its halves.
//!
//! The store is authoritative: it holds all texts, so the postings can be rebuilt from it.

use super::error::IndexError;
use super::lexical::{Lexical, PostingsWriter};
use super::store::Store;
use super::words::words;
use crate::terms::Analyser;

/// How many keys to read at a time.
const KEYS_MAX: u32 = 1_000;

/// Brings the postings to the store's generation. The caller holds the writer's lock.
pub(crate) fn heal(store: &Store, lexical: &Lexical) -> Result<(), IndexError> {
    let generation = store.generation()?;
    let written = lexical.written()?;
    if generation.is_that_of(written) {
        return Ok(());
    }
    let (intended, keys) = store.intent()?;
    let next = generation.next();
    if written == Some(next) && intended == next.number {
        // Only the postings were committed: just the stretches of the intent differ.
        return put(store, lexical, &keys);
    }
    refill(store, lexical)
}

fn put(store: &Store, lexical: &Lexical, keys: &[i64]) -> Result<(), IndexError> {
    let postings = lexical.writer()?;
    let mut analyser = Analyser::new();
    for key in keys {
        match store.whole_stretch(*key)? {
            Some(whole) => lexical.put(&postings, &whole, words(&whole, &mut analyser))?,
            None => lexical.remove(&postings, *key),
        }
    }
    commit(store, postings)
}

/// Rebuilds all postings from the store. The caller holds the writer's lock.
pub(crate) fn refill(store: &Store, lexical: &Lexical) -> Result<(), IndexError> {
    let postings = lexical.writer()?;
    postings.writer.delete_all_documents()?;
    let mut analyser = Analyser::new();
    let mut after = None;
    loop {
        let keys = store.keys_after(after, KEYS_MAX)?;
        for key in &keys {
            if let Some(whole) = store.whole_stretch(*key)? {
                lexical.put(&postings, &whole, words(&whole, &mut analyser))?;
            }
        }
        after = keys.last().copied();
        if after.is_none() {
            return commit(store, postings);
        }
    }
}

/// Commits, and waits for merges, so that no thread writes after the writer is gone.
fn commit(store: &Store, mut postings: PostingsWriter) -> Result<(), IndexError> {
    let generation = store.generation()?;
    let mut prepared = postings.writer.prepare_commit()?;
    prepared.set_payload(&generation.to_string());
    prepared.commit()?;
    postings.finish()
}
