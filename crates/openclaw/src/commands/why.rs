//! `openclaw why`: prints what a line of `MEMORY.md` comes from, or what became of a message or a note.
//!
//! Writes nothing.

use agent::Viewer;
use agent::ops::{Operation, Why, WhyEvent, WhyReply, WhySubject};
use base::Locator;
use cli::output::wrap;

use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw why \"My sister lives in Porto\"
  openclaw why MEMORY.md:12
  openclaw why memory/2026-04-20.md:7
  openclaw why sessions/main.jsonl:40")]
pub(crate) struct Arguments {
    /// Words of a line of MEMORY.md, its id, or the place of a line, a note or a message
    #[arg(required = true, value_name = "LINE|PLACE")]
    about: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.existing_home()?;
    let operations = context.operations(&home)?;
    let about = arguments.about.join(" ");
    let reply = Why { about }.run(&operations.context(&Viewer::Owner))?;
    context.emit_reply(&reply, human)
}

fn human(reply: &WhyReply, stdout: Stream) -> String {
    let columns = stdout.text_columns();
    let place = reply.place.as_ref().map(Locator::to_string);
    let place = place.unwrap_or_else(|| "no longer in MEMORY.md".to_owned());
    let mut text = format!("{}\n", printable(&place));
    text += &words(&reply.text, columns);
    if reply.steps.is_empty() {
        let nothing = match reply.subject {
            WhySubject::LineByHand => "You wrote this line by hand.",
            WhySubject::Line => "Nothing is recorded about this line.",
            WhySubject::Note | WhySubject::Message => "Nothing was made of it yet.",
        };
        add_line!(text, "\n{nothing}");
    }
    for step in &reply.steps {
        let place = step.place.as_ref().map(|it| format!("  {it}"));
        let heading = format!(
            "{}  {}{}",
            step.day,
            event_of(step.event),
            place.unwrap_or_default()
        );
        add_line!(text, "\n{}", printable(&heading));
        if !step.text.is_empty() && step.text != reply.text {
            text += &words(&step.text, columns);
        }
    }
    text
}

/// Words on lines of their own, indented.
fn words(text: &str, columns: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!(
        "{}\n",
        wrap(&format!("    {}", printable(&line)), columns, "    ")
    )
}

fn event_of(event: WhyEvent) -> &'static str {
    match event {
        WhyEvent::Said => "said",
        WhyEvent::Noted => "noted",
        WhyEvent::Proposed => "proposed for MEMORY.md",
        WhyEvent::Ended => "no longer holds",
        WhyEvent::Added => "added to MEMORY.md by a dream",
        WhyEvent::Asked => "added to MEMORY.md, because you asked for it",
        WhyEvent::Accepted => "accepted by you",
        WhyEvent::Rejected => "rejected by you",
        WhyEvent::Undone => "taken back by you",
        WhyEvent::Restored => "restored by you",
        WhyEvent::Replaced => "replaced by",
        WhyEvent::Summarised => "replaced by a summary",
        WhyEvent::Recalled => "recalled for a later message",
    }
}
