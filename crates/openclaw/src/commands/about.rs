//! `openclaw about`: prints what memory says about the owner, theme by theme, with days and places.
//!
//! Writes nothing.

use agent::ops::{About, AboutReply, Operation};
use agent::{KnownLine, Viewer};
use cli::output::wrap;

use super::past::tell_past;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw about
  openclaw about --json
  openclaw about --as-of \"last month\"")]
pub(crate) struct Arguments {
    /// Show what was known at this time, as in 2026-04-20, "2026-04-20 14:30"
    /// or yesterday
    #[arg(long, value_name = "TIME")]
    pub(crate) as_of: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.existing_home()?;
    let operations = context.operations(&home)?;
    let request = About {
        as_of: arguments.as_of.clone(),
    };
    let reply = request.run(&operations.context(&Viewer::Owner))?;
    tell_past(
        reply.as_of.as_ref(),
        operations.home.timezone,
        context.output,
    );
    let command = context.output.at_home("openclaw memory add --lasting TEXT");
    context.emit_reply(&reply, |reply, stdout| human(reply, &command, stdout))
}

fn human(reply: &AboutReply, command: &str, stdout: Stream) -> String {
    if let Some(past) = reply.as_of.as_ref().filter(|_| reply.lines.is_empty()) {
        return match past.forgets_since {
            0 => "nothing was known about you then\n".to_owned(),
            _ => "nothing of what was known about you then can be shown\n".to_owned(),
        };
    }
    if reply.lines.is_empty() {
        return format!("nothing is known about you yet; `{command}` adds a line\n");
    }
    let columns = stdout.text_columns();
    let mut text = String::new();
    for themed in reply.lines.chunk_by(|one, next| one.theme == next.theme) {
        let theme = themed.first().map_or("", |own| own.theme.as_str());
        let gap = if text.is_empty() { "" } else { "\n" };
        add_line!(text, "{gap}{}", heading(&printable(theme)));
        for own in themed {
            for line in [format!("  {}", printable(&own.text)), source(own)] {
                add_line!(text, "{}", wrap(&line, columns, "    "));
            }
        }
    }
    text
}

/// The day and the places of a line.
fn source(own: &KnownLine) -> String {
    let day = own.day.map(|day| format!("{day}, ")).unwrap_or_default();
    let evidence: Vec<String> = own
        .evidence
        .iter()
        .map(|place| format!(", from {place}"))
        .collect();
    format!("    {day}{}{}", own.place, printable(&evidence.concat()))
}

#[cfg(test)]
mod tests {
    use agent::ops::PastReply;
    use base::Timestamp;

    use super::*;

    #[test]
    fn empty_past_names_what_was_forgotten_since() {
        let told = |forgets_since| {
            let reply = AboutReply {
                lines: Vec::new(),
                as_of: Some(PastReply {
                    at: Timestamp::default(),
                    forgets_since,
                    left_out: Vec::new(),
                }),
            };
            human(&reply, "", Stream::File)
        };
        assert_eq!(told(0), "nothing was known about you then\n");
        let hidden = "nothing of what was known about you then can be shown\n";
        assert_eq!(told(1), hidden);
    }
}
