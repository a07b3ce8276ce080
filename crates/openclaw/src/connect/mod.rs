//! Other programs that can use this memory, and what `connect` adds to their settings.
//!
//! Changes no file.

mod by_hand;
mod program;
mod settings;

pub(crate) use by_hand::by_hand;
pub(crate) use program::Program;
pub(crate) use settings::SettingsFile;
