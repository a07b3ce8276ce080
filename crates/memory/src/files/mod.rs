//! File operations for tools: list, read, write and edit files of the workspace.
//!
//! Never lets a tool leave the workspace, or write files that memory reads or that steer the assistant.

mod place;

mod read;
mod write;

mod owner;

pub use owner::{
    OwnerEdit, OwnerEditError, OwnerFile, read_owner_file, restore_owner_file, reword_line,
    save_owner_file,
};
pub use place::{FileAccessError, is_memory, real_path};
pub use read::{FileKind, ListedFile, list_files, read_file};
pub use write::{WriteMode, edit_file, write_file};
pub(crate) use write::{copies_of, keep};
