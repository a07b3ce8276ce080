//! `openclaw session export`: exports a conversation as Markdown for people, or as JSON Lines for programs.
//!
//! Never changes the transcript.

use std::fmt::Write as _;
use std::io::{self, Write};

use base::disk::{DiskError, replace_with};
use base::{Block, Day, EntryId, Message, Origin, Timestamp, ToolOutcome, day, scope_of};
use cli::output::{shown_json, shown_page};
use import::line_in_scope;
use session::{Entry, LineContent, LineStart, Payload, TranscriptLine, ViewContent};

use super::found;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw session export main -o main.md
  openclaw session export main --format jsonl | openclaw replay - -s copy")]
pub(crate) struct Arguments {
    /// Session to export
    #[arg(value_name = "NAME")]
    session: SessionName,
    /// Markdown for people, jsonl for `replay` and `session import` [default:
    /// jsonl with --json, else markdown]
    #[arg(long, value_name = "FORMAT")]
    format: Option<ExportFormat>,
    /// Export only what is in view, with its summary
    #[arg(long)]
    view: bool,
    /// Add entry ids, for `redact`, `rewind` and `fork`; Markdown only
    #[arg(long)]
    ids: bool,
    /// Write to this file, readable only by you, instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// How a conversation is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ExportFormat {
    Markdown,
    Jsonl,
}

/// The parts of a conversation, in order.
type ExportParts = Box<dyn Iterator<Item = Result<ExportPart, DiskError>>>;

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    if arguments.output.is_some() {
        context.refuse_in_sandbox("writing a file")?;
    }
    let home = context.existing_home()?;
    let config = context.config(&home)?;
    let timezone = context.timezone(&config);
    let store = context.sessions(&home);
    let name = &arguments.session;
    let parts = if arguments.view {
        let view = found(&store, store.read(name, wiring::resume_limit(&config)))?.view;
        let items = view.items.into_iter().map(|item| ExportPart {
            at: item.at,
            what: match item.content {
                ViewContent::Message(message) => {
                    ExportedItem::Said(item.entry, message, item.origin)
                }
                ViewContent::Summary(summary) => ExportedItem::Summary(summary),
            },
        });
        Box::new(items.map(Ok)) as ExportParts
    } else {
        whole(&store, name)?
    };
    let format = arguments.format.unwrap_or(match context.output.format() {
        OutputFormat::Json => ExportFormat::Jsonl,
        OutputFormat::Human => ExportFormat::Markdown,
    });
    if arguments.ids && format == ExportFormat::Jsonl {
        return Err(
            CliError::new(ErrorKind::Usage, "JSON Lines output has no entry ids")
                .hint("omit `--ids`, or use `--format markdown`"),
        );
    }
    let scope = scope_of(name.as_str());
    let mut pieces = match format {
        ExportFormat::Jsonl => Box::new(parts.filter_map(move |part| match part {
            Ok(part) => line(&part, scope).transpose(),
            Err(error) => Some(Err(error.into())),
        })) as Box<dyn Iterator<Item = Result<String>>>,
        ExportFormat::Markdown => {
            let mut page = Page {
                timezone,
                has_ids: arguments.ids,
                day: None,
            };
            let title = format!("# Session {name}\n");
            let pieces = parts.map(move |part| Ok(page.render(&part?)));
            Box::new(std::iter::once(Ok(title)).chain(pieces))
        }
    };
    match &arguments.output {
        Some(path) => write_file(context, path, &mut pieces)?,
        None => print(pieces, format, context)?,
    }
    Ok(Exit::Done)
}

fn print(
    pieces: impl Iterator<Item = Result<String>>,
    format: ExportFormat,
    context: &mut Context,
) -> Result<()> {
    let is_terminal = context.host.environment.stdout().is_terminal();
    for piece in pieces {
        let piece = piece?;
        // A file or a pipe gets the exact bytes.
        context.output.raw(&match (is_terminal, format) {
            (true, ExportFormat::Markdown) => shown_page(&piece),
            (true, ExportFormat::Jsonl) => shown_json(&piece),
            (false, _) => piece,
        })?;
    }
    Ok(())
}

/// Everything on the path to the newest entry, including what has left the window.
fn whole(store: &SessionStore, name: &SessionName) -> Result<ExportParts> {
    // Fails for a session that has not started; `live_lines` would return nothing.
    found(store, store.lineage(name))?;
    let lines = found(store, store.live_lines(name, LineStart::FIRST))?;
    let part = |line: TranscriptLine| match line.content {
        LineContent::Entry(entry) => part(entry),
        LineContent::Header(_) | LineContent::ShortMeta(_) | LineContent::Damaged { .. } => None,
    };
    Ok(Box::new(
        lines.filter_map(move |line| line.map(part).transpose()),
    ))
}

fn part(entry: Entry) -> Option<ExportPart> {
    let what = match entry.payload {
        Payload::Message(stored) => {
            let origin = stored.origin();
            ExportedItem::Said(entry.id, stored.message, origin)
        }
        Payload::Compaction(_) => ExportedItem::Compacted,
        Payload::Reset(_) => ExportedItem::BegunAnew,
        Payload::Meta(_)
        | Payload::Rewind(_)
        | Payload::BranchSummary(_)
        | Payload::CustomMessage(_)
        | Payload::Custom(_)
        | Payload::SessionInfo(_)
        | Payload::Other(..) => return None,
    };
    let at = entry.at;
    Some(ExportPart { at, what })
}

