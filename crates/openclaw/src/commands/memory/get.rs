//! `openclaw memory get`: prints the text at a place that search returned.
//!
//! Shows only what search could show, and nothing from outside the notes and sessions.

use agent::Viewer;
use agent::ops::{Get, GetReply, Operation};
use base::LineRange;

use crate::commands::past::tell_past;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw memory get MEMORY.md
  openclaw memory get memory/2026-04-20.md:12-14
  openclaw memory get MEMORY.md --as-of 2026-04-20")]
pub(crate) struct Arguments {
    /// Place, as in memory/2026-04-20.md:12-14, sessions/main.jsonl:17 or
    /// sessions/main.jsonl#ENTRY
    #[arg(value_name = "PATH[:LINES]")]
    pub(crate) place: String,
    /// Show what was there at this time, as in 2026-04-20, "2026-04-20 14:30"
    /// or yesterday
    #[arg(long, value_name = "TIME")]
    pub(crate) as_of: Option<String>,
}

/// A place as typed.
pub(super) struct TypedPlace<'p> {
    pub(super) path: &'p str,
    pub(super) lines: Option<LineRange>,
    pub(super) entry: Option<&'p str>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.existing_home()?;
    let TypedPlace { path, lines, entry } = parse(&arguments.place)?;
    let request = Get {
        path: path.to_owned(),
        start_line: lines.map(|lines| lines.start),
        end_line: lines.map(|lines| lines.end),
        entry: entry.map(str::to_owned),
        budget: None,
        is_whole: true,
        as_of: arguments.as_of.clone(),
    };
    let operations = context.operations(&home)?;
    let reply = request.run(&operations.context(&Viewer::Owner))?;
    tell_past(reply.as_of(), operations.home.timezone, context.output);
    context.emit_reply(&reply, human)
}

/// Parses a place; fails if its lines run backwards or are not numbers.
pub(super) fn parse(text: &str) -> Result<TypedPlace<'_>> {
    let place = |path, lines, entry| TypedPlace { path, lines, entry };
    if let Some((path, entry)) = text.split_once(".jsonl#") {
        let path = text.get(..path.len() + ".jsonl".len()).unwrap_or(path);
        return Ok(place(path, None, Some(entry)));
    }
    let Some((path, lines)) = text.rsplit_once(':') else {
        return Ok(place(text, None, None));
    };
    let (message, hint) = match parse_lines(lines) {
        Some(LineRange { start, end }) if start > end => (
            format!("the lines {start}-{end} of {path} are in reverse order"),
            format!("write {path}:{end}-{start}"),
        ),
        Some(lines) => return Ok(place(path, Some(lines), None)),
        None if is_file(path) && !text.contains(char::is_whitespace) => (
            format!("`{lines}` is not a line number in {path}"),
            format!("write {path}:12 or {path}:12-14"),
        ),
        None => return Ok(place(text, None, None)),
    };
    Err(CliError::new(ErrorKind::Input, message).hint(hint))
}

fn is_file(path: &str) -> bool {
    let ending = Path::new(path).extension();
    ending.is_some_and(|it| it.eq_ignore_ascii_case("md") || it == "jsonl")
}

/// Lines as `12` or `12-14`; they may run backwards.
fn parse_lines(text: &str) -> Option<LineRange> {
    let (start, end) = text.split_once('-').unwrap_or((text, text));
    let (start, end) = (start.parse().ok()?, end.parse().ok()?);
    (1 <= start && 1 <= end).then_some(LineRange { start, end })
}

/// The lines of a note unchanged; messages each below a line with their place.
fn human(reply: &GetReply, _: Stream) -> String {
    match reply {
        GetReply::Note(note) => printable(&note.text) + "\n",
        GetReply::Messages(found) => {
            let shown = found.messages.iter().map(|message| {
                let (path, line) = (&found.path, message.line);
                let day = message.day.map(|day| day.to_string());
                let day = day.as_deref().unwrap_or("no day");
                let speaker = printable(&message.speaker).replace('\n', " ");
                let text = printable(&message.text);
                format!("{path}:{line}  {day}  {speaker}\n{text}\n")
            });
            shown.collect::<Vec<_>>().join("\n")
        }
    }
}
