//! `openclaw session list`: lists the sessions of a home.
//!
//! Changes nothing.

use agent::{SessionSource, forgotten_entries};
use base::{SessionId, head, without_scope};
use cli::output::{Align, Column, minute, size, table};
use session::timeline::{SessionPart, TimelineRead, timeline};

use super::telling::{warn_left_out, warn_of_trouble};
use crate::prelude::*;
use crate::repository;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw session list
  openclaw session list --scope ~/code/project")]
pub(crate) struct Arguments {
    /// Show only what programs in this repository see; `none`: programs outside any repository
    #[arg(long, value_name = "PATH|REMOTE|none", value_parser = repository::scope)]
    scope: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.existing_home()?;
    let config = context.config(&home)?;
    let timezone = context.timezone(&config);
    let store = context.sessions(&home);
    let mut sessions = Vec::new();
    let mut n_left_out = 0_usize;
    let viewer = repository::viewer(arguments.scope.as_deref());
    let mut names = store.names()?;
    names.retain(|name| viewer.may_read(&store, &SessionSource::path_of(name)));
    let is_forgotten = forgotten_entries(&context.host.workspace(&home));
    for name in names {
        match timeline(&store, &name, timezone, &is_forgotten) {
            Ok(read) => {
                warn_of_trouble(read.trouble, &name, context.output);
                sessions.extend(lines(read));
            }
            Err(error) => {
                warn_left_out(&name, &error.into(), context.output);
                n_left_out += 1;
            }
        }
    }
    if sessions.is_empty() && n_left_out > 0 && context.output.format() == OutputFormat::Human {
        return Ok(Exit::Done);
    }
    context.emit(&SessionListing { sessions, timezone })
}

/// The sessions of a file; one that has lost its header still counts as a session.
fn lines(read: TimelineRead) -> Vec<SessionPart> {
    if !read.parts.is_empty() {
        return read.parts;
    }
    let course = read.timeline;
    vec![SessionPart {
        name: course.name,
        id: course.id,
        parent: course.parent,
        first_line: 1,
        title: None,
        messages: course.messages,
        last_activity_at: read.last_at,
        epoch: course.epoch,
        bytes: course.bytes,
    }]
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct SessionListing {
    /// One per session; a file with resets holds several.
    pub(super) sessions: Vec<SessionPart>,
    pub(super) timezone: Tz,
}

impl Report for SessionListing {
    fn json(&self) -> Value {
        json!({ "sessions": self.sessions })
    }

    fn human(&self, stdout: Stream) -> String {
        let width_max = stdout.table_columns();
        if self.sessions.is_empty() {
            return "no sessions yet\n".to_owned();
        }
        let labels = labels(&self.sessions);
        // A parent in the same file is no copy: the number of the part shows the order.
        let is_copy = |line: &SessionPart| {
            let parent = line.parent.as_ref();
            parent.is_some_and(|parent| {
                let mut same = self.sessions.iter().filter(|own| own.name == line.name);
                !same.any(|own| own.id == *parent)
            })
        };
        let has_copies = self.sessions.iter().any(is_copy);
        let mut columns = vec![
            Column::new("NAME", Align::Left),
            Column::new("MESSAGES", Align::Right),
            Column::new("LAST ACTIVITY", Align::Left),
            Column::new("EPOCH", Align::Right),
            Column::new("SIZE", Align::Right),
        ];
        if has_copies {
            columns.push(Column::new("ID", Align::Left));
            columns.push(Column::new("COPY OF", Align::Left));
        }
        let others = if has_copies { COPY_COLUMNS } else { 0 };
        if width_max >= TITLED_COLUMNS_MIN + others {
            columns.push(Column::cut("TITLE"));
        }
        let rows: Vec<Vec<String>> = self
            .sessions
            .iter()
            .zip(labels)
            .map(|(line, label)| {
                let mut row = row(line, label, self.timezone);
                if has_copies {
                    let parent = line.parent.as_ref().filter(|_| is_copy(line));
                    row.extend([short(&line.id), parent.map(short).unwrap_or_default()]);
                }
                row.push(printable(line.title.as_deref().unwrap_or_default()));
                row
            })
            .collect();
        table(&columns, &rows, width_max)
    }
}

const ID_CHARS: usize = 13;

/// Width of the columns ID and COPY OF.
const COPY_COLUMNS: usize = 2 * (ID_CHARS + 2);

/// A narrower terminal shows no titles.
const TITLED_COLUMNS_MIN: usize = 72;

/// The label of each session; the parts of a file with resets are numbered.
fn labels(sessions: &[SessionPart]) -> Vec<String> {
    let files = sessions.chunk_by(|left, right| left.name == right.name);
    let labels = files.flat_map(|parts| {
        let numbered = (1..).zip(parts);
        numbered.map(move |(number, part)| match parts.len() {
            1 => printable(&part.name),
            // In front, so that it stays visible if a long name is cut.
            n_parts => format!("{number}/{n_parts} {}", printable(&part.name)),
        })
    });
    labels.collect()
}

/// The beginning of an id without the scope of its repository, which all sessions there share.
fn short(id: &SessionId) -> String {
    printable(head(without_scope(id.as_str()), ID_CHARS))
}

fn row(line: &SessionPart, label: String, timezone: Tz) -> Vec<String> {
    let last_activity = line.last_activity_at.map(|at| minute(at, timezone));
    vec![
        label,
        grouped(line.messages),
        last_activity.unwrap_or_else(|| "never".to_owned()),
        grouped(line.epoch),
        size(line.bytes),
    ]
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;
