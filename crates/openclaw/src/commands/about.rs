//! `openclaw about`: prints what memory says about the owner, theme by theme, with days and places.
//!
//! Writes nothing.

use agent::{KnownLine, known_about_owner};
use base::redact;
use cli::output::wrap;

use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw about
  openclaw about --json")]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.existing_home()?;
    let lines = known_about_owner(&context.host.workspace(&home))?;
    let command = context.output.at_home("openclaw memory add --lasting TEXT");
    context.emit(&AboutReport { lines, command })
}

struct AboutReport {
    lines: Vec<KnownLine>,
    /// The command that adds a line.
    command: String,
}

impl Report for AboutReport {
    fn json(&self) -> Value {
        let line = |own: &KnownLine| {
            let evidence: Vec<String> = own.evidence.iter().map(ToString::to_string).collect();
            json!({
                "theme": own.theme,
                "text": redact(&own.text),
                "place": own.place.to_string(),
                "day": own.day.map(|day| day.to_string()),
                "origin": own.origin.as_str(),
                "evidence": evidence,
            })
        };
        let lines: Vec<Value> = self.lines.iter().map(line).collect();
        json!({ "lines": lines })
    }

    fn human(&self, stdout: Stream) -> String {
        if self.lines.is_empty() {
            let command = &self.command;
            return format!("nothing is known about you yet; `{command}` adds a line\n");
        }
        let columns = stdout.text_columns();
        let mut text = String::new();
        for themed in self.lines.chunk_by(|one, next| one.theme == next.theme) {
            let theme = themed.first().map_or("", |own| own.theme.as_str());
            let gap = if text.is_empty() { "" } else { "\n" };
            add_line!(text, "{gap}{}", heading(&printable(theme)));
            for own in themed {
                for line in [format!("  {}", printable(&redact(&own.text))), source(own)] {
                    add_line!(text, "{}", wrap(&line, columns, "    "));
                }
            }
        }
        text
    }
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
