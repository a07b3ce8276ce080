//! `openclaw session verify`: whether transcripts are whole.
//!
//! Repairs nothing.

use std::sync::Arc;

use clap::Args;
use session::{Finding, SessionName, SessionStore, verify};

use super::trouble::warn_left_out;
use crate::app::Context;
use crate::assistant;
use crate::doctor::next_of_transcript;
use crate::error::CliError;
use crate::exit_code::Exit;
use crate::output::{Format, Problem, Severity, VerifiedSession, VerifyReport, render_verified};

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
    let mut sessions = Vec::new();
    let mut n_unread = 0_usize;
    match &arguments.session {
        Some(name) => sessions.push(check(&store, name)?),
        None => {
            for name in store.names()? {
                match check(&store, &name) {
                    Ok(session) => sessions.push(session),
                    Err(error) => {
                        warn_left_out(&name, &error, context.output);
                        n_unread += 1;
                    }
                }
            }
        }
    }
    let report = VerifyReport { sessions };
    match context.output.format() {
        Format::Json => context.output.object(&report)?,
        Format::Human if report.sessions.is_empty() && n_unread > 0 => {}
        Format::Human => {
            let stdout = context.host.environment.stdout();
            context.output.text(&render_verified(&report, stdout))?;
        }
    }
    Ok(match (report.is_clean(), n_unread) {
        (false, _) => Exit::Corrupt,
        (true, 0) => Exit::Done,
        (true, _) => Exit::Failure,
    })
}

fn check(store: &SessionStore, name: &SessionName) -> Result<VerifiedSession, CliError> {
    let report = verify(store.lines(name)?)?;
    let mut problems: Vec<Problem> = report.findings.iter().filter_map(problem).collect();
    if report.n_lines == 0 {
        let message = "empty: the session has not begun".to_owned();
        problems.push(Problem {
            line: 1,
            severity: Severity::Warning,
            message,
        });
    }
    Ok(VerifiedSession {
        name: name.to_string(),
        lines: report.n_lines,
        problems,
        hints: next_of_transcript(name, &report.findings)
            .into_iter()
            .collect(),
    })
}

/// A finding as a problem; notes are none.
fn problem(finding: &Finding) -> Option<Problem> {
    let severity = match finding.severity() {
        session::Severity::Note => return None,
        session::Severity::Warning => Severity::Warning,
        session::Severity::Error => Severity::Error,
    };
    let message = match &finding.entry {
        Some(entry) => format!("{} (entry {entry})", finding.kind),
        None => finding.kind.to_string(),
    };
    Some(Problem {
        line: finding.line,
        severity,
        message,
    })
}
