//! What was forgotten, or would be; what is forgotten; what was taken back.
//!
//! Renders what it is given; forgets nothing.

use std::fmt::Write;

use base::{Locator, Tz, day, head};
use memory::{
    Because, ForgetPlan, Keeper, OwnerLines, Tombstone, TombstoneId, UndoReport, WorkspacePath,
};
use serde::Serialize;

use super::human::printable;
use super::session_list::counted;
use super::wrap::wrap;
use crate::environment::Stream;

/// A plan that was carried out, or would be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Forgotten {
    /// Under this id it can be taken back; null where nothing was done.
    id: Option<String>,
    /// Whether an earlier run began it and was broken off; the items were told then.
    #[serde(rename = "finished", skip_serializing_if = "std::ops::Not::not")]
    is_finished: bool,
    /// Whether an earlier run of the same request carried it out: nothing is done, and the items stay.
    #[serde(rename = "already", skip_serializing_if = "std::ops::Not::not")]
    is_already: bool,
    items: Vec<Item>,
    /// How many match the question besides.
    more: usize,
    /// What is typed to forget those, too.
    #[serde(skip)]
    next: String,
}

/// Whether a plan was carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ForgetEvent {
    /// It was not.
    Planned,
    /// It was, under this id.
    Done(String),
    /// One that was broken off before is carried out now, under this id.
    Finished(String),
    /// The same request was carried out before, under this id; what is planned now stays.
    Already(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Item {
    path: String,
    start_line: usize,
    end_line: usize,
    text: String,
    /// `remove` where the lines leave their file, `hide` where they stay there, `keep` where nothing is done.
    action: &'static str,
    keeper: &'static str,
    because: &'static str,
}

impl Forgotten {
    /// A plan as it is told.
    pub(crate) fn new(plan: &ForgetPlan, owner_lines: OwnerLines, event: &ForgetEvent) -> Self {
        let lines = plan.lines.iter().map(|line| {
            let (keeper, action) = match (line.keeper, owner_lines) {
                (Keeper::Program, _) => ("openclaw", "remove"),
                (Keeper::Owner, OwnerLines::Remove) => ("owner", "remove"),
                (Keeper::Owner, OwnerLines::Leave) => ("owner", "hide"),
            };
            item(line.place(), &line.text, (action, keeper), line.because)
        });
        let entries = plan.entries.iter().map(|entry| {
            item(
                entry.place(),
                &entry.text,
                ("hide", "transcript"),
                entry.because,
            )
        });
        let candidates = plan.candidates.iter().map(|own| {
            let known = ("remove", "openclaw");
            item(own.place(), &own.finding, known, own.because)
        });
        let mut items: Vec<Item> = lines.chain(candidates).chain(entries).collect();
        let is_already = matches!(event, ForgetEvent::Already(_));
        if is_already {
            for item in &mut items {
                item.action = "keep";
            }
        }
        Self {
            id: match event {
                ForgetEvent::Planned => None,
                ForgetEvent::Done(id) | ForgetEvent::Finished(id) | ForgetEvent::Already(id) => {
                    Some(id.clone())
                }
            },
            is_finished: matches!(event, ForgetEvent::Finished(_)),
            is_already,
            items,
            more: plan.n_more,
            next: String::new(),
        }
    }

    /// The same with the command that takes what matches besides.
    #[must_use]
    pub(crate) fn with_next(self, next: String) -> Self {
        Self { next, ..self }
    }
}

fn item(
    place: Locator,
    text: &str,
    (action, keeper): (&'static str, &'static str),
    because: Because,
) -> Item {
    Item {
        path: place.path,
        start_line: place.start_line,
        end_line: place.end_line,
        text: text.to_owned(),
        action,
        keeper,
        because: match because {
            Because::Chosen => "chosen",
            Because::SaysTheSame => "saysTheSame",
            Because::MadeFromIt => "madeFromIt",
            Because::IsEvidence => "isEvidence",
        },
    }
}

/// Most characters of a passage that are shown to people.
const SHOWN_CHARS_MAX: usize = 60;

/// One line a passage for people, and what became of them.
pub(crate) fn render(forgotten: &Forgotten, stdout: Stream) -> String {
    let items = wrap(
        &render_items(forgotten),
        stdout.text_columns(),
        "          ",
    );
    items + &render_outcome(forgotten, stdout.columns())
}

fn render_items(forgotten: &Forgotten) -> String {
    let mut text = String::new();
    for item in &forgotten.items {
        let Item {
            action,
            start_line,
            end_line,
            ..
        } = item;
        let place = Locator {
            path: item.path.clone(),
            start_line: *start_line,
            end_line: *end_line,
        };
        let why = match item.because {
            "saysTheSame" => " (says the same)",
            "madeFromIt" => " (made from it)",
            "isEvidence" => " (it was made from this)",
            _ => "",
        };
        let line = item.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown = head(&line, SHOWN_CHARS_MAX);
        let more = if shown.len() < line.len() {
            "\u{2026}"
        } else {
            ""
        };
        let (place, shown) = (printable(&place.to_string()), printable(shown));
        // Writing to a String cannot fail.
        writeln!(text, "{action}  {place}{why}\n        {shown}{more}").unwrap_or_default();
    }
    text
}

/// What became of passages that were shown before.
pub(crate) fn render_outcome(forgotten: &Forgotten, columns: usize) -> String {
    let mut text = String::new();
    let owners = forgotten.items.iter();
    let n_left = owners
        .filter(|it| it.action == "hide" && it.keeper == "owner")
        .count();
    if n_left > 0 {
        text.push_str("Your own lines stay in their files, and are shown nowhere else; `--yes` takes them out.\n");
    }
    if let Some(id) = &forgotten.id {
        let id = printable(id);
        let done = if forgotten.is_already {
            "This was forgotten before, and nothing more is forgotten now."
        } else if forgotten.is_finished {
            "An earlier run of this was broken off; what it was to forget is forgotten now."
        } else {
            "Forgotten."
        };
        // Writing to a String cannot fail.
        writeln!(
            text,
            "{done} `openclaw memory forget --undo {id}` takes it back, for 30 days to the byte."
        )
        .unwrap_or_default();
    }
    let mut text = wrap(&text, columns, "");
    if forgotten.is_already && !forgotten.items.is_empty() {
        let next = printable(&forgotten.next);
        writeln!(text, "What matches now stays; to forget it, too:\n  {next}").unwrap_or_default();
    } else if forgotten.more > 0 {
        let more = counted(forgotten.more as u64, "more matches", "more match");
        // On a line of its own, which can be copied whole.
        writeln!(text, "{more}:\n  {}", printable(&forgotten.next)).unwrap_or_default();
    }
    text
}

/// What is forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ForgetList {
    forgotten: Vec<ListedTombstone>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedTombstone {
    id: String,
    day: String,
    texts: usize,
    entries: Vec<String>,
    files: Vec<String>,
}

impl ForgetList {
    /// Tombstones as they are told: what they hide is not kept.
    pub(crate) fn new<'t>(all: impl Iterator<Item = &'t Tombstone>, timezone: Tz) -> Self {
        let listed = all.map(|tombstone| ListedTombstone {
            id: tombstone.id.to_string(),
            day: day(tombstone.at, timezone).to_string(),
            texts: tombstone.texts.len(),
            entries: tombstone
                .entries
                .iter()
                .map(|entry| format!("{}:{}", entry.path, entry.line))
                .collect(),
            files: tombstone.files.iter().map(ToString::to_string).collect(),
        });
        Self {
            forgotten: listed.collect(),
        }
    }
}

