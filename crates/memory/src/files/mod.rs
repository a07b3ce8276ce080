//! The files of the workspace as tools may list, read, write and edit them.
//!
//! Never lets a tool write what memory reads or what steers the assistant, or leave the workspace.

mod place;

mod read;
mod write;

pub use place::{FileError, is_memory, real_path};
pub use read::{FileKind, ListedFile, list_files, read_file};
pub use write::{Writing, edit_file, write_file};
