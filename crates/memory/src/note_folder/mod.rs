//! Folders of notes, such as an Obsidian vault elsewhere or the folders of the workspace: they are read in place.
//!
//! Never writes into them.

mod folder;
mod ignored;
mod items;
mod listing;
mod page;
mod properties;
mod shown;

pub use folder::{FolderNameError, NoteFolder, check_folder_name};
pub use items::FolderItem;
pub use listing::{LeftOutNote, LeftOutWhy};
pub(crate) use page::{decoded, prepared_page, readable_page};

#[cfg(test)]
mod tests;