/// A part as a line, with the scope of the session, in which `replay` and `session import` keep a copy.
fn line(part: &ExportPart, scope: Option<&str>) -> Result<Option<String>> {
    let at = part.at;
    let line = match &part.what {
        ExportedItem::Said(_, message, origin) => line_in_scope(message, at, (*origin, scope)),
        ExportedItem::Summary(summary) => {
            let message = Message::user(summary.as_str());
            line_in_scope(&message, at, (Origin::System, scope))
        }
        ExportedItem::Compacted | ExportedItem::BegunAnew => return Ok(None),
    };
    line.map(Some).map_err(|error| CliError::internal(&error))
}

fn write_file(
    context: &mut Context,
    path: &Path,
    pieces: &mut dyn Iterator<Item = Result<String>>,
) -> Result<()> {
    let disk = context.host.disk.as_ref();
    if disk.stat(path)?.is_some() {
        let failure = format!("{} already exists", path.display());
        return Err(CliError::new(ErrorKind::Input, failure)
            .hint("choose another file with `--output FILE`, or remove that one"));
    }
    let mut failure = None;
    let mut write = |out: &mut dyn Write| -> io::Result<()> {
        for piece in &mut *pieces {
            match piece {
                Ok(piece) => out.write_all(piece.as_bytes())?,
                Err(error) => {
                    failure = Some(error);
                    return Err(io::Error::other("the conversation could not be read"));
                }
            }
        }
        Ok(())
    };
    let replaced = replace_with(disk, path, &mut write);
    match failure {
        Some(failure) => Err(failure),
        None => Ok(replaced?),
    }
}

/// A part of a conversation.
struct ExportPart {
    at: Timestamp,
    what: ExportedItem,
}

enum ExportedItem {
    Said(EntryId, Message, Origin),
    /// A summary in place of earlier messages.
    Summary(String),
    Compacted,
    BegunAnew,
}

/// Renders parts one by one; each day has a heading.
#[derive(Debug)]
struct Page {
    timezone: Tz,
    /// Whether to print entry ids, which other commands take as arguments.
    has_ids: bool,
    day: Option<Day>,
}

/// Longest fence, in backticks; a text with a run of that length may end its block early.
const FENCE_MAX: usize = 32;

impl Page {
    fn render(&mut self, part: &ExportPart) -> String {
        let mut text = String::new();
        let at = &part.at;
        let today = day(*at, self.timezone);
        // Writing to a String cannot fail, here and below.
        if self.day != Some(today) {
            writeln!(text, "\n## {today}").unwrap_or_default();
            self.day = Some(today);
        }
        let time = at.with_timezone(&self.timezone).format("%H:%M");
        match &part.what {
            ExportedItem::Said(entry, message, origin) => {
                let who = speaker(message, *origin);
                let id = self.has_ids.then(|| format!(" {entry}"));
                let id = id.unwrap_or_default();
                writeln!(text, "\n### {time} {who}{id}\n").unwrap_or_default();
                for block in message.content() {
                    text.push_str(&rendered(block, message));
                }
            }
            ExportedItem::Summary(summary) => {
                let summary = summary.trim_end();
                writeln!(text, "\n### {time} summary\n\n{summary}").unwrap_or_default();
            }
            ExportedItem::Compacted => {
                text.push_str("\n*Older messages left the window here.*\n");
            }
            ExportedItem::BegunAnew => {
                text.push_str("\n*A new conversation started here.*\n");
            }
        }
        text
    }
}

fn speaker(message: &Message, origin: Origin) -> String {
    match message {
        Message::User {
            name: Some(name), ..
        } => name.clone(),
        Message::User { .. } if origin == Origin::System => "system".to_owned(),
        Message::User { .. } => "user".to_owned(),
        Message::Assistant(_) => "assistant".to_owned(),
        Message::ToolResult(result) => {
            let failed = match result.outcome {
                ToolOutcome::Success => "",
                ToolOutcome::Failure => ", failed",
            };
            format!("result of {}{failed}", result.tool_name)
        }
    }
}

fn rendered(block: &Block, message: &Message) -> String {
    match block {
        // The output of a tool is not our Markdown.
        Block::Text(text) if matches!(message, Message::ToolResult(_)) => fenced(text, ""),
        Block::Text(text) => format!("{}\n", text.trim_end_matches('\n')),
        Block::Thinking(_) => String::new(),
        Block::Image(image) => format!("*({}: {})*\n", image.mime_type, image.reference),
        Block::ToolCall(call) => {
            format!(
                "*calls {}*\n\n{}",
                call.name,
                fenced(&call.arguments, "json")
            )
        }
        Block::Unknown { kind, n_bytes } => {
            let bytes = counted(*n_bytes as u64, "byte", "bytes");
            format!("*({kind}: {bytes})*\n")
        }
    }
}

/// A code block, with a fence that the text does not contain.
fn fenced(text: &str, language: &str) -> String {
    let fence = (3..FENCE_MAX)
        .map(|length| "`".repeat(length))
        .find(|fence| !text.contains(fence.as_str()))
        .unwrap_or_else(|| "`".repeat(FENCE_MAX));
    format!(
        "{fence}{language}\n{}\n{fence}\n",
        text.trim_end_matches('\n')
    )
}
