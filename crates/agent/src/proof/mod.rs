//! Proves that a text is gone: reads every byte of a home and says where the text still is, and until when.
//!
//! Changes nothing itself.

mod place;
mod read;
mod said;
mod scrub;
mod sought;

pub use place::{ProofPlace, ProofReply};
pub use read::prove;
pub use said::is_of_conversation;
pub use scrub::{drop_index, drop_typed};
pub use sought::Sought;
pub(crate) use sought::{PIECE_CHARS_MIN, pieces_of};

#[cfg(test)]
mod tests;
