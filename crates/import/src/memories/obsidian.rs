//! Reads the notes of an Obsidian vault.
//!
//! A vault mixes the owner's texts with web clippings, and nothing distinguishes them.

use std::path::Path;

use base::Origin;

use super::markdown::{day_in, items};
use super::model::{Holds, Memory};

/// The folder that marks a vault.
pub(super) const SETTINGS: &str = ".obsidian";

pub(super) fn read(text: &str, path: &Path) -> Vec<Memory> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let of_name = day_in(&stem);
    let memories = items(text).into_iter().map(|item| Memory {
        day: item.day.or(of_name),
        ..item.memory(Origin::Untrusted, &Holds::Everywhere)
    });
    memories.collect()
}
