//! The one reader of dates: written dates and words such as "last week", as days of the calendar.
//!
//! Never asks what day it is: the day that counts as today is given.

mod span;
mod words;

mod phrases;
mod unspaced;
mod written;

mod read;

pub use read::named_span;
pub use span::DaySpan;
pub use written::{WrittenDate, day_of_month, is_month, iso_date, month_of, written_dates};
