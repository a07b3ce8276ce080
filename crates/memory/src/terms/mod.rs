//! Text as terms: what is written into the index and what a question asks for are made the same way.
//!
//! Knows neither passages nor postings.

mod date;
mod identifier;
mod normal;
mod script;
mod stop;

mod analyse;

pub(crate) use analyse::{Analyser, Term, TermKind, key};
pub(crate) use date::{day_of_month, is_year, iso_date, month_of, time_word};
pub(crate) use identifier::identifier;
pub(crate) use script::{is_capitalised, is_unspaced, plain_letter};
pub(crate) use stop::is_stop_word;
