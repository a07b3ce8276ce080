//! `openclaw doctor`: what is wrong with the home, and what to type about it.
//!
//! Changes nothing without `--fix`, and then only what needs no decision.

use std::collections::HashSet;

use clap::Args;

use crate::app::Context;
use crate::doctor::{
    Finding, Weight, look_at_home, look_at_memory, look_at_settings, look_at_transcripts,
    look_at_writing, mend,
};
use crate::error::{CliError, ErrorKind};
use crate::exit_code::Exit;
use crate::home::Home;
use crate::output::{DoctorReport, Format, render_doctor};

/// Arguments of `openclaw doctor`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exits with 1 where a warning or a problem is left; notes alone exit with 0."
)]
pub(crate) struct Arguments {
    /// Mend what needs no decision of yours
    #[arg(long)]
    fix: bool,
}

/// Looks, and mends where that was asked for.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let home = context.existing_home()?;
    if arguments.fix {
        refuse_where_nothing_is_written(context)?;
    }
    let findings = look(context, &home);
    let mut report = DoctorReport::new(home.root());
    for finding in findings {
        let mended = match &finding.mend {
            Some(what) if arguments.fix => mend(what, &home, context),
            Some(_) | None => {
                report.add(&finding);
                continue;
            }
        };
        match mended {
            Ok(()) => report.add_mended(&finding),
            Err(error) => {
                let place = finding.place.as_deref().unwrap_or_default();
                let reason = error.one_line();
                context
                    .output
                    .warn(&format!("{place} cannot be mended now: {reason}"));
                report.add(&finding);
            }
        }
    }
    match context.output.format() {
        Format::Json => context.output.object(&report)?,
        Format::Human => context
            .output
            .text(&render_doctor(&report, context.host.environment.stdout()))?,
    }
    Ok(if report.is_well() {
        Exit::Done
    } else {
        Exit::Failure
    })
}

/// Wrong settings are what it is there to find.
fn refuse_where_nothing_is_written(context: &mut Context<'_, '_>) -> Result<(), CliError> {
    match context.refuse_in_sandbox("mending") {
        Err(error) if error.kind == ErrorKind::Config => Ok(()),
        refused => refused,
    }
}

/// Everything that is wrong, what matters most first. What keeps one look from being taken is a finding, and
/// the others go on.
fn look(context: &Context<'_, '_>, home: &Home) -> Vec<Finding> {
    let mut findings: Vec<Finding> = look_at_settings(context, home).into_iter().collect();
    findings.extend(look_at_writing(context, home));
    findings.extend(look_at_home(context, home));
    findings.extend(look_at_transcripts(context, home));
    findings.extend(look_at_memory(context, home));
    let mut seen = HashSet::new();
    findings.retain(|finding| seen.insert((finding.place.clone(), finding.message.clone())));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.weight));
    findings
}

/// Whether this ends with a failure.
impl Weight {
    /// Whether it has to be looked at.
    pub(crate) const fn matters(self) -> bool {
        match self {
            Self::Note => false,
            Self::Warning | Self::Problem => true,
        }
    }
}
