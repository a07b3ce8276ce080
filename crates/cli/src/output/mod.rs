//! Output: streams, messages, tables and reports.
//!
//! Renders plain data; never fetches any.

mod modes;
mod report;
mod streams;

mod human;
mod markdown;
mod words;

mod flow;
mod progress;
mod table;
mod wrap;

pub use base::counted;
pub use flow::Flow;
pub use human::{
    heading, painted_hint, painted_prompt, printable, reply_mark, shown_json, shown_page,
};
pub use modes::{OutputFormat, OutputModes, Paint, Paints, Verbosity};
pub use progress::ProgressMeter;
pub(crate) use report::DRY_RUN;
pub use report::{Report, without_empty};
pub use streams::Output;
pub use table::{Align, Column, table};
pub use words::{
    add_line, change, grouped, instant, milliseconds, minute, percent, shortened, size,
};
pub use wrap::{wrap, wrap_indented};
