//! `openclaw agenda`: prints what notes, `MEMORY.md` and messages without a note plan for the days ahead.
//!
//! Writes nothing, and derives nothing but dates.

use agent::Viewer;
use agent::ops::{AGENDA_DAYS_MAX, Agenda, AgendaReply, Operation};
use base::Origin;
use cli::output::wrap;

use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw agenda --days 7")]
pub(crate) struct Arguments {
    /// Number of days, from today on
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=i64::from(AGENDA_DAYS_MAX)))]
    days: u32,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.existing_home()?;
    let operations = context.operations(&home)?;
    let request = Agenda {
        days: Some(arguments.days),
    };
    let reply = request.run(&operations.context(&Viewer::Owner))?;
    context.emit_reply(&reply, human)
}

fn human(reply: &AgendaReply, stdout: Stream) -> String {
    if reply.items.is_empty() {
        let days = counted(u64::from(reply.days), "day", "days");
        return format!("no note names one of the next {days}\n");
    }
    let columns = stdout.text_columns();
    let mut text = String::new();
    for of_day in reply.items.chunk_by(|one, next| one.day == next.day) {
        let gap = if text.is_empty() { "" } else { "\n" };
        let day = of_day
            .first()
            .map(|own| own.day.date().format("%A, %Y-%m-%d").to_string());
        add_line!(text, "{gap}{}", heading(&day.unwrap_or_default()));
        for own in of_day {
            let noted = own
                .noted_on
                .map(|day| format!(", noted {day}"))
                .unwrap_or_default();
            let item = format!("  {}", printable(&own.text));
            let whose = match own.origin {
                Origin::Untrusted => ", not your words",
                Origin::Owner | Origin::Agent | Origin::System => "",
            };
            for line in [item, format!("    {}{noted}{whose}", own.place)] {
                add_line!(text, "{}", wrap(&line, columns, "    "));
            }
        }
    }
    text
}
