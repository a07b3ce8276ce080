//! `openclaw session verify`: whether transcripts are whole.
//!
//! Repairs nothing.

use std::sync::Arc;

use clap::Args;
use session::{SessionName, SessionStore, Severity, verify};

use crate::app::Context;
use crate::assistant;
use crate::error::CliError;
use crate::exit_code::Exit;
use crate::output::{Format, Problem, VerifiedSession, VerifyReport, render_verified};

/// Arguments of `openclaw session verify`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The session; without it all are checked
    #[arg(value_name = "NAME")]
    pub(crate) session: Option<SessionName>,
}

/// Checks the sessions.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let home = context.home()?;
    let store = assistant::sessions(context.host, &home, Arc::clone(&context.host.clock));
    let names = match &arguments.session {
        Some(name) => vec![name.clone()],
        None => store.names()?,
    };
    let sessions = names.iter().map(|name| check(&store, name));
    let report = VerifyReport {
        sessions: sessions.collect::<Result<_, CliError>>()?,
    };
    match context.output.format() {
        Format::Json => context.output.object(&report)?,
        Format::Human => context.output.text(&render_verified(&report))?,
    }
    Ok(if report.is_clean() {
        Exit::Done
    } else {
        Exit::Corrupt
    })
}

fn check(store: &SessionStore, name: &SessionName) -> Result<VerifiedSession, CliError> {
    let report = verify(store.lines(name)?)?;
    let problems = report
        .findings
        .iter()
        .filter(|it| it.severity() > Severity::Note);
    let problems = problems.map(|finding| Problem {
        line: finding.line,
        message: match &finding.entry {
            Some(entry) => format!("{} (entry {entry})", finding.kind),
            None => finding.kind.to_string(),
        },
    });
    Ok(VerifiedSession {
        name: name.to_string(),
        lines: report.n_lines,
        problems: problems.collect(),
    })
}
