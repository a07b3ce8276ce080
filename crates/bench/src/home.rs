//! A home on a disk in memory, in which conversations are had, and the parts of others.
//!
//! Chooses no clock and no strategy.

use std::sync::Arc;

use agent::{HomeAccess, Models, Runtime};
use base::disk::{MemoryDisk, OsDisk};
use base::{Clock, Disk, Embedder, HomeLayout, Tz};
use compaction::Settings;
use memory::Workspace;
use models::BundledEmbedder;
use search::{CommonWords, Index, WishCues};
use tempfile::TempDir;

use crate::Result;

/// Where the home lies.
pub(crate) const HOME: &str = "/home";

/// A runtime that recalls nothing, has no tools, and does nothing in the background.
pub(crate) fn runtime(
    disk: &MemoryDisk,
    clock: Arc<dyn Clock>,
    models: Models,
    settings: Settings,
) -> Runtime {
    let disk: Arc<dyn Disk> = Arc::new(disk.clone());
    let home = HomeAccess::open(&disk, &HomeLayout::new(HOME), clock, Tz::UTC);
    Runtime::new(home, models, settings)
}

/// The workspace `/w` of a disk.
pub(crate) fn workspace(disk: Arc<dyn Disk>) -> Workspace {
    Workspace::new(disk, HomeLayout::of_workspace("/w"))
}

/// The embedder in the program.
pub(crate) fn bundled() -> Option<Arc<dyn Embedder>> {
    Some(Arc::new(BundledEmbedder::new()?))
}

/// An index of nothing, below a directory that vanishes.
pub(crate) fn empty_index(embedder: Option<Arc<dyn Embedder>>) -> Result<(TempDir, Index)> {
    let directory = tempfile::tempdir()?;
    let index = Index::open(Arc::new(OsDisk), &directory.path().join("index"))?;
    let index = index.with_embedder(embedder);
    let index = index.with_common_words(CommonWords(extract::common_words));
    let index = index.with_wish_cues(WishCues {
        wish: extract::may_be_wish,
        advice: extract::asks_for_advice,
        subject: extract::subject_of,
    });
    Ok((directory, index))
}
