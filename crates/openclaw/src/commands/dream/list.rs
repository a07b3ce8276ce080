//! `openclaw dream list`: lists the candidates that wait for review.
//!
//! Decides nothing.

use cli::output::wrap;
use memory::candidates::{Candidate, Status};

use super::candidate::line_json;
use super::decided::waiting;
use super::desk::{DreamContext, look};
use crate::prelude::*;
use crate::repository;

#[derive(Debug, Default, Args)]
#[command(after_help = "\
Examples:
  openclaw dream list --all")]
pub(super) struct Arguments {
    /// Include decided candidates
    #[arg(long)]
    all: bool,
    /// Show only what programs in this repository see; `none`: outside any
    #[arg(long, value_name = "PATH|REMOTE|none", value_parser = repository::scope)]
    scope: Option<String>,
}

pub(crate) fn show_waiting(context: &mut Context) -> Result<()> {
    look(context, |context| run(&Arguments::default(), context)).map(|_| ())
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let known = DreamContext::find(context)?;
    let desk = known.desk(context)?;
    let state = desk.state();
    let mut candidates: Vec<_> = state.pending.iter().collect();
    if arguments.all {
        candidates.extend(state.history.iter().rev());
    }
    let viewer = repository::viewer(arguments.scope.as_deref());
    let workspace = context.host.workspace(&known.home);
    candidates.retain(|own| viewer.sees_candidate(&workspace, own));
    let command = context.output.at_home("openclaw dream");
    context.emit(&CandidateListReport {
        candidates,
        command,
    })
}

pub(super) struct CandidateListReport<'a> {
    pub(super) candidates: Vec<&'a Candidate>,
    /// The `openclaw dream` to type.
    pub(super) command: String,
}

impl Report for CandidateListReport<'_> {
    fn json(&self) -> Value {
        let lines: Vec<Value> = self.candidates.iter().map(|own| line_json(own)).collect();
        json!({ "candidates": lines })
    }

    fn human(&self, stdout: Stream) -> String {
        if self.candidates.is_empty() {
            return "no candidates are waiting\n".to_owned();
        }
        let columns = stdout.text_columns();
        let mut text = String::new();
        let mut n_waiting = 0;
        for own in &self.candidates {
            let mut status = format!("{}: ", own.status.as_str());
            if own.status == Status::Pending {
                n_waiting += 1;
                status.clear();
            }
            let (id, finding) = (own.id.to_string(), printable(&own.finding));
            let (section, found_in) = (&own.section, own.found_in.as_str());
            let (day, score) = (own.day, own.score);
            for line in [
                format!("{id:<6}  {status}{finding}"),
                format!("        {section}, {found_in} of {day}, score {score}"),
            ] {
                text.push_str(&wrap(&line, columns, "        "));
                text.push('\n');
            }
        }
        if n_waiting > 0 {
            let (waiting, command) = (waiting(n_waiting), &self.command);
            let hint = format!(
                "`{command} show ID` shows the evidence; review them with `{command} review`"
            );
            text.push_str(&wrap(&format!("{waiting}; {hint}\n"), columns, "  "));
        }
        text
    }
}
