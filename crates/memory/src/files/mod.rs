//! The files of the workspace as tools may list, read, write and edit them.
//!
//! Never lets a tool write what memory reads or what steers the assistant, or leave the workspace.

mod place;

mod read;
mod write;

mod owner;

pub use owner::{
    OwnerEdit, OwnerEditError, OwnerFile, read_owner_file, restore_owner_file, save_owner_file,
};
pub use place::{FileError, is_memory, real_path};
pub use read::{FileKind, ListedFile, list_files, read_file};
pub use write::{Writing, edit_file, write_file};
