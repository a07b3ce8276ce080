//! Output: streams, messages, tables, charts and reports.
//!
//! Renders plain data; never fetches any.

mod modes;
mod report;
mod streams;

mod human;
mod markdown;
mod words;

mod chart;
mod flow;
mod progress;
mod table;
mod wrap;

pub(crate) use base::counted;
pub(crate) use chart::chart;
pub(crate) use flow::Flow;
pub(crate) use human::{
    heading, painted_hint, painted_prompt, printable, reply_mark, shown_json, shown_page,
};
pub(crate) use modes::{OutputFormat, OutputModes, Paint, Paints, Verbosity};
pub(crate) use progress::ProgressMeter;
pub(crate) use report::{Report, without_empty};
pub(crate) use streams::Output;
pub(crate) use table::{Align, Column, table};
pub(crate) use words::{
    add_line, change, grouped, instant, milliseconds, minute, percent, shortened, size,
};
pub(crate) use wrap::{wrap, wrap_indented};
