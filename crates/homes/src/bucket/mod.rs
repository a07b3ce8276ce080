//! Homes in a bucket: objects that are created once or swapped by their etag, and a disk above them.
//!
//! `requests` speaks with the bucket, and `home_requests` encrypts what goes there; `lease` fences; `record` and `head` are what a home consists of; `tree` is what
//! of it is known on this machine; `leased` writes; `disk` is what the rest of the program sees.

mod address;
mod cache;
mod derived;
mod disk;
mod fold;
mod head;
mod home_key;
mod home_requests;
mod homes;
mod lease;
mod leased;
mod lock_table;
mod objects;
mod record;
mod requests;
mod tree;
mod verify;

pub use address::BucketAddress;
pub use cache::Cache;
pub use homes::BucketHomes;
pub use requests::RequestCounts;
pub use verify::{DamagedObject, HomeSummary, Verification};
