//! `openclaw dream`: runs a dream if one is due, or now.
//!
//! Implements no stage of a dream.

use agent::{Backfill, Begin, DreamOutcome, DreamProgress, DreamRequest, SessionFilter};
use base::{Day, Timestamp};
use chrono::TimeDelta;
use cli::executor::wait_for;
use cli::output::ProgressMeter;
use memory::spent_on;

use super::desk::{DreamContext, DryRun, change};
use super::summary::{DreamSummary, TooOldNotes};
use crate::prelude::*;

#[derive(Debug, Args)]
#[group(id = "dream-now")]
pub(super) struct Arguments {
    /// Dream now, even if no dream is due
    #[arg(long)]
    now: bool,
    /// Whether it is only shown.
    #[command(flatten)]
    dry_run: DryRun,
    /// Also read old sessions that no dream has read
    #[arg(long)]
    backfill: bool,
    /// With --backfill: reread sessions from this day on
    #[arg(long, value_name = "DAY", requires = "backfill")]
    since: Option<Day>,
}

/// How far a single run looks back for a scheduled time.
const LOOKED_BACK: TimeDelta = TimeDelta::days(1);

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    change(("a dream", arguments.dry_run), context, |context| {
        dream(arguments, context)
    })
}

/// The dream that the arguments ask for.
fn requested(arguments: &Arguments, now: Timestamp) -> DreamRequest {
    DreamRequest {
        begin: if arguments.now || arguments.backfill {
            Begin::Now
        } else {
            Begin::IfDue {
                since: now - LOOKED_BACK,
                talks: SessionFilter::All,
            }
        },
        backfill: match (arguments.backfill, arguments.since) {
            (false, _) => Backfill::Logs,
            (true, None) => Backfill::Sessions,
            (true, Some(day)) => Backfill::SessionsSince(day),
        },
    }
}

fn dream(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let known = DreamContext::find(context)?;
    let clock = Arc::clone(&context.host.clock);
    let settings = wiring::dreaming_settings(context, &known.home)?;
    let runtime = wiring::runtime(context, &known.home, Arc::clone(&clock))?;
    // Once a dream can begin, and before it applies the decisions in `DREAMS.md` without reporting them.
    let has_taken_in = !known.desk(context)?.taken_in().is_empty();
    let request = requested(arguments, clock.now());
    let mut warnings = Vec::new();
    let mut flushed = Vec::new();
    let began_at = clock.monotonic();
    let outcome = {
        let bar = arguments
            .backfill
            .then(|| ProgressMeter::start("reading sessions", 1, context.output));
        let mut tell = |told| match told {
            DreamProgress::Session { n_done, n_all } => {
                if let Some(bar) = &bar {
                    bar.set_total(n_all as u64);
                    bar.set(n_done as u64);
                }
            }
            DreamProgress::Flushed { session, n_notes } => flushed.push((session, n_notes as u64)),
            DreamProgress::InUse { session } => warnings.push(format!(
                "session {session} is in use: the next dream reads its new messages"
            )),
            DreamProgress::Warning(warning) => warnings.push(warning),
            DreamProgress::NextDue(_) => {}
        };
        wait_for(agent::dream(&runtime, &settings, request, &mut tell))?
    };
    for warning in &warnings {
        context.output.warn(warning);
    }
    let outcome = outcome?;
    let took = clock.monotonic().saturating_sub(began_at);
    let today = base::day(clock.now(), known.timezone);
    let spent = spent_on(&known.workspace, today).unwrap_or_default().dreams;
    context.emit(&DreamSummary {
        outcome: &outcome,
        today: ((spent.input + spent.output).0, settings.daily_tokens.0),
        too_old: TooOldNotes::of(
            known.workspace.log_days()?.last().copied(),
            today,
            settings.lookback_days,
        ),
        dry_run: arguments.dry_run.dry_run,
        has_taken_in,
        verbosity: context.output.verbosity(),
        flushed,
        took,
        timezone: known.timezone,
        invocation: context.output.modes.invocation.clone(),
    })?;
    Ok(match outcome {
        DreamOutcome::BudgetSpent { .. } | DreamOutcome::MemoryMisread { .. } => Exit::Failure,
        DreamOutcome::NotDue(_) | DreamOutcome::NothingNew(_) | DreamOutcome::Dreamt { .. } => {
            Exit::Done
        }
    })
}
