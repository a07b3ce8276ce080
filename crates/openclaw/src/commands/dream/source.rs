//! What says that a candidate is so, in its context.
//!
//! Reads only.

use std::fmt::Write;
use std::sync::Arc;

use agent::SessionConversations;
use dreaming::Conversations;
use memory::candidates::{Candidate, Evidence};
use memory::daily_log::LineRange;
use memory::file_lines;

use super::desk::Known;
use crate::app::Context;
use crate::assistant;
use crate::output::indented;

/// Lines of a log before and after the one that says so.
const LINES_AROUND: usize = 2;

/// As much of a message is shown.
const MESSAGE_CHARS_MAX: usize = 2_000;

/// The texts of all its evidence, each below its place.
pub(super) fn source_of(known: &Known, candidate: &Candidate, context: &Context<'_, '_>) -> String {
    let columns = context.host.environment.stdout.text_columns();
    let mut text = String::new();
    for evidence in &candidate.evidence {
        let (path, line) = (&evidence.path, evidence.line);
        let found = if path.starts_with("sessions/") {
            message(known, evidence, context)
        } else {
            note(known, evidence, context)
        };
        let shown = found.unwrap_or_else(|| "(it is not there any more)".to_owned());
        // Writing to a String cannot fail.
        writeln!(text, "{path}:{line} ({})", evidence.day).unwrap_or_default();
        text.push_str(&indented(&shown, columns));
    }
    text
}

fn message(known: &Known, evidence: &Evidence, context: &Context<'_, '_>) -> Option<String> {
    let clock = Arc::clone(&context.host.clock);
    let sessions = assistant::sessions(context.host, &known.home, clock);
    let workspace = Arc::new(assistant::workspace(context.host, &known.home));
    let conversations = SessionConversations::new(sessions, workspace);
    let mut found = None;
    let mut sink = |said: dreaming::Said| {
        if said.entry.as_str() == evidence.key {
            found = Some(base::head(&said.text, MESSAGE_CHARS_MAX).to_owned());
        }
    };
    conversations.read(&evidence.path, 0, &mut sink).ok()?;
    found
}

fn note(known: &Known, evidence: &Evidence, context: &Context<'_, '_>) -> Option<String> {
    let workspace = assistant::workspace(context.host, &known.home);
    let lines = LineRange {
        start: evidence.line.saturating_sub(LINES_AROUND).max(1),
        end: evidence.line + LINES_AROUND,
    };
    let found = file_lines(&workspace, &evidence.path.parse().ok()?, Some(lines)).ok()?;
    Some(found.text)
}