/// One line a tombstone for people.
pub(crate) fn render_list(list: &ForgetList) -> String {
    if list.forgotten.is_empty() {
        return "nothing is forgotten\n".to_owned();
    }
    let line = |it: &ListedTombstone| {
        let places: Vec<&str> = it
            .files
            .iter()
            .chain(&it.entries)
            .map(String::as_str)
            .collect();
        let places = if places.is_empty() {
            "no place".to_owned()
        } else {
            printable(&places.join(", "))
        };
        let (id, day) = (printable(&it.id), &it.day);
        let passages = counted(it.texts as u64, "passage of a note", "passages of notes");
        format!("{id}  {day}  {passages}; {places}\n")
    };
    list.forgotten.iter().map(line).collect()
}

/// What was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Undone {
    id: String,
    restored: Vec<String>,
    changed: Vec<Kept>,
    lost: Vec<String>,
    /// How many candidates wait again.
    waiting: usize,
}

/// A file that was changed since, with where it is kept as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Kept {
    path: String,
    before: String,
}

impl Undone {
    /// What became of each file.
    pub(crate) fn new(id: &TombstoneId, report: &UndoReport) -> Self {
        let names = |paths: &[WorkspacePath]| paths.iter().map(ToString::to_string).collect();
        let changed = report.changed.iter().map(|(path, before)| Kept {
            path: path.to_string(),
            before: before.display().to_string(),
        });
        Self {
            id: id.to_string(),
            restored: names(&report.restored),
            changed: changed.collect(),
            lost: names(&report.lost),
            waiting: report.n_waiting,
        }
    }
}

/// Some lines for people.
pub(crate) fn render_undone(undone: &Undone) -> String {
    let id = printable(&undone.id);
    let head = if !undone.changed.is_empty() {
        format!("{id} is not taken back yet, and nothing of it is found.\n")
    } else if undone.lost.is_empty() {
        format!("{id} is taken back: it is found again.\n")
    } else {
        format!(
            "{id} hides nothing any more: what still stands somewhere is found again, and what was taken out \
             for good does not come back.\n"
        )
    };
    let restored = undone.restored.iter();
    let restored = restored.map(|path| format!("{} holds its lines again\n", printable(path)));
    let changed = undone.changed.iter().map(|Kept { path, before }| {
        let (path, before) = (printable(path), printable(before));
        format!("{path} was changed since and is left alone; {before} is how it was\n")
    });
    let next = (!undone.changed.is_empty()).then(|| {
        format!(
            "Copy the lines back from there, and run `openclaw memory forget --undo {id}` again.\n"
        )
    });
    let lost = undone.lost.iter().map(|path| {
        let path = printable(path);
        format!("{path} stays as it is: nothing is kept of how it was\n")
    });
    let candidates = counted(undone.waiting as u64, "candidate waits", "candidates wait");
    let waiting = (undone.waiting > 0).then(|| format!("DREAMS.md: {candidates} again\n"));
    let lines = std::iter::once(head)
        .chain(restored)
        .chain(waiting)
        .chain(changed);
    lines.chain(lost).chain(next).collect()
}
