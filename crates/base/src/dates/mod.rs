//! Reads dates: written ones and words such as "last week", as days of the calendar.
//!
//! Never reads the clock: the caller says which day is today.

mod absolute;
mod between;
mod figures;
mod meant;
mod number;
mod phrase;
mod planned;
mod read;
mod span;
mod table;
mod unspaced;
mod words;
mod written;

pub use absolute::{ReckonedDate, reckoned, with_dates};
pub use figures::{figures_claimed, figures_said, is_calendar_word};
pub use meant::{MeantDates, meant_dates};
pub use planned::{named_days, planned_for};
pub use read::{named_span, outside_days};
pub use span::DaySpan;
pub use written::{
    WrittenDate, day_of_month, is_month, iso_date, month_of, outside_dates, written_dates,
};
