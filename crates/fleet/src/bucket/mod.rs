//! Homes in a bucket: write-once objects, objects swapped by etag, and a `Disk` on top of them.
//!
//! `requests` sends requests to the bucket and `home_requests` encrypts their content. `lease` names the holder.
//! `head` and `record` are the stored formats. `tree` is the state in memory, and `leased` writes changes of it.
//! `disk` is the interface for other crates.

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
mod vault;
mod verify;

pub use address::BucketAddress;
pub use cache::Cache;
pub use homes::BucketHomes;
pub use requests::RequestCounts;
pub use vault::{check_new_vault, create_vault, is_vault};
pub use verify::{DamagedObject, HomeSummary, SeenObjects, Verification, is_beyond_repair};
