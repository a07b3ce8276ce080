//! `openclaw session list`: the sessions of a home.
//!
//! Changes nothing.

use std::sync::Arc;

use clap::Args;

use super::course;
use super::trouble::warn_left_out;
use crate::app::Context;
use crate::assistant;
use crate::error::CliError;
use crate::exit_code::Exit;
use crate::output::{Format, SessionLine, SessionListing, render_session_list};

/// Arguments of `openclaw session list`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

/// Lists the sessions.
pub(crate) fn run(_: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let home = context.home()?;
    let config = context.config(&home)?;
    let timezone = context.timezone(&config);
    let store = assistant::sessions(context.host, &home, Arc::clone(&context.host.clock));
    let mut sessions = Vec::new();
    let mut n_left_out = 0_usize;
    for name in store.names()? {
        match course::read(&store, &name, timezone) {
            Ok(read) => {
                read.trouble.warn(&name, context.output);
                sessions.extend(lines(read));
            }
            Err(error) => {
                warn_left_out(&name, &error, context.output);
                n_left_out += 1;
            }
        }
    }
    let listing = SessionListing { sessions };
    let width_max = context.host.environment.stdout().table_columns();
    match context.output.format() {
        Format::Json => context.output.object(&listing)?,
        Format::Human if listing.sessions.is_empty() && n_left_out > 0 => {}
        Format::Human => context
            .output
            .text(&render_session_list(&listing, timezone, width_max))?,
    }
    Ok(Exit::Done)
}

/// A file that has lost its header still is a session.
fn lines(read: course::Read) -> Vec<SessionLine> {
    if !read.parts.is_empty() {
        return read.parts;
    }
    let course = read.report;
    vec![SessionLine {
        name: course.name,
        id: course.id,
        parent: course.parent,
        messages: course.messages,
        last_activity_at: read.last_at,
        epoch: course.epoch,
        bytes: course.bytes,
    }]
}
