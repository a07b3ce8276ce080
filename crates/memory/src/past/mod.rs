//! The workspace as it was at a moment in the past, rebuilt in memory.
//!
//! Shows only what is known to have been there, names what is not known, and never restores a forgotten text.

mod candidates;
mod curated;
mod gap;
mod logs;
mod pages;
mod rebuild;

pub use gap::PastGap;
pub use logs::PastFlushes;
pub use rebuild::{PastWorkspace, past_workspace};

#[cfg(test)]
mod tests;
