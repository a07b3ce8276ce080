//! Builds a runtime, workspace and index for measurements.
//!
//! The caller chooses clock and strategy.

use std::sync::Arc;

use agent::{HomeAccess, Models, Runtime};
use base::disk::{MemoryDisk, OsDisk};
use base::{Clock, Disk, Embedder, HomeLayout, Tz};
use compaction::WindowSettings;
use memory::Workspace;
use models::BundledEmbedder;
use search::{CommonWords, Index, WishCues};
use tempfile::TempDir;

use crate::Result;

/// The path of the home.
pub(crate) const HOME: &str = "/home";

/// A runtime on a disk in memory, without recall, tools or background jobs.
pub(crate) fn runtime(
    disk: &MemoryDisk,
    clock: Arc<dyn Clock>,
    models: Models,
    settings: WindowSettings,
) -> Runtime {
    let disk: Arc<dyn Disk> = Arc::new(disk.clone());
    let home = HomeAccess::open(&disk, &HomeLayout::new(HOME), clock, Tz::UTC);
    Runtime::new(home, models, settings)
}

/// The workspace `/w` on a disk.
pub(crate) fn workspace(disk: Arc<dyn Disk>) -> Workspace {
    Workspace::new(disk, HomeLayout::of_workspace("/w"))
}

/// The bundled embedder; `None` if the program was built without it.
pub(crate) fn bundled() -> Option<Arc<dyn Embedder>> {
    Some(Arc::new(BundledEmbedder::new()?))
}

/// An empty index in a temporary directory, with the word lists of the offline engine.
pub(crate) fn empty_index(embedder: Option<Arc<dyn Embedder>>) -> Result<(TempDir, Index)> {
    let directory = tempfile::tempdir()?;
    let index = Index::open(Arc::new(OsDisk), &directory.path().join("index"))?;
    let index = index.with_embedder(embedder);
    let index = index.with_common_words(CommonWords(extract::common_words));
    let index = index.with_wish_cues(WishCues {
        wish: extract::may_be_wish,
        advice: extract::asks_for_advice,
        asks: extract::asks_something,
        subject: extract::subject_of,
        plain: extract::without_courtesy,
    });
    Ok((directory, index))
}
