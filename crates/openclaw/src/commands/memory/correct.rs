//! `openclaw memory correct`: replaces a line of `MEMORY.md` or `USER.md`, or a note, at the owner's word.
//!
//! Never changes a line of `MEMORY.md` that the owner wrote by hand.

use agent::Viewer;
use agent::ops::{Correct, Operation, RememberReply, RememberStatus};
use base::{Invocation, shell_quoted};
use memory::curated::current_value;

use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw memory correct \"We live in Connewitz\" We live in Markkleeberg
  openclaw memory correct --never-true \"born in 1948\" Ann was born in 1984
  openclaw memory correct MEMORY.md:12 The dentist is on 15 December")]
pub(crate) struct Arguments {
    /// The line to replace, or a note: words of it, quoted, its place, or its id
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
        ..Correct::default()
    };
    let reply = request.run(&operations.context(&Viewer::Owner))?;
    emit_remembered(&reply, context)
}

/// Prints the outcome for a line that the owner asked for.
pub(super) fn emit_remembered(reply: &RememberReply, context: &mut Context) -> Result<Exit> {
    let invocation = context.output.modes.invocation.clone();
    context.emit_change(
        reply,
        |reply| reply.dry_run,
        |reply| remembered(reply, &invocation),
    )
}

fn remembered(reply: &RememberReply, invocation: &Invocation) -> String {
    let text = printable(&reply.text);
    match reply.status {
        RememberStatus::Taken => {
            let before = reply.replaces.as_ref();
            let before = before.map(|older| format!("instead of: {}\n", printable(older)));
            let before = before.unwrap_or_default();
            let (undo, path) = (printable(&reply.next), printable(&reply.path));
            let beside = reply.earlier.as_ref().map(|line| {
                let line = printable(line);
                let (older, newer) = (shell_quoted(current_value(&line)), shell_quoted(&text));
                let correct = format!("memory correct {older} {newer}");
                let correct = invocation.command(&correct);
                format!(
                    "MEMORY.md also says: {line}\n\
                     if that has ended, type `{undo}`, then `{correct}`\n"
                )
            });
            let beside = beside.unwrap_or_default();
            format!("in {path}: {text}\n{before}{beside}`{undo}` reverts this\n")
        }
        RememberStatus::Waiting => {
            let accept = printable(&reply.next);
            format!(
                "you wrote that line of MEMORY.md, so it stays: edit it there\n\
                 waiting for review: {text} (`{accept}` adds it)\n"
            )
        }
    }
}
