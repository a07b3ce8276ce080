//! Times that a question names: written dates and words such as "last week", as days of the calendar.
//!
//! Never asks what day it is: the day that counts as today is given.

mod span;
mod words;

mod dates;
mod phrases;
mod unspaced;

mod read;

pub use read::named_span;
pub use span::DaySpan;
