//! Fills the postings from the store, after a crash between their commits or damage to the postings.
//!
//! The store is the truth: it holds all texts.

use super::error::IndexError;
use super::lexical::Lexical;
use super::store::Store;
use super::words::words;
use crate::terms::Analyser;

/// How many keys to read at a time.
const KEYS_MAX: u32 = 1_000;

/// Refills the postings if they are not of the store's generation. The caller holds the writer's lock.
pub(crate) fn refill_if_different(store: &Store, lexical: &Lexical) -> Result<(), IndexError> {
    if store.generation()?.is_that_of(lexical.written()?) {
        return Ok(());
    }
    refill(store, lexical)
}

/// Rebuilds all postings from the store. The caller holds the writer's lock.
pub(crate) fn refill(store: &Store, lexical: &Lexical) -> Result<(), IndexError> {
    let mut postings = lexical.writer()?;
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
            break;
        }
    }
    let mut prepared = postings.writer.prepare_commit()?;
    prepared.set_payload(&store.generation()?.to_string());
    prepared.commit()?;
    // No thread may write after the writer is gone.
    postings.finish()
}
