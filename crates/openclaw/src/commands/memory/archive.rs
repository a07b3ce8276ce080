//! `openclaw memory archive`: moves lines of `MEMORY.md` to the archive, and lists those that may go there.
//!
//! Never moves a line that the owner wrote by hand.

use agent::Viewer;
use agent::ops::{Archive, ArchiveLine, ArchiveReply, Operation};
use base::{Invocation, counted};

use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Without LINE, the command lists the lines that helped to answer none of your
questions of the last 90 days. A dream that asks them again finds these lines.

Examples:
  openclaw memory archive
  openclaw memory archive \"The boat is blue\"
  openclaw memory archive --all --dry-run")]
pub(crate) struct Arguments {
    /// Words of a line to move, quoted, or its id
    #[arg(value_name = "LINE")]
    lines: Vec<String>,
    /// Move all lines that are listed
    #[arg(long, conflicts_with = "lines")]
    all: bool,
    /// Show what would be moved; write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let moves = arguments.all || !arguments.lines.is_empty();
    if moves && !arguments.dry_run {
        context.refuse_in_sandbox("a move to the archive")?;
    }
    let home = context.existing_home()?;
    let operations = context.operations(&home)?;
    let request = Archive {
        lines: arguments.lines.clone(),
        all: arguments.all,
        dry_run: arguments.dry_run || !moves,
    };
    let reply = request.run(&operations.context(&Viewer::Owner))?;
    let invocation = context.output.modes.invocation.clone();
    if moves {
        return context.emit_change(
            &reply,
            |reply| reply.dry_run,
            |reply| moved(reply, &invocation),
        );
    }
    context.emit_lines(&reply, "  ", |reply| offered(reply, &invocation))
}

fn moved(reply: &ArchiveReply, invocation: &Invocation) -> String {
    let mut text = String::new();
    for line in &reply.archived {
        add_line!(text, "in memory/archive.md: {}", printable(&line.text));
    }
    if reply.archived.is_empty() {
        add_line!(text, "no line is offered for the archive");
    } else if !reply.dry_run {
        let undo = invocation.command("dream undo");
        add_line!(text, "`{undo}` reverts this");
    }
    text
}

fn offered(reply: &ArchiveReply, invocation: &Invocation) -> String {
    let mut text = String::new();
    if reply.offered.is_empty() {
        add_line!(text, "no line is offered for the archive");
        return text;
    }
    let n_lines = counted(reply.offered.len() as u64, "line", "lines");
    add_line!(
        text,
        "{n_lines} of MEMORY.md helped to answer none of your questions of the last 90 days:"
    );
    for line in &reply.offered {
        add_line!(text, "- {}", with_day(line));
    }
    let (all, one) = (
        invocation.command("memory archive --all"),
        invocation.command("memory archive LINE"),
    );
    add_line!(
        text,
        "`{all}` moves them to memory/archive.md, where search finds them; `{one}` moves one"
    );
    text
}

fn with_day(line: &ArchiveLine) -> String {
    let text = printable(&line.text);
    match line.day {
        Some(day) => format!("{text} (last confirmed on {day})"),
        None => text,
    }
}
