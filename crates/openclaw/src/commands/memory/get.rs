//! `openclaw memory get`: prints the text at a place that search returned.
//!
//! Shows only what search could show, and nothing from outside the notes and sessions.

use base::{LineRange, Locator, redact};
use memory::{WorkspacePath, file_lines};
use search::{PassageSource, SourceMessage};
use session::LineContent;

use super::known::MemoryContext;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw memory get MEMORY.md
  openclaw memory get memory/2026-04-20.md:12-14")]
pub(crate) struct Arguments {
    /// Place, as in memory/2026-04-20.md:12-14, sessions/main.jsonl:17 or
    /// sessions/main.jsonl#ENTRY
    #[arg(value_name = "PATH[:LINES]")]
    pub(crate) place: String,
}

/// A place as typed.
pub(super) struct TypedPlace<'p> {
    pub(super) path: &'p str,
    pub(super) lines: Option<LineRange>,
    pub(super) entry: Option<&'p str>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let known = MemoryContext::find(context)?;
    let place = parse(&arguments.place)?;
    let gotten = match agent::SessionSource::name_of(place.path) {
        Some(name) => messages(&place, &name, &known, context)?,
        None => note(&place, &known, context)?,
    };
    context.emit(&gotten)
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

fn note(place: &TypedPlace<'_>, known: &MemoryContext, context: &Context) -> Result<LinesReport> {
    let path: WorkspacePath = place.path.parse()?;
    let workspace = context.host.workspace(&known.home);
    let found = file_lines(&workspace, &path, place.lines)?;
    Ok(LinesReport::Note {
        path,
        lines: found.lines,
        text: found.text,
    })
}

fn messages(
    place: &TypedPlace<'_>,
    name: &SessionName,
    known: &MemoryContext,
    context: &Context,
) -> Result<LinesReport> {
    let path = place.path;
    let lines = match place.entry {
        Some(entry) => Some(line_of(entry, name, known, context)?),
        None => place.lines,
    };
    let knowledge = known.unembedded(context);
    let mut found = Vec::new();
    let is_wanted = |line| lines.is_none_or(|lines| lines.start <= line && line <= lines.end);
    let mut take = |message: SourceMessage| {
        if is_wanted(message.place.line) {
            found.push(message);
        }
    };
    let read = knowledge.sessions().read(path, None, &mut take);
    read.map_err(|error| {
        CliError::from_error(ErrorKind::NotFound, &error)
            .hint("`openclaw session list` lists the sessions")
    })?;
    if found.is_empty() {
        let place = shown(place);
        return Err(no_message(format!("no visible message at {place}")));
    }
    Ok(LinesReport::Messages {
        path: path.to_owned(),
        messages: found,
    })
}

fn line_of(
    entry: &str,
    name: &SessionName,
    known: &MemoryContext,
    context: &Context,
) -> Result<LineRange> {
    for line in context.sessions(&known.home).lines(name)? {
        let line = line?;
        if matches!(&line.content, LineContent::Entry(found) if found.id.as_str() == entry) {
            let start = usize::try_from(line.number).unwrap_or(usize::MAX);
            return Ok(LineRange::line(start));
        }
    }
    Err(no_message(format!("session {name} has no entry {entry}")))
}

fn no_message(message: String) -> CliError {
    CliError::new(ErrorKind::NotFound, message)
        .hint("`openclaw memory search QUESTION` prints the place of each result")
}

fn shown(place: &TypedPlace<'_>) -> String {
    match (place.entry, place.lines) {
        (Some(entry), _) => format!("{}#{entry}", place.path),
        (None, Some(lines)) => Locator::new(place.path, lines).to_string(),
        (None, None) => place.path.to_owned(),
    }
}

enum LinesReport {
    Note {
        path: WorkspacePath,
        lines: LineRange,
        text: String,
    },
    Messages {
        path: String,
        messages: Vec<SourceMessage>,
    },
}

impl Report for LinesReport {
    fn json(&self) -> Value {
        match self {
            Self::Note { path, lines, text } => json!({
                "path": path.to_string(),
                "startLine": lines.start,
                "endLine": lines.end,
                "text": text,
            }),
            Self::Messages { path, messages } => {
                let messages = messages.iter().map(|message| {
                    json!({
                        "line": message.place.line,
                        "day": message.day,
                        "speaker": message.speaker,
                        "origin": message.origin.as_str(),
                        "text": redact(&message.text),
                    })
                });
                json!({ "path": path, "messages": messages.collect::<Vec<_>>() })
            }
        }
    }

    /// The lines of a note unchanged; messages each below a line with their place.
    fn human(&self, _: Stream) -> String {
        match self {
            Self::Note { text, .. } => printable(text) + "\n",
            Self::Messages { path, messages } => {
                let shown = messages.iter().map(|message| {
                    let line = message.place.line;
                    let day = message.day.map(|day| day.to_string());
                    let day = day.as_deref().unwrap_or("no day");
                    let speaker = printable(&message.speaker).replace('\n', " ");
                    let text = printable(&redact(&message.text));
                    format!("{path}:{line}  {day}  {speaker}\n{text}\n")
                });
                shown.collect::<Vec<_>>().join("\n")
            }
        }
    }
}
