//! Code that services share, for one home or many.
//!
//! Opens no socket; `gateway` does.

mod assembled;
mod dream_news;
mod exclusive_lock;
mod listening;
mod told;

pub use assembled::{Admission, Assembled, assembled};
pub use dream_news::{edits_in_words, edits_news_in_words, news_in_words};
pub use exclusive_lock::exclusive_lock;
pub use listening::{LISTEN_DEFAULT, ListenOptions, stopped, with_frugal_allocator};
pub use told::{in_words, refresh_failure};
