//! Renders decisions about candidates, and lines that may contradict them.
//!
//! Decides nothing.

use agent::ops::NearLine;
use cli::output::wrap;
use memory::candidates::Candidate;

use crate::prelude::*;

/// How many candidates wait.
pub(super) fn waiting(n_waiting: usize) -> String {
    match n_waiting {
        0 => "no candidates are waiting".to_owned(),
        _ => counted(n_waiting as u64, "candidate waits", "candidates wait"),
    }
}

pub(super) fn render_near(near: &[NearLine]) -> String {
    let line = |own: &NearLine| {
        let day = own.day.map(|day| format!(" of {day}"));
        let (number, day, text) = (own.number, day.unwrap_or_default(), printable(&own.text));
        format!("MEMORY.md, line {number}{day}, may contradict it: {text}\n")
    };
    near.iter().map(line).collect()
}

/// Renders older candidates that may be about the same subject.
pub(super) fn render_beside(older: &[Candidate], columns: usize) -> String {
    let mut text = String::new();
    for own in older {
        let finding = printable(&own.finding);
        let line = format!("  older, from {}, {}: {finding}", own.day, own.id);
        text.push_str(&wrap(&line, columns, "    "));
        text.push('\n');
    }
    text
}
