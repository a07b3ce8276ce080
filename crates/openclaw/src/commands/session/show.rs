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
use crate::home::{Directory, Home};
use crate::output::{Format, SessionEventKind, SessionReport, render_session};

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
    leave_out_missing_logs(&mut report, &home, context)?;
    let frames = Frames::new(assistant::settings(&config), windows);
    report.context_tokens = context_course::read(&store, name, report.messages, &frames)?;
    let stdout = context.host.environment.stdout();
    match context.output.format() {
        Format::Json => context.output.object(&report)?,
        Format::Human => context
            .output
            .text(&render_session(&report, timezone, stdout))?,
    }
    Ok(Exit::Done)
}

/// A flush for which nothing was worth a note made no log: none is named.
fn leave_out_missing_logs(
    report: &mut SessionReport,
    home: &Home,
    context: &Context<'_, '_>,
) -> Result<(), CliError> {
    let workspace = home.directory(Directory::Workspace);
    for event in report.days.iter_mut().flat_map(|day| &mut day.events) {
        if let SessionEventKind::Flush { log_file, .. } = &mut event.kind
            && let Some(name) = log_file.as_deref()
            && context.host.disk.stat(&workspace.join(name))?.is_none()
        {
            *log_file = None;
        }
    }
    Ok(())
}
