//! What people and scripts read: streams, text, JSON, tables, charts.
//!
//! Renders plain data; never finds anything out.

mod streams;

mod human;
mod json;
mod wire;

mod chart;
#[expect(dead_code, reason = "shown once sessions can be read")]
mod progress;
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "shown once sessions can be read")
)]
mod replay_event;
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "shown once sessions can be read")
)]
mod session_list;
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "shown once sessions can be read")
)]
mod session_show;
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "shown once sessions can be read")
)]
mod session_verify;
mod table;

pub(crate) use streams::{Format, Output, Paint, Paints, Verbosity};
