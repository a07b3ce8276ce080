//! Identifiers, which must survive verbatim: paths, addresses, versions, sums, dates, names of errors.
//!
//! Knows what an identifier looks like, not how important it is.

mod find;
mod kind;
mod run;
mod token;

pub use find::{Identifier, identifiers};
pub use kind::IdentifierKind;
pub use token::is_chinese_or_japanese;
