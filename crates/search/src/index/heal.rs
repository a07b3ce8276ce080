//! Brings both halves of the index to one state after a crash between their commits.
//!
//! The store decides: it holds all texts, so that postings can always be made from it.

use super::error::IndexError;
use super::lexical::{Lexical, PostingsWriter};
use super::schema::Generation;
use super::store::Store;
use super::words::words;
use crate::terms::Analyser;

/// How many stretches are looked up at a time.
const KEYS_MAX: u32 = 1_000;

/// Makes the postings those of the store's generation. The caller holds the writer's lock.
pub(crate) fn heal(store: &Store, lexical: &Lexical) -> Result<(), IndexError> {
    let generation = store.generation()?;
    let written = lexical.written()?;
    if generation.is_that_of(written) {
        return Ok(());
    }
    let (intended, keys) = store.intent()?;
    let next = Generation {
        number: generation.number + 1,
        ..generation
    };
    if written == Some(next) && intended == next.number {
        // The postings were committed and the store was not: only the stretches that were meant differ.
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

/// Makes all postings anew from the store. The caller holds the writer's lock.
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

/// Commits, and waits for the threads that merge: what they write later would belong to no writer.
fn commit(store: &Store, mut postings: PostingsWriter) -> Result<(), IndexError> {
    let generation = store.generation()?;
    let mut prepared = postings.writer.prepare_commit()?;
    prepared.set_payload(&generation.to_string());
    prepared.commit()?;
    postings.finish()
}
