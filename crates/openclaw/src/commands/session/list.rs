//! `openclaw session list`: the sessions of a home.
//!
//! Changes nothing.

use std::sync::Arc;

use clap::Args;
use session::{SessionName, SessionStore};

use super::course;
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
    let lines = store.names()?.into_iter().map(|name| line(&store, &name));
    let listing = SessionListing {
        sessions: lines.collect::<Result<_, CliError>>()?,
    };
    match context.output.format() {
        Format::Json => context.output.object(&listing)?,
        Format::Human => context
            .output
            .text(&render_session_list(&listing, timezone))?,
    }
    Ok(Exit::Done)
}

fn line(store: &SessionStore, name: &SessionName) -> Result<SessionLine, CliError> {
    let (course, last_activity_at) = course::read(store, name, base::Tz::UTC)?;
    Ok(SessionLine {
        name: course.name,
        id: course.id,
        parent: course.parent,
        messages: course.messages,
        last_activity_at,
        epoch: course.epoch,
        bytes: course.bytes,
    })
}
