//! `openclaw memory correct`: replaces a line of `MEMORY.md` at the owner's word.
//!
//! Never changes a line that the owner wrote by hand.

use agent::{AskedLine, AskedOutcome, HomeAccess, line_saying, remember_typed};
use dreaming::{ChangeReason, Refusal};
use memory::candidates::{Access, Proposal};

use super::known::MemoryContext;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw memory correct \"We live in Connewitz\" We live in Markkleeberg
  openclaw memory correct --never-true \"born in 1948\" Ann was born in 1984")]
pub(crate) struct Arguments {
    /// Words of the line to replace, quoted
    #[arg(value_name = "LINE")]
    pub(crate) line: String,
    /// The new line
    #[arg(required = true, value_name = "TEXT")]
    pub(crate) text: Vec<String>,
    /// The line was never true: do not name it as the earlier value
    #[arg(long)]
    pub(crate) never_true: bool,
    /// Show what would change; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("a correction")?;
    if arguments.dry_run {
        context.on_overlay(|context| correct(arguments, context))
    } else {
        correct(arguments, context)
    }
}

fn correct(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let known = MemoryContext::find(context)?;
    let home = home_of(&known, context);
    let desk = home.desk(Access::Write)?;
    let line = line_saying(desk.memory(), &arguments.line)?;
    drop(desk);
    let asked = AskedLine {
        text: arguments.text.join(" "),
        section: None,
        replaces: Some(line),
        reason: if arguments.never_true {
            ChangeReason::Corrected
        } else {
            ChangeReason::Changed
        },
    };
    let report = AskedReport {
        outcome: remember(&known, &asked, context)?,
        dry_run: arguments.dry_run,
    };
    context.emit(&report)
}

fn home_of(known: &MemoryContext, context: &Context) -> HomeAccess {
    let host = context.host;
    let clock = Arc::clone(&host.clock);
    HomeAccess::open(&host.disk, &known.home, clock, known.timezone)
}

/// Puts a line into `MEMORY.md`, in place of another if one is given.
pub(super) fn remember(
    known: &MemoryContext,
    asked: &AskedLine,
    context: &Context,
) -> Result<AskedOutcome> {
    let outcome = remember_typed(&home_of(known, context), asked)?;
    if let AskedOutcome::Refused(because) = &outcome {
        let failure = format!("MEMORY.md was not changed: {because}");
        let failure = CliError::new(ErrorKind::Input, failure);
        return Err(match hint(because) {
            Some(hint) => failure.hint(hint),
            None => failure,
        });
    }
    Ok(outcome)
}

/// The next step after a refusal, if there is one.
fn hint(because: &str) -> Option<&'static str> {
    [
        (
            Refusal::TooLong,
            "say it in fewer words, or note it with `openclaw memory add`",
        ),
        (
            Refusal::Question,
            "say it as a statement, or ask it with `openclaw memory search`",
        ),
        (
            Refusal::Redacted,
            "say it without the secret: no secret is kept in memory",
        ),
        (
            Refusal::Known,
            "`openclaw about` prints what MEMORY.md says",
        ),
    ]
    .into_iter()
    .find(|(refusal, _)| refusal.in_words() == because)
    .map(|(_, hint)| hint)
}

/// The reply to a line that the owner asked for.
pub(super) struct AskedReport {
    pub(super) outcome: AskedOutcome,
    pub(super) dry_run: bool,
}

impl Report for AskedReport {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        let (status, candidate) = match &self.outcome {
            AskedOutcome::Taken(own) => ("taken", Some(own)),
            AskedOutcome::Beside(own) => ("waiting", Some(own)),
            AskedOutcome::Refused(_) => ("refused", None),
        };
        let replaced = candidate.and_then(|own| match &own.proposal {
            Proposal::Supersede { older, .. } | Proposal::Retire { older, .. } => Some(older),
            Proposal::Beside { other } => Some(other),
            Proposal::Add => None,
        });
        json!({
            "status": status,
            "id": candidate.map(|own| own.id.to_string()),
            "text": candidate.map(|own| &own.finding),
            "replaces": replaced,
            "dryRun": self.dry_run,
        })
    }

    fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    fn human(&self, _: Stream) -> String {
        match &self.outcome {
            AskedOutcome::Taken(own) => {
                let finding = printable(&own.finding);
                let before = match &own.proposal {
                    Proposal::Supersede { older, .. } => {
                        format!("instead of: {}\n", printable(older))
                    }
                    Proposal::Add | Proposal::Retire { .. } | Proposal::Beside { .. } => {
                        String::new()
                    }
                };
                format!("in MEMORY.md: {finding}\n{before}`openclaw dream undo` reverts this\n")
            }
            AskedOutcome::Beside(own) => {
                let (id, finding) = (&own.id, printable(&own.finding));
                format!(
                    "you wrote that line of MEMORY.md, so it stays: edit it there\n\
                     waiting for review: {finding} (`openclaw dream accept {id}` adds it)\n"
                )
            }
            AskedOutcome::Refused(because) => format!("not changed: {because}\n"),
        }
    }
}
