//! `openclaw memory correct`: replaces a line of `MEMORY.md`, or a note, at the owner's word.
//!
//! Never changes a line that the owner wrote by hand.

use agent::Viewer;
use agent::ops::{Correct, Operation, RememberReply, RememberStatus};

use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw memory correct \"We live in Connewitz\" We live in Markkleeberg
  openclaw memory correct --never-true \"born in 1948\" Ann was born in 1984
  openclaw memory correct \"dentist on 10 December\" The dentist is on 15 December")]
pub(crate) struct Arguments {
    /// Words of the line to replace, or of a note, quoted
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
    if !arguments.dry_run {
        context.refuse_in_sandbox("a correction")?;
    }
    let home = context.existing_home()?;
    let operations = context.operations(&home)?;
    let request = Correct {
        line: arguments.line.clone(),
        text: arguments.text.join(" "),
        never_true: arguments.never_true,
        dry_run: arguments.dry_run,
    };
    let reply = request.run(&operations.context(&Viewer::Owner))?;
    context.emit_change(&reply, |reply| reply.dry_run, remembered)
}

/// What became of a line that the owner asked for.
pub(super) fn remembered(reply: &RememberReply) -> String {
    let text = printable(&reply.text);
    match reply.status {
        RememberStatus::Taken => {
            let before = reply.replaces.as_ref();
            let before = before.map(|older| format!("instead of: {}\n", printable(older)));
            let before = before.unwrap_or_default();
            format!("in MEMORY.md: {text}\n{before}`openclaw dream undo` reverts this\n")
        }
        RememberStatus::Waiting => {
            let id = &reply.id;
            format!(
                "you wrote that line of MEMORY.md, so it stays: edit it there\n\
                 waiting for review: {text} (`openclaw dream accept {id}` adds it)\n"
            )
        }
    }
}
