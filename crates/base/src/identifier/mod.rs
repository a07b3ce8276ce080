//! What must survive to the letter: paths, addresses, versions, sums, dates, names of errors.
//!
//! Knows what an identifier looks like and never what it is worth.

mod find;
mod kind;
mod run;
mod token;

pub use find::{Identifier, identifiers};
pub use kind::Kind;
pub use token::is_unspaced;
