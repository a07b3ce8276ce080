//! `openclaw session show`: the course of a session.
//!
//! Changes nothing.

use std::sync::Arc;

use clap::Args;
use session::SessionName;

use super::context_course::{self, Frames};
use super::course;
use crate::app::Context;
use crate::assistant;
use crate::error::CliError;
use crate::exit_code::Exit;
use crate::output::{Format, render_session};

/// Arguments of `openclaw session show`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The session
    #[arg(value_name = "NAME")]
    pub(crate) session: SessionName,
}

/// Shows the session.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let home = context.home()?;
    let config = context.config(&home)?;
    let timezone = context.timezone(&config);
    let store = assistant::sessions(context.host, &home, Arc::clone(&context.host.clock));
    let name = &arguments.session;
    let course::Read {
        mut report,
        trouble,
        windows,
        ..
    } = course::read(&store, name, timezone)?;
    trouble.warn(name, context.output);
    let frames = Frames::new(assistant::settings(&config), windows);
    report.context_tokens = context_course::read(&store, name, report.messages, &frames)?;
    let stdout = context.host.environment.stdout;
    match context.output.format() {
        Format::Json => context.output.object(&report)?,
        Format::Human => context
            .output
            .text(&render_session(&report, timezone, stdout))?,
    }
    Ok(Exit::Done)
}
