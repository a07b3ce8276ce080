//! `openclaw dream list`: lists the candidates that wait for review.
//!
//! Decides nothing.

use agent::ops::{CandidatesReply, ListCandidates};
use cli::output::wrap;

use super::decided::waiting;
use super::desk::{carry_out, look};
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
    /// Show only what programs in this repository see; `none`: programs outside any repository
    #[arg(long, value_name = "PATH|REMOTE|none", value_parser = repository::scope)]
    scope: Option<String>,
}

pub(crate) fn show_waiting(context: &mut Context) -> Result<()> {
    look(context, |context| run(&Arguments::default(), context)).map(|_| ())
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let viewer = repository::viewer(arguments.scope.as_deref());
    let request = ListCandidates { all: arguments.all };
    let reply = carry_out(request, &viewer, context)?;
    let command = context.output.at_home("openclaw dream");
    context.emit_reply(&reply, |reply, stdout| human(reply, &command, stdout))
}

/// `command` is the `openclaw dream` to type.
fn human(reply: &CandidatesReply, command: &str, stdout: Stream) -> String {
    if reply.candidates.is_empty() {
        return "no candidates are waiting\n".to_owned();
    }
    let columns = stdout.text_columns();
    let mut text = String::new();
    let mut n_waiting = 0;
    for own in &reply.candidates {
        let mut status = format!("{}: ", own.status);
        if own.is_waiting() {
            n_waiting += 1;
            status.clear();
        }
        let (id, finding) = (own.id.to_string(), printable(&own.finding));
        let (section, found_in) = (&own.section, own.found_in);
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
        let waiting = waiting(n_waiting);
        let hint =
            format!("`{command} show ID` shows the evidence; review them with `{command} review`");
        text.push_str(&wrap(&format!("{waiting}; {hint}\n"), columns, "  "));
    }
    text
}
