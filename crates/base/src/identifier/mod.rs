//! Identifiers, which must be kept verbatim: paths, addresses, versions, sums, dates, names of errors.
//!
//! Decides whether a text is an identifier, not how important it is.

mod find;
mod kind;
mod run;
mod token;

pub use find::{Identifier, identifiers};
pub use kind::IdentifierKind;
pub use token::is_chinese_or_japanese;
