//! Reads dates: written ones and words such as "last week", as days of the calendar.
//!
//! Never reads the clock: the caller says which day is today.

mod absolute;
mod ahead;
mod between;
mod certain;
mod clock;
mod due;
mod due_day;
mod due_time;
mod every;
mod figures;
mod meanings;
mod meant;
mod moment;
mod number;
mod phrase;
mod planned;
mod read;
mod span;
mod table;
mod time_ahead;
mod unspaced;
mod words;
mod written;

pub use absolute::{ReckonedDate, reckoned, with_dates, with_planned_dates};
pub use ahead::{days_ahead, stretch_ahead};
pub use every::Every;
pub use figures::{figures_claimed, figures_said, is_calendar_word, names_day_or_month};
pub use meanings::{TEXT, filled, placeholder_in};
pub use meant::{MeantDates, meant_dates};
pub use moment::{MomentError, past_moment};
pub use planned::{named_days, planned_for};
pub use read::{named_span, outside_days};
pub use span::DaySpan;
pub use time_ahead::{TimeAhead, Unclear, When, time_ahead, time_ahead_in, time_named};
pub use written::{
    WrittenDate, day_of_month, is_month, iso_date, month_of, outside_dates, written_dates,
};
