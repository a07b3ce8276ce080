//! Other programs that can use this memory, and what `connect` adds to their settings.
//!
//! Changes no file.

mod by_hand;
mod obsidian;
mod program;
mod settings;

pub(crate) use by_hand::{ByHand, by_hand, removal};
pub(crate) use obsidian::UserFolders;
pub(crate) use program::Program;
pub(crate) use settings::SettingsFile;
